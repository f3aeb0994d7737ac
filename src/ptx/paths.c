#include "ptx/paths.h"

#include <string.h>

#define UNKNOWN UINT32_MAX

typedef struct walker {
    const ww_flow *flow;
    uint32_t *to_exit; /* by block and exit: fewest instructions from its start to the end */
    uint32_t *longest; /* by block: most instructions from its start to `end`, or UNKNOWN */
    uint32_t *known;   /* by block: end + 1 when `longest` is valid for that end and any start */
    uint32_t *state;   /* by block: 2 * stamp on the search path, 2 * stamp + 1 when done */
    uint32_t *stack;
    uint32_t *edge; /* by block: the next successor to look at */
    uint32_t stamp;
    uint32_t end; /* where the present search ends: block or exit */
} walker;

static uint32_t size_of(const ww_block *block)
{
    return block->last - block->first + 1;
}

static bool relax(walker *w, uint32_t b)
{
    const ww_block *block = &w->flow->blocks[b];
    uint32_t least = block->endless ? 0 : UNKNOWN;
    for (uint32_t s = 0; s < block->successor_count; s++) {
        uint32_t other = w->to_exit[block->successors[s]];
        least = other < least ? other : least;
    }
    if (least == UNKNOWN || least + size_of(block) == w->to_exit[b])
        return false;
    w->to_exit[b] = least + size_of(block);
    return true;
}

/* Sweeps over the blocks in reverse order until nothing changes; only paths around loops change
 * after the first sweep. */
static void find_shortest(walker *w)
{
    const ww_flow *flow = w->flow;
    memset(w->to_exit, 0xff, (flow->block_count + 1u) * sizeof *w->to_exit);
    w->to_exit[flow->block_count] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = flow->order_count; i-- > 0;)
            if (flow->order[i] != flow->block_count)
                changed |= relax(w, flow->order[i]);
    }
}

static bool is_end(const walker *w, uint32_t block)
{
    return block == w->end || block == w->flow->block_count;
}

static bool is_known(const walker *w, uint32_t block)
{
    return w->known[block] == w->end + 1;
}

/* All successors of the block have been searched. A result that depends on the search path is not
 * valid for other starts. */
static void finish(walker *w, uint32_t b)
{
    const ww_block *block = &w->flow->blocks[b];
    uint32_t most = block->endless ? 0 : UNKNOWN;
    bool known = true;
    for (uint32_t s = 0; s < block->successor_count; s++) {
        uint32_t to = block->successors[s];
        bool on_path = !is_end(w, to) && w->state[to] == 2 * w->stamp;
        known &= is_end(w, to) || is_known(w, to);
        uint32_t other = on_path ? UNKNOWN : is_end(w, to) ? 0 : w->longest[to];
        if (other != UNKNOWN && (most == UNKNOWN || other > most))
            most = other;
    }
    w->longest[b] = most == UNKNOWN ? UNKNOWN : most + size_of(block);
    w->state[b] = 2 * w->stamp + 1;
    w->known[b] = known ? w->end + 1 : 0;
}

static void open_block(walker *w, uint32_t b, uint32_t *depth)
{
    w->state[b] = 2 * w->stamp;
    w->known[b] = 0;
    w->edge[b] = 0;
    w->stack[(*depth)++] = b;
}

static uint32_t find_longest(walker *w, uint32_t from)
{
    uint32_t depth = 0;
    if (is_end(w, from))
        return 0;
    if (is_known(w, from))
        return w->longest[from];
    w->stamp++;
    open_block(w, from, &depth);
    while (depth > 0) {
        uint32_t b = w->stack[depth - 1];
        const ww_block *block = &w->flow->blocks[b];
        if (w->edge[b] == block->successor_count) {
            finish(w, b);
            depth--;
            continue;
        }
        uint32_t to = block->successors[w->edge[b]++];
        if (!is_end(w, to) && !is_known(w, to) && w->state[to] / 2 != w->stamp)
            open_block(w, to, &depth);
    }
    return w->longest[from];
}

/* Adds the path through one target to a side. */
static void add_way(walker *w, ww_path *side, uint32_t target, int64_t inferred)
{
    uint32_t block = w->flow->block_of[target];
    uint32_t shortest = w->to_exit[block] - w->to_exit[w->end];
    uint32_t longest = find_longest(w, block);
    if (!side->exists || inferred > side->inferred)
        side->inferred = inferred;
    if (!side->exists || shortest < side->shortest)
        side->shortest = shortest;
    if (!side->exists || longest > side->longest)
        side->longest = longest;
    side->exists = true;
}

static void describe(walker *w, uint32_t i, ww_branch_paths *out)
{
    const ww_instruction *in = &w->flow->function->instructions[i];
    uint32_t body_end = w->flow->function->instruction_count;
    w->end = w->flow->blocks[w->flow->block_of[i]].post_dominator;
    out->instruction = i;
    out->reconvergence = ww_flow_reconvergence(w->flow, i);
    uint32_t meet = out->reconvergence == WW_NO_RECONVERGENCE ? body_end : out->reconvergence;
    for (unsigned o = 0; o < in->operand_count; o++) {
        const ww_operand *op = &in->operands[o];
        if (op->kind == WW_OPERAND_LABEL)
            add_way(w, &out->taken, op->target, (int64_t)op->target - i + 1);
        for (unsigned t = 0; op->kind == WW_OPERAND_TARGETS && t < op->count; t++)
            add_way(w, &out->taken, op->targets[t], (int64_t)op->targets[t] - i + 1);
    }
    if (in->guard >= 0)
        add_way(w, &out->fall_through, i + 1, (int64_t)meet - i + 1);
}

static bool is_branch(const ww_flow *flow, uint32_t i)
{
    const ww_instruction *in = &flow->function->instructions[i];
    return flow->blocks[flow->block_of[i]].reachable && ww_instruction_splits(in) &&
           (in->form.op == WW_OP_BRA || in->form.op == WW_OP_BRX);
}

ww_paths *ww_paths_create(const ww_flow *flow)
{
    uint32_t nodes = flow->block_count + 1;
    ww_paths *paths = ww_calloc(1, sizeof *paths);
    walker w = {.flow = flow};
    w.to_exit = ww_calloc(nodes, sizeof *w.to_exit);
    w.longest = ww_calloc(nodes, sizeof *w.longest);
    w.known = ww_calloc(nodes, sizeof *w.known);
    w.state = ww_calloc(nodes, sizeof *w.state);
    w.stack = ww_calloc(nodes, sizeof *w.stack);
    w.edge = ww_calloc(nodes, sizeof *w.edge);
    find_shortest(&w);
    for (uint32_t b = 0; b < flow->block_count; b++)
        paths->count += is_branch(flow, flow->blocks[b].last);
    paths->branches = ww_calloc(paths->count + 1u, sizeof *paths->branches);
    uint32_t n = 0;
    for (uint32_t b = 0; b < flow->block_count; b++)
        if (is_branch(flow, flow->blocks[b].last))
            describe(&w, flow->blocks[b].last, &paths->branches[n++]);
    free(w.to_exit);
    free(w.longest);
    free(w.known);
    free(w.state);
    free(w.stack);
    free(w.edge);
    return paths;
}

void ww_paths_destroy(ww_paths *paths)
{
    if (!paths)
        return;
    free(paths->branches);
    free(paths);
}

const ww_branch_paths *ww_paths_find(const ww_paths *paths, uint32_t instruction)
{
    uint32_t low = 0, high = paths->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (paths->branches[middle].instruction < instruction)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < paths->count && paths->branches[low].instruction == instruction;
    return found ? &paths->branches[low] : NULL;
}
