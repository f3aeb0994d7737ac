/* Criticality-aware cache prioritisation (dissertation on warp criticality, section 4.2.3): the
 * first ways of a set are kept for lines that critical warps are predicted to use, the others for
 * all other lines. Each part has the intervals and the insertion of ship.
 *
 * critical   for each signature a counter of 2 bits, from 1: a hit by a critical warp counts up, a
 *            line that leaves the critical part and was used by other warps alone counts down.
 *            Above the threshold, lines of the signature are predicted to be critical. */
#include "mem/replace/ship.h"
#include "mem/tags.h"

#include <string.h>

typedef struct cacp {
    ww_ship predictor;
    uint64_t critical_lines, kept_right, kept_wrong; /* statistics */
    uint64_t part[2];   /* ways of other lines, of critical ones: a bit for each */
    uint64_t kept;      /* for critical ones */
    uint64_t threshold; /* a key */
    uint32_t ways;
    uint8_t critical[WW_SIGNATURES];
    uint8_t *signatures, *used; /* by set and way, behind the intervals */
    uint8_t intervals[];
} cacp;

enum { BY_CRITICAL = 1, BY_OTHERS = 2 }; /* bits of `used` */

static const char *refuse(const ww_policy_start *start)
{
    return ww_policy_u64(start, "critical_ways") > start->ways
               ? "cacp needs as many as its critical_ways, or more"
               : NULL;
}

static size_t state_bytes(const ww_policy_start *start)
{
    return sizeof(cacp) + 3 * start->sets * start->ways;
}

/* A part without ways has those of the other. */
static void start(void *state, const ww_policy_start *start)
{
    cacp *s = state;
    uint64_t kept = ww_policy_u64(start, "critical_ways");
    uint64_t all = ~0ull >> (WW_MAX_WAYS - start->ways);
    ww_ship_start(&s->predictor, start);
    s->ways = (uint32_t)start->ways;
    s->part[1] = kept ? all & ~0ull >> (WW_MAX_WAYS - kept) : all;
    s->part[0] = kept < start->ways ? all & ~0ull << kept : all;
    s->kept = kept ? s->part[1] : 0;
    s->threshold = ww_policy_u64(start, "critical_threshold");
    memset(s->critical, 1, sizeof(s->critical));
    s->signatures = s->intervals + start->sets * start->ways;
    s->used = s->signatures + start->sets * start->ways;
}

static void hit(void *state, uint32_t set, uint32_t way, const ww_request *request)
{
    cacp *s = state;
    size_t line = (size_t)set * s->ways + way;
    uint8_t signature = s->signatures[line];
    s->intervals[line] = WW_AT_ONCE;
    s->used[line] |= request->critical ? BY_CRITICAL : BY_OTHERS;
    if (request->critical)
        ww_count_up(&s->critical[signature]);
    ww_count_up(&s->predictor.hits[signature]);
}

static bool is_critical(const cacp *s, uint8_t signature)
{
    return s->critical[signature] > s->threshold;
}

static void insert(void *state, uint32_t set, uint32_t way, const ww_request *request)
{
    cacp *s = state;
    size_t line = (size_t)set * s->ways + way;
    uint8_t signature = ww_ship_signature(&s->predictor, request);
    s->critical_lines += is_critical(s, signature);
    s->signatures[line] = signature;
    s->used[line] = 0;
    s->intervals[line] = ww_ship_insert(&s->predictor, signature);
}

/* In the line's part, also when the other has free ways. */
static uint32_t choose(void *state, uint32_t set, ww_ways ways, const ww_request *request)
{
    cacp *s = state;
    uint64_t part = s->part[is_critical(s, ww_ship_signature(&s->predictor, request))];
    if (!(ways.allowed & part))
        return WW_NO_WAY;
    if (ways.free & part)
        return ww_ways_first(ways.free & part);
    return ww_ship_victim(&s->intervals[(size_t)set * s->ways], ways.allowed & part, part);
}

/* A line that is invalidated might have been used again. */
static void evict(void *state, uint32_t set, uint32_t way, const ww_evicted *old)
{
    cacp *s = state;
    size_t line = (size_t)set * s->ways + way;
    bool critical = s->kept >> way & 1;
    if (old->invalidated)
        return;
    s->kept_right += critical && s->used[line] & BY_CRITICAL;
    s->kept_wrong += critical && s->used[line] == BY_OTHERS;
    if (critical && s->used[line] == BY_OTHERS)
        ww_count_down(&s->critical[s->signatures[line]]);
    else if (!s->used[line])
        ww_count_down(&s->predictor.hits[s->signatures[line]]);
}

/* A signature, an interval and two bits for each line, and two counters for each signature. */
static uint64_t storage_bits(const ww_policy_start *start)
{
    return start->sets * start->ways * (WW_SIGNATURE_BITS + 2 + 2) + WW_SIGNATURES * 2 * 2;
}

static const ww_key keys[] = {
    {.key = "critical_ways",
     .type = WW_KEY_U64,
     .unit = "ways",
     .min = "0",
     .max = "64",
     .initial = "8",
     .doc = "ways of a set for lines that critical warps are predicted to use"},
    {.key = "critical_threshold",
     .type = WW_KEY_U64,
     .min = "1",
     .max = "2",
     .initial = "1",
     .doc = "a line is predicted to be critical when its counter, 0 to 3, is above it"},
    WW_SHIP_KEY,
};

#define COUNTER(field, what, text)                                          \
    {                                                                       \
        .name = #field, .unit = what, .doc = text, .kind = WW_STAT_COUNTER, \
        .offset = offsetof(cacp, field)                                     \
    }

static const ww_stat stats[] = {
    WW_SHIP_STAT,
    COUNTER(critical_lines, "lines", "lines inserted that were predicted to be critical"),
    COUNTER(kept_right, "lines", "lines evicted from critical ways that critical warps had used"),
    COUNTER(kept_wrong, "lines", "lines evicted from critical ways that only others had used"),
};

extern const ww_replace ww_replace_cacp;
const ww_replace ww_replace_cacp = {
    .policy = {.name = "cacp",
               .doc = "ship in each of two parts; one is for lines that critical warps use",
               WW_POLICY_KEYS(keys),
               WW_POLICY_STATS(stats),
               .state_bytes = state_bytes,
               .start = start,
               .storage_bits = storage_bits},
    .needs_criticality = true,
    .refuse = refuse,
    .hit = hit,
    .merge = hit,
    .insert = insert,
    .choose = choose,
    .evict = evict,
};
