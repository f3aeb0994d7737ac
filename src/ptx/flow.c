#include "ptx/flow.h"

#include "ptx/graph.h"

#include <string.h>

typedef WW_VEC(ww_edge) edge_list;

static bool ends_function(const ww_instruction *i)
{
    return i->form.op == WW_OP_RET || i->form.op == WW_OP_EXIT || i->form.op == WW_OP_TRAP;
}

bool ww_instruction_ends_block(const ww_instruction *instruction)
{
    return instruction->form.op == WW_OP_BRA || instruction->form.op == WW_OP_BRX ||
           ends_function(instruction);
}

bool ww_instruction_splits(const ww_instruction *instruction)
{
    return instruction->form.op == WW_OP_BRX ||
           (instruction->guard >= 0 && ww_instruction_ends_block(instruction));
}

static void mark_leader(bool *leader, uint32_t count, uint32_t target)
{
    if (target < count)
        leader[target] = true;
}

static bool *find_leaders(const ww_function *f)
{
    uint32_t count = f->instruction_count;
    bool *leader = ww_calloc(count + 1u, sizeof *leader);
    leader[0] = true;
    for (uint32_t i = 0; i < count; i++) {
        const ww_instruction *in = &f->instructions[i];
        if (!ww_instruction_ends_block(in))
            continue;
        leader[i + 1] = true;
        for (unsigned o = 0; o < in->operand_count; o++) {
            const ww_operand *op = &in->operands[o];
            if (op->kind == WW_OPERAND_LABEL)
                mark_leader(leader, count, op->target);
            for (unsigned t = 0; op->kind == WW_OPERAND_TARGETS && t < op->count; t++)
                mark_leader(leader, count, op->targets[t]);
        }
    }
    return leader;
}

static void make_blocks(ww_flow *flow)
{
    uint32_t count = flow->function->instruction_count;
    bool *leader = find_leaders(flow->function);
    for (uint32_t i = 0; i < count; i++)
        flow->block_count += leader[i];
    flow->blocks = ww_calloc(flow->block_count + 1u, sizeof *flow->blocks);
    flow->block_of = ww_calloc(count + 1u, sizeof *flow->block_of);
    uint32_t b = WW_NO_BLOCK;
    for (uint32_t i = 0; i < count; i++) {
        if (leader[i])
            flow->blocks[++b].first = i;
        flow->blocks[b].last = i;
        flow->block_of[i] = b;
    }
    flow->block_of[count] = flow->block_count;
    free(leader);
}

/* Adds an edge unless the block already has one to that target; `seen` is by target block. */
static void add_edge(const ww_flow *flow, edge_list *edges, uint32_t *seen, uint32_t from,
                     uint32_t target)
{
    uint32_t count = flow->function->instruction_count;
    uint32_t to = flow->block_of[target < count ? target : count];
    if (seen[to] == from)
        return;
    seen[to] = from;
    ww_edge e = {from, to};
    ww_vec_push(edges, e);
}

/* Fall-through first, then targets in the order written. */
static void add_edges_of(const ww_flow *flow, edge_list *edges, uint32_t *seen, uint32_t b)
{
    uint32_t last = flow->blocks[b].last;
    const ww_instruction *in = &flow->function->instructions[last];
    if (!ww_instruction_ends_block(in) || in->guard >= 0)
        add_edge(flow, edges, seen, b, last + 1);
    if (ends_function(in))
        add_edge(flow, edges, seen, b, UINT32_MAX);
    if (!ww_instruction_ends_block(in))
        return;
    for (unsigned o = 0; o < in->operand_count; o++) {
        const ww_operand *op = &in->operands[o];
        if (op->kind == WW_OPERAND_LABEL)
            add_edge(flow, edges, seen, b, op->target);
        for (unsigned t = 0; op->kind == WW_OPERAND_TARGETS && t < op->count; t++)
            add_edge(flow, edges, seen, b, op->targets[t]);
    }
}

static void link_blocks(ww_flow *flow, edge_list *edges)
{
    uint32_t nodes = flow->block_count + 1;
    uint32_t *seen = ww_calloc(nodes, sizeof *seen);
    memset(seen, 0xff, nodes * sizeof *seen);
    for (uint32_t b = 0; b < flow->block_count; b++)
        add_edges_of(flow, edges, seen, b);
    free(seen);
    ww_graph *g = ww_graph_create(nodes, edges->items, (uint32_t)edges->count);
    flow->graph = g;
    for (uint32_t b = 0; b < flow->block_count; b++) {
        ww_block *block = &flow->blocks[b];
        block->successors = g->next + g->next_at[b];
        block->successor_count = g->next_at[b + 1] - g->next_at[b];
        block->predecessors = g->before + g->before_at[b];
        block->predecessor_count = g->before_at[b + 1] - g->before_at[b];
    }
}

static void find_loops(ww_flow *flow)
{
    ww_dfs *dfs = ww_dfs_create(flow->graph, 0, true);
    ww_loops *loops = ww_loops_create(flow->graph, dfs);
    flow->loops = loops;
    flow->loop_around = loops->outer;
    flow->irreducible = loops->irreducible;
    flow->loop_count = loops->loop_count;
    flow->irreducible_entries = loops->entries;
    flow->order_count = dfs->count;
    flow->order = ww_calloc(dfs->count + 1u, sizeof *flow->order);
    uint32_t reached = dfs->count ? dfs->last[0] + 1 : 0; /* the entry's tree comes first */
    for (uint32_t i = 0; i < dfs->count; i++) {
        uint32_t at = i < reached ? reached - 1 - i : dfs->count - 1 - (i - reached);
        flow->order[at] = dfs->finished[i];
    }
    for (uint32_t b = 0; b < flow->block_count; b++) {
        flow->blocks[b].loop = loops->header[b];
        flow->blocks[b].loop_depth = loops->depth[b];
        flow->blocks[b].reachable = dfs->number[b] < reached;
    }
    ww_dfs_destroy(dfs);
}

/* Adds an edge to the exit from the header of every outermost loop that nothing leaves. */
static void open_endless_loops(ww_flow *flow, edge_list *edges)
{
    uint32_t exit = flow->block_count;
    const uint32_t *outermost = flow->loops->outermost;
    bool *left = ww_calloc(exit + 1u, sizeof *left);
    for (uint32_t b = 0; b < exit; b++)
        for (uint32_t s = 0; outermost[b] != WW_NO_BLOCK && s < flow->blocks[b].successor_count;
             s++)
            left[outermost[b]] |= outermost[flow->blocks[b].successors[s]] != outermost[b];
    for (uint32_t b = 0; b < exit; b++) {
        if (outermost[b] != b || left[b])
            continue;
        ww_edge e = {b, exit};
        ww_vec_push(edges, e);
        flow->blocks[b].endless = true;
        flow->endless_loops++;
    }
    free(left);
}

static void make_dominator_tree(ww_flow *flow)
{
    edge_list edges = {0};
    for (uint32_t b = 0; b < flow->block_count; b++) {
        ww_edge e = {flow->blocks[b].dominator, b};
        if (e.from != WW_NO_BLOCK)
            ww_vec_push(&edges, e);
    }
    flow->dominator_tree = ww_graph_create(flow->block_count, edges.items, (uint32_t)edges.count);
    ww_vec_free(&edges);
    ww_dfs *dfs = ww_dfs_create(flow->dominator_tree, 0, true);
    flow->tree_first = ww_calloc(flow->block_count + 1u, sizeof *flow->tree_first);
    flow->tree_last = ww_calloc(flow->block_count + 1u, sizeof *flow->tree_last);
    for (uint32_t b = 0; b < flow->block_count; b++) {
        flow->tree_first[b] = dfs->number[b];
        flow->tree_last[b] = dfs->last[dfs->number[b]];
    }
    ww_dfs_destroy(dfs);
}

static void find_dominators(ww_flow *flow, edge_list *edges)
{
    uint32_t nodes = flow->block_count + 1;
    uint32_t *idom = ww_calloc(nodes, sizeof *idom);
    ww_graph_dominators(flow->graph, 0, idom);
    for (uint32_t b = 0; b < flow->block_count; b++)
        flow->blocks[b].dominator = idom[b];
    make_dominator_tree(flow);
    open_endless_loops(flow, edges);
    ww_graph *whole = ww_graph_create(nodes, edges->items, (uint32_t)edges->count);
    ww_graph backwards = ww_graph_reversed(whole);
    ww_graph_dominators(&backwards, flow->block_count, idom);
    for (uint32_t b = 0; b < flow->block_count; b++)
        flow->blocks[b].post_dominator = idom[b];
    ww_graph_destroy(whole);
    free(idom);
}

ww_flow *ww_flow_create(const ww_function *function)
{
    ww_flow *flow = ww_calloc(1, sizeof *flow);
    edge_list edges = {0};
    flow->function = function;
    make_blocks(flow);
    link_blocks(flow, &edges);
    find_loops(flow);
    find_dominators(flow, &edges);
    ww_vec_free(&edges);
    return flow;
}

void ww_flow_destroy(ww_flow *flow)
{
    if (!flow)
        return;
    ww_loops_destroy(flow->loops);
    ww_graph_destroy(flow->graph);
    ww_graph_destroy(flow->dominator_tree);
    free(flow->tree_first);
    free(flow->tree_last);
    free(flow->order);
    free(flow->block_of);
    free(flow->blocks);
    free(flow);
}

uint32_t ww_flow_reconvergence(const ww_flow *flow, uint32_t instruction)
{
    uint32_t at = flow->blocks[flow->block_of[instruction]].post_dominator;
    return at == flow->block_count ? WW_NO_RECONVERGENCE : flow->blocks[at].first;
}

bool ww_flow_is_back_edge(const ww_flow *flow, uint32_t from, uint32_t to)
{
    if (to >= flow->block_count || flow->blocks[to].loop != to)
        return false;
    uint32_t loop = flow->blocks[from].loop;
    while (loop != WW_NO_BLOCK && loop != to)
        loop = flow->loop_around[loop];
    return loop == to;
}

bool ww_flow_dominates(const ww_flow *flow, uint32_t above, uint32_t below)
{
    return flow->tree_first[above] <= flow->tree_first[below] &&
           flow->tree_first[below] <= flow->tree_last[above];
}
