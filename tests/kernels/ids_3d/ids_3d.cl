/* All that a work-item can ask about where it is, with group sizes that fit no warp. */
kernel void ids_3d(global uint *out)
{
    uint x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    uint at = (z * get_global_size(1) + y) * get_global_size(0) + x;
    uint local_at = (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) +
                    get_local_id(0);
    uint group = (get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) +
                 get_group_id(0);
    out[at] = local_at | group << 8 | get_work_dim() << 16 | (uint)get_global_size(3) << 20 |
              (uint)get_local_id(7) << 24;
}
