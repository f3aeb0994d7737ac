/* Control-flow graphs worked out by hand. */
#include "ptx/flow.h"

#include "support/builder.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { NONE = -1 };

typedef struct fixture {
    builder *b;
    int32_t p; /* a predicate */
    ww_flow *flow;
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
    ww_flow_destroy(f->flow);
    builder_destroy(f->b);
    free(f);
    return 0;
}

static const ww_flow *analyse(fixture *f)
{
    f->flow = ww_flow_create(builder_finish(f->b));
    return f->flow;
}

static uint32_t nop(fixture *f)
{
    return builder_plain(f->b, NONE, WW_OP_MEMBAR);
}

static void assert_successors(const ww_flow *flow, uint32_t block, uint32_t count, uint32_t a,
                              uint32_t b)
{
    assert_int_equal(flow->blocks[block].successor_count, count);
    if (count > 0)
        assert_int_equal(flow->blocks[block].successors[0], a);
    if (count > 1)
        assert_int_equal(flow->blocks[block].successors[1], b);
}

static void empty_body(void **state)
{
    const ww_flow *flow = analyse(*state);
    assert_int_equal(flow->block_count, 0);
    assert_int_equal(flow->order_count, 1);
}

static void straight_line_falls_off_the_end(void **state)
{
    fixture *f = *state;
    nop(f);
    nop(f);
    const ww_flow *flow = analyse(f);
    assert_int_equal(flow->block_count, 1);
    assert_int_equal(flow->blocks[0].last, 1);
    assert_successors(flow, 0, 1, 1, 0);
    assert_int_equal(flow->blocks[0].post_dominator, 1);
    assert_int_equal(flow->blocks[0].dominator, WW_NO_BLOCK);
    assert_int_equal(ww_flow_reconvergence(flow, 0), WW_NO_RECONVERGENCE);
}

static void calls_do_not_end_blocks(void **state)
{
    fixture *f = *state;
    nop(f);
    builder_plain(f->b, NONE, WW_OP_CALL);
    builder_plain(f->b, NONE, WW_OP_RET);
    assert_int_equal(analyse(f)->block_count, 1);
}

/*  0 @p bra 1; 1 nop; [1] 2 ret */
static void if_without_else(void **state)
{
    fixture *f = *state;
    builder_bra(f->b, f->p, 1);
    nop(f);
    builder_place(f->b, 1);
    builder_plain(f->b, NONE, WW_OP_RET);
    const ww_flow *flow = analyse(f);
    assert_int_equal(flow->block_count, 3);
    assert_successors(flow, 0, 2, 1, 2);
    assert_int_equal(ww_flow_reconvergence(flow, 0), 2);
    assert_int_equal(flow->blocks[1].dominator, 0);
    assert_int_equal(flow->blocks[2].dominator, 0);
    assert_int_equal(flow->blocks[2].predecessor_count, 2);
    assert_int_equal(flow->block_of[1], 1);
    assert_int_equal(flow->loop_count, 0);
}

/*  0 @p bra 1; 1 nop; 2 bra 2; [1] 3 nop; [2] 4 nop */
static void if_else(void **state)
{
    fixture *f = *state;
    builder_bra(f->b, f->p, 1);
    nop(f);
    builder_bra(f->b, NONE, 2);
    builder_place(f->b, 1);
    nop(f);
    builder_place(f->b, 2);
    nop(f);
    const ww_flow *flow = analyse(f);
    assert_int_equal(flow->block_count, 4);
    assert_successors(flow, 0, 2, 1, 2);
    assert_successors(flow, 1, 1, 3, 0);
    assert_int_equal(ww_flow_reconvergence(flow, 0), 4);
    assert_int_equal(flow->blocks[3].dominator, 0);
    assert_true(ww_flow_dominates(flow, 0, 3));
    assert_false(ww_flow_dominates(flow, 1, 3));
}

/* A branch whose target is the next instruction has one successor. */
static void branch_to_the_next(void **state)
{
    fixture *f = *state;
    builder_bra(f->b, f->p, 1);
    builder_place(f->b, 1);
    nop(f);
    const ww_flow *flow = analyse(f);
    assert_successors(flow, 0, 1, 1, 0);
    assert_int_equal(ww_flow_reconvergence(flow, 0), 1);
}

static void nested_ifs(void **state)
{
    fixture *f = *state;
    builder_bra(f->b, f->p, 9); /* 0: to 5 */
    nop(f);                     /* 1 */
    builder_bra(f->b, f->p, 8); /* 2: to 4 */
    nop(f);                     /* 3 */
    builder_place(f->b, 8);
    nop(f); /* 4 */
    builder_place(f->b, 9);
    builder_plain(f->b, NONE, WW_OP_RET);
    const ww_flow *flow = analyse(f);
    assert_int_equal(ww_flow_reconvergence(flow, 0), 5);
    assert_int_equal(ww_flow_reconvergence(flow, 2), 4);
}

/*  [0] 0 nop; 1 @p bra 2 (break); 2 @p bra 0 (continue); 3 nop; 4 @p bra 0; [2] 5 ret */
static void loop_with_break_and_continue(void **state)
{
    fixture *f = *state;
    builder_place(f->b, 0);
    nop(f);
    builder_bra(f->b, f->p, 2);
    builder_bra(f->b, f->p, 0);
    nop(f);
    builder_bra(f->b, f->p, 0);
    builder_place(f->b, 2);
    builder_plain(f->b, NONE, WW_OP_RET);
    const ww_flow *flow = analyse(f);
    assert_int_equal(flow->block_count, 4);
    assert_int_equal(ww_flow_reconvergence(flow, 1), 5);
    assert_int_equal(ww_flow_reconvergence(flow, 2), 5);
    assert_int_equal(ww_flow_reconvergence(flow, 4), 5);
    assert_int_equal(flow->loop_count, 1);
    for (uint32_t b = 0; b < 3; b++) {
        assert_int_equal(flow->blocks[b].loop, 0);
        assert_int_equal(flow->blocks[b].loop_depth, 1);
    }
    assert_int_equal(flow->blocks[3].loop, WW_NO_BLOCK);
    assert_true(ww_flow_is_back_edge(flow, 1, 0));
    assert_true(ww_flow_is_back_edge(flow, 2, 0));
    assert_false(ww_flow_is_back_edge(flow, 0, 1));
    assert_int_equal(flow->irreducible_entries, 0);
}

/*  [0] 0 nop; [1] 1 nop; 2 @p bra 1; 3 @p bra 0; 4 ret */
static void nested_loops(void **state)
{
    fixture *f = *state;
    builder_place(f->b, 0);
    nop(f);
    builder_place(f->b, 1);
    nop(f);
    builder_bra(f->b, f->p, 1);
    builder_bra(f->b, f->p, 0);
    builder_plain(f->b, NONE, WW_OP_RET);
    const ww_flow *flow = analyse(f);
    assert_int_equal(flow->loop_count, 2);
    assert_int_equal(flow->blocks[1].loop, 1);
    assert_int_equal(flow->blocks[1].loop_depth, 2);
    assert_int_equal(flow->loop_around[1], 0);
    assert_int_equal(flow->blocks[2].loop, 0);
    assert_int_equal(flow->blocks[3].loop_depth, 0);
    assert_int_equal(ww_flow_reconvergence(flow, 2), 3);
}

/*  0 brx {0,1,1,2,end}; [0] 1 nop; 2 bra 3; [1] 3 nop; [2] 4 nop; [3] 5 nop */
static void switch_through_brx(void **state)
{
    fixture *f = *state;
    const uint32_t targets[] = {0, 1, 1, 2};
    builder_brx(f->b, NONE, f->p, targets, 4);
    builder_place(f->b, 0);
    nop(f);
    builder_bra(f->b, NONE, 3);
    builder_place(f->b, 1);
    nop(f);
    builder_place(f->b, 2);
    nop(f);
    builder_place(f->b, 3);
    nop(f);
    const ww_flow *flow = analyse(f);
    assert_int_equal(flow->blocks[0].successor_count, 3);
    assert_int_equal(ww_flow_reconvergence(flow, 0), 5);
    assert_true(ww_instruction_splits(&flow->function->instructions[0]));
    assert_false(ww_instruction_splits(&flow->function->instructions[2]));
}

static void guarded_brx_falls_through(void **state)
{
    fixture *f = *state;
    const uint32_t targets[] = {1, 7};
    builder_brx(f->b, f->p, f->p, targets, 2);
    nop(f);
    builder_place(f->b, 1);
    nop(f);
    const ww_flow *flow = analyse(f);
    assert_int_equal(flow->blocks[0].successor_count, 3);
    assert_int_equal(flow->blocks[0].successors[0], 1);
    assert_int_equal(flow->blocks[0].post_dominator, 3);
}

/*  0 @p ret; 1 nop; 2 @p exit; 3 trap; 4 nop (unreachable) */
static void early_returns(void **state)
{
    fixture *f = *state;
    builder_plain(f->b, f->p, WW_OP_RET);
    nop(f);
    builder_plain(f->b, f->p, WW_OP_EXIT);
    builder_plain(f->b, NONE, WW_OP_TRAP);
    nop(f);
    const ww_flow *flow = analyse(f);
    assert_int_equal(flow->block_count, 4);
    assert_successors(flow, 0, 2, 1, 4);
    assert_successors(flow, 1, 2, 2, 4);
    assert_successors(flow, 2, 1, 4, 0);
    assert_int_equal(ww_flow_reconvergence(flow, 0), WW_NO_RECONVERGENCE);
    assert_false(flow->blocks[3].reachable);
    assert_int_equal(flow->blocks[3].dominator, WW_NO_BLOCK);
    assert_int_equal(flow->blocks[3].post_dominator, 4);
    assert_int_equal(flow->order[flow->order_count - 1], 3);
}

/*  0 @p bra 1; [0] 1 @p bra 2; 2 nop; [2] 3 bra 0; [1] 4 ret: an endless loop with an if in it */
static void endless_loop(void **state)
{
    fixture *f = *state;
    builder_bra(f->b, f->p, 1);
    builder_place(f->b, 0);
    builder_bra(f->b, f->p, 2);
    nop(f);
    builder_place(f->b, 2);
    builder_bra(f->b, NONE, 0);
    builder_place(f->b, 1);
    builder_plain(f->b, NONE, WW_OP_RET);
    const ww_flow *flow = analyse(f);
    assert_int_equal(flow->endless_loops, 1);
    assert_int_equal(ww_flow_reconvergence(flow, 0), WW_NO_RECONVERGENCE);
    assert_int_equal(ww_flow_reconvergence(flow, 1), WW_NO_RECONVERGENCE);
    assert_int_equal(flow->blocks[2].post_dominator, 3);
    assert_int_equal(flow->blocks[3].post_dominator, 1);
    assert_int_equal(flow->blocks[3].successor_count, 1);
}

/*  0 bra self */
static void loop_of_one_block(void **state)
{
    fixture *f = *state;
    builder_place(f->b, 0);
    builder_bra(f->b, NONE, 0);
    const ww_flow *flow = analyse(f);
    assert_int_equal(flow->endless_loops, 1);
    assert_int_equal(flow->blocks[0].post_dominator, 1);
    assert_true(ww_flow_is_back_edge(flow, 0, 0));
}

/*  0 @p bra 2; [1] 1 nop; [2] 2 @p bra 1; 3 ret: entered at 1 and at 2 */
static void irreducible(void **state)
{
    fixture *f = *state;
    builder_bra(f->b, f->p, 2);
    builder_place(f->b, 1);
    nop(f);
    builder_place(f->b, 2);
    builder_bra(f->b, f->p, 1);
    builder_plain(f->b, NONE, WW_OP_RET);
    const ww_flow *flow = analyse(f);
    assert_int_equal(flow->irreducible_entries, 1);
    assert_int_equal(flow->loop_count, 1);
    assert_true(flow->irreducible[1]);
    assert_int_equal(flow->blocks[2].loop, 1);
    assert_int_equal(ww_flow_reconvergence(flow, 0), 2);
    assert_int_equal(ww_flow_reconvergence(flow, 2), 3);
}

/* Long chains of both kinds that are worst for recursion and for walking up trees. */
static void deep_ladders(void **state)
{
    enum { RUNGS = 100000 };
    fixture *f = *state;
    for (uint32_t i = 0; i < RUNGS; i++) {
        builder_place(f->b, i);
        builder_bra(f->b, f->p, RUNGS);
    }
    for (uint32_t i = 0; i < RUNGS; i++)
        builder_bra(f->b, f->p, RUNGS - 1 - i);
    builder_place(f->b, RUNGS);
    builder_plain(f->b, NONE, WW_OP_RET);
    const ww_flow *flow = analyse(f);
    assert_int_equal(flow->loop_count, RUNGS);
    assert_int_equal(flow->blocks[RUNGS - 1].loop_depth, RUNGS);
    for (uint32_t i = 0; i < RUNGS; i += 777) {
        assert_int_equal(flow->blocks[i].post_dominator, 2 * RUNGS);
        assert_int_equal(flow->blocks[i + 1].dominator, i);
    }
    assert_int_equal(flow->blocks[2 * RUNGS].dominator, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(empty_body),
        TEST(straight_line_falls_off_the_end),
        TEST(calls_do_not_end_blocks),
        TEST(if_without_else),
        TEST(if_else),
        TEST(branch_to_the_next),
        TEST(nested_ifs),
        TEST(loop_with_break_and_continue),
        TEST(nested_loops),
        TEST(switch_through_brx),
        TEST(guarded_brx_falls_through),
        TEST(early_returns),
        TEST(endless_loop),
        TEST(loop_of_one_block),
        TEST(irreducible),
        TEST(deep_ladders),
    };
    return cmocka_run_group_tests_name("flow", tests, NULL, NULL);
}
