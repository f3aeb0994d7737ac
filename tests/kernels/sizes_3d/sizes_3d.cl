/* Work-items in three dimensions: groups of 7 x 5 x 3, with an offset, each at its place; and
 * divergence by coordinates. */
kernel void sizes_3d(global uint *out, global uint *sizes)
{
    size_t x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1),
           z = get_global_id(2) - get_global_offset(2);
    size_t at = (z * get_global_size(1) + y) * get_global_size(0) + x;
    uint r = (uint)(get_local_id(0) + 16 * get_local_id(1) + 256 * get_local_id(2));
    if (x > y)
        r += (uint)get_group_id(0) << 12;
    else if (y > z)
        r += (uint)get_group_id(1) << 16;
    else
        r += (uint)get_group_id(2) << 20;
    if (get_local_id(2) == 1 && get_local_id(0) < get_local_id(1))
        r |= (uint)get_global_id(2) << 24;
    out[at] = r;
    if (at == 0) {
        for (uint d = 0; d < 4; d++) {
            sizes[4 * d] = (uint)get_global_size(d);
            sizes[4 * d + 1] = (uint)get_local_size(d);
            sizes[4 * d + 2] = (uint)get_num_groups(d);
            sizes[4 * d + 3] = (uint)get_global_offset(d);
        }
        sizes[16] = get_work_dim();
    }
}
