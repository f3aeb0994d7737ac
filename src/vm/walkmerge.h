/* Walk merging: other walks that use the line of page-table entries that a walker has read.
 *
 * line            64 bytes: 8 entries. A memory access of a walker brings all of them.
 * neighbourhood   of a level: the virtual addresses of a space whose entries of that level are in
 * one line; at the leaf 32 KiB, above it 16 MiB, 8 GiB, 4 TiB (with pages of 4 KiB)
 *
 * A policy without functions merges nothing. */
#ifndef WW_VM_WALKMERGE_H
#define WW_VM_WALKMERGE_H

#include "config/policy.h"
#include "vm/walk_buffer.h"

#define WW_PTE_LINE 64u

static inline uint64_t ww_neighbourhood(uint64_t address, unsigned level)
{
    return address >> (ww_level_shift(level) + 3);
}

struct ww_mmu;

typedef struct ww_walkmerge {
    ww_policy policy;
    /* For a walk whose next entry is of `level`: the walker that it is held for, whose read
     * releases it. WW_NO_WALKER: the walk may start. NULL: no walk is held. */
    uint32_t (*held_by)(const struct ww_mmu *mmu, uint64_t address, unsigned level);
    /* A walker has read the line of its entry; its walk continues after the call. May be NULL. */
    void (*line_read)(struct ww_mmu *mmu, uint32_t walker);
} ww_walkmerge;

extern const ww_policy_family ww_walkmerge_family;

#define WW_NO_WALKER UINT32_MAX

#endif
