#include "exec/rows.h"

extern const ww_row_tools ww_row_tools_portable;
#if defined(WW_LANE_HAS_X86_LEVELS)
extern const ww_row_tools ww_row_tools_avx2;
extern const ww_row_tools ww_row_tools_avx512;
#endif

const ww_row_tools *ww_row_tools_of(ww_lane_level level)
{
#if defined(WW_LANE_HAS_X86_LEVELS)
    if (level == WW_LANE_AVX512)
        return &ww_row_tools_avx512;
    if (level == WW_LANE_AVX2)
        return &ww_row_tools_avx2;
#endif
    (void)level;
    return &ww_row_tools_portable;
}
