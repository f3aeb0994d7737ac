/* Sizes, votes and ballots of sub-groups, and logical reductions. */
kernel void ballot(global const int *in, global uint *out)
{
    size_t i = get_global_id(0);
    int seed = in[i];
    global uint *o = out + i * 80;
    o[0] = get_sub_group_size();
    o[1] = get_max_sub_group_size();
    o[2] = get_num_sub_groups();
    o[3] = get_enqueued_num_sub_groups();
    o[4] = get_sub_group_id();
    o[5] = get_sub_group_local_id();
    o[6] = sub_group_all(seed & 0x7fff0000);
    o[7] = sub_group_any((seed & 0x7f) == 0);
    o[8] = sub_group_all((seed & 0x7f) != 0) + 2 * sub_group_any(seed & 1);
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_work_group);
    vstore4(sub_group_ballot(seed & 3), 3, o);
    vstore4(get_sub_group_eq_mask(), 4, o);
    vstore4(get_sub_group_ge_mask(), 5, o);
    vstore4(get_sub_group_gt_mask(), 6, o);
    vstore4(get_sub_group_le_mask(), 7, o);
    vstore4(get_sub_group_lt_mask(), 8, o);
    if ((seed & 6) == 0)
        return;
    o[9] = sub_group_elect();
    o[10] = sub_group_non_uniform_all(seed & 7);
    o[11] = sub_group_non_uniform_any(seed & 1);
    uint4 bits = sub_group_ballot(seed & 2);
    vstore4(bits, 9, o);
    bits |= (uint4)(1u << 3, 0x80000000u, ~0u, ~0u);
    o[40] = sub_group_inverse_ballot(bits);
    o[41] = sub_group_ballot_bit_extract(bits, (uint)seed % 64);
    o[42] = sub_group_ballot_bit_count(bits);
    o[43] = sub_group_ballot_inclusive_scan(bits);
    o[44] = sub_group_ballot_exclusive_scan(bits);
    bits.x |= 1;
    o[45] = sub_group_ballot_find_lsb(bits);
    o[46] = sub_group_ballot_find_msb(bits);
    int x = seed & 24, y = seed & 8;
    o[47] = sub_group_non_uniform_reduce_logical_and(x);
    o[48] = sub_group_non_uniform_reduce_logical_or(y);
    o[49] = sub_group_non_uniform_reduce_logical_xor(y);
    o[50] = sub_group_non_uniform_scan_inclusive_logical_and(x);
    o[51] = sub_group_non_uniform_scan_inclusive_logical_or(y);
    o[52] = sub_group_non_uniform_scan_inclusive_logical_xor(y);
    o[53] = sub_group_non_uniform_scan_exclusive_logical_and(x);
    o[54] = sub_group_non_uniform_scan_exclusive_logical_or(y);
    o[55] = sub_group_non_uniform_scan_exclusive_logical_xor(y);
    o[56] = sub_group_clustered_reduce_logical_and(x, 4);
    o[57] = sub_group_clustered_reduce_logical_or(y, 4);
    o[58] = sub_group_clustered_reduce_logical_xor(y, 4);
}
