#include "vm/mmu_lines.h"

#include "vm/mmu_internal.h"

bool ww_mmu_is_leaf(const ww_mmu *mmu, unsigned level)
{
    return level == mmu->leaf_level;
}

uint32_t ww_mmu_reader(const ww_mmu *mmu, uint64_t address, unsigned level)
{
    uint64_t wanted = ww_neighbourhood(address, level);
    for (uint32_t i = 0; i < mmu->slot_count; i++) {
        const ww_walk_slot *slot = &mmu->slots[i];
        if (slot->level == level && ww_neighbourhood(slot->walk.address, level) == wanted)
            return ww_mmu_walker_of(mmu, slot);
    }
    return WW_NO_WALKER;
}

void ww_mmu_each_in_line(ww_mmu *mmu, const ww_pte_line *line,
                         void (*visit)(void *owner, ww_walk *walk), void *owner)
{
    ww_walk_buffer_each(mmu->buffer, ww_neighbourhood(line->address, line->level),
                        ww_level_shift(line->level) + 3, visit, owner);
}

uint64_t ww_mmu_line_entry(const ww_mmu *mmu, const ww_pte_line *line, const ww_walk *walk)
{
    return ww_page_table_read(ww_mmu_space_of(mmu, walk->address)->table,
                              ww_pte_address(line->node, walk->address, line->level));
}

void ww_mmu_release(ww_mmu *mmu, const ww_pte_line *line, ww_walk *walk)
{
    if (walk->held && walk->holder == line->walker)
        ww_walk_buffer_release(mmu->buffer, walk);
}

void ww_mmu_advance(ww_walk *walk, unsigned level, uint64_t node)
{
    if (!ww_walk_is_known(walk) || walk->resume.level > level)
        walk->resume = (ww_walk_start){level, node};
}
