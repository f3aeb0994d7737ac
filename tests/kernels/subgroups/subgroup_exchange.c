#include "values.h"

/* The value of an item as 64 bits. */
typedef int64_t value_fn(int32_t seed);

#define WHOLE(name, type, least, most)           \
    static int64_t value_##name(int32_t seed)    \
    {                                            \
        return (int64_t)(type)WHOLE_VALUE(seed); \
    }
WHOLE_TYPES(WHOLE)
static int64_t value_real(int32_t seed)
{
    return real_bits(REAL_VALUE(seed));
}

static int64_t from(const lanes *l, value_fn *value, unsigned lane)
{
    bool there = lane < MOST_LANES && l->active >> lane & 1;
    return value(l->seeds[there ? lane : l->lane]);
}

static int64_t all_equal(const lanes *l, value_fn *value)
{
    for (unsigned i = 0; i < l->count; i++)
        if (l->active >> i & 1 && value(l->seeds[i]) != value(l->seeds[l->lane]))
            return 0;
    return 1;
}

static unsigned any_lane(const lanes *l)
{
    return (l->lane * 5 + (uint32_t)l->seeds[l->lane]) % l->count;
}

static void whole_item(const lanes *l, value_fn *value, int64_t *want)
{
    unsigned lane = l->lane, cluster = lane & ~3u;
    want[0] = from(l, value, 3);
    want[1] = from(l, value, 1);
    want[2] = from(l, value, l->count - 1);
    want[3] = from(l, value, any_lane(l));
    want[4] = from(l, value, lane ^ 5);
    want[5] = from(l, value, lane - 3);
    want[6] = from(l, value, lane + 2);
    want[7] = from(l, value, (lane + 5) % l->width);
    want[8] = from(l, value, (lane + 3 * l->width - 3) % l->width);
    want[9] = from(l, value, cluster + (lane + 1) % 4);
    want[10] = from(l, value, cluster + (lane + 3) % 4);
    want[11] = all_equal(l, value);
    want[12] = 1;
}

static void active_item(const lanes *l, value_fn *value, int64_t *want)
{
    want[13] = from(l, value, (unsigned)__builtin_ctzll(l->active));
    want[14] = from(l, value, 2);
    want[15] = from(l, value, 4);
    want[16] = from(l, value, any_lane(l));
    want[17] = from(l, value, l->lane ^ 1);
    want[18] = from(l, value, (l->lane + 1) % l->width);
    want[19] = all_equal(l, value);
}

static void exchange_type(reference *r, const char *name, value_fn *value)
{
    const int32_t *seeds = reference_input(r, "in");
    int64_t *want = reference_wanted(r, name);
    for (size_t i = 0; i < 300; i++) {
        lanes all = lanes_of(seeds, i, 100, reference_width(r), 0);
        lanes some = lanes_of(seeds, i, 100, reference_width(r), 6);
        whole_item(&all, value, want + i * 20);
        if (some.active >> some.lane & 1)
            active_item(&some, value, want + i * 20);
    }
}

REFERENCE(subgroup_exchange)
{
#define EXCHANGE(name, type, least, most) exchange_type(r, #name, value_##name);
    WHOLE_TYPES(EXCHANGE)
#define EXCHANGE_REAL(name, type, least, most) exchange_type(r, #name, value_real);
    REAL_TYPES(EXCHANGE_REAL)
}
