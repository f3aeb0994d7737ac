/* Queries to a B+ tree in an array of nodes, level by level from the root, node 0. A node of a tree
 * of order `order` is this many integers:
 *
 *     [0]               its place in the array
 *     [1 ..]            order + 1 indices: of child nodes, or of records in a leaf
 *     [order + 2 ..]    order + 1 keys, ascending; INT_MAX after the last one
 *     [2 order + 3]     1 in a leaf
 *     [2 order + 4]     number of keys
 *
 * The first key of an inner node is INT_MIN; a child has the keys from its own up to the next one.
 * A work-group answers one query, with one work-item a key. */

#define NODE_INTS(order) (2 * (order) + 5)

static __global const int *indices_of(__global const int *nodes, long node, int order)
{
    return nodes + node * NODE_INTS(order) + 1;
}

static __global const int *keys_of(__global const int *nodes, long node, int order)
{
    return nodes + node * NODE_INTS(order) + order + 2;
}

/* The work-item whose key is the last one not above `key` has the child to go on with. */
static void choose_child(__global const int *nodes, int node_count, int order, long node, int key,
                         __global long *next)
{
    int item = get_local_id(0);
    __global const int *keys = keys_of(nodes, node, order);
    if (keys[item] <= key && keys[item + 1] > key) {
        int child = indices_of(nodes, node, order)[item];
        if (child < node_count)
            *next = child;
    }
}

/* answers[query]: the record with the key, unchanged when there is none. `current` and `next` are
 * 0 at first. */
__kernel void btree_find(__global const int *nodes, int node_count, int order, int height,
                         __global const int *records, __global long *current, __global long *next,
                         __global const int *keys, __global int *answers)
{
    int item = get_local_id(0), query = get_group_id(0);
    for (int level = 0; level < height; level++) {
        choose_child(nodes, node_count, order, current[query], keys[query], &next[query]);
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        if (item == 0)
            current[query] = next[query];
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    if (keys_of(nodes, current[query], order)[item] == keys[query])
        answers[query] = records[indices_of(nodes, current[query], order)[item]];
}

/* The place of the first record of a range and their number; both ends are keys of the tree. */
__kernel void btree_find_range(__global const int *nodes, int node_count, int order, int height,
                               __global long *current, __global long *next,
                               __global long *last_current, __global long *last_next,
                               __global const int *starts, __global const int *ends,
                               __global int *firsts, __global int *counts)
{
    int item = get_local_id(0), query = get_group_id(0);
    for (int level = 0; level < height; level++) {
        choose_child(nodes, node_count, order, current[query], starts[query], &next[query]);
        choose_child(nodes, node_count, order, last_current[query], ends[query],
                     &last_next[query]);
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        if (item == 0) {
            current[query] = next[query];
            last_current[query] = last_next[query];
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    if (keys_of(nodes, current[query], order)[item] == starts[query])
        firsts[query] = indices_of(nodes, current[query], order)[item];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (keys_of(nodes, last_current[query], order)[item] == ends[query])
        counts[query] = indices_of(nodes, last_current[query], order)[item] - firsts[query] + 1;
}
