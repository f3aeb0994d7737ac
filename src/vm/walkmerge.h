/* Walk merging: other walks that use the line of page-table entries that a walker has read.
 *
 * line            64 bytes: 8 entries. A memory access of a walker brings all of them.
 * neighbourhood   of a level: the virtual addresses of a space whose entries of that level are in
 *                 one line; at the leaf 32 KiB, above it 16 MiB, 8 GiB, 4 TiB (with pages of 4 KiB)
 * held            of a waiting walk: it does not start before the walker that it is held for has
 *                 read its line
 *
 * batch           of a walker that has several walks: those that read their next entries now, one a
 *                 cycle, the oldest first. The walker chooses the next batch when all lines of this
 *                 one have come. Each walk is answered, and each slot is free for another walk, as
 *                 soon as its own leaf has come. Walks go to the walkers in turn.
 *
 * A policy without functions merges nothing. What it may ask the MMU, and do with walks that wait,
 * are the functions of mmu_lines.h. */
#ifndef WW_VM_WALKMERGE_H
#define WW_VM_WALKMERGE_H

#include "config/policy.h"
#include "vm/mmu_lines.h"

/* A walk at a walker that could read its next entry now. */
typedef struct ww_ready_walk {
    uint64_t number; /* in the order of arrival */
    uint64_t address;
    unsigned level; /* of the entry */
    ww_tick since;  /* it could read */
} ww_ready_walk;

typedef struct ww_ready_walks {
    ww_ready_walk walks[WW_MOST_WALKER_WALKS]; /* the oldest first */
    uint32_t count;
    ww_tick now;
} ww_ready_walks;

typedef struct ww_walkmerge {
    ww_policy policy;
    /* For a walk whose next entry is of `level`: the walker that it is held for, whose read
     * releases it. WW_NO_WALKER: the walk may start. NULL: no walk is held. */
    uint32_t (*held_by)(void *state, const struct ww_mmu *mmu, uint64_t address, unsigned level);
    /* A walker has read a line; its walk continues after the call. Releases the walks that are held
     * for it. May be NULL. */
    void (*line_read)(void *state, struct ww_mmu *mmu, const ww_pte_line *line);
    /* The walks that a walker can have, from 1 to WW_MOST_WALKER_WALKS. NULL: one, which reads when
     * it can, and there are no batches. A policy that batches needs walk.scheduler: fcfs. */
    uint32_t (*walker_walks)(const void *state);
    /* A walker without outstanding reads has such walks: the batch, as bits of `ready->walks`; not
     * 0. */
    uint64_t (*batch)(void *state, const ww_ready_walks *ready);
} ww_walkmerge;

extern const ww_policy_family ww_walkmerge_family;

#endif
