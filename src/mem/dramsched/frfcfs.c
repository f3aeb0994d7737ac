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

static bool is_column(const ww_dram_wish *wish)
{
    return wish->op <= WW_DRAM_WRITE;
}

static uint64_t start_of(const ww_dram_wish *wish, uint64_t cycle)
{
    return wish->ready > cycle ? wish->ready : cycle;
}

static bool goes_before(const ww_dram_wish *a, const ww_dram_wish *b, uint64_t cycle)
{
    uint64_t a_start = start_of(a, cycle), b_start = start_of(b, cycle);
    if (a_start != b_start)
        return a_start < b_start;
    if (is_column(a) != is_column(b))
        return is_column(a);
    return a->order < b->order;
}

/* The oldest is over age: others of its kind wait for it, and so does who cannot go before it. */
static size_t choose_beside(const ww_dram_wish *wishes, size_t count, size_t oldest, uint64_t cycle)
{
    size_t best = oldest;
    for (size_t i = 0; i < count; i++)
        if (wishes[i].op != wishes[oldest].op &&
            start_of(&wishes[i], cycle) < start_of(&wishes[oldest], cycle) &&
            goes_before(&wishes[i], &wishes[best], cycle))
            best = i;
    return best;
}

static size_t choose(const void *state, const ww_dram_wish *wishes, size_t count, uint64_t cycle)
{
    const frfcfs *own = state;
    size_t best = 0, oldest = 0;
    for (size_t i = 1; i < count; i++) {
        if (goes_before(&wishes[i], &wishes[best], cycle))
            best = i;
        if (wishes[i].order < wishes[oldest].order)
            oldest = i;
    }
    bool over_age = cycle - wishes[oldest].arrived >= own->age_cap;
    if (!over_age || wishes[oldest].ready == WW_DRAM_NEVER)
        return best;
    return choose_beside(wishes, count, oldest, cycle);
}

static const ww_key keys[] = {
    {.key = "dram.age_cap",
     .type = WW_KEY_U64,
     .unit = "DRAM cycles",
     .min = "0",
     .initial = "2000",
     .doc = "how long a request can be passed by younger ones that find their row open"},
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
