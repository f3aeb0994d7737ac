/* First ready, first come first served (Rixner et al., ISCA 2000): of what can go first, reads and writes
 * of open rows before other commands, then the oldest. When the oldest of the banks' requests has waited for
 * the age cap, nobody else's command of the same kind goes before it, or switching ranks, directions or
 * groups could hold it back for ever. */
#include "config/config.h"
#include "mem/dramsched.h"

typedef struct frfcfs {
    uint64_t age_cap;
} frfcfs;

static void start(void *state, const struct ww_config *config)
{
    ((frfcfs *)state)->age_cap = ww_config_u64(config, "dram.age_cap");
}

static uint64_t patience(const void *state)
{
    return ((const frfcfs *)state)->age_cap;
}

static ww_dram_choice oldest_of(const ww_dram_wishes *wishes, ww_dram_first first)
{
    if (first.cycle == WW_DRAM_NEVER)
        return (ww_dram_choice){WW_DRAM_NEVER, 0};
    return (ww_dram_choice){first.cycle, ww_dram_wishes_oldest(wishes, first.banks)};
}

/* The oldest is over age: others of its kind wait for it, and so does who cannot go before it. */
static ww_dram_choice choose_beside(const ww_dram_wishes *wishes, ww_dram_choice oldest)
{
    uint64_t same = ww_dram_wishes_kind(wishes, oldest.bank);
    ww_dram_first others = ww_dram_wishes_first(wishes, ww_dram_wishes_banks(wishes) & ~same);
    return others.cycle < oldest.cycle ? oldest_of(wishes, others) : oldest;
}

/* Not inlined: the usual choice would be slower. */
static __attribute__((noinline)) ww_dram_choice choose_at_length(const ww_dram_wishes *wishes)
{
    uint64_t banks = ww_dram_wishes_banks(wishes);
    if (wishes->impatient) {
        uint32_t oldest = ww_dram_wishes_oldest(wishes, banks);
        ww_dram_choice choice = {ww_dram_wishes_start(wishes, oldest), oldest};
        if (choice.cycle != WW_DRAM_NEVER)
            return choose_beside(wishes, choice);
    }
    return oldest_of(wishes, ww_dram_wishes_first(wishes, banks));
}

static ww_dram_choice choose(const void *state, const ww_dram_wishes *wishes)
{
    uint64_t now = wishes->impatient ? 0 : ww_dram_wishes_now(wishes);
    (void)state;
    if (!now)
        return choose_at_length(wishes);
    return (ww_dram_choice){wishes->ripening.cycle, ww_dram_wishes_oldest(wishes, now)};
}

static const ww_key keys[] = {
    {.key = "dram.age_cap",
     .type = WW_KEY_U64,
     .unit = "DRAM cycles",
     .min = "0",
     .initial = "2000",
     .doc = "how long a request can be passed by younger ones that find their row open; a "
            "write waits from the start of the writes' turn"},
};

extern const ww_dramsched ww_dramsched_frfcfs;
const ww_dramsched ww_dramsched_frfcfs = {
    .policy = {.name = "frfcfs",
               .doc = "row hits first, then the oldest, with an age cap",
               .keys = keys,
               .key_count = sizeof(keys) / sizeof(keys[0]),
               .state_size = sizeof(frfcfs)},
    .start = start,
    .patience = patience,
    .choose = choose,
};
