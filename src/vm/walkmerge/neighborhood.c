/* Neighbourhood-aware merging (MICRO 2018): a line that a walker reads contains the entries of
 * seven neighbours. A line of the leaf level answers the waiting walks of the neighbourhood. A line
 * of an upper level lets them start further down. A walk whose next line is being read is held
 * until the line arrives. */
#include "config/config.h"
#include "vm/mmu_internal.h"

static bool merges(const ww_mmu *mmu, unsigned level)
{
    return level == mmu->leaf_level ? mmu->config.merge_leaf : mmu->config.merge_upper;
}

static uint32_t held_by(const ww_mmu *mmu, uint64_t address, unsigned level)
{
    if (!merges(mmu, level))
        return WW_NO_WALKER;
    uint64_t wanted = ww_neighbourhood(address, level);
    for (uint32_t i = 0; i < mmu->config.walkers; i++) {
        const ww_walker *w = &mmu->walkers[i];
        if (w->level == level && ww_neighbourhood(w->walk.address, level) == wanted)
            return i;
    }
    return WW_NO_WALKER;
}

typedef struct line {
    ww_mmu *mmu;
    const ww_walker *walker;
} line;

/* Releases a walk of the neighbourhood, and answers or advances it with its entry of the line. */
static void use_line(void *owner, ww_walk *walk)
{
    const line *l = owner;
    ww_mmu *mmu = l->mmu;
    unsigned level = l->walker->level;
    uint64_t entry = ww_page_table_read(ww_mmu_space_of(mmu, walk->address)->table,
                                        ww_pte_address(l->walker->node, walk->address, level));
    if (walk->held && walk->holder == (uint32_t)(l->walker - mmu->walkers))
        ww_walk_buffer_release(mmu->buffer, walk);
    if (!(entry & WW_PTE_PRESENT))
        return;
    if (ww_pte_is_leaf(entry, level))
        ww_mmu_answer_waiting(mmu, walk, entry);
    else if (!ww_walk_is_known(walk) || walk->resume.level >= level)
        walk->resume = (ww_walk_start){level - 1, entry & WW_PTE_FRAME};
}

static void line_read(ww_mmu *mmu, uint32_t walker)
{
    line l = {mmu, &mmu->walkers[walker]};
    unsigned level = l.walker->level;
    if (merges(mmu, level))
        ww_walk_buffer_each(mmu->buffer, ww_neighbourhood(l.walker->walk.address, level),
                            ww_level_shift(level) + 3, use_line, &l);
}

/* MICRO 2018, section IV: in each entry of the buffer an address (PA, 40 bits), a level (PL, 3) and
 * whether it is held (CL); for each walker the address of its walk (36 bits) and the level. */
static uint64_t storage_bits(const struct ww_config *config, const char *key)
{
    (void)key;
    uint64_t walkers = ww_config_u64(config, "walk.walkers");
    return ww_config_u64(config, "walk.buffer") * (40 + 3 + 1) +
           (walkers == WW_INFINITE ? 0 : walkers * (36 + 3));
}

static const char *const levels[] = {"leaf", "upper", "all", NULL};

static const ww_key keys[] = {
    {.key = "walk.merge_levels",
     .type = WW_KEY_CHOICE,
     .choices = levels,
     .initial = "all",
     .doc = "levels whose lines are used: the leaf, the levels above it, or all"},
};

extern const ww_walkmerge ww_walkmerge_neighborhood;
const ww_walkmerge ww_walkmerge_neighborhood = {
    .policy = {.name = "neighborhood",
               .doc = "answers and advances waiting walks whose entries are in the same line",
               .keys = keys,
               .key_count = sizeof(keys) / sizeof(keys[0]),
               .storage_bits = storage_bits},
    .held_by = held_by,
    .line_read = line_read,
};
