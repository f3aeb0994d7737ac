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

/* A pass takes a word of each bank, for all lanes that access it, and one access of an atomic.
 * Returns how many words are left. */
static unsigned pass(uint64_t *words, unsigned count, unsigned banks, bool atomic)
{
    uint64_t taken[MOST_BANKS], used = 0;
    unsigned left = 0;
    for (unsigned i = 0; i < count; i++) {
        uint64_t word = words[i], bank = word & (banks - 1);
        if (!(used >> bank & 1)) {
            used |= 1ull << bank;
            taken[bank] = word;
        } else if (atomic || taken[bank] != word) {
            words[left++] = word;
        }
    }
    return left;
}

static unsigned passes_of(uint64_t *words, unsigned count, unsigned banks, bool atomic)
{
    unsigned passes = 0;
    for (; count; passes++)
        count = pass(words, count, banks, atomic);
    return passes;
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
