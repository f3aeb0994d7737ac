/* A timeline's internals: timeline.c writes warps, memory instructions and counters,
 * timeline_paging.c what happens to pages. */
#ifndef WW_SIM_TIMELINE_INTERNAL_H
#define WW_SIM_TIMELINE_INTERNAL_H

#include "sim/timeline.h"

#define WW_GPU_PROCESS 1u
#define WW_TIME_CHARS 32
#define WW_PAGING_COUNTERS_OF_SAMPLE 6u /* events */

/* Tracks of a compute unit that have a name or an open slice: masks of slots. */
typedef struct ww_timeline_tracks {
    bool named;
    uint64_t named_slots;
    uint64_t open;
} ww_timeline_tracks;

/* Events of paging, by the names that NVIDIA's UVM driver has for them. X(name, word) */
#define WW_TIMELINE_PAGING(X)   \
    X(FAULT, "GpuFault")        \
    X(REPLAY, "GpuFaultReplay") \
    X(MIGRATION, "Migration")   \
    X(EVICTION, "Eviction")     \
    X(MAPPING, "MapRemote")

typedef enum ww_timeline_kind {
#define WW_TIMELINE_KIND(name, word) WW_TIMELINE_##name,
    WW_TIMELINE_PAGING(WW_TIMELINE_KIND)
#undef WW_TIMELINE_KIND
        WW_TIMELINE_KINDS
} ww_timeline_kind;

/* Events of a kind: every `period`-th is written. */
typedef struct ww_timeline_sampling {
    uint64_t seen, written, period;
} ww_timeline_sampling;

struct ww_timeline {
    FILE *out;
    ww_cu_observer observer;
    uint64_t hertz;
    unsigned compute_units;
    bool has_walks; /* translation takes time */
    bool has_cu_walks;
    ww_timeline_tracks *tracks;
    uint64_t last_cycle; /* of all events so far */
    uint64_t launch;
    bool launch_open;
    bool any; /* event written */
    uint64_t warp_events, memory_events, counter_events;
    uint64_t warps_left_out;
    uint64_t accesses, accesses_written, access_period;
    uint64_t samples, sample_period;
    ww_gpu_sample before;
    /* Of paging (timeline_paging.c). */
    bool paged;
    ww_paging_observer pages;
    uint64_t page_bytes;
    ww_timeline_sampling sampling[WW_TIMELINE_KINDS];
};

/* Microseconds. */
const char *ww_timeline_time(const ww_timeline *timeline, uint64_t cycle, char text[WW_TIME_CHARS]);
/* One object; the format has all its members. */
__attribute__((format(printf, 2, 3))) void ww_timeline_event(ww_timeline *timeline,
                                                             const char *format, ...);
void ww_timeline_advance(ww_timeline *timeline, uint64_t cycle);

/* timeline_paging.c: nothing where memory is not paged. */
void ww_timeline_begin_paging(ww_timeline *timeline, const ww_config *config);
void ww_timeline_sample_paging(ww_timeline *timeline, const char *time,
                               const ww_gpu_sample *sample);
void ww_timeline_end_paging(ww_timeline *timeline);

#endif
