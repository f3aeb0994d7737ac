/* Static re-reference interval prediction with 2 bits and hit priority (Jaleel, Theobald, Steely
 * and Emer, ISCA 2010): a new line is expected to be used again late, a line that was hit at
 * once. */
#include "mem/replace.h"

enum { AT_ONCE = 0, LATE = 2, DISTANT = 3 };

typedef struct srrip {
    uint32_t ways;
    uint8_t intervals[];
} srrip;

static size_t state_bytes(const ww_policy_start *start)
{
    return sizeof(srrip) + start->sets * start->ways;
}

static void start(void *state, const ww_policy_start *start)
{
    ((srrip *)state)->ways = (uint32_t)start->ways;
}

static void hit(void *state, uint32_t set, uint32_t way, const ww_request *request)
{
    (void)request;
    srrip *s = state;
    s->intervals[(size_t)set * s->ways + way] = AT_ONCE;
}

static void insert(void *state, uint32_t set, uint32_t way, const ww_request *request)
{
    (void)request;
    srrip *s = state;
    s->intervals[(size_t)set * s->ways + way] = LATE;
}

/* The first way that is expected to be used in the distant future; when there is none, all lines of
 * the set grow older until there is. Lines that are not allowed age with the others, but no
 * further. */
static uint32_t choose(void *state, uint32_t set, ww_ways ways, const ww_request *request)
{
    (void)request;
    if (ways.free)
        return ww_ways_first(ways.free);
    srrip *s = state;
    uint8_t *intervals = &s->intervals[(size_t)set * s->ways];
    for (;;) {
        for (uint64_t left = ways.allowed; left; left &= left - 1) {
            uint32_t way = (uint32_t)__builtin_ctzll(left);
            if (intervals[way] == DISTANT)
                return way;
        }
        for (uint32_t way = 0; way < s->ways; way++)
            if (intervals[way] < DISTANT)
                intervals[way]++;
    }
}

static uint64_t storage_bits(const ww_policy_start *start)
{
    return start->sets * start->ways * 2;
}

extern const ww_replace ww_replace_srrip;
const ww_replace ww_replace_srrip = {
    .policy = {.name = "srrip",
               .doc = "re-reference interval prediction: a line that was not used again goes first",
               .state_bytes = state_bytes,
               .start = start,
               .storage_bits = storage_bits},
    .hit = hit,
    .insert = insert,
    .choose = choose,
};
