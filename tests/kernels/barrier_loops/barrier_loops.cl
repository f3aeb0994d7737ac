/* Barriers in uniform loops: rounds of averaging with the neighbours, then a scan and a tree. */
kernel void barrier_loops(global const uint *in, global uint *smooth, global uint *scan,
                          global uint *total, uint rounds, local uint *a, local uint *b)
{
    size_t l = get_local_id(0), n = get_local_size(0), i = get_global_id(0);
    a[l] = in[i];
    for (uint round = 0; round < rounds; round++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint sum = a[l];
        if (l > 0)
            sum += a[l - 1];
        if (l + 1 < n)
            sum += a[l + 1];
        barrier(CLK_LOCAL_MEM_FENCE);
        a[l] = sum / 3 + round;
    }
    smooth[i] = a[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t step = 1; step < n; step *= 2) {
        b[l] = l >= step ? a[l] + a[l - step] : a[l];
        barrier(CLK_LOCAL_MEM_FENCE);
        local uint *swap = a;
        a = b;
        b = swap;
    }
    scan[i] = a[l];
    b[l] = in[i] & 0xffff;
    size_t width = n;
    while (width > 1) {
        size_t half_width = (width + 1) / 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l + half_width < width)
            b[l] += b[l + half_width];
        width = half_width;
    }
    if (l == 0)
        total[get_group_id(0)] = b[0];
}
