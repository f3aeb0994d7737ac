/* Merges are at iterated dominance frontiers (Cytron et al. 1991), only where the register is live;
 * then a walk over the dominator tree assigns a value to every read and write. */
#include "ptx/values.h"

#include "ptx/graph.h"

#include <string.h>

/* Pairs of key and number, in any order. */
typedef WW_VEC(ww_edge) pair_list;

typedef struct maker {
    const ww_uses *uses;
    const ww_flow *flow;
    const ww_function *function;
    ww_values *out;
    ww_graph *frontier; /* block to block */
    ww_graph *merges;   /* block to register */
    uint32_t *slot;     /* by edge in flow->graph->next: its index among the predecessors */
    uint32_t *current;  /* by register: its value where the walk is */
    WW_VEC(ww_ssa_value) values;
    WW_VEC(ww_edge) undo;  /* register, value before */
    WW_VEC(ww_edge) reads; /* value, user */
    uint32_t block;
    uint32_t instruction;
} maker;

static ww_graph *dominance_frontiers(const ww_flow *flow)
{
    pair_list pairs = {0};
    uint32_t *latest = ww_calloc(flow->block_count + 1u, sizeof *latest); /* block + 1 */
    for (uint32_t b = 0; b < flow->block_count; b++) {
        const ww_block *block = &flow->blocks[b];
        if (!block->reachable || block->predecessor_count + (b == 0) < 2)
            continue;
        for (uint32_t p = 0; p < block->predecessor_count; p++) {
            uint32_t up = block->predecessors[p];
            if (!flow->blocks[up].reachable)
                continue;
            while (up != block->dominator && latest[up] != b + 1) {
                ww_edge e = {up, b};
                ww_vec_push(&pairs, e);
                latest[up] = b + 1;
                up = flow->blocks[up].dominator;
            }
        }
    }
    ww_graph *frontier = ww_graph_create(flow->block_count, pairs.items, (uint32_t)pairs.count);
    ww_vec_free(&pairs);
    free(latest);
    return frontier;
}

/* Adds (block, reg) for each block that must merge the register's values. `seen` and `has_merge`
 * are by block: reg + 1 when set. `work` holds blocks that write the register. */
static void add_merges(const maker *m, const ww_live_blocks *live, uint32_t reg, uint32_t *seen,
                       uint32_t *has_merge, uint32_t *work, pair_list *merges)
{
    const ww_uses *uses = m->uses;
    uint32_t count = 0;
    for (uint32_t o = uses->first[reg]; o < uses->first[reg + 1]; o++) {
        uint32_t block = m->flow->block_of[uses->list[o].instruction];
        if (uses->list[o].use == WW_USE_READ || seen[block] == reg + 1)
            continue;
        seen[block] = reg + 1;
        work[count++] = block;
    }
    while (count > 0) {
        uint32_t from = work[--count];
        for (uint32_t e = m->frontier->next_at[from]; e < m->frontier->next_at[from + 1]; e++) {
            uint32_t at = m->frontier->next[e];
            if (has_merge[at] == reg + 1 || live->in[at] != reg + 1)
                continue;
            has_merge[at] = reg + 1;
            ww_edge merge = {at, reg};
            ww_vec_push(merges, merge);
            if (seen[at] != reg + 1)
                work[count++] = at;
            seen[at] = reg + 1;
        }
    }
}

static ww_graph *find_merges(const maker *m)
{
    uint32_t blocks = m->flow->block_count;
    pair_list merges = {0};
    uint32_t *seen = ww_calloc(blocks + 1u, sizeof *seen);
    uint32_t *has_merge = ww_calloc(blocks + 1u, sizeof *has_merge);
    uint32_t *work = ww_calloc(blocks + 1u, sizeof *work);
    ww_live_blocks *live = ww_live_blocks_create(m->uses);
    for (uint32_t r = 0; r < m->uses->register_count; r++) {
        ww_live_blocks_find(live, r);
        if (live->count > 0)
            add_merges(m, live, r, seen, has_merge, work, &merges);
    }
    /* As a bipartite graph: nodes are blocks and, on the other side, registers. */
    uint32_t nodes = blocks > m->uses->register_count ? blocks : m->uses->register_count;
    ww_graph *graph = ww_graph_create(nodes, merges.items, (uint32_t)merges.count);
    ww_live_blocks_destroy(live);
    ww_vec_free(&merges);
    free(seen);
    free(has_merge);
    free(work);
    return graph;
}

static uint32_t *find_slots(const ww_flow *flow)
{
    const ww_graph *g = flow->graph;
    uint32_t *slot = ww_calloc(g->edge_count + 1u, sizeof *slot);
    uint32_t *next = ww_calloc(g->node_count, sizeof *next);
    for (uint32_t e = 0; e < g->edge_count; e++)
        slot[e] = next[g->next[e]]++;
    free(next);
    return slot;
}

static uint32_t add_value(maker *m, ww_ssa_value value)
{
    ww_vec_push(&m->values, value);
    return (uint32_t)m->values.count - 1;
}

/* Values at the entry and merged ones exist before the walk. */
static void add_first_values(maker *m)
{
    ww_values *out = m->out;
    uint32_t inputs = 0;
    for (uint32_t r = 0; r < m->uses->register_count; r++)
        add_value(m, (ww_ssa_value){.kind = WW_VALUE_ENTRY, .reg = r, .kept = WW_NO_VALUE});
    for (uint32_t b = 0; b < m->flow->block_count; b++) {
        out->merged_at[b] = (uint32_t)m->values.count;
        for (uint32_t e = m->merges->next_at[b]; e < m->merges->next_at[b + 1]; e++) {
            add_value(m, (ww_ssa_value){.kind = WW_VALUE_MERGED,
                                        .reg = m->merges->next[e],
                                        .block = b,
                                        .kept = WW_NO_VALUE,
                                        .input_at = inputs});
            inputs += ww_values_input_count(out, b);
        }
    }
    out->merged_at[m->flow->block_count] = (uint32_t)m->values.count;
    out->inputs = ww_calloc(inputs + 1u, sizeof *out->inputs);
    memset(out->inputs, 0xff, (inputs + 1u) * sizeof *out->inputs);
}

static void set_current(maker *m, uint32_t reg, uint32_t value)
{
    ww_edge before = {reg, m->current[reg]};
    ww_vec_push(&m->undo, before);
    m->current[reg] = value;
}

static void note_read(int32_t reg, void *context)
{
    maker *m = context;
    ww_edge read = {m->current[reg], m->instruction};
    ww_vec_push(&m->reads, read);
}

static void note_write(int32_t reg, void *context)
{
    maker *m = context;
    uint32_t i = m->instruction;
    uint32_t kept = WW_NO_VALUE;
    uint32_t value = (uint32_t)m->values.count;
    if (m->function->instructions[i].guard >= 0) {
        kept = m->current[reg];
        ww_edge read = {kept, m->function->instruction_count + value};
        ww_vec_push(&m->reads, read);
    }
    add_value(m, (ww_ssa_value){.kind = WW_VALUE_WRITTEN,
                                .reg = (uint32_t)reg,
                                .block = m->block,
                                .instruction = i,
                                .kept = kept});
    if (m->out->written_count[i]++ == 0)
        m->out->written_at[i] = value;
    set_current(m, (uint32_t)reg, value);
}

static void give_input(maker *m, uint32_t merged, uint32_t slot)
{
    const ww_ssa_value *v = &m->values.items[merged];
    uint32_t value = m->current[v->reg];
    m->out->inputs[v->input_at + slot] = value;
    ww_edge read = {value, m->function->instruction_count + merged};
    ww_vec_push(&m->reads, read);
}

static void walk_block(maker *m, uint32_t b)
{
    const ww_block *block = &m->flow->blocks[b];
    const uint32_t *merged_at = m->out->merged_at;
    m->block = b;
    for (uint32_t v = merged_at[b]; v < merged_at[b + 1]; v++) {
        if (b == 0)
            give_input(m, v, block->predecessor_count);
        set_current(m, m->values.items[v].reg, v);
    }
    for (uint32_t i = block->first; i <= block->last; i++) {
        m->instruction = i;
        ww_uses_reads(m->function, i, note_read, m);
        ww_uses_writes(m->function, i, note_write, m);
    }
    const ww_graph *g = m->flow->graph;
    for (uint32_t e = g->next_at[b]; e < g->next_at[b + 1]; e++) {
        uint32_t to = g->next[e];
        for (uint32_t v = merged_at[to]; to < m->flow->block_count && v < merged_at[to + 1]; v++)
            give_input(m, v, m->slot[e]);
    }
}

/* Visits the dominator tree from the entry down and keeps `current` up to date. */
static void walk_tree(maker *m)
{
    uint32_t depth = 0;
    ww_edge *stack = ww_calloc(m->flow->block_count + 1u, sizeof *stack); /* edge, undo mark */
    uint32_t *path = ww_calloc(m->flow->block_count + 1u, sizeof *path);
    const ww_graph *tree = m->flow->dominator_tree;
    uint32_t next = 0;
    for (;;) {
        if (next != WW_NO_BLOCK) {
            path[depth] = next;
            stack[depth++] = (ww_edge){tree->next_at[next], (uint32_t)m->undo.count};
            walk_block(m, next);
        }
        ww_edge *top = &stack[depth - 1];
        next = WW_NO_BLOCK;
        if (top->from < tree->next_at[path[depth - 1] + 1]) {
            next = tree->next[top->from++];
            continue;
        }
        while (m->undo.count > top->to) {
            ww_edge before = m->undo.items[--m->undo.count];
            m->current[before.from] = before.to;
        }
        if (--depth == 0)
            break;
    }
    free(stack);
    free(path);
}

static void list_users(maker *m)
{
    ww_values *out = m->out;
    out->user_at = ww_calloc(out->count + 2u, sizeof *out->user_at);
    out->users = ww_calloc(m->reads.count + 1u, sizeof *out->users);
    for (size_t i = 0; i < m->reads.count; i++)
        out->user_at[m->reads.items[i].from + 2]++;
    for (uint32_t v = 0; v < out->count; v++)
        out->user_at[v + 2] += out->user_at[v + 1];
    for (size_t i = 0; i < m->reads.count; i++)
        out->users[out->user_at[m->reads.items[i].from + 1]++] = m->reads.items[i].to;
}

static void free_maker(maker *m)
{
    ww_graph_destroy(m->frontier);
    ww_graph_destroy(m->merges);
    free(m->slot);
    free(m->current);
    ww_vec_free(&m->undo);
    ww_vec_free(&m->reads);
}

ww_values *ww_values_create(const ww_uses *uses)
{
    const ww_flow *flow = uses->flow;
    uint32_t instructions = flow->function->instruction_count;
    ww_values *out = ww_calloc(1, sizeof *out);
    maker m = {.uses = uses, .flow = flow, .function = flow->function, .out = out};
    out->flow = flow;
    out->register_count = uses->register_count;
    out->written_at = ww_calloc(instructions + 1u, sizeof *out->written_at);
    out->written_count = ww_calloc(instructions + 1u, sizeof *out->written_count);
    out->merged_at = ww_calloc(flow->block_count + 1u, sizeof *out->merged_at);
    m.frontier = dominance_frontiers(flow);
    m.merges = find_merges(&m);
    m.slot = find_slots(flow);
    m.current = ww_calloc(uses->register_count, sizeof *m.current);
    for (uint32_t r = 0; r < uses->register_count; r++)
        m.current[r] = r;
    add_first_values(&m);
    if (flow->block_count > 0)
        walk_tree(&m);
    out->values = m.values.items;
    out->count = (uint32_t)m.values.count;
    list_users(&m);
    free_maker(&m);
    return out;
}

void ww_values_destroy(ww_values *values)
{
    if (!values)
        return;
    free(values->values);
    free(values->inputs);
    free(values->written_at);
    free(values->written_count);
    free(values->merged_at);
    free(values->user_at);
    free(values->users);
    free(values);
}
