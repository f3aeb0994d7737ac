/* Neighbourhood-aware merging (MICRO 2018): a line that a walker reads contains the entries of
 * seven neighbours. A line of the leaf level answers the waiting walks of the neighbourhood. A line
 * of an upper level lets them start further down. A walk whose next line is being read is held
 * until the line arrives. */
#include "config/config.h"
#include "vm/vm_schema.h"
#include "vm/walkmerge.h"

typedef struct neighborhood {
    bool leaf, upper; /* levels whose lines are used */
} neighborhood;

enum { LEAF, UPPER, ALL };
static const char *const levels[] = {[LEAF] = "leaf", [UPPER] = "upper", [ALL] = "all", NULL};

static void start(void *state, const ww_policy_start *start)
{
    neighborhood *s = state;
    size_t chosen = ww_policy_choice(start, "merge_levels");
    s->leaf = chosen != UPPER;
    s->upper = chosen != LEAF;
}

static bool merges(const neighborhood *s, const struct ww_mmu *mmu, unsigned level)
{
    return ww_mmu_is_leaf(mmu, level) ? s->leaf : s->upper;
}

static uint32_t held_by(void *state, const struct ww_mmu *mmu, uint64_t address, unsigned level)
{
    return merges(state, mmu, level) ? ww_mmu_reader(mmu, address, level) : WW_NO_WALKER;
}

typedef struct use {
    struct ww_mmu *mmu;
    const ww_pte_line *line;
} use;

/* Releases a walk of the neighbourhood, and answers or advances it with its entry of the line. */
static void use_line(void *owner, ww_walk *walk)
{
    const use *u = owner;
    uint64_t entry = ww_mmu_line_entry(u->mmu, u->line, walk);
    ww_mmu_release(u->mmu, u->line, walk);
    if (!(entry & WW_PTE_PRESENT))
        return;
    if (ww_pte_is_leaf(entry, u->line->level))
        ww_mmu_answer_waiting(u->mmu, u->line, walk, entry);
    else
        ww_mmu_advance(walk, u->line->level - 1, entry & WW_PTE_FRAME);
}

static void line_read(void *state, struct ww_mmu *mmu, const ww_pte_line *line)
{
    use u = {mmu, line};
    if (merges(state, mmu, line->level))
        ww_mmu_each_in_line(mmu, line, use_line, &u);
}

/* MICRO 2018, section IV: in each entry of the buffer an address (PA, 40 bits), a level (PL, 3) and
 * whether it is held (CL); for each walker the address of its walk (36 bits) and the level. */
static uint64_t storage_bits(const ww_policy_start *start)
{
    uint64_t walkers = ww_config_u64(start->config, "walk.walkers");
    return ww_walk_buffer_entries(start->config) * (40 + 3 + 1) +
           (walkers == WW_INFINITE ? 0 : walkers * (36 + 3));
}

static const ww_key keys[] = {
    {.key = "merge_levels",
     .type = WW_KEY_CHOICE,
     .choices = levels,
     .initial = "all",
     .doc = "levels whose lines are used: the leaf, the levels above it, or all"},
};

extern const ww_walkmerge ww_walkmerge_neighborhood;
const ww_walkmerge ww_walkmerge_neighborhood = {
    .policy = {.name = "neighborhood",
               .doc = "answers and advances waiting walks whose entries are in the same line",
               WW_POLICY_KEYS(keys),
               .state_size = sizeof(neighborhood),
               .start = start,
               .storage_bits = storage_bits},
    .held_by = held_by,
    .line_read = line_read,
};
