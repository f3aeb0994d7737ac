/* Walk merging: other walks that use the line of page-table entries that a walker has read.
 *
 * line            64 bytes: 8 entries. A memory access of a walker brings all of them.
 * neighbourhood   of a level: the virtual addresses of a space whose entries of that level are in
 *                 one line; at the leaf 32 KiB, above it 16 MiB, 8 GiB, 4 TiB (with pages of 4 KiB)
 * held            of a waiting walk: it does not start before the walker that it is held for has
 *                 read its line
 *
 * A policy without functions merges nothing. What it may ask the MMU, and do with walks that wait,
 * are the functions of mmu_lines.h. */
#ifndef WW_VM_WALKMERGE_H
#define WW_VM_WALKMERGE_H

#include "config/policy.h"
#include "vm/mmu_lines.h"

typedef struct ww_walkmerge {
    ww_policy policy;
    /* For a walk whose next entry is of `level`: the walker that it is held for, whose read
     * releases it. WW_NO_WALKER: the walk may start. NULL: no walk is held. */
    uint32_t (*held_by)(void *state, const struct ww_mmu *mmu, uint64_t address, unsigned level);
    /* A walker has read a line; its walk continues after the call. Releases the walks that are held
     * for it. May be NULL. */
    void (*line_read)(void *state, struct ww_mmu *mmu, const ww_pte_line *line);
} ww_walkmerge;

extern const ww_policy_family ww_walkmerge_family;

#endif
