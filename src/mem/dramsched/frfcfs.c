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

static bool may_pass(const void *state, uint64_t waited)
{
    return waited < ((const frfcfs *)state)->age_cap;
}

/* The smaller goes first: by the wait, then by whether it opens or closes a row, then by age. */
static uint64_t key_of(const ww_dram_wish *wish)
{
    uint64_t row_command = wish->op > WW_DRAM_WRITE;
    return ((uint64_t)wish->wait << 1 | row_command) << 40 | wish->order;
}

static uint32_t oldest_of(const ww_dram_wish *wishes, uint64_t banks)
{
    uint32_t oldest = (uint32_t)__builtin_ctzll(banks);
    for (banks &= banks - 1; banks; banks &= banks - 1) {
        uint32_t bank = (uint32_t)__builtin_ctzll(banks);
        oldest = wishes[bank].order < wishes[oldest].order ? bank : oldest;
    }
    return oldest;
}

/* The oldest is over age: others of its kind wait for it, and so does who cannot go before it. */
static uint32_t choose_beside(const ww_dram_wish *wishes, uint64_t banks, uint32_t oldest)
{
    uint64_t least = UINT64_MAX;
    uint32_t best = oldest;
    for (; banks; banks &= banks - 1) {
        uint32_t bank = (uint32_t)__builtin_ctzll(banks);
        const ww_dram_wish *wish = &wishes[bank];
        if (wish->op == wishes[oldest].op || wish->wait >= wishes[oldest].wait ||
            key_of(wish) >= least)
            continue;
        least = key_of(wish);
        best = bank;
    }
    return best;
}

static uint32_t choose(const void *state, const ww_dram_wish *wishes, uint64_t banks,
                       uint64_t cycle)
{
    const frfcfs *own = state;
    uint64_t least = UINT64_MAX, since = UINT64_MAX;
    uint32_t best = 0;
    for (uint64_t rest = banks; rest; rest &= rest - 1) {
        uint32_t bank = (uint32_t)__builtin_ctzll(rest);
        uint64_t key = key_of(&wishes[bank]);
        best = key < least ? bank : best;
        least = key < least ? key : least;
        since = wishes[bank].since < since ? wishes[bank].since : since;
    }
    if (cycle - since < own->age_cap)
        return best;
    uint32_t oldest = oldest_of(wishes, banks);
    return wishes[oldest].wait == WW_DRAM_LONG_WAIT ? best : choose_beside(wishes, banks, oldest);
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
    .may_pass = may_pass,
    .choose = choose,
};
