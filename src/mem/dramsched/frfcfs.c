/* First ready, first come first served (Rixner et al., ISCA 2000): of the commands that are allowed
 * first, reads and writes of open rows before others, then the oldest. When the oldest of the
 * banks' requests is over the age cap, no other command of the same kind precedes it; otherwise
 * switching ranks, directions or groups could delay it for ever. */
#include "mem/dramsched.h"

typedef struct frfcfs {
    uint64_t age_cap;
} frfcfs;

static void start(void *state, const ww_policy_start *start)
{
    ((frfcfs *)state)->age_cap = ww_policy_u64(start, "age_cap");
}

static uint64_t age_cap(const void *state)
{
    return ((const frfcfs *)state)->age_cap;
}

static ww_dram_choice oldest_of(const ww_dram_next *next, ww_dram_earliest first)
{
    if (first.cycle == WW_DRAM_NEVER)
        return (ww_dram_choice){WW_DRAM_NEVER, 0};
    return (ww_dram_choice){first.cycle, ww_dram_next_oldest(next, first.banks)};
}

/* The oldest is over the age cap: only earlier commands of another kind precede it. */
static ww_dram_choice choose_beside(const ww_dram_next *next, ww_dram_choice oldest)
{
    uint64_t same = ww_dram_next_kind(next, oldest.bank);
    ww_dram_earliest others = ww_dram_next_earliest(next, ww_dram_next_banks(next) & ~same);
    return others.cycle < oldest.cycle ? oldest_of(next, others) : oldest;
}

/* Not inlined: the usual choice would be slower. */
static __attribute__((noinline)) ww_dram_choice choose_at_length(const ww_dram_next *next)
{
    uint64_t banks = ww_dram_next_banks(next);
    if (next->over_age_cap) {
        uint32_t oldest = ww_dram_next_oldest(next, banks);
        ww_dram_choice choice = {ww_dram_next_start(next, oldest), oldest};
        if (choice.cycle != WW_DRAM_NEVER)
            return choose_beside(next, choice);
    }
    return oldest_of(next, ww_dram_next_earliest(next, banks));
}

static ww_dram_choice choose(const void *state, const ww_dram_next *next)
{
    uint64_t now = next->over_age_cap ? 0 : ww_dram_next_ready_now(next);
    (void)state;
    if (!now)
        return choose_at_length(next);
    return (ww_dram_choice){next->times.cycle, ww_dram_next_oldest(next, now)};
}

static const ww_key keys[] = {
    {.key = "age_cap",
     .type = WW_KEY_U64,
     .unit = "DRAM cycles",
     .min = "0",
     .initial = "2000",
     .doc = "how long younger requests that find their row open may pass a request; a write "
            "waits from when its channel begins to serve writes"},
};

extern const ww_dramsched ww_dramsched_frfcfs;
const ww_dramsched ww_dramsched_frfcfs = {
    .policy = {.name = "frfcfs",
               .doc = "row hits first, then the oldest, with an age cap",
               WW_POLICY_KEYS(keys),
               .state_size = sizeof(frfcfs),
               .start = start},
    .age_cap = age_cap,
    .choose = choose,
};
