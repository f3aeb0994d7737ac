#include "values.h"

static void store(uint32_t *want, uint64_t mask)
{
    want[0] = (uint32_t)mask;
    want[1] = (uint32_t)(mask >> 32);
}

/* Active lanes whose seed has one of some bits. */
static uint64_t voters(const lanes *l, int32_t bits)
{
    uint64_t mask = 0;
    for (unsigned i = 0; i < l->count; i++)
        mask |= (uint64_t)((l->seeds[i] & bits) != 0) << i;
    return mask & l->active;
}

static void sizes(const lanes *l, unsigned local, uint32_t *want)
{
    want[0] = l->count;
    want[1] = l->width;
    want[2] = want[3] = (100 + l->width - 1) / l->width;
    want[4] = local / l->width;
    want[5] = l->lane;
    want[6] = voters(l, 0x7fff0000) == l->active;
    want[7] = voters(l, 0x7f) != l->active;
    want[8] = (voters(l, 0x7f) == l->active) + 2u * (voters(l, 1) != 0);
    uint64_t exist = lanes_below(l->width);
    store(want + 12, voters(l, 3));
    store(want + 16, 1ull << l->lane);
    store(want + 20, exist & ~lanes_below(l->lane));
    store(want + 24, exist & ~lanes_below(l->lane + 1));
    store(want + 28, lanes_below(l->lane + 1));
    store(want + 32, lanes_below(l->lane));
}

static void ballots(const lanes *l, uint32_t *want)
{
    uint64_t all = l->active, bits = voters(l, 2), exist = lanes_below(l->width);
    want[9] = (unsigned)__builtin_ctzll(all) == l->lane;
    want[10] = voters(l, 7) == all;
    want[11] = voters(l, 1) != 0;
    store(want + 36, bits);
    bits = (bits | 8 | 1ull << 63) & exist;
    want[40] = bits >> l->lane & 1;
    want[41] = bits >> (uint32_t)l->seeds[l->lane] % 64 & 1;
    want[42] = (uint32_t)__builtin_popcountll(bits);
    want[43] = (uint32_t)__builtin_popcountll(bits & lanes_below(l->lane + 1));
    want[44] = (uint32_t)__builtin_popcountll(bits & lanes_below(l->lane));
    bits |= 1;
    want[45] = 0;
    want[46] = 63 - (uint32_t)__builtin_clzll(bits);
}

static void logical(const lanes *l, uint64_t members, uint32_t *want)
{
    uint64_t x = voters(l, 24) & members, y = voters(l, 8) & members;
    want[0] = x == (l->active & members);
    want[1] = y != 0;
    want[2] = (uint32_t)__builtin_popcountll(y) & 1;
}

REFERENCE(subgroup_ballot)
{
    const int32_t *seeds = reference_input(r, "in");
    uint32_t *want = reference_wanted(r, "out");
    for (size_t i = 0; i < 300; i++, want += 80) {
        lanes all = lanes_of(seeds, i, 100, reference_width(r), 0);
        lanes some = lanes_of(seeds, i, 100, reference_width(r), 6);
        sizes(&all, (unsigned)(i % 100), want);
        if (!(some.active >> some.lane & 1))
            continue;
        ballots(&some, want);
        logical(&some, UINT64_MAX, want + 47);
        logical(&some, lanes_below(some.lane + 1), want + 50);
        logical(&some, lanes_below(some.lane), want + 53);
        logical(&some, 15ull << (some.lane & ~3u), want + 56);
    }
}
