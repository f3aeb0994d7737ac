/* Signature-based hit prediction, for policies with intervals as those of srrip (Wu, Jaleel,
 * Hasenplaug, Martonosi, Steely and Emer, MICRO 2011).
 *
 * signature   of a line: 8 bits, from the instruction and the address that it was inserted for
 * hits        for each signature a counter of 2 bits, from 1: a hit of one of its lines counts up,
 *             a line that leaves without a hit counts down. At 0, lines of the signature are
 *             inserted as if they were used again in the distant future. */
#ifndef WW_MEM_REPLACE_SHIP_H
#define WW_MEM_REPLACE_SHIP_H

#include "mem/replace.h"
#include "stats/stats.h"

enum { WW_SIGNATURES = 256, WW_SIGNATURE_BITS = 8, WW_COUNTER_MOST = 3 };
enum { WW_AT_ONCE = 0, WW_LATE = 2, WW_DISTANT = 3 }; /* intervals */

typedef struct ww_ship {
    uint64_t distant; /* a statistic: lines inserted as distant */
    unsigned shift;   /* of addresses */
    uint8_t hits[WW_SIGNATURES];
} ww_ship;

/* What a signature has besides the instruction: the choices of the key `signature`. */
extern const char *const ww_ship_signatures[];

#define WW_SHIP_KEY                                                          \
    {                                                                        \
        .key = "signature", .type = WW_KEY_CHOICE, .initial = "line",        \
        .choices = ww_ship_signatures,                                       \
        .doc = "what lines are predicted by: 8 bits of their instruction's " \
               "number xor the line's number, xor its address, or as it is"  \
    }

/* The state begins with a ww_ship. */
#define WW_SHIP_STAT                                                                      \
    {                                                                                     \
        .name = "distant_lines", .unit = "lines",                                         \
        .doc = "lines inserted without an expectation of a hit", .kind = WW_STAT_COUNTER, \
        .offset = offsetof(ww_ship, distant)                                              \
    }

void ww_ship_start(ww_ship *ship, const ww_policy_start *start);

static inline uint8_t ww_ship_signature(const ww_ship *ship, const ww_request *request)
{
    return (uint8_t)(request->pc_tag ^ request->address >> ship->shift);
}

static inline void ww_count_up(uint8_t *counter)
{
    *counter = (uint8_t)(*counter + (*counter < WW_COUNTER_MOST));
}

static inline void ww_count_down(uint8_t *counter)
{
    *counter = (uint8_t)(*counter - (*counter > 0));
}

/* The interval of a new line. */
static inline uint8_t ww_ship_insert(ww_ship *ship, uint8_t signature)
{
    bool is_distant = !ship->hits[signature];
    ship->distant += is_distant;
    return is_distant ? WW_DISTANT : WW_LATE;
}

/* The first of the longest intervals in `allowed` ways. The lines of `group` grow older by what it
 * lacks to the distant future. */
uint32_t ww_ship_victim(uint8_t *intervals, uint64_t allowed, uint64_t group);

#endif
