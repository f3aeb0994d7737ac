/* Ctrl-C (dissertation on warp criticality, section 5.2): a control loop for each instruction keeps
 * the share of its lines that leave without a hit in a range. Of 2^aggressiveness of its loads that
 * miss in a row, the last is kept: so the cache holds a part of what the instruction uses, and the
 * loop sees when more would fit. */
#include "mem/bypass.h"
#include "stats/stats.h"

enum { INSTRUCTIONS = 128, INSTRUCTION_BITS = 7, MOST = 7 };
enum { ENTRY_BITS = 3 + 7 + 10 + 10 }; /* of a `loop` in hardware, in the order of its members */

typedef struct loop {
    uint8_t aggressiveness;
    uint8_t bypassed;         /* loads since one was kept */
    uint16_t evicted, unused; /* lines in this period; compared before they wrap in hardware */
} loop;

typedef struct ctrl_c {
    uint64_t raised, lowered; /* statistics */
    uint64_t period;          /* keys */
    double low, high;
    loop loops[INSTRUCTIONS];
} ctrl_c;

static const char *refuse(const ww_policy_start *start)
{
    return ww_policy_double(start, "bypass_low") > ww_policy_double(start, "bypass_high")
               ? "l1d.bypass_low is above l1d.bypass_high (at most as high)"
               : NULL;
}

static void start(void *state, const ww_policy_start *start)
{
    ctrl_c *s = state;
    s->period = ww_policy_u64(start, "bypass_period");
    s->low = ww_policy_double(start, "bypass_low");
    s->high = ww_policy_double(start, "bypass_high");
}

static bool bypasses(void *state, const ww_request *request)
{
    loop *l = &((ctrl_c *)state)->loops[request->pc_tag % INSTRUCTIONS];
    bool passes = l->bypassed < (1 << l->aggressiveness) - 1;
    l->bypassed = (uint8_t)(passes ? l->bypassed + 1 : 0);
    return passes;
}

static void adapt(ctrl_c *s, loop *l)
{
    double share = (double)l->unused / l->evicted;
    if (share > s->high && l->aggressiveness < MOST) {
        l->aggressiveness++;
        s->raised++;
    } else if (share < s->low && l->aggressiveness) {
        l->aggressiveness--;
        s->lowered++;
    }
    l->evicted = l->unused = 0;
}

static void evict(void *state, const ww_evicted *line)
{
    ctrl_c *s = state;
    loop *l = &s->loops[line->pc_tag % INSTRUCTIONS];
    l->evicted++;
    l->unused = (uint16_t)(l->unused + !line->was_hit);
    if (l->evicted >= s->period >> l->aggressiveness)
        adapt(s, l);
}

/* A loop for each instruction; an instruction and a bit for each line. */
static uint64_t storage_bits(const ww_policy_start *start)
{
    return INSTRUCTIONS * ENTRY_BITS + start->sets * start->ways * (INSTRUCTION_BITS + 1);
}

#define SHARE(name, value, text)                                                                  \
    {                                                                                             \
        .key = name, .type = WW_KEY_DOUBLE, .min = "0", .max = "1", .initial = value, .doc = text \
    }

static const ww_key keys[] = {
    SHARE("bypass_high", "0.4",
          "lines without a hit, of those evicted, above which fewer loads are kept"),
    SHARE("bypass_low", "0.1", "likewise, below which more loads are kept"),
    {.key = "bypass_period",
     .type = WW_KEY_U64,
     .unit = "lines",
     .min = "1",
     .max = "1024",
     .initial = "1024",
     .doc = "evicted lines of an instruction between decisions; halved with each step up"},
};

static const ww_stat stats[] = {
    {.name = "bypass_raised",
     .unit = "times",
     .doc = "that half as many loads of an instruction were kept from then on",
     .kind = WW_STAT_COUNTER,
     .offset = offsetof(ctrl_c, raised)},
    {.name = "bypass_lowered",
     .unit = "times",
     .doc = "that twice as many were",
     .kind = WW_STAT_COUNTER,
     .offset = offsetof(ctrl_c, lowered)},
};

extern const ww_bypass ww_bypass_ctrl_c;
const ww_bypass ww_bypass_ctrl_c = {
    .policy = {.name = "ctrl_c",
               .doc = "more or fewer of an instruction's, as its lines leave without a hit",
               WW_POLICY_KEYS(keys),
               WW_POLICY_STATS(stats),
               .state_size = sizeof(ctrl_c),
               .start = start,
               .storage_bits = storage_bits},
    .refuse = refuse,
    .bypasses = bypasses,
    .evict = evict,
};
