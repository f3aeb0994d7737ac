/* The wheel against a plain list: random wakings, sleeps and chains give the same order. */
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
    uint64_t order;
} actor;

typedef struct world {
    ww_engine *engine;
    ww_rng rng;
    actor actors[ACTORS];
    uint64_t order;
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
    a->order = w.order++;
}

static bool comes_first(const actor *a, const actor *b)
{
    if (a->due != b->due)
        return a->due < b->due;
    return a->phase != b->phase ? a->phase < b->phase : a->order < b->order;
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
            ww_task_init(&a->task, a->phase, run_actor, a);
        }
        while (w.ran < STEPS) {
            for (int i = 0; i < 10; i++)
                wake_someone(ww_engine_now(w.engine));
            ww_engine_run(w.engine, ww_engine_now(w.engine) + 100000);
        }
        ww_engine_destroy(w.engine);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_wheel_is_a_sorted_list)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
