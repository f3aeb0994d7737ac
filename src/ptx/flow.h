/* The control-flow graph of one function.
 *
 * block          instructions [first, last] that run one after the other; calls do not end it
 * exit           a virtual block after all others, index block_count: where ret, exit, trap and
 *                the end of the body lead
 * dominator      of a block: the nearest other block on every path from the entry to it
 * post-dominator of a block: the nearest other block (or the exit) on every path from it out
 * reconvergence  where lanes that a branch has split execute together again: the first instruction
 *                of the branch block's immediate post-dominator
 * loop           a strongly connected part of the graph, named by its header block
 * An endless loop gets an edge from its header to the exit, for post-dominance only, so that every
 * block has a post-dominator. */
#ifndef WW_PTX_FLOW_H
#define WW_PTX_FLOW_H

#include "ptx/module.h"

#define WW_NO_RECONVERGENCE UINT32_MAX
#define WW_NO_BLOCK UINT32_MAX

typedef struct ww_block {
    uint32_t first; /* instruction indices */
    uint32_t last;
    const uint32_t *successors; /* distinct blocks; the exit may be one */
    const uint32_t *predecessors;
    uint32_t successor_count;
    uint32_t predecessor_count;
    uint32_t dominator;      /* WW_NO_BLOCK for the entry and for blocks that nothing reaches */
    uint32_t post_dominator; /* at most block_count, the exit */
    uint32_t loop;           /* header block of the innermost loop it is in, or WW_NO_BLOCK */
    uint32_t loop_depth;     /* loops it is in */
    bool reachable;          /* from the entry */
    bool endless;            /* header of an outermost loop that nothing leaves */
} ww_block;

typedef struct ww_flow {
    const ww_function *function;
    ww_block *blocks; /* in order of their instructions; the exit has none */
    uint32_t block_count;
    uint32_t *block_of; /* by instruction */
    uint32_t *order;    /* blocks and the exit, each before its successors except along loops:
                           reverse post-order, unreachable blocks after all others */
    uint32_t order_count;
    uint32_t *loop_around; /* by loop header: the header of the loop around it, or WW_NO_BLOCK */
    bool *irreducible;     /* by loop header: it can be entered elsewhere too */
    uint32_t loop_count;
    uint32_t irreducible_entries; /* edges into loops elsewhere than at their headers */
    uint32_t endless_loops;       /* blocks that are `endless` */
    struct ww_graph *graph;       /* successors of blocks and of the exit, for graph algorithms */
    struct ww_loops *loops;
    struct ww_graph *dominator_tree; /* a block to those that it immediately dominates */
    uint32_t *tree_first; /* by reachable block: a block dominates those with a tree_first in */
    uint32_t *tree_last;  /* [tree_first, tree_last] of its own */
} ww_flow;

ww_flow *ww_flow_create(const ww_function *function);
void ww_flow_destroy(ww_flow *flow);

/* Whether control can go elsewhere than to the next instruction. */
bool ww_instruction_ends_block(const ww_instruction *instruction);
/* Whether its lanes may go different ways: guarded bra, ret, exit and trap; brx. */
bool ww_instruction_splits(const ww_instruction *instruction);

/* The instruction where lanes that this one splits reconverge, or WW_NO_RECONVERGENCE when that is
 * the end of the function. Meaningful for the last instruction of a block. */
uint32_t ww_flow_reconvergence(const ww_flow *flow, uint32_t instruction);

/* Whether the edge goes back to the header of a loop that `from` is in. */
bool ww_flow_is_back_edge(const ww_flow *flow, uint32_t from, uint32_t to);
/* Every path from the entry to `below` passes `above`; a block dominates itself. */
bool ww_flow_dominates(const ww_flow *flow, uint32_t above, uint32_t below);

#endif
