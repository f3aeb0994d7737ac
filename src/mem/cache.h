/* A cache: L1 data, instruction and scalar caches and L2 slices are configurations of this one.
 *
 *        in │   ▲ out (one, or one for each client that shares the cache)
 *           ▼   │
 *          cache
 *        down│  ▲ fill
 *           ▼   │
 *
 * lookup     what happens to a request at the head of `in`: a hit, a miss, or a merge with an
 *            outstanding miss (mshr.h); at most `ports` in a cycle, in order, and one in a bank
 * fill       a reply from below: the cache keeps its sectors and sends it up with the requests that
 *            waited for it
 * victim     a line that is evicted for another one; when it is dirty, a write-back goes down
 * stall      the head of `in` cannot be looked up; the ones behind it wait too
 *
 * A cycle: fills, at most `ports`; replies to requests that waited, at most `ports`; then lookups.
 * Every reply arrives at `out` `latency` cycles later, be it a hit or from below. So a hit takes
 * `latency`, and a miss `latency` and the time below. What goes down arrives one tick later.
 *
 * Replies never wait for `down`; otherwise two full directions could wait for each other. Dirty
 * victims of fills therefore wait for `down` in a list of their own. Until it is empty nothing else
 * goes down.
 *
 * Reads: the cache allocates a way at the fill (WW_ALLOCATE_ON_FILL: a fill is not kept when all
 * ways of its set are held) or at the miss (WW_ALLOCATE_ON_MISS: the miss stalls while all ways are
 * held). A dirty line with an outstanding miss is held too. Only sectors that are neither valid nor
 * pending are fetched. Writes: see ww_write_policy. Atomics are performed here, or passed down,
 * which evicts the copy here.
 *
 * Limits of the model: lines and sectors have one size in all caches of a path. A read that merges
 * with a miss which a later write overtook gets its data as of the miss. mem/ has no values. */
#ifndef WW_MEM_CACHE_H
#define WW_MEM_CACHE_H

#include "base/error.h"
#include "engine/clock.h"
#include "mem/bypass.h"
#include "mem/cache_stats.h"
#include "mem/mem.h"
#include "mem/reuse.h"
#include "mem/tags.h"

typedef enum ww_write_policy {
    WW_WRITE_BACK,    /* kept and answered here; a miss allocates and does not fetch the rest */
    WW_WRITE_THROUGH, /* passed down; a copy here is updated, a miss does not allocate */
    WW_WRITE_EVICT,   /* passed down; a copy here is dropped */
} ww_write_policy;

typedef enum ww_allocate { WW_ALLOCATE_ON_FILL, WW_ALLOCATE_ON_MISS } ww_allocate;

/* Which stages of a request the cache adds its time to. */
typedef enum ww_cache_level { WW_LEVEL_L1, WW_LEVEL_L2 } ww_cache_level;

typedef struct ww_cache_config {
    const char *name; /* for messages: "L1 data cache 3"; outlives the cache */
    ww_cache_level level;
    uint64_t size;   /* bytes; 0: everything passes through, nothing is kept or merged */
    uint32_t line;   /* bytes, a power of two */
    uint32_t sector; /* bytes: a power of two, 1 to 32 in a line */
    uint32_t ways;
    bool whole_lines;    /* a miss fetches all of its line, not only the sectors that are wanted */
    bool merge_is_reuse; /* a merge with the miss of a line is a use of the line that it brings */
    ww_index index;
    uint32_t slices; /* that share the lines, slice_lines at a time (tags.h); 1 and 1: none */
    uint32_t slice_lines;
    const ww_replace *replace;
    const ww_bypass *bypass; /* NULL: no read bypasses the cache */
    ww_policy_start start;   /* for its policies */
    ww_clock clock;
    uint32_t latency;    /* cycles */
    uint32_t ports;      /* lookups in a cycle */
    uint32_t banks;      /* interleaved by line; 0: no bank conflicts */
    uint32_t mshrs;      /* lines with outstanding misses */
    uint32_t merges;     /* requests that a line with a miss holds, the first included */
    uint32_t in_queue;   /* requests, those on their way included */
    uint32_t fill_queue; /* replies from below, likewise */
    uint32_t producers;  /* tasks that can wait for `in` */
    uint32_t suppliers;  /* tasks that can wait for `fill` */
    ww_write_policy write;
    ww_allocate allocate;
    bool atomics_here;        /* else they pass down */
    bool measures_reuse;      /* reuse.h */
    uint32_t atomic_interval; /* cycles that the line's bank is busy for each lane of an atomic */
} ww_cache_config;

/* The neighbours. A port belongs to its receiver and outlives the cache's last request. */
typedef struct ww_cache_wiring {
    ww_port *down;
    ww_port *const *outs;
    /* Which of the outs a request's reply goes to; NULL: the first. */
    uint32_t (*route)(const void *context, const ww_request *request);
    const void *route_context;
} ww_cache_wiring;

typedef struct ww_cache ww_cache;

/* Report values that make no sense: `prefix` is that of the keys ("l2"), `at` the location to
 * report. The line and sector are those of all caches, and are checked first. */
int ww_cache_line_check(uint64_t line, uint64_t sector, ww_where at, ww_errors *errors);
int ww_cache_config_check(const ww_cache_config *config, const char *prefix, ww_where at,
                          ww_errors *errors);

/* The configuration was checked. Write-backs and fetches come from the pool. */
ww_cache *ww_cache_create(const ww_cache_config *config, ww_engine *engine, ww_request_pool *pool);
/* Once, after all neighbours are created and before the first request. */
void ww_cache_connect(ww_cache *cache, const ww_cache_wiring *wiring);
void ww_cache_destroy(ww_cache *cache);

ww_port *ww_cache_in(ww_cache *cache);
ww_port *ww_cache_fill(ww_cache *cache);

/* Why the head of `in` waits: the compute unit charges its own stalls to this. */
ww_cache_stall ww_cache_stall_reason(const ww_cache *cache);
/* Cycles of its clock before `cycle` in which the head waited for a miss register, for room in one,
 * or for a way that one holds. */
uint64_t ww_cache_mshr_cycles(const ww_cache *cache, uint64_t cycle);
/* Invalidates all clean sectors at once; pending sectors will not be kept when they arrive. */
void ww_cache_invalidate(ww_cache *cache);
/* Invalidates the lines of a physical range at once, dirty sectors too: what they have is known
 * below, or no longer needed. Pending sectors will not be kept. The cost depends on the range. */
void ww_cache_invalidate_range(ww_cache *cache, uint64_t address, uint64_t bytes);
/* In the next cycle: writes all dirty sectors back, and invalidates all lines; pending sectors will
 * not be kept. Calls `done` in the cycle in which the last write-back is sent down. Until then
 * nothing else goes down. One at a time. */
void ww_cache_flush(ww_cache *cache, void (*done)(void *context), void *context);

/* A line that was evicted; 0 sectors: it was not dirty, or there was none. */
typedef struct ww_cache_victim {
    uint64_t address;
    uint32_t sectors; /* that were dirty */
    bool full;        /* all bytes of these are known */
} ww_cache_victim;

/* While the cache is idle: the request changes lines and policies in no time, as its lookup and its
 * fill would. Returns the sectors that it wants from below, or passes down; 0: none. Nothing is
 * counted. */
uint32_t ww_cache_warm(ww_cache *cache, const ww_request *request, ww_cache_victim *victim);

ww_cache_counters *ww_cache_counters_of(ww_cache *cache);
ww_reuse *ww_cache_reuse(const ww_cache *cache);     /* NULL: it is not measured */
const ww_tags *ww_cache_tags(const ww_cache *cache); /* NULL when the size is 0 */
bool ww_cache_is_idle(const ww_cache *cache);        /* it holds no request */

#endif
