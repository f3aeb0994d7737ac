/* Constant tables with structs, strings and addresses, static local arrays next to local arguments of
 * several types, a large private array with computed indices, and pointers that may point anywhere. */
typedef struct entry {
    char name[5];
    short limits[2][3];
    double weight;
} entry;

constant entry entries[] = {
    {"zero", {{1, -2, 3}, {4, 5, -6}}, 0.5},
    {"one", {{7}, {8, 9}}, -1.25},
    {"two!", {{10, 11, 12}, {13, 14, 15}}, 1024},
};
constant int small[4] = {3, 1, 4, 1}, large[4] = {500, 900, 200, 600};
constant char text[] = "how many vowels are in here?";
constant long cube[2][3][2] = {{{1, 2}, {3, 4}, {5, 6}}, {{-1, -2}, {-3, -4}, {-5, -6}}};

static int vowels(constant const char *s)
{
    int count = 0;
    for (; *s; s++)
        count += *s == 'a' || *s == 'e' || *s == 'i' || *s == 'o' || *s == 'u';
    return count;
}

static int table_sum(constant int *const table, int n)
{
    int sum = 0;
    for (int k = 0; k <= (n & 3); k++)
        sum += table[k];
    return sum;
}

kernel void memory_spaces(global const int *in, global long *out, local uchar *bytes,
                          local double *doubles, local short3 *threes)
{
    local int fixed[64];
    local union {
        float f[2];
        ulong whole;
    } both;
    size_t i = get_global_id(0), l = get_local_id(0), n = get_local_size(0);
    int v = in[i];
    fixed[l] = v;
    bytes[l] = (uchar)v;
    doubles[l] = v * 0.5;
    threes[l] = (short3)((short)v, (short)l, -1);
    if (l == 0)
        both.whole = 0x3f80000040000000ul;
    barrier(CLK_LOCAL_MEM_FENCE);
    size_t other = (l * 7 + 3) % n;
    long sum = fixed[other] + bytes[(other + 1) % n] * 1000L + (long)doubles[other];
    sum += threes[other].x * 3 + threes[other].y - threes[other].z;
    sum += (long)(both.f[0] * 10 + both.f[1]);

    int deep[1000];
    for (int k = 0; k < 1000; k++)
        deep[k] = k * v;
    for (int k = 0; k < 40; k++)
        deep[(uint)(v + k * k) % 1000] ^= deep[(uint)(v * 3 + k) % 1000] + k;
    int folded = 0;
    for (int k = 0; k < 1000; k++)
        folded = folded * 31 + deep[k];

    constant entry *e = &entries[(uint)v % 3];
    sum += e->limits[v & 1][(uint)v % 3u] + (long)(e->weight * 4) + e->name[(uint)v % 5u];
    sum += vowels(text + ((uint)v & 7)) + table_sum(v & 4 ? small : large, v);
    sum += cube[v >> 3 & 1][(uint)v % 3][v >> 4 & 1];
    out[i] = sum * 7 + folded;
}
