/* The wheel against a plain list: random wakings, sleeps and chains run when they should, phase by
 * phase; and the order within a phase does not depend on the order of wakes. */
#include "base/memory.h"
#include "base/rng.h"
#include "engine/engine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { ACTORS = 24, STEPS = 20000 };

typedef struct actor {
    ww_task task;
    unsigned index, phase;
    /* the naive model's view */
    ww_tick due;
} actor;

typedef struct world {
    ww_engine *engine;
    ww_rng rng;
    actor actors[ACTORS];
    uint64_t ran;
    int phase; /* of the one that runs */
} world;

static world w;

static ww_tick random_distance(void)
{
    switch (ww_rng_below(&w.rng, 4)) {
    case 0: return 0;
    case 1: return ww_rng_below(&w.rng, 8);
    case 2: return ww_rng_below(&w.rng, 2000);
    default: return ww_rng_below(&w.rng, 20000);
    }
}

static void wake_someone(ww_tick now)
{
    actor *a = &w.actors[ww_rng_below(&w.rng, ACTORS)];
    ww_tick tick = now + random_distance();
    ww_wake(w.engine, &a->task, tick);
    ww_tick earliest = now + ((int)a->phase <= w.phase);
    tick = tick > earliest ? tick : earliest;
    if (a->due <= tick)
        return;
    a->due = tick;
}

static bool comes_first(const actor *a, const actor *b)
{
    if (a->due != b->due)
        return a->due < b->due;
    return a->phase < b->phase;
}

static void run_actor(void *owner)
{
    actor *a = owner;
    ww_tick now = ww_engine_now(w.engine);
    assert_int_equal(a->due, now);
    for (unsigned i = 0; i < ACTORS; i++)
        if (&w.actors[i] != a && comes_first(&w.actors[i], a))
            fail_msg("actor %u runs before %u at %llu", a->index, i, (unsigned long long)now);
    a->due = WW_NEVER;
    w.phase = (int)a->phase;
    for (uint64_t n = ww_rng_below(&w.rng, 4); n > 0 && w.ran < STEPS; n--)
        wake_someone(now);
    if (ww_rng_below(&w.rng, 10) == 0) {
        actor *other = &w.actors[ww_rng_below(&w.rng, ACTORS)];
        ww_sleep(w.engine, &other->task);
        other->due = WW_NEVER;
    }
    w.phase = -1;
    w.ran++;
}

static void the_wheel_is_a_sorted_list(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        printf("seed %llu\n", (unsigned long long)seed);
        memset(&w, 0, sizeof(w));
        w.phase = -1;
        w.engine = ww_engine_create();
        ww_rng_seed(&w.rng, seed);
        for (unsigned i = 0; i < ACTORS; i++) {
            actor *a = &w.actors[i];
            *a = (actor){
                .index = i, .phase = (unsigned)ww_rng_below(&w.rng, WW_PHASES), .due = WW_NEVER};
            ww_task_init(w.engine, &a->task, a->phase, run_actor, a);
        }
        while (w.ran < STEPS) {
            for (int i = 0; i < 10; i++)
                wake_someone(ww_engine_now(w.engine));
            ww_engine_run(w.engine, ww_engine_now(w.engine) + 100000);
        }
        ww_engine_destroy(w.engine);
    }
}

enum { CROWD = 150, TICKS = 3000 };

typedef struct member {
    ww_task task;
    unsigned index;
} member;

static struct {
    member members[CROWD];
    unsigned ran[CROWD], count; /* in this tick */
} crowd;

static void run_member(void *owner)
{
    crowd.ran[crowd.count++] = ((member *)owner)->index;
}

/* Wakes some members at the tick, in any order and some of them later at first, and says in which
 * order they ran. */
static void run_some(ww_engine *e, ww_rng *rng, const bool *chosen, ww_tick tick)
{
    unsigned start = (unsigned)ww_rng_below(rng, CROWD);
    crowd.count = 0;
    for (unsigned i = 0; i < CROWD; i++) {
        member *m = &crowd.members[(start + i * 7) % CROWD];
        if (chosen[m->index] && ww_rng_below(rng, 2))
            ww_wake(e, &m->task, tick + 5);
        if (chosen[m->index])
            ww_wake(e, &m->task, tick);
    }
    ww_engine_run(e, tick + 1);
}

static void begin_crowd(ww_engine *e)
{
    for (unsigned i = 0; i < CROWD; i++) {
        crowd.members[i].index = i;
        ww_task_init(e, &crowd.members[i].task, 2, run_member, &crowd.members[i]);
    }
}

static void the_order_within_a_phase_does_not_depend_on_waking(void **state)
{
    static unsigned expected[TICKS][CROWD];
    bool chosen[CROWD];
    (void)state;
    for (uint64_t round = 0; round < 2; round++) {
        ww_engine *e = ww_engine_create();
        ww_rng choice, other;
        ww_rng_seed(&choice, 1);
        ww_rng_seed(&other, round);
        begin_crowd(e);
        for (ww_tick tick = 0; tick < TICKS; tick++) {
            for (unsigned i = 0; i < CROWD; i++)
                chosen[i] = ww_rng_below(&choice, 4) == 0;
            run_some(e, &other, chosen, tick);
            if (round == 0)
                memcpy(expected[tick], crowd.ran, sizeof(crowd.ran));
            else
                assert_memory_equal(expected[tick], crowd.ran, crowd.count * sizeof(*crowd.ran));
        }
        ww_engine_destroy(e);
    }
}

/* Of two that are always due together, neither runs first much more often than the other, whatever
 * the period. */
static void no_task_is_always_first(void **state)
{
    static const unsigned pairs[][2] = {{0, 1}, {0, 3}, {5, 6}, {63, 64}, {2, 140}};
    (void)state;
    for (unsigned period = 1; period <= 8; period++)
        for (size_t p = 0; p < sizeof(pairs) / sizeof(*pairs); p++) {
            ww_engine *e = ww_engine_create();
            unsigned first = 0;
            begin_crowd(e);
            for (ww_tick tick = 0; tick < TICKS * period; tick += period) {
                crowd.count = 0;
                ww_wake(e, &crowd.members[pairs[p][0]].task, tick);
                ww_wake(e, &crowd.members[pairs[p][1]].task, tick);
                ww_engine_run(e, tick + period);
                first += crowd.ran[0] == pairs[p][0];
            }
            assert_in_range(first, TICKS / 4, TICKS * 3 / 4);
            ww_engine_destroy(e);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_wheel_is_a_sorted_list),
        cmocka_unit_test(the_order_within_a_phase_does_not_depend_on_waking),
        cmocka_unit_test(no_task_is_always_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
