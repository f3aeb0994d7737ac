/* A maximal independent set in Luby's manner, a vertex a work-item. state: undecided, in the set,
 * or out because a neighbour is in. No two vertices have the same rank. */
#define UNDECIDED (-1)
#define OUT (-2)
#define IN 2

__kernel void mis_init(__global int *state, __global int *next, __global int *member,
                       uint vertices)
{
    uint v = get_global_id(0);
    if (v < vertices) {
        state[v] = next[v] = UNDECIDED;
        member[v] = 0;
    }
}

/* The least rank among the undecided neighbours. */
__kernel void mis_least(__global const uint *row, __global const uint *column,
                        __global const uint *rank, __global const int *state,
                        __global uint *least, __global uint *more, uint vertices)
{
    uint v = get_global_id(0);
    if (v < vertices && state[v] == UNDECIDED) {
        uint found = UINT_MAX;
        uint end = row[v + 1];
        *more = 1;
        for (uint i = row[v]; i < end; i++) {
            uint to = column[i];
            if (state[to] == UNDECIDED && rank[to] < found)
                found = rank[to];
        }
        least[v] = found;
    }
}

/* A vertex whose rank is below that joins the set, and tells its neighbours. */
__kernel void mis_select(__global const uint *row, __global const uint *column,
                         __global const uint *rank, __global const uint *least,
                         __global int *state, __global int *next, __global int *member,
                         uint vertices)
{
    uint v = get_global_id(0);
    if (v < vertices && state[v] == UNDECIDED && rank[v] <= least[v]) {
        uint end = row[v + 1];
        member[v] = 1;
        state[v] = IN;
        for (uint i = row[v]; i < end; i++)
            next[column[i]] = OUT;
    }
}

__kernel void mis_exclude(__global int *state, __global const int *next, uint vertices)
{
    uint v = get_global_id(0);
    if (v < vertices && next[v] == OUT)
        state[v] = OUT;
}
