/* Bank conflicts of the local data share. */
#include "core/core_internal.h"

#define MOST_BANKS 64

typedef struct step {
    uint64_t words[MOST_BANKS]; /* as many as there are banks */
    unsigned count;
} step;

/* Words one after the other: each is in a bank of its own. */
static bool are_consecutive(const step *s)
{
    uint64_t others = 0;
    for (unsigned i = 0; i < s->count; i++)
        others |= s->words[i] ^ (s->words[0] + i);
    return !others;
}

/* Each different word of a bank takes a pass; lanes that access the same word share
 * it. Atomics on the same word take a pass each. */
static unsigned passes_of(const ww_cu_config *config, const step *s, bool atomic)
{
    uint64_t first[MOST_BANKS]; /* word of a bank */
    unsigned used[MOST_BANKS] = {0};
    unsigned most = 0;
    if (are_consecutive(s))
        return 1;
    for (unsigned i = 0; i < s->count; i++) {
        unsigned bank = (unsigned)(s->words[i] % config->lds_banks);
        bool seen = used[bank] && !atomic && first[bank] == s->words[i];
        for (unsigned j = 0; j < i && used[bank] > 1 && !seen && !atomic; j++)
            seen = s->words[j] == s->words[i];
        if (!used[bank])
            first[bank] = s->words[i];
        used[bank] += !seen;
        most = used[bank] > most ? used[bank] : most;
    }
    return most;
}

unsigned ww_lds_passes(const ww_cu_config *config, uint64_t lanes, const uint64_t *address,
                       unsigned bytes, bool atomic, unsigned *steps)
{
    step s = {.count = 0};
    unsigned per_lane = (bytes + config->lds_bank_bytes - 1) / config->lds_bank_bytes;
    unsigned passes = 0;
    *steps = 0;
    for (uint64_t rest = lanes; rest; rest &= rest - 1) {
        uint64_t first = address[__builtin_ctzll(rest)] / config->lds_bank_bytes;
        for (unsigned i = 0; i < per_lane; i++) {
            s.words[s.count++] = first + i;
            if (s.count == config->lds_banks) {
                passes += passes_of(config, &s, atomic);
                s.count = 0;
                ++*steps;
            }
        }
    }
    if (s.count || !*steps) {
        passes += s.count ? passes_of(config, &s, atomic) : 1;
        ++*steps;
    }
    return passes;
}
