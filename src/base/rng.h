/* Seeded random numbers (xoshiro256**, Blackman and Vigna 2018): the same on every machine. */
#ifndef WW_BASE_RNG_H
#define WW_BASE_RNG_H

#include <stdint.h>

typedef struct ww_rng {
    uint64_t s[4];
} ww_rng;

void ww_rng_seed(ww_rng *rng, uint64_t seed);
uint64_t ww_rng_next(ww_rng *rng);
uint64_t ww_rng_below(ww_rng *rng, uint64_t bound); /* uniform in [0, bound); bound > 0 */
double ww_rng_unit(ww_rng *rng);                    /* uniform in [0, 1), 53 bits */

#endif
