/* Walks in no time, for warming. */
#include "vm/mmu_internal.h"

/* Reads an entry: its line comes from the PTE cache, or from memory. */
static uint64_t read_entry(ww_mmu *mmu, const ww_warm_walk *walk, uint64_t at)
{
    uint64_t unused, number = at / WW_PTE_LINE;
    if (!mmu->config.pte_cache.entries || !ww_lru_find(&mmu->lines, number, &unused)) {
        walk->read(walk->context, at & ~(uint64_t)(mmu->config.line - 1),
                   ww_mmu_sectors_of(mmu, at));
        if (mmu->config.pte_cache.entries)
            ww_lru_put(&mmu->lines, number, 0);
    }
    return ww_page_table_read(ww_mmu_space_of(mmu, walk->address)->table, at);
}

uint64_t ww_mmu_warm(ww_mmu *mmu, ww_warm_walk *walk)
{
    const ww_mmu_space *space = ww_mmu_space_of(mmu, walk->address);
    ww_walk_start from =
        ww_mmu_start_of(mmu, &(ww_walk){.address = walk->address}, WW_LOOKUP_AT_ONCE);
    for (;;) {
        uint64_t at = ww_pte_address(from.node, walk->address, from.level);
        uint64_t entry = read_entry(mmu, walk, at);
        if (!(entry & WW_PTE_PRESENT) || ww_pte_is_leaf(entry, from.level)) {
            walk->run =
                mmu->config.runs ? ww_page_table_run(space->table, entry, at) : (ww_page_run){0};
            return entry;
        }
        from = (ww_walk_start){.level = from.level - 1, .node = entry & WW_PTE_FRAME};
        ww_walk_cache_put(mmu->cache, walk->address, from.level + 1, from.node);
    }
}
