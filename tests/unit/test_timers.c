/* The driver's time: events in order, time that stands still, and many timers against a list. */
#include "paging/timers.h"

#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define EVENTS 8

typedef struct event {
    ww_timer timer;
    char letter;
    struct event *sets; /* when it runs, for this many ticks later; NULL: none */
    ww_tick sets_in;
    bool pauses;
} event;

static ww_engine *engine;
static ww_timers *timers;
static event events[EVENTS];
static char trace[256]; /* "a5@15 ": event a at time 5, which is the engine's tick 15 */

static void happen(void *owner)
{
    event *e = owner;
    size_t used = strlen(trace);
    snprintf(trace + used, sizeof(trace) - used, "%c%llu@%llu ", e->letter,
             (unsigned long long)ww_timers_now(timers), (unsigned long long)ww_engine_now(engine));
    if (e->sets)
        ww_timer_set(timers, &e->sets->timer, ww_timers_now(timers) + e->sets_in);
    if (e->pauses)
        ww_timers_pause(timers);
}

static int begin(void **state)
{
    (void)state;
    engine = ww_engine_create();
    timers = ww_timers_create(engine);
    trace[0] = '\0';
    for (unsigned i = 0; i < EVENTS; i++)
        events[i] = (event){.timer = {.run = happen, .owner = &events[i]}, .letter = "abcdefgh"[i]};
    return 0;
}

static int end(void **state)
{
    (void)state;
    ww_timers_destroy(timers);
    ww_engine_destroy(engine);
    return 0;
}

static void set(char letter, ww_tick due)
{
    ww_timer_set(timers, &events[letter - 'a'].timer, due);
}

static void expect(const char *what)
{
    assert_false(ww_engine_run(engine, WW_NEVER));
    assert_string_equal(trace, what);
    trace[0] = '\0';
}

static void in_the_order_of_time_then_of_setting(void **state)
{
    (void)state;
    ww_timers_resume(timers, 0);
    set('a', 9);
    set('b', 4);
    set('c', 4000);
    set('d', 4);
    set('e', 9);
    set('f', 1);
    expect("f1@1 b4@4 d4@4 a9@9 e9@9 c4000@4000 ");
}

/* The second setting counts, in time and in order. */
static void set_again(void **state)
{
    (void)state;
    ww_timers_resume(timers, 0);
    set('a', 5);
    set('b', 5);
    set('c', 7);
    set('d', 20);
    set('a', 5);
    set('c', 9);
    set('d', 2);
    expect("d2@2 b5@5 a5@5 c9@9 ");
}

static void cleared_events_do_not_happen(void **state)
{
    (void)state;
    ww_timers_resume(timers, 0);
    for (char letter = 'a'; letter <= 'g'; letter++)
        set(letter, 10 + (ww_tick)(letter - 'a'));
    ww_timer_clear(timers, &events[0].timer); /* the first */
    ww_timer_clear(timers, &events[2].timer);
    ww_timer_clear(timers, &events[6].timer); /* the last */
    ww_timer_clear(timers, &events[6].timer); /* it is not set any more */
    ww_timer_clear(timers, &events[7].timer); /* it never was */
    expect("b11@11 d13@13 e14@14 f15@15 ");
}

/* Also for an event that is set while those of the same tick happen. */
static void a_time_that_is_over_means_the_next_tick(void **state)
{
    (void)state;
    ww_timers_resume(timers, 0);
    set('a', 0);
    expect("a1@1 ");
}

static void an_event_sets_others(void **state)
{
    (void)state;
    ww_timers_resume(timers, 0);
    events[0].sets = &events[1];
    events[1].sets = &events[2];
    events[1].sets_in = 3;
    set('a', 5);
    set('d', 5);
    expect("a5@5 d5@5 b6@6 c9@9 ");
}

static void time_stands_still_until_it_is_resumed(void **state)
{
    (void)state;
    set('a', 5);
    expect("");
    assert_int_equal(ww_timers_now(timers), 0);
    ww_timers_resume(timers, 100);
    assert_int_equal(ww_timers_now(timers), 0); /* tick 100 is still to come */
    set('b', 3);
    expect("b3@103 a5@105 ");
}

/* 4 ticks of the 10 have passed at the pause; the others pass from tick 50 on. */
static void a_pause_shifts_what_is_due(void **state)
{
    (void)state;
    ww_timers_resume(timers, 0);
    set('a', 10);
    assert_true(ww_engine_run(engine, 4));
    ww_timers_pause(timers);
    assert_int_equal(ww_timers_now(timers), 4);
    set('b', 2); /* over */
    set('c', 7);
    set('d', 8);
    ww_timer_clear(timers, &events[3].timer);
    expect("");
    ww_timers_resume(timers, 50);
    expect("b5@51 c7@53 a10@56 ");
    ww_timers_pause(timers);
    set('a', 12);
    ww_timers_resume(timers, 200);
    expect("a12@201 "); /* the run ended at time 11 */
}

/* The engine does not go on to a tick that is far ahead. */
static void a_pause_leaves_nothing_due(void **state)
{
    (void)state;
    ww_timers_resume(timers, 0);
    set('a', 5000);
    assert_true(ww_engine_run(engine, 4));
    ww_timers_pause(timers);
    expect("");
    assert_int_equal(ww_engine_now(engine), 4);
}

/* What is due in the same tick as the event that pauses happens when time continues. */
static void an_event_pauses(void **state)
{
    (void)state;
    ww_timers_resume(timers, 0);
    events[0].pauses = true;
    set('a', 5);
    set('b', 5);
    set('c', 6);
    expect("a5@5 ");
    ww_timers_resume(timers, 40);
    expect("b5@40 c6@41 ");
}

/* ---- many, against a list ---- */

enum { MANY = 300, STEPS = 4000 };

typedef struct model {
    ww_timer timer;
    bool is_set;
    ww_tick due;
    uint64_t order;
} model;

static model models[MANY];
static ww_rng rng;
static uint64_t orders, happened;
static bool stopped;

static void set_model(model *m)
{
    ww_tick now = ww_timers_now(timers), due = now + ww_rng_below(&rng, 200);
    ww_timer_set(timers, &m->timer, due);
    *m = (model){m->timer, true, due > now ? due : now + 1, orders++};
}

static void change_some(void)
{
    for (uint64_t n = ww_rng_below(&rng, 3); n > 0; n--) {
        model *m = &models[ww_rng_below(&rng, MANY)];
        if (ww_rng_below(&rng, 3)) {
            set_model(m);
        } else {
            ww_timer_clear(timers, &m->timer);
            m->is_set = false;
        }
    }
}

static void happen_as_modelled(void *owner)
{
    model *m = owner;
    assert_true(m->is_set && !stopped);
    assert_int_equal(m->due, ww_timers_now(timers));
    for (model *other = models; other < models + MANY; other++)
        if (other != m && other->is_set)
            assert_true(other->due > m->due || (other->due == m->due && other->order > m->order));
    m->is_set = false;
    happened++;
    change_some();
}

static void run_for_a_while(void)
{
    ww_engine_run(engine, ww_engine_now(engine) + 1 + ww_rng_below(&rng, 30));
    for (const model *m = models; m < models + MANY; m++)
        assert_true(!m->is_set || m->due >= ww_timers_now(timers));
}

static void many_against_a_list(void **state)
{
    (void)state;
    print_message("seed 7\n");
    ww_rng_seed(&rng, 7);
    orders = happened = 0;
    for (model *m = models; m < models + MANY; m++)
        *m = (model){.timer = {.run = happen_as_modelled, .owner = m}};
    stopped = true;
    for (unsigned step = 0; step < STEPS; step++) {
        change_some();
        if (!stopped) {
            run_for_a_while();
            stopped = ww_rng_below(&rng, 8) == 0;
            if (stopped)
                ww_timers_pause(timers);
        } else {
            ww_timers_resume(timers, ww_engine_now(engine) + ww_rng_below(&rng, 50));
            stopped = false;
        }
    }
    assert_true(happened > STEPS / 2);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(in_the_order_of_time_then_of_setting),
        TEST(set_again),
        TEST(cleared_events_do_not_happen),
        TEST(a_time_that_is_over_means_the_next_tick),
        TEST(an_event_sets_others),
        TEST(time_stands_still_until_it_is_resumed),
        TEST(a_pause_shifts_what_is_due),
        TEST(a_pause_leaves_nothing_due),
        TEST(an_event_pauses),
        TEST(many_against_a_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
