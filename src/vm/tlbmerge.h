/* TLB merging: the pages that one entry of a TLB is for.
 *
 * run    of a page (ww_page_run): neighbours that are contiguous with it in virtual and in physical
 *        memory, and as writable. Walkers find those of the line of page-table entries that they
 *        have read (tlb.merge_fill); a TLB answers with those of its entry.
 *
 * Keys are of pages (ww_page_key), entries have the bits of a page-table entry. A policy without
 * functions keeps an entry for each page; runs are not used then. A policy keeps its entries in the
 * TLB's map, under keys of its own whose bits from WW_ASID_SHIFT on are the address space. A lookup
 * takes as long as without merging. */
#ifndef WW_VM_TLBMERGE_H
#define WW_VM_TLBMERGE_H

#include "config/policy.h"
#include "vm/lru.h"
#include "vm/vm.h"

typedef struct ww_tlbmerge {
    ww_policy policy;
    /* A lookup. True: the entry has the page; *bits is the page's, *run has the others of it. */
    bool (*find)(void *state, ww_lru *entries, uint64_t key, uint64_t *bits, ww_page_run *run);
    /* The page has been answered from below. Returns how many entries were evicted. */
    uint32_t (*fill)(void *state, ww_lru *entries, uint64_t key, uint64_t bits, ww_page_run run);
    void (*remove)(void *state, ww_lru *entries, uint64_t key);
    void (*remove_space)(void *state, ww_lru *entries, uint16_t asid);
} ww_tlbmerge;

extern const ww_policy_family ww_tlbmerge_family;

#endif
