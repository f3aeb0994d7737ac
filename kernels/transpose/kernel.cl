/* The transpose of a square matrix. A square group of work-items brings a tile to local memory, each
 * work-item a square of it (four rows of four elements, or two of two), and writes the tile's
 * transpose. */

/* Groups go along diagonals, so that groups that run at the same time do not all read the same
 * columns. `tile` has four planes of as many elements as the group has work-items. */
__kernel void transpose(__global const float4 *in, __global float4 *out, __local float4 *tile)
{
    uint side = get_local_size(0);
    uint plane = side * side;
    uint pitch = get_global_size(0); /* of a row, in float4 */
    uint row_group = get_group_id(0);
    uint column_group = (get_group_id(0) + get_group_id(1)) % get_num_groups(0);
    uint x = get_local_id(0);
    uint y = get_local_id(1);

    uint from = (row_group * side + y) * 4 * pitch + column_group * side + x;
    for (uint k = 0; k < 4; k++)
        tile[k * plane + y * side + x] = in[from + k * pitch];
    barrier(CLK_LOCAL_MEM_FENCE);

    float4 a = tile[x * side + y];
    float4 b = tile[plane + x * side + y];
    float4 c = tile[2 * plane + x * side + y];
    float4 d = tile[3 * plane + x * side + y];
    uint to = (column_group * side + y) * 4 * pitch + row_group * side + x;
    out[to] = (float4)(a.x, b.x, c.x, d.x);
    out[to + pitch] = (float4)(a.y, b.y, c.y, d.y);
    out[to + 2 * pitch] = (float4)(a.z, b.z, c.z, d.z);
    out[to + 3 * pitch] = (float4)(a.w, b.w, c.w, d.w);
}

/* The same with squares of 2 x 2: a tile of a quarter of the local memory. */
__kernel void transpose2(__global const float2 *in, __global float2 *out, __local float2 *tile)
{
    uint side = get_local_size(0);
    uint plane = side * side;
    uint pitch = get_global_size(0); /* of a row, in float2 */
    uint row_group = get_group_id(0);
    uint column_group = (get_group_id(0) + get_group_id(1)) % get_num_groups(0);
    uint x = get_local_id(0);
    uint y = get_local_id(1);

    uint from = (row_group * side + y) * 2 * pitch + column_group * side + x;
    for (uint k = 0; k < 2; k++)
        tile[k * plane + y * side + x] = in[from + k * pitch];
    barrier(CLK_LOCAL_MEM_FENCE);

    float2 a = tile[x * side + y];
    float2 b = tile[plane + x * side + y];
    uint to = (column_group * side + y) * 2 * pitch + row_group * side + x;
    out[to] = (float2)(a.x, b.x);
    out[to + pitch] = (float2)(a.y, b.y);
}
