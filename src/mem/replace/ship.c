/* srrip, but for lines that are predicted to see no hit: they are inserted as distant (ship.h). */
#include "mem/replace/ship.h"

#include <string.h>

const char *const ww_ship_signatures[] = {"line", "address", "pc", NULL};

void ww_ship_start(ww_ship *ship, const ww_policy_start *start)
{
    enum { LINE, ADDRESS };
    size_t signature = ww_policy_choice(start, "signature");
    unsigned line = start->line ? (unsigned)__builtin_ctzll(start->line) : 0;
    ship->shift = signature == LINE ? line : signature == ADDRESS ? 0 : 63;
    memset(ship->hits, 1, sizeof(ship->hits));
}

uint32_t ww_ship_victim(uint8_t *intervals, uint64_t allowed, uint64_t group)
{
    uint32_t victim = ww_ways_first(allowed);
    for (uint64_t left = allowed; left; left &= left - 1)
        if (intervals[ww_ways_first(left)] > intervals[victim])
            victim = ww_ways_first(left);
    uint8_t lacking = (uint8_t)(WW_DISTANT - intervals[victim]);
    for (uint64_t left = lacking ? group : 0; left; left &= left - 1) {
        uint8_t *interval = &intervals[ww_ways_first(left)];
        *interval = (uint8_t)(*interval + lacking < WW_DISTANT ? *interval + lacking : WW_DISTANT);
    }
    return victim;
}

typedef struct ship {
    ww_ship predictor;
    uint32_t ways;
    uint8_t *signatures; /* by set and way, behind the intervals */
    uint8_t intervals[];
} ship;

static size_t state_bytes(const ww_policy_start *start)
{
    return sizeof(ship) + 2 * start->sets * start->ways;
}

static void start(void *state, const ww_policy_start *start)
{
    ship *s = state;
    ww_ship_start(&s->predictor, start);
    s->ways = (uint32_t)start->ways;
    s->signatures = s->intervals + start->sets * start->ways;
}

static void hit(void *state, uint32_t set, uint32_t way, const ww_request *request)
{
    ship *s = state;
    size_t line = (size_t)set * s->ways + way;
    (void)request;
    s->intervals[line] = WW_AT_ONCE;
    ww_count_up(&s->predictor.hits[s->signatures[line]]);
}

static void insert(void *state, uint32_t set, uint32_t way, const ww_request *request)
{
    ship *s = state;
    size_t line = (size_t)set * s->ways + way;
    s->signatures[line] = ww_ship_signature(&s->predictor, request);
    s->intervals[line] = ww_ship_insert(&s->predictor, s->signatures[line]);
}

static uint32_t choose(void *state, uint32_t set, ww_ways ways, const ww_request *request)
{
    ship *s = state;
    (void)request;
    if (ways.free)
        return ww_ways_first(ways.free);
    return ww_ship_victim(&s->intervals[(size_t)set * s->ways], ways.allowed,
                          ~0ull >> (WW_MAX_WAYS - s->ways));
}

/* A line that is invalidated might have been used again. */
static void evict(void *state, uint32_t set, uint32_t way, const ww_evicted *old)
{
    ship *s = state;
    size_t line = (size_t)set * s->ways + way;
    if (!old->was_hit && !old->invalidated)
        ww_count_down(&s->predictor.hits[s->signatures[line]]);
}

/* A signature, an interval and a bit for each line, and a counter for each signature. */
static uint64_t storage_bits(const ww_policy_start *start)
{
    return start->sets * start->ways * (WW_SIGNATURE_BITS + 2 + 1) + WW_SIGNATURES * 2;
}

static const ww_key keys[] = {WW_SHIP_KEY};
static const ww_stat stats[] = {WW_SHIP_STAT};

extern const ww_replace ww_replace_ship;
const ww_replace ww_replace_ship = {
    .policy = {.name = "ship",
               .doc = "srrip; lines that are predicted to see no hit are the next to leave",
               WW_POLICY_KEYS(keys),
               WW_POLICY_STATS(stats),
               .state_bytes = state_bytes,
               .start = start,
               .storage_bits = storage_bits},
    .hit = hit,
    .merge = hit,
    .insert = insert,
    .choose = choose,
    .evict = evict,
};
