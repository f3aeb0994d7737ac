/* Which pages of a block a driver brings beside those that faulted: the density prefetcher of
 * NVIDIA's open UVM driver (release 595, uvm_perf_prefetch.c).
 *
 * block      2 MiB of virtual addresses, aligned: the unit of service
 * leaf       a page of the block: 512 of 4 KiB, 32 of 64 KiB or 1 of 2 MiB
 * big page   64 KiB, aligned. A fault fills the rest of its big page in the tree.
 * node       1, 2, 4, ... leaves. A node is dense if more than `threshold` percent of its leaves
 *            are filled: resident already, faulted now, or in the big page of a fault.
 * A fault brings the largest dense node above it, also when a smaller one is not dense. The fill
 * alone brings nothing: with a threshold of 100 no node is dense, and faulted pages come alone.
 *
 * An allocation may end within a block, or begin there. The tree begins at the big page with the
 * first page of the allocation, and a node has no leaves beyond the last page. An allocation
 * without a whole big page is filled by any fault, and its tree begins at its first page. */
#ifndef WW_PAGING_DENSITY_TREE_H
#define WW_PAGING_DENSITY_TREE_H

#include "paging/page_mask.h"

typedef struct ww_density_tree {
    uint32_t leaves;    /* of a whole block */
    uint32_t big;       /* leaves of a big page, at least 1 */
    uint32_t threshold; /* percent, 0 to 100 */
} ww_density_tree;

/* Pages are powers of two of 4 KiB to 2 MiB. */
ww_density_tree ww_density_tree_make(uint64_t page_bytes, uint32_t threshold);

/* The pages to bring: faulted ones and what they prefetch, without those that are resident. Faulted
 * and resident pages are valid ones; valid pages are those of allocations. */
ww_page_mask ww_density_tree_expand(const ww_density_tree *tree, const ww_page_mask *valid,
                                    const ww_page_mask *resident, const ww_page_mask *faulted);

#endif
