/* A sorting network in local memory, then merging of sorted runs across groups. */
kernel void bitonic_sort(global const int *in, global int *out, local int *items)
{
    size_t l = get_local_id(0), n = get_local_size(0);
    items[l] = in[get_global_id(0)];
    for (size_t size = 2; size <= n; size *= 2)
        for (size_t step = size / 2; step > 0; step /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            size_t other = l ^ step;
            if (other > l) {
                bool up = (l & size) == 0;
                if ((items[l] > items[other]) == up) {
                    int swap = items[l];
                    items[l] = items[other];
                    items[other] = swap;
                }
            }
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = items[l];
}

/* Each work-item finds the place of its element: how many come before it in all runs. */
kernel void merge(global const int *runs, uint count, uint run, global int *out)
{
    uint i = (uint)get_global_id(0), place = 0;
    int v = runs[i];
    for (uint first = 0; first < count; first += run) {
        uint low = first, high = first + run;
        while (low < high) {
            uint middle = (low + high) / 2;
            bool before = runs[middle] < v || (runs[middle] == v && middle < i);
            if (before)
                low = middle + 1;
            else
                high = middle;
        }
        place += low - first;
    }
    out[place] = v;
}
