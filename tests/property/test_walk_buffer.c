/* The walk buffer and its schedulers against a plain list and the words of the paper, on a million
 * requests in all: walks come, some at once, are served, held, released, and answered by others'
 * lines. */
#include "support/walk_bench.h"

#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { REQUESTS = 50000, INSTRUCTIONS = 40 };

typedef struct naive_walk {
    unsigned name, instruction;
    uint32_t score;
    uint64_t passed;
    bool held;
} naive_walk;

typedef struct naive {
    naive_walk list[WALK_BENCH_WALKS]; /* by age */
    unsigned count;
    int served_last; /* instruction; -1: none */
} naive;

/* "add that to the score that a waiting request of the same instruction already has (if none waits,
 * start from it), and give all its waiting requests the new score, at most 256" */
static void naive_arrive(naive *n, unsigned name, unsigned instruction, uint32_t estimate)
{
    uint32_t score = estimate;
    for (unsigned i = 0; i < n->count; i++)
        if (n->list[i].instruction == instruction)
            score = n->list[i].score + estimate;
    score = score > 256 ? 256 : score;
    n->list[n->count++] = (naive_walk){.name = name, .instruction = instruction};
    for (unsigned i = 0; i < n->count; i++)
        if (n->list[i].instruction == instruction)
            n->list[i].score = score;
}

static void naive_remove(naive *n, unsigned index)
{
    memmove(&n->list[index], &n->list[index + 1], (--n->count - index) * sizeof(n->list[0]));
}

static int first_free(const naive *n)
{
    for (unsigned i = 0; i < n->count; i++)
        if (!n->list[i].held)
            return (int)i;
    return -1;
}

static int first_of(const naive *n, int instruction)
{
    for (unsigned i = 0; i < n->count; i++)
        if (!n->list[i].held && (int)n->list[i].instruction == instruction)
            return (int)i;
    return -1;
}

static int least(const naive *n)
{
    int best = -1;
    for (unsigned i = 0; i < n->count; i++)
        if (!n->list[i].held && (best < 0 || n->list[i].score < n->list[best].score))
            best = (int)i;
    return best;
}

static int starved(const naive *n, uint64_t aging)
{
    for (unsigned i = 0; i < n->count; i++)
        if (!n->list[i].held && n->list[i].passed >= aging)
            return (int)i;
    return -1;
}

static bool has_model(const char *scheduler)
{
    return strcmp(scheduler, "fcfs") == 0 || strcmp(scheduler, "sjf") == 0 ||
           strcmp(scheduler, "batch") == 0 || strcmp(scheduler, "simt") == 0;
}

/* The index of the walk that is selected next; there is one. */
static int naive_choose(const naive *n, const char *scheduler, uint64_t aging)
{
    if (strcmp(scheduler, "fcfs") == 0)
        return first_free(n);
    int old = starved(n, aging), same = first_of(n, n->served_last);
    if (old >= 0)
        return old;
    if (strcmp(scheduler, "sjf") == 0)
        return least(n);
    if (same >= 0)
        return same;
    return strcmp(scheduler, "batch") == 0 ? first_free(n) : least(n);
}

static void naive_serve(naive *n, unsigned index)
{
    n->served_last = (int)n->list[index].instruction;
    for (unsigned i = 0; i < index; i++)
        n->list[i].passed++;
    naive_remove(n, index);
}

typedef struct world {
    naive naive;
    walk_bench *bench;
    ww_rng rng;
    const char *scheduler;
    unsigned capacity;
    unsigned came;
} world;

static void serve(world *w)
{
    naive *n = &w->naive;
    int walk = walk_bench_serve(w->bench);
    if (first_free(n) < 0) {
        assert_int_equal(walk, -1);
        return;
    }
    int index;
    if (!has_model(w->scheduler)) { /* any that is not held */
        for (index = 0; (int)n->list[index].name != walk; index++)
            assert_true((unsigned)index + 1 < n->count);
        assert_false(n->list[index].held);
    } else {
        index = naive_choose(n, w->scheduler, w->bench->aging);
        assert_int_equal(walk, n->list[index].name);
    }
    naive_serve(n, (unsigned)index);
}

static void arrive(world *w)
{
    unsigned instruction = w->came / 60 + (unsigned)ww_rng_below(&w->rng, INSTRUCTIONS);
    instruction %= WALK_BENCH_RECORDS;
    w->came++;
    if (ww_rng_below(&w->rng, 50) == 0) { /* found a walker idle */
        walk_bench_at_once(w->bench, instruction);
        w->naive.served_last = (int)instruction;
        return;
    }
    if (w->naive.count == w->capacity)
        return;
    unsigned name = 0;
    while (w->bench->walks[name])
        name++;
    uint32_t estimate = 1 + (uint32_t)ww_rng_below(&w->rng, 4);
    walk_bench_arrive(w->bench, name, instruction, estimate);
    naive_arrive(&w->naive, name, instruction, estimate);
}

/* One of those that wait is held, released, or answered. */
static void meddle(world *w)
{
    naive *n = &w->naive;
    if (!n->count)
        return;
    unsigned index = (unsigned)ww_rng_below(&w->rng, n->count);
    naive_walk *walk = &n->list[index];
    if (ww_rng_below(&w->rng, 6) == 0) {
        walk_bench_answer(w->bench, walk->name);
        naive_remove(n, index);
        return;
    }
    walk->held = !walk->held;
    if (walk->held)
        walk_bench_hold(w->bench, walk->name);
    else
        walk_bench_release(w->bench, walk->name);
}

static void check_same(const world *w)
{
    const naive *n = &w->naive;
    unsigned held = 0;
    assert_int_equal(ww_walk_buffer_count(w->bench->buffer), n->count);
    assert_int_equal(ww_walk_buffer_is_full(w->bench->buffer), n->count == w->capacity);
    for (unsigned i = 0; i < n->count; i++) {
        held += n->list[i].held;
        assert_int_equal(w->bench->walks[n->list[i].name]->held, n->list[i].held);
        if (w->bench->scheduler->scores)
            assert_int_equal(walk_bench_score(w->bench, n->list[i].name), n->list[i].score);
    }
    assert_int_equal(ww_walk_buffer_eligible(w->bench->buffer), n->count - held);
}

/* Phases in which more come, or more go: full, half full and empty buffers. */
static void run(const char *scheduler, unsigned capacity, uint64_t aging, uint64_t seed)
{
    world w = {.naive = {.served_last = -1},
               .bench = walk_bench_create(scheduler, capacity, aging, seed),
               .scheduler = scheduler,
               .capacity = capacity};
    ww_rng_seed(&w.rng, seed * 1000 + capacity);
    for (unsigned step = 0; w.came < REQUESTS; step++) {
        uint64_t comes = step / 3000 % 2 ? 40 : 60, what = ww_rng_below(&w.rng, 120);
        if (what < comes)
            arrive(&w);
        else if (what < 100)
            serve(&w);
        else
            meddle(&w);
        if (step % 64 == 0)
            check_same(&w);
    }
    while (w.naive.count) {
        serve(&w);
        meddle(&w);
    }
    check_same(&w);
    walk_bench_destroy(w.bench);
}

static void a_list_agrees_on_a_million_requests(void **state)
{
    (void)state;
    for (size_t i = 0; i < ww_walksched_family.count; i++) {
        const char *scheduler = ww_walksched_family.members[i]->name;
        printf("%s\n", scheduler);
        run(scheduler, 256, UINT64_MAX, 1);
        run(scheduler, 100, 30, 2);
        run(scheduler, 9, 3, 3);
        run(scheduler, 1, 1, 4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_list_agrees_on_a_million_requests)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
