/* Control-flow graphs of random functions against definitions taken literally. */
#include "ptx/flow.h"
#include "ptx/graph.h"
#include "support/random_function.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 80, ROUNDS = 3000 };

/* A graph as a matrix, with the search numbers that define loop headers. */
typedef struct plain {
    uint32_t n; /* nodes, the exit is n-1 */
    bool edge[MOST][MOST];
    bool reach[MOST][MOST]; /* in one step or more */
    uint32_t number[MOST];
    uint32_t open[MOST]; /* 0 not seen, 1 on the search path, 2 done */
    uint32_t visited;
    bool reducible;
    const ww_flow *flow;
} plain;

static void one_instruction(builder *b, ww_rng *rng, void *context)
{
    (void)context;
    if (ww_rng_below(rng, 2))
        builder_plain(b, -1, WW_OP_MEMBAR);
}

static int32_t the_register(builder *b, ww_rng *rng, bool index, void *context)
{
    (void)b, (void)rng, (void)index, (void)context;
    return 0;
}

static bool reaches_without(const plain *g, uint32_t from, uint32_t to, uint32_t removed)
{
    bool seen[MOST] = {false};
    uint32_t stack[MOST], depth = 0;
    if (from == removed)
        return false;
    seen[from] = true;
    stack[depth++] = from;
    while (depth > 0) {
        uint32_t at = stack[--depth];
        if (at == to)
            return true;
        for (uint32_t s = 0; s < g->n; s++)
            if (g->edge[at][s] && s != removed && !seen[s]) {
                seen[s] = true;
                stack[depth++] = s;
            }
    }
    return false;
}

static void close_over(const plain *g, bool reach[MOST][MOST], const bool *inside)
{
    for (uint32_t a = 0; a < g->n; a++)
        for (uint32_t b = 0; b < g->n; b++)
            reach[a][b] = g->edge[a][b] && inside[a] && inside[b];
    for (uint32_t k = 0; k < g->n; k++)
        for (uint32_t a = 0; a < g->n; a++)
            for (uint32_t b = 0; reach[a][k] && b < g->n; b++)
                reach[a][b] |= reach[k][b];
}

static void search(plain *g, uint32_t at)
{
    g->number[at] = g->visited++;
    g->open[at] = 1;
    if (at + 1 < g->n)
        for (uint32_t s = 0; s < g->flow->blocks[at].successor_count; s++) {
            uint32_t to = g->flow->blocks[at].successors[s];
            if (g->open[to] == 0)
                search(g, to);
            else if (g->open[to] == 1 && g->flow->blocks[at].reachable &&
                     reaches_without(g, 0, at, to))
                g->reducible = false;
        }
    g->open[at] = 2;
}

static void read_flow(plain *g, const ww_flow *flow)
{
    memset(g, 0, sizeof *g);
    g->n = flow->block_count + 1;
    g->flow = flow;
    g->reducible = true;
    assert_true(g->n <= MOST);
    for (uint32_t b = 0; b < flow->block_count; b++)
        for (uint32_t s = 0; s < flow->blocks[b].successor_count; s++)
            g->edge[b][flow->blocks[b].successors[s]] = true;
    for (uint32_t b = 0; b < g->n; b++)
        if (g->open[b] == 0)
            search(g, b);
    bool all[MOST];
    memset(all, true, sizeof all);
    close_over(g, g->reach, all);
}

static void check_edges(const ww_flow *flow)
{
    const ww_function *f = flow->function;
    for (uint32_t b = 0; b < flow->block_count; b++) {
        const ww_block *block = &flow->blocks[b];
        assert_int_equal(block->first, b == 0 ? 0 : flow->blocks[b - 1].last + 1);
        for (uint32_t i = block->first; i < block->last; i++)
            assert_false(ww_instruction_ends_block(&f->instructions[i]));
        for (uint32_t s = 0; s < block->successor_count; s++) {
            uint32_t to = block->successors[s];
            uint32_t found = 0;
            for (uint32_t p = 0; to < flow->block_count && p < flow->blocks[to].predecessor_count;
                 p++)
                found += flow->blocks[to].predecessors[p] == b;
            assert_int_equal(found, to < flow->block_count);
        }
    }
}

static void check_dominators(const plain *g, const ww_flow *flow)
{
    for (uint32_t b = 0; b < flow->block_count; b++) {
        bool reachable = b == 0 || g->reach[0][b];
        assert_int_equal(flow->blocks[b].reachable, reachable);
        uint32_t d = flow->blocks[b].dominator;
        if (b == 0 || !reachable) {
            assert_int_equal(d, WW_NO_BLOCK);
            continue;
        }
        assert_false(reaches_without(g, 0, b, d));
        for (uint32_t other = 0; other < flow->block_count; other++)
            if (other != b && other != d && !reaches_without(g, 0, b, other))
                assert_false(reaches_without(g, 0, d, other)); /* farther than d */
    }
}

/* Gives every strongly connected part that nothing leaves an edge to the exit. */
static uint32_t open_endless(plain *g)
{
    uint32_t exit = g->n - 1, opened = 0;
    for (uint32_t b = 0; b < exit; b++) {
        bool sink = g->reach[b][b], first = true;
        for (uint32_t o = 0; o < g->n; o++) {
            if (g->reach[b][o] && !g->reach[o][b])
                sink = false;
            if (g->reach[b][o] && g->reach[o][b] && g->number[o] < g->number[b])
                first = false;
        }
        if (sink && first) {
            g->edge[b][exit] = true;
            opened++;
        }
    }
    return opened;
}

static void check_post_dominators(plain *g, const ww_flow *flow)
{
    uint32_t exit = flow->block_count;
    assert_int_equal(open_endless(g), flow->endless_loops);
    for (uint32_t b = 0; b < exit; b++) {
        uint32_t p = flow->blocks[b].post_dominator;
        assert_true(p <= exit && p != b);
        assert_false(p != exit && reaches_without(g, b, exit, p));
        for (uint32_t other = 0; other < exit; other++)
            if (other != b && other != p && !reaches_without(g, b, exit, other))
                assert_true(p != exit && !reaches_without(g, p, exit, other));
    }
}

/* Loops by their definition: strongly connected parts; without their headers, those inside. */
static void check_loops(const plain *g, const ww_flow *flow, bool *inside, uint32_t depth,
                        uint32_t around, uint32_t *loops)
{
    static bool reach_of_depth[MOST][MOST][MOST];
    bool(*reach)[MOST] = reach_of_depth[depth];
    close_over(g, reach, inside);
    bool done[MOST] = {false};
    for (uint32_t b = 0; b < flow->block_count; b++) {
        if (!inside[b] || done[b])
            continue;
        if (!reach[b][b]) {
            assert_int_equal(flow->blocks[b].loop, around);
            assert_int_equal(flow->blocks[b].loop_depth, depth);
            continue;
        }
        bool part[MOST] = {false};
        uint32_t header = b;
        for (uint32_t o = 0; o < flow->block_count; o++) {
            part[o] = reach[b][o] && reach[o][b];
            done[o] |= part[o];
            if (part[o] && g->number[o] < g->number[header])
                header = o;
        }
        assert_int_equal(flow->blocks[header].loop, header);
        assert_int_equal(flow->blocks[header].loop_depth, depth + 1);
        assert_int_equal(flow->loop_around[header], around);
        ++*loops;
        part[header] = false;
        check_loops(g, flow, part, depth + 1, header, loops);
    }
}

static void check_order(const ww_flow *flow, const plain *g)
{
    uint32_t place[MOST];
    assert_int_equal(flow->order_count, g->n);
    memset(place, 0xff, sizeof place);
    for (uint32_t i = 0; i < flow->order_count; i++)
        place[flow->order[i]] = i;
    for (uint32_t b = 0; b < flow->block_count; b++)
        for (uint32_t s = 0; flow->blocks[b].reachable && s < flow->blocks[b].successor_count;
             s++) {
            uint32_t to = flow->blocks[b].successors[s];
            if (g->reducible && !ww_flow_is_back_edge(flow, b, to))
                assert_true(place[b] < place[to]);
        }
}

static void random_graphs(void **state)
{
    (void)state;
    uint64_t seed = test_seed(1);
    static plain g;
    unsigned irreducible = 0, endless = 0;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        ww_rng rng;
        ww_rng_seed(&rng, seed + round);
        builder *b = builder_create();
        builder_register(b, WW_TYPE_PRED);
        random_control_flow(b, &rng, 1 + (uint32_t)ww_rng_below(&rng, 24),
                            (unsigned)ww_rng_below(&rng, 101), one_instruction, the_register, NULL);
        ww_flow *flow = ww_flow_create(builder_finish(b));
        uint32_t loops = 0;
        bool inside[MOST];
        read_flow(&g, flow);
        memset(inside, true, sizeof inside);
        check_edges(flow);
        check_dominators(&g, flow);
        check_loops(&g, flow, inside, 0, WW_NO_BLOCK, &loops);
        assert_int_equal(loops, flow->loop_count);
        assert_int_equal(g.reducible, flow->irreducible_entries == 0);
        check_order(flow, &g);
        check_post_dominators(&g, flow);
        irreducible += !g.reducible;
        endless += flow->endless_loops > 0;
        ww_flow_destroy(flow);
        builder_destroy(b);
    }
    printf("%u irreducible, %u with endless loops, of %u\n", irreducible, endless, ROUNDS);
    assert_true(irreducible > 100 && endless > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_graphs)};
    return cmocka_run_group_tests_name("flow graphs", tests, NULL, NULL);
}
