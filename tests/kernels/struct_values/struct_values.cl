/* Structs by value: as arguments of the kernel, of functions and as their results. */
typedef struct {
    uchar kind;
    ushort count;
    int weights[5];
    ulong base;
} shape;

typedef struct {
    uint sum;
    uchar marks[11];
} answer;

static __attribute__((noinline)) answer measure(shape s, uint v)
{
    answer a = {0};
    for (uint n = 0; n < s.count; n++) {
        a.sum += (uint)s.weights[(v + n) % 5] * (n + 1);
        a.marks[(v >> n) % 11]++;
    }
    if (s.kind == 2)
        a.sum ^= (uint)s.base;
    return a;
}

kernel void struct_values(shape s, global const uint *in, global uint *out, uchar small,
                             short negative, uint4 vector)
{
    size_t i = get_global_id(0);
    uint v = in[i];
    if (v & 1)
        s.count = (ushort)(v % 7);
    if (v & 2)
        s.weights[v % 5] = -3;
    answer a = measure(s, v);
    uint marks = 0;
    for (uint n = 0; n < 11; n++)
        marks = marks * 5 + a.marks[n];
    uint part[4] = {vector.x, vector.y, vector.z, vector.w};
    out[2 * i] = a.sum + small + (uint)negative;
    out[2 * i + 1] = marks ^ part[v % 4];
}
