/* Made-up words, for texts that stand for those of the original programs. */
#ifndef WW_WORKLOAD_WORDS_H
#define WW_WORKLOAD_WORDS_H

#include "workload/host.h"

#define WW_LONGEST_WORD 32

/* Spells the word of this number, from `least` to least + spread - 1 letters of the 26 from `first`
 * on, and returns how many. The same number and array give the same word. */
static inline uint64_t ww_word(const ww_array *array, uint64_t number, uint64_t least,
                               uint64_t spread, char first, char letters[WW_LONGEST_WORD])
{
    uint64_t random = ww_random_u64(array, number);
    uint64_t length = least + (random >> 32) % spread;
    for (uint64_t i = 0; i < length; i++) {
        random = ww_mix64(random + i);
        letters[i] = (char)(first + (char)(random % 26));
    }
    return length;
}

#endif
