#include "ptx/paths.h"

#include "support/builder.h"
#include "support/random_program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

typedef struct fixture {
    builder *b;
    int32_t p;
    ww_flow *flow;
    ww_paths *paths;
} fixture;

static int setup(void **state)
{
    fixture *f = ww_calloc(1, sizeof *f);
    f->b = builder_create();
    f->p = builder_register(f->b, WW_TYPE_PRED);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    fixture *f = *state;
    ww_paths_destroy(f->paths);
    ww_flow_destroy(f->flow);
    builder_destroy(f->b);
    free(f);
    return 0;
}

static void nops(fixture *f, unsigned count)
{
    while (count-- > 0)
        builder_plain(f->b, -1, WW_OP_MEMBAR);
}

static void analyse(fixture *f)
{
    f->flow = ww_flow_create(builder_finish(f->b));
    f->paths = ww_paths_create(f->flow);
}

static void assert_path(const ww_path *path, int64_t inferred, uint32_t shortest, uint32_t longest)
{
    assert_true(path->exists);
    assert_int_equal(path->inferred, inferred);
    assert_int_equal(path->shortest, shortest);
    assert_int_equal(path->longest, longest);
}

/* Algorithm 5 of the dissertation: PC1 @p bra L2; PC2 add; PC3 bra L3; L2: PC4 sub; L3: PC5 mov. */
static void printed_example(void **state)
{
    fixture *f = *state;
    builder_bra(f->b, f->p, 2);
    nops(f, 1);
    builder_bra(f->b, -1, 3);
    builder_place(f->b, 2);
    nops(f, 1);
    builder_place(f->b, 3);
    nops(f, 1);
    analyse(f);
    const ww_branch_paths *b = ww_paths_find(f->paths, 0);
    assert_non_null(b);
    assert_int_equal(b->reconvergence, 4);
    assert_path(&b->taken, 4, 1, 1);
    assert_path(&b->fall_through, 5, 2, 2);
    assert_null(ww_paths_find(f->paths, 2));
    assert_int_equal(f->paths->count, 1);
}

/* 0 @p bra end; 1-3 nop; 4 @p bra X; 5-9 nop; X: 10 nop; end: 11 */
static void nested(void **state)
{
    fixture *f = *state;
    builder_bra(f->b, f->p, 9);
    nops(f, 3);
    builder_bra(f->b, f->p, 8);
    nops(f, 5);
    builder_place(f->b, 8);
    nops(f, 1);
    builder_place(f->b, 9);
    nops(f, 1);
    analyse(f);
    const ww_branch_paths *outer = ww_paths_find(f->paths, 0);
    assert_path(&outer->taken, 12, 0, 0);
    assert_path(&outer->fall_through, 12, 5, 10);
    const ww_branch_paths *inner = ww_paths_find(f->paths, 4);
    assert_path(&inner->taken, 7, 0, 0);
    assert_path(&inner->fall_through, 7, 5, 5);
}

/* H: 0-1 nop; 2 @p bra E; 3-5 nop; 6 bra H; E: 7 ret */
static void while_loop(void **state)
{
    fixture *f = *state;
    builder_place(f->b, 0);
    nops(f, 2);
    builder_bra(f->b, f->p, 1);
    nops(f, 3);
    builder_bra(f->b, -1, 0);
    builder_place(f->b, 1);
    builder_plain(f->b, -1, WW_OP_RET);
    analyse(f);
    const ww_branch_paths *b = ww_paths_find(f->paths, 2);
    assert_path(&b->taken, 6, 0, 0);
    assert_path(&b->fall_through, 6, 4 + 3, 4 + 3); /* round once, then out */
}

/* H: 0-1 nop; 2 @p bra H; 3 ret: backwards, and no way back but the end for the early return */
static void backwards_and_no_reconvergence(void **state)
{
    fixture *f = *state;
    builder_place(f->b, 0);
    nops(f, 2);
    builder_bra(f->b, f->p, 0);
    builder_bra(f->b, f->p, 5);
    nops(f, 1);
    builder_plain(f->b, -1, WW_OP_RET);
    builder_place(f->b, 5);
    builder_plain(f->b, -1, WW_OP_EXIT);
    analyse(f);
    assert_path(&ww_paths_find(f->paths, 2)->taken, -1, 3, 3);
    assert_path(&ww_paths_find(f->paths, 2)->fall_through, 2, 0, 0);
    const ww_branch_paths *b = ww_paths_find(f->paths, 3);
    assert_int_equal(b->reconvergence, WW_NO_RECONVERGENCE);
    assert_path(&b->taken, 4, 1, 1);
    assert_path(&b->fall_through, 5, 2, 2);
}

static void endless(void **state)
{
    fixture *f = *state;
    builder_place(f->b, 0);
    builder_bra(f->b, f->p, 1);
    nops(f, 4);
    builder_place(f->b, 1);
    builder_bra(f->b, -1, 0);
    analyse(f);
    const ww_branch_paths *b = ww_paths_find(f->paths, 0);
    assert_int_equal(b->taken.shortest, 1 + 1);
    assert_int_equal(b->fall_through.shortest, 4 + 1 + 1);
}

static void switches(void **state)
{
    fixture *f = *state;
    const uint32_t targets[] = {1, 2, 3};
    builder_brx(f->b, -1, f->p, targets, 3);
    builder_place(f->b, 1);
    nops(f, 4);
    builder_place(f->b, 2);
    nops(f, 2);
    builder_place(f->b, 3);
    nops(f, 1);
    analyse(f);
    const ww_branch_paths *b = ww_paths_find(f->paths, 0);
    assert_path(&b->taken, 8, 0, 6);
    assert_false(b->fall_through.exists);
}

/* Shortest ways by a plain search over instructions. */
static uint32_t plain_shortest(const ww_function *f, const ww_flow *flow, uint32_t from,
                               uint32_t to)
{
    enum { MOST = 1024 };
    uint32_t queue[MOST], distance[MOST + 1], head = 0, tail = 0;
    memset(distance, 0xff, sizeof distance);
    assert_true(f->instruction_count < MOST);
    distance[from] = 0;
    queue[tail++] = from;
    while (head < tail) {
        uint32_t i = queue[head++];
        if (i == to || i == f->instruction_count)
            continue;
        const ww_block *b = &flow->blocks[flow->block_of[i]];
        for (uint32_t s = 0; s < (i == b->last ? b->successor_count : 1); s++) {
            uint32_t next = i + 1;
            if (i == b->last)
                next = b->successors[s] == flow->block_count ? f->instruction_count
                                                             : flow->blocks[b->successors[s]].first;
            if (distance[next] == UINT32_MAX) {
                distance[next] = distance[i] + 1;
                queue[tail++] = next;
            }
        }
    }
    return distance[to];
}

static void shortest_of_random_programs(void **state)
{
    (void)state;
    uint64_t seed = test_seed(1);
    for (uint64_t round = 0; round < 3000; round++) {
        ww_rng rng;
        ww_rng_seed(&rng, seed + round);
        builder *b = builder_create();
        ww_function *f = random_program(b, &rng);
        ww_flow *flow = ww_flow_create(f);
        ww_paths *paths = ww_paths_create(flow);
        for (uint32_t n = 0; n < paths->count && flow->endless_loops == 0; n++) {
            const ww_branch_paths *branch = &paths->branches[n];
            uint32_t end = branch->reconvergence == WW_NO_RECONVERGENCE ? f->instruction_count
                                                                        : branch->reconvergence;
            if (!branch->fall_through.exists)
                continue;
            uint32_t plain = plain_shortest(f, flow, branch->instruction + 1, end);
            assert_int_equal(branch->fall_through.shortest, plain);
            assert_true(branch->fall_through.longest >= plain);
            assert_true(branch->fall_through.longest <= f->instruction_count);
            assert_true(branch->taken.longest >= branch->taken.shortest);
        }
        ww_paths_destroy(paths);
        ww_flow_destroy(flow);
        builder_destroy(b);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(printed_example),
        TEST(nested),
        TEST(while_loop),
        TEST(backwards_and_no_reconvergence),
        TEST(endless),
        TEST(switches),
        cmocka_unit_test(shortest_of_random_programs),
    };
    return cmocka_run_group_tests_name("paths", tests, NULL, NULL);
}
