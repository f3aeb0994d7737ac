/* Functional units: which slots wait for a busy one, against a list of times. */
#include "base/rng.h"
#include "core/units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define SLOTS 64

typedef struct model {
    ww_units units;
    unsigned schedulers;
    uint64_t free_at[WW_MOST_SCHEDULERS][WW_UNIT_COUNT];
    unsigned needs[SLOTS]; /* WW_UNIT_COUNT: none */
} model;

static bool is_own(unsigned unit)
{
    return unit == WW_UNIT_SIMD || unit == WW_UNIT_SFU || unit == WW_UNIT_FP64;
}

static void begin(model *m, unsigned schedulers)
{
    *m = (model){.schedulers = schedulers};
    ww_units_create(&m->units, schedulers);
    for (unsigned slot = 0; slot < SLOTS; slot++)
        m->needs[slot] = WW_UNIT_COUNT;
}

static void need(model *m, unsigned slot, unsigned unit)
{
    ww_units_need(&m->units, 1ull << slot, m->needs[slot], unit);
    m->needs[slot] = unit;
}

/* An instruction issues, or an access finds the share busy and comes after what is there. */
static void occupy(model *m, unsigned scheduler, unsigned unit, uint64_t cycle, uint64_t cycles)
{
    uint64_t free = m->free_at[scheduler][unit];
    uint64_t until = (free > cycle ? free : cycle) + cycles;
    ww_units_occupy(&m->units, scheduler, unit, cycle, until);
    for (unsigned s = 0; s < m->schedulers; s++)
        if (s == scheduler || !is_own(unit))
            m->free_at[s][unit] = until;
}

static uint64_t blocked(const model *m, uint64_t cycle)
{
    uint64_t slots = 0;
    for (unsigned slot = 0; slot < SLOTS; slot++)
        if (m->needs[slot] < WW_UNIT_COUNT)
            slots |= (uint64_t)(m->free_at[slot % m->schedulers][m->needs[slot]] > cycle) << slot;
    return slots;
}

static void slots_that_need_a_busy_unit_are_blocked(void **state)
{
    ww_rng rng;
    model m;
    (void)state;
    ww_rng_seed(&rng, 7);
    for (unsigned schedulers = 1; schedulers <= WW_MOST_SCHEDULERS; schedulers++) {
        begin(&m, schedulers);
        for (uint64_t cycle = 1; cycle < 20000; cycle += 1 + ww_rng_below(&rng, 3)) {
            ww_units_tick(&m.units, cycle);
            assert_int_equal(m.units.blocked, blocked(&m, cycle));
            need(&m, (unsigned)ww_rng_below(&rng, SLOTS),
                 (unsigned)ww_rng_below(&rng, WW_UNIT_COUNT + 1));
            occupy(&m, (unsigned)ww_rng_below(&rng, schedulers),
                   (unsigned)ww_rng_below(&rng, WW_UNIT_COUNT), cycle,
                   1 + ww_rng_below(&rng, ww_rng_below(&rng, 20) ? 8 : 150));
            assert_int_equal(m.units.blocked, blocked(&m, cycle));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slots_that_need_a_busy_unit_are_blocked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
