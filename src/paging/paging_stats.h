/* Statistics of paging and of its link. */
#ifndef WW_PAGING_PAGING_STATS_H
#define WW_PAGING_PAGING_STATS_H

#include "stats/stats.h"

/* X(field, statistic, unit, doc) */
#define WW_PCIE_COUNTERS(X)                                                           \
    X(link_bytes_in, "bytes_in", "bytes", "data sent to the GPU, without headers")    \
    X(link_bytes_out, "bytes_out", "bytes", "data sent to the host, without headers") \
    X(link_busy_in, "busy_in", "ticks", "in which data passes towards the GPU")       \
    X(link_busy_out, "busy_out", "ticks", "in which data passes towards the host")    \
    X(link_wait, "wait", "ticks", "of transfers in the queue")

#define WW_PAGING_COUNTERS(X)                                                                    \
    X(faults, "faults", "faults", "far-faults of instructions, several for one page included")   \
    X(nacks, "nacks", "requests", "pages that a compute unit was refused (Nack-Replayable)")     \
    X(untracked, "untracked", "requests", "of them, those that nobody serves until a replay")    \
    X(queued, "queued", "faults", "faults that reached the driver's queue")                      \
    X(duplicates, "duplicates", "faults", "of them, those of pages that came already")           \
    X(replays, "replays", "replays", "pages that a compute unit was told to request again")      \
    X(blocked, "blocked", "ticks", "compute units' time with blocked TLBs")                      \
    X(waiting, "waiting", "ticks", "from a compute unit's fault on a page to its translation")   \
    X(services, "services", "batches", "batches of faults, or sets of pages, that were served")  \
    X(pages_in, "pages_in", "pages", "pages that came to the GPU")                               \
    X(demanded, "demanded", "pages", "of them, those that had faulted")                          \
    X(prefetched, "prefetched", "pages", "of them, those that had not")                          \
    X(prefetched_used, "prefetched_used", "pages", "of these, those that were accessed")         \
    X(evictions, "evictions", "pages", "pages that left the GPU")                                \
    X(useless, "useless", "pages", "of them, prefetched ones that were never accessed")          \
    X(written_back, "written_back", "pages", "of them, those whose data was sent to the host")   \
    X(bytes_in, "bytes_in", "bytes", "of pages that were sent to the GPU")                       \
    X(bytes_out, "bytes_out", "bytes", "of pages that were sent to the host")                    \
    X(shootdowns, "shootdowns", "shoot-downs", "each removes the translations of all its pages") \
    X(copy_ticks, "copy_ticks", "ticks", "of copies before and after launches")                  \
    X(peak_pages, "peak_pages", "pages", "most pages with memory at a time")                     \
    X(mapped_remote, "mapped_remote", "pages",                                                   \
      "pages that were mapped where they are, on the host")                                      \
    X(remote, "remote", "requests", "accesses of the GPU to pages on the host")

typedef struct ww_paging_counters {
#define WW_PAGING_COUNTER_FIELD(field, statistic, unit, doc) uint64_t field;
    WW_PAGING_COUNTERS(WW_PAGING_COUNTER_FIELD)
    WW_PCIE_COUNTERS(WW_PAGING_COUNTER_FIELD)
#undef WW_PAGING_COUNTER_FIELD
    uint64_t ticks;    /* of time with paging */
    uint64_t pages;    /* of all buffers */
    uint64_t capacity; /* pages that can be resident */
} ww_paging_counters;

extern const ww_stat_table ww_paging_stats; /* "paging." */
extern const ww_stat_table ww_pcie_stats;   /* "pcie.", of the same counters */

#endif
