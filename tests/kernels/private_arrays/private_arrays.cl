/* Arrays of each work-item, indexed by data: a sort, a stack machine and a table. */
kernel void private_arrays(global const uint *in, global uint *out)
{
    size_t i = get_global_id(0);
    uint a[24];
    for (int k = 0; k < 24; k++)
        a[k] = in[(i * 7 + k * 13) % 777];
    for (int k = 1; k < 24; k++) {
        uint v = a[k];
        int j = k;
        for (; j > 0 && a[j - 1] > v; j--)
            a[j] = a[j - 1];
        a[j] = v;
    }
    uchar stack[40];
    int top = 0;
    uint code = in[i % 777], depth = 0;
    for (int k = 0; k < 32; k++) {
        if (code >> k & 1)
            stack[top++] = (uchar)(a[k % 24] >> (k % 8));
        else if (top > 1) {
            top--;
            stack[top - 1] += stack[top] * 3;
        }
        depth = max(depth, (uint)top);
    }
    uint sum = depth;
    while (top > 0)
        sum = sum * 31 + stack[--top];
    out[i * 2] = a[in[i % 777] % 24];
    out[i * 2 + 1] = sum;
}
