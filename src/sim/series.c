#include "sim/series.h"

const ww_series ww_all_series[] = {
    {"link_in", WW_SERIES_SHARE, "", "part of the time in which data passes to the GPU"},
    {"link_out", WW_SERIES_SHARE, "", "part of the time in which data passes to the host"},
    {"faults", WW_SERIES_COUNT, "per ms", "far-faults a millisecond"},
    {"resident", WW_SERIES_LEVEL, "pages", "pages on the GPU"},
    {"evictions", WW_SERIES_COUNT, "per ms", "pages that leave the GPU, a millisecond"},
    {"waiting", WW_SERIES_LEVEL, "pages", "pages that wait for memory on the GPU"},
    {"power", WW_SERIES_MEAN, "W", "power, an estimate: the sum of its parts"},
    {"power_core", WW_SERIES_MEAN, "W", "of it, instructions and the local data share"},
    {"power_l1", WW_SERIES_MEAN, "W", "of it, L1 caches"},
    {"power_l2", WW_SERIES_MEAN, "W", "of it, the L2"},
    {"power_dram", WW_SERIES_MEAN, "W", "of it, DRAM"},
    {"power_network", WW_SERIES_MEAN, "W", "of it, networks and links"},
    {"power_tlb", WW_SERIES_MEAN, "W", "of it, TLBs and walks, without reads of page tables"},
    {"power_static", WW_SERIES_MEAN, "W", "of it, static power"},
};

const size_t ww_series_count = sizeof(ww_all_series) / sizeof(ww_all_series[0]);
