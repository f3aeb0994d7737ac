/* Reuse distance: a property of the stream of loads to a cache, measured beside it. It does not
 * depend on which lines the cache keeps, and changes nothing.
 *
 * use        a lookup of a load, whether it hits, misses, merges or bypasses the cache. Stores and
 *            atomics are none.
 * distance   uses of other lines of the same set between two uses of a line: accesses, not distinct
 *            lines
 * never      a use that no other use of its line follows
 * stream     what follows one another. An invalidation of the whole cache, as by a launch, begins a
 *            new one: no line can be used across it.
 * row        the distances after the uses of one instruction of a kernel
 * critical   of a distance: the later use is of a critical warp (mem/request.h)
 * lost       of a critical distance: the line was neither in the cache nor on its way at the later
 *            use. It was evicted, invalidated by a store, or not kept.
 *
 * A cache follows the WW_REUSE_LINES lines that were used last. One that is forgotten counts as
 * never used again, and its next use as the first: so memory is bounded. */
#ifndef WW_MEM_REUSE_H
#define WW_MEM_REUSE_H

#include "stats/stats.h"

#define WW_REUSE_LINES 65536

/* X(context, first, name, text): buckets of distances, from `first` to before the next. */
#define WW_REUSE_BUCKETS(X, context)      \
    X(context, 0, "0_3", "0 to 3")        \
    X(context, 4, "4_7", "4 to 7")        \
    X(context, 8, "8_15", "8 to 15")      \
    X(context, 16, "16_31", "16 to 31")   \
    X(context, 32, "32_63", "32 to 63")   \
    X(context, 64, "64_127", "64 to 127") \
    X(context, 128, "128", "128 or more")
#define WW_REUSE_BUCKET_COUNT 7

typedef struct ww_reuse_row {
    uint64_t uses;
    uint64_t buckets[WW_REUSE_BUCKET_COUNT];
    uint64_t critical, critical_lost; /* distances, as above */
} ww_reuse_row;

typedef struct ww_reuse_counters {
    ww_reuse_row all;
    uint64_t critical[WW_REUSE_BUCKET_COUNT]; /* `all` has their sum, and how many are lost */
    ww_histogram distances;
} ww_reuse_counters;

extern const ww_stat_table ww_reuse_stats;

typedef struct ww_line_use {
    uint64_t line; /* its number */
    uint32_t set;
    uint16_t pc;
    bool critical;
    bool is_here; /* or on its way */
} ww_line_use;

typedef struct ww_reuse ww_reuse;

ww_reuse *ww_reuse_create(uint32_t sets);
void ww_reuse_destroy(ww_reuse *reuse);
void ww_reuse_add(ww_reuse *reuse, const ww_line_use *use);
/* A new stream begins. */
void ww_reuse_clear(ww_reuse *reuse);
/* Uses are of this kernel from now on; kernels have numbers from 0, in any order. */
void ww_reuse_begin_kernel(ww_reuse *reuse, uint32_t kernel);

const ww_reuse_counters *ww_reuse_count(const ww_reuse *reuse);
/* A new stream begins, and rows count from here; counters do not change. */
void ww_reuse_restart(ww_reuse *reuse);
/* The rows of a kernel, by program counter. */
const ww_reuse_row *ww_reuse_rows(const ww_reuse *reuse, uint32_t kernel, size_t *count);

#endif
