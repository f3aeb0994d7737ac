/* Miss registers against a plain list: the same lines, limits and waiting requests at every
 * step. */
#include "base/memory.h"
#include "base/rng.h"
#include "mem/mshr.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

enum { CAPACITY = 13, LIMIT = 5, LINES = 40, STEPS = 200000 };

typedef struct naive {
    uint64_t line;
    uint32_t pending;
    uint32_t holds;
    unsigned count;
    ww_request *waiting[LIMIT];
} naive;

typedef struct world {
    ww_rng rng;
    ww_mshr_file *file;
    ww_request_pool *pool;
    naive list[CAPACITY];
    unsigned used;
} world;

static uint64_t line_of(uint64_t i)
{
    return i * 0x10000001;
}

static naive *find(world *w, uint64_t line)
{
    for (unsigned i = 0; i < w->used; i++)
        if (w->list[i].line == line)
            return &w->list[i];
    return NULL;
}

/* A request for some sectors of a line: the first of its line, or one that waits. */
static void look_up(world *w, uint64_t line)
{
    naive *n = find(w, line);
    ww_mshr *mshr = ww_mshr_find(w->file, line);
    if (!n) {
        if (w->used == CAPACITY)
            return;
        n = &w->list[w->used++];
        *n = (naive){.line = line, .pending = 1 + (uint32_t)ww_rng_below(&w->rng, 15), .holds = 1};
        mshr = ww_mshr_add(w->file, line);
        mshr->pending = n->pending;
        mshr->holds = 1;
        return;
    }
    assert_int_equal(ww_mshr_can_hold(w->file, mshr), n->holds < LIMIT);
    if (n->holds == LIMIT)
        return;
    ww_request *request = ww_request_allocate(w->pool, 0);
    request->sectors = n->pending & -n->pending;
    if (ww_rng_below(&w->rng, 2))
        request->sectors = n->pending;
    ww_mshr_merge(mshr, request);
    mshr->holds++;
    n->holds++;
    n->waiting[n->count++] = request;
}

/* One pending sector comes; requests that waited for no other leave, oldest first. */
static void answer(world *w, naive *n)
{
    ww_mshr *mshr = ww_mshr_find(w->file, n->line);
    n->pending &= n->pending - 1;
    mshr->pending = n->pending;
    unsigned left = 0;
    for (unsigned i = 0; i < n->count; i++) {
        if (n->waiting[i]->sectors & n->pending) {
            n->waiting[left++] = n->waiting[i];
            continue;
        }
        ww_request *ready = ww_mshr_ready(mshr);
        assert_ptr_equal(ready, n->waiting[i]);
        ww_request_free(w->pool, ready);
    }
    n->count = left;
    assert_null(ww_mshr_ready(mshr));
    if (n->pending)
        return;
    ww_mshr_remove(w->file, mshr);
    *n = w->list[--w->used];
}

static void registers_are_a_short_list(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        printf("seed %llu\n", (unsigned long long)seed);
        world w = {.file = ww_mshr_create(CAPACITY, LIMIT), .pool = ww_request_pool_create()};
        ww_rng_seed(&w.rng, seed);
        for (int step = 0; step < STEPS; step++) {
            uint64_t line = line_of(ww_rng_below(&w.rng, LINES));
            if (ww_rng_below(&w.rng, 5) < 3)
                look_up(&w, line);
            else if (w.used)
                answer(&w, &w.list[ww_rng_below(&w.rng, w.used)]);
            assert_int_equal(w.file->used, w.used);
            assert_int_equal(ww_mshr_is_full(w.file), w.used == CAPACITY);
            assert_true(!!ww_mshr_find(w.file, line) == !!find(&w, line));
        }
        while (w.used)
            answer(&w, &w.list[0]);
        for (uint32_t i = 0; i < CAPACITY; i++)
            assert_true(ww_mshr_at(w.file, i)->line == WW_NO_LINE);
        assert_int_equal(ww_request_pool_in_use(w.pool), 0);
        ww_mshr_destroy(w.file);
        ww_request_pool_destroy(w.pool);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(registers_are_a_short_list)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
