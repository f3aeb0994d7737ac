/* Indices and sizes in one to three dimensions with odd groups, offsets and required group sizes;
 * kernels that call kernels. */
kernel void mark(global ulong *out, ulong base)
{
    size_t x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1);
    size_t z = get_global_id(2) - get_global_offset(2);
    size_t at = (z * get_global_size(1) + y) * get_global_size(0) + x;
    ulong r = base;
    for (uint d = 0; d < 3; d++) {
        r = r * 31 + get_global_id(d);
        r = r * 31 + get_local_id(d);
        r = r * 31 + get_group_id(d);
        r = r * 31 + get_global_size(d);
        r = r * 31 + get_local_size(d);
        r = r * 31 + get_num_groups(d);
        r = r * 31 + get_global_offset(d);
    }
    out[at] += r * 31 + get_work_dim();
}

kernel __attribute__((reqd_work_group_size(3, 5, 2))) void required(global ulong *out)
{
    mark(out, 17);
}

kernel void beyond(global ulong *out)
{
    /* Dimensions that do not exist. */
    out[get_global_id(0)] = get_global_id(3) + get_local_id(9) + get_group_id(4) +
                            10 * get_global_size(3) + 100 * get_local_size(5) +
                            1000 * get_num_groups(7);
}
