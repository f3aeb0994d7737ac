/* Bank conflicts of the local data share. */
#include "core/core_internal.h"

#define MOST_BANKS 64
#define MOST_WORDS (WW_MOST_LANES * 16) /* an access has up to 16 bytes a lane */

/* The words that lanes access, one lane after the other. Returns how many. */
static unsigned list_words(const ww_cu_config *config, uint64_t lanes, const uint64_t *address,
                           unsigned bytes, uint64_t *words)
{
    unsigned shift = (unsigned)__builtin_ctz(config->lds_bank_bytes), count = 0;
    unsigned per_lane = (bytes + config->lds_bank_bytes - 1) >> shift;
    if (per_lane == 1 && !(lanes & (lanes + 1))) { /* no lane is missing before the last */
        count = lanes ? 64 - (unsigned)__builtin_clzll(lanes) : 0;
        for (unsigned i = 0; i < count; i++)
            words[i] = address[i] >> shift;
        return count;
    }
    for (uint64_t rest = lanes; rest; rest &= rest - 1) {
        uint64_t first = address[__builtin_ctzll(rest)] >> shift;
        for (unsigned i = 0; i < per_lane; i++)
            words[count++] = first + i;
    }
    return count;
}

/* Each word is in a bank of its own. */
static bool are_in_different_banks(const uint64_t *words, unsigned count, unsigned banks)
{
    uint64_t used = 0, again = 0;
    for (unsigned i = 0; i < count; i++) {
        uint64_t bit = 1ull << (words[i] & (banks - 1));
        again |= used & bit;
        used |= bit;
    }
    return !again;
}

/* Each different word of a bank takes a pass; lanes that access the same word share
 * it. Atomics on the same word take a pass each. */
static unsigned passes_of(const uint64_t *words, unsigned count, unsigned banks, bool atomic)
{
    uint64_t first[MOST_BANKS]; /* word of a bank */
    unsigned used[MOST_BANKS] = {0};
    unsigned most = 0;
    if (are_in_different_banks(words, count, banks))
        return 1;
    for (unsigned i = 0; i < count; i++) {
        unsigned bank = (unsigned)(words[i] & (banks - 1));
        bool seen = used[bank] && !atomic && first[bank] == words[i];
        for (unsigned j = 0; j < i && used[bank] > 1 && !seen && !atomic; j++)
            seen = words[j] == words[i];
        if (!used[bank])
            first[bank] = words[i];
        used[bank] += !seen;
        most = used[bank] > most ? used[bank] : most;
    }
    return most;
}

unsigned ww_lds_passes(const ww_cu_config *config, uint64_t lanes, const uint64_t *address,
                       unsigned bytes, bool atomic, unsigned *steps)
{
    uint64_t words[MOST_WORDS];
    unsigned count = list_words(config, lanes, address, bytes, words), banks = config->lds_banks;
    unsigned passes = 0;
    *steps = 0;
    for (unsigned at = 0; at < count; at += banks, ++*steps)
        passes += passes_of(words + at, count - at < banks ? count - at : banks, banks, atomic);
    if (count)
        return passes;
    *steps = 1;
    return 1;
}
