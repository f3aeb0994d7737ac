/* Memory in chunks: which one a block gets, and which one leaves. */
#include "base/rng.h"
#include "paging/chunks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { COUNT = 9, STEPS = 20000 };

static void test_free_chunks_come_first(void **state)
{
    (void)state;
    ww_chunks c;
    ww_chunks_create(&c, 2);
    assert_int_equal(ww_chunks_victim(&c), WW_NO_CHUNK); /* none has a block */
    assert_int_equal(ww_chunks_allocate(&c, 70), 0);
    assert_int_equal(ww_chunks_allocate(&c, 71), 1);
    assert_int_equal(ww_chunks_allocate(&c, 72), WW_NO_CHUNK);
    ww_chunks_release(&c, 0);
    ww_chunks_free(&c, 0);
    assert_int_equal(ww_chunks_allocate(&c, 73), 0);
    assert_int_equal(c.items[0].block, 73);
    assert_int_equal(c.items[1].block, 71);
    ww_chunks_destroy(&c);
}

static void allocate_all(ww_chunks *c, uint32_t count)
{
    ww_chunks_create(c, count);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(ww_chunks_allocate(c, i), i);
        ww_chunks_release(c, i);
    }
}

/* Chunks leave as they were allocated; an empty one leaves before them. */
static void test_the_order_of_eviction(void **state)
{
    (void)state;
    ww_chunks c;
    allocate_all(&c, 4);
    assert_int_equal(ww_chunks_victim(&c), 0);
    ww_chunks_set_used(&c, 2, false);
    ww_chunks_set_used(&c, 1, false);
    assert_int_equal(ww_chunks_victim(&c), 2);
    ww_chunks_set_used(&c, 2, true); /* the newest used one */
    assert_int_equal(ww_chunks_victim(&c), 1);
    ww_chunks_free(&c, 1);
    static const uint32_t expected[] = {0, 3, 2, WW_NO_CHUNK};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(ww_chunks_victim(&c), expected[i]);
        if (expected[i] != WW_NO_CHUNK)
            ww_chunks_free(&c, expected[i]);
    }
    ww_chunks_destroy(&c);
}

/* A hold does not change the order. */
static void test_held_chunks_stay(void **state)
{
    (void)state;
    ww_chunks c;
    allocate_all(&c, 3);
    ww_chunks_hold(&c, 0);
    ww_chunks_hold(&c, 0);
    assert_int_equal(ww_chunks_victim(&c), 1);
    ww_chunks_release(&c, 0);
    assert_int_equal(ww_chunks_victim(&c), 1);
    ww_chunks_release(&c, 0);
    assert_int_equal(ww_chunks_victim(&c), 0);
    for (uint32_t i = 0; i < 3; i++)
        ww_chunks_hold(&c, i);
    assert_int_equal(ww_chunks_victim(&c), WW_NO_CHUNK);
    ww_chunks_destroy(&c);
}

/* Each chunk has the number of the step that moved it last: the smallest leaves. */
typedef struct naive {
    ww_chunk_list list[COUNT];
    uint64_t moved[COUNT];
    uint32_t holds[COUNT];
} naive;

static uint32_t naive_oldest(const naive *n, ww_chunk_list list)
{
    uint32_t oldest = WW_NO_CHUNK;
    for (uint32_t i = 0; i < COUNT; i++)
        if (n->list[i] == list && (list == WW_CHUNKS_FREE || !n->holds[i]) &&
            (oldest == WW_NO_CHUNK || n->moved[i] < n->moved[oldest]))
            oldest = i;
    return oldest;
}

static void naive_move(naive *n, uint32_t chunk, ww_chunk_list list, uint64_t step)
{
    n->list[chunk] = list;
    n->moved[chunk] = step;
}

static void step_both(naive *n, ww_chunks *c, ww_rng *rng, uint64_t step)
{
    uint32_t chunk = (uint32_t)ww_rng_below(rng, COUNT);
    uint64_t action = ww_rng_below(rng, 6);
    if (action < 2) {
        uint32_t expected = naive_oldest(n, WW_CHUNKS_FREE);
        assert_int_equal(ww_chunks_allocate(c, step), expected);
        if (expected != WW_NO_CHUNK) {
            naive_move(n, expected, WW_CHUNKS_USED, step);
            n->holds[expected] = 1;
        }
    } else if (n->list[chunk] == WW_CHUNKS_FREE) {
        return;
    } else if (action == 2 && !n->holds[chunk]) {
        ww_chunks_free(c, chunk);
        naive_move(n, chunk, WW_CHUNKS_FREE, step);
    } else if (action == 3) {
        bool used = n->list[chunk] == WW_CHUNKS_EMPTY;
        ww_chunks_set_used(c, chunk, used);
        naive_move(n, chunk, used ? WW_CHUNKS_USED : WW_CHUNKS_EMPTY, step);
    } else if (action == 4 && n->holds[chunk] < 2) {
        ww_chunks_hold(c, chunk);
        n->holds[chunk]++;
    } else if (n->holds[chunk]) {
        ww_chunks_release(c, chunk);
        n->holds[chunk]--;
    }
}

static void test_against_a_naive_model(void **state)
{
    (void)state;
    naive n = {.list = {WW_CHUNKS_FREE}};
    ww_chunks c;
    ww_chunks_create(&c, COUNT);
    for (uint32_t i = 0; i < COUNT; i++)
        naive_move(&n, i, WW_CHUNKS_FREE, i);
    ww_rng rng;
    ww_rng_seed(&rng, 2);
    for (uint64_t step = COUNT; step < STEPS; step++) {
        step_both(&n, &c, &rng, step);
        uint32_t victim = naive_oldest(&n, WW_CHUNKS_EMPTY);
        victim = victim == WW_NO_CHUNK ? naive_oldest(&n, WW_CHUNKS_USED) : victim;
        assert_int_equal(ww_chunks_victim(&c), victim);
    }
    ww_chunks_destroy(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_free_chunks_come_first),
        cmocka_unit_test(test_the_order_of_eviction),
        cmocka_unit_test(test_held_chunks_stay),
        cmocka_unit_test(test_against_a_naive_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
