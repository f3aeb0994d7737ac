#include "sim/series.h"

const ww_series ww_all_series[] = {
    {"link_in", WW_SERIES_SHARE, "", "part of the time in which data passes to the GPU"},
    {"link_out", WW_SERIES_SHARE, "", "part of the time in which data passes to the host"},
    {"faults", WW_SERIES_COUNT, "per ms", "far-faults a millisecond"},
    {"resident", WW_SERIES_LEVEL, "pages", "pages on the GPU"},
    {"evictions", WW_SERIES_COUNT, "per ms", "pages that leave the GPU, a millisecond"},
    {"waiting", WW_SERIES_LEVEL, "pages", "pages that wait for memory on the GPU"},
};

const size_t ww_series_count = sizeof(ww_all_series) / sizeof(ww_all_series[0]);
