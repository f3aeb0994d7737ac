/* The second stage of Mars: records sorted by key, with a bitonic network of their index entries,
 * then moved, and cut into groups of equal keys. A program defines before this:
 *
 *     static int mars_compare(__global const char *a, __global const char *b);
 *
 * below, equal to, above 0: where the key at `a` belongs before, with or after that at `b`. */

#define TILE 256 /* entries that a work-group sorts in local memory */

/* Entries that only fill up to a power of two have -1 and go before all others. */
static int mars_compare_entries(__global const char *keys, int4 a, int4 b)
{
    if (a.x == -1 || b.x == -1)
        return (a.x != -1) - (b.x != -1);
    return mars_compare(keys + a.x, keys + b.x);
}

/* order[0..grid): the entries of the records, and -1 after the last. */
__kernel void mars_order(__global const int4 *index, __global int4 *order, int n)
{
    int i = get_global_id(0);
    order[i] = i < n ? index[i] : (int4)(-1);
}

/* One step of the network in global memory: entries `reach` apart, in runs of `run` entries that
 * ascend and descend in turn. */
__kernel void mars_sort_step(__global const char *keys, __global int4 *order, int run, int reach)
{
    int i = get_global_id(0), partner = i ^ reach;
    if (partner > i) {
        int4 here = order[i], there = order[partner];
        int sign = mars_compare_entries(keys, here, there);
        if ((i & run) == 0 ? sign > 0 : sign < 0) {
            order[i] = there;
            order[partner] = here;
        }
    }
}

/* The steps within a tile from `reach` down. */
static void mars_sort_local(__global const char *keys, __local int4 *tile, int run, int reach,
                            bool descends)
{
    int item = get_local_id(0);
    for (; reach > 0; reach /= 2) {
        int partner = item ^ reach;
        if (partner > item) {
            int4 here = tile[item], there = tile[partner];
            int sign = mars_compare_entries(keys, here, there);
            if (((item & run) == 0) != descends ? sign > 0 : sign < 0) {
                tile[item] = there;
                tile[partner] = here;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

/* Sorts each tile: they ascend and descend in turn. */
__kernel void mars_sort_tiles(__global const char *keys, __global int4 *order)
{
    __local int4 tile[TILE];
    int item = get_local_id(0);
    tile[item] = order[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int run = 2; run <= TILE; run *= 2)
        mars_sort_local(keys, tile, run, run / 2, get_group_id(0) % 2);
    order[get_global_id(0)] = tile[item];
}

/* The last steps of runs of `tiles` tiles, those within a tile. */
__kernel void mars_merge_tiles(__global const char *keys, __global int4 *order, int tiles)
{
    __local int4 tile[TILE];
    int item = get_local_id(0);
    tile[item] = order[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    mars_sort_local(keys, tile, TILE, TILE / 2, get_group_id(0) / tiles % 2);
    order[get_global_id(0)] = tile[item];
}

/* ---- the records move to where their entries are: values first, then keys ---- */

/* Offset and size of each value or key, and the sizes alone; `filled` entries have no record. */
__kernel void mars_take(__global const int4 *order, int filled, int values, __global int2 *spans,
                        __global int *sizes, int n)
{
    int i = get_global_id(0);
    if (i < n) {
        int4 entry = order[filled + i];
        spans[i] = values ? entry.zw : entry.xy;
        sizes[i] = spans[i].y;
    }
}

__kernel void mars_move(__global const char *from, __global int2 *spans,
                        __global const int *starts, __global char *to, int n)
{
    int i = get_global_id(0);
    if (i < n) {
        int2 span = spans[i];
        int start = starts[i];
        for (int byte = 0; byte < span.y; byte++)
            to[start + byte] = from[span.x + byte];
        span.x = start;
        spans[i] = span;
    }
}

/* The new offsets into the index. */
__kernel void mars_put(__global const int2 *spans, int values, __global int4 *index, int n)
{
    int i = get_global_id(0);
    if (i < n) {
        int4 entry = index[i];
        if (values)
            entry.zw = spans[i];
        else
            entry.xy = spans[i];
        index[i] = entry;
    }
}

/* ---- groups of equal keys ---- */

__kernel void mars_group_starts(__global const char *keys, __global const int4 *index,
                                __global int *starts, int n)
{
    int i = get_global_id(0);
    if (i < n)
        starts[i] = i == 0 || mars_compare(keys + index[i].x, keys + index[i - 1].x) != 0;
}

/* bounds[g]: the first record of group g; `numbers` are the prefix sums of `starts`. */
__kernel void mars_group_bounds(__global const int *starts, __global const int *numbers,
                                __global int *bounds, int n)
{
    int i = get_global_id(0);
    if (i < n && starts[i])
        bounds[numbers[i]] = i;
}

/* The first record of each group, and the one after its last. */
__kernel void mars_group_ranges(__global const int *bounds, __global int2 *ranges, int groups,
                                int n)
{
    int g = get_global_id(0);
    if (g < groups)
        ranges[g] = (int2)(bounds[g], g + 1 < groups ? bounds[g + 1] : n);
}
