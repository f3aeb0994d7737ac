#include "exec/exec_config.h"

#include "exec/exec_schema.h"
#include "exec/order.h"

int ww_exec_configure(const ww_config *config, uint64_t seed, ww_exec_options *options,
                      ww_errors *errors)
{
    static const ww_lane_level levels[] = {[WW_LANES_PORTABLE] = WW_LANE_PORTABLE,
                                           [WW_LANES_AVX2] = WW_LANE_AVX2,
                                           [WW_LANES_AVX512] = WW_LANE_AVX512};
    size_t lanes = ww_config_choice(config, "exec.lanes");
    ww_lane_level best = ww_lane_best();
    options->width = (unsigned)ww_config_u64(config, "core.warp_width");
    options->order = (const ww_order *)(const void *)ww_config_policy(config, "exec.order");
    options->config = config;
    options->seed = seed;
    options->level = lanes == WW_LANES_AUTO ? best : levels[lanes];
    if (options->level <= best)
        return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT, ww_config_find(config, "exec.lanes")->at,
                   "exec.lanes is '%s', which this processor or build does not have (its best is "
                   "'%s')",
                   ww_lane_level_name(options->level), ww_lane_level_name(best));
}
