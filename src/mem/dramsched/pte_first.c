/* Page-table reads before all others, because several loads may wait for one of them; then as
 * frfcfs. The age cap holds for both. */
#include "mem/dramsched/frfcfs.h"

enum { PTE, OTHER };

static uint8_t rank(void *state, const ww_request *request)
{
    (void)state;
    return request->class == WW_CLASS_PTE ? PTE : OTHER;
}

static ww_dram_choice choose(const void *state, const ww_dram_next *next)
{
    uint64_t ptes = ww_dram_banks_of_rank(next, PTE);
    ww_dram_choice all = ww_dram_first_ready(next, ww_dram_banks(next));
    (void)state;
    if (!ptes || ww_dram_is_over_age_cap(next))
        return all;
    ww_dram_choice first = ww_dram_first_ready(next, ptes);
    return first.cycle <= all.cycle ? first : all;
}

extern const ww_dramsched ww_dramsched_pte_first;
const ww_dramsched ww_dramsched_pte_first = {
    .policy = {.name = "pte_first",
               .doc = "reads of page-table entries first; then as frfcfs",
               WW_POLICY_KEYS(ww_frfcfs_keys),
               .state_size = sizeof(ww_frfcfs),
               .start = ww_frfcfs_start},
    .rank = rank,
    .age_cap = ww_frfcfs_age_cap,
    .choose = choose,
};
