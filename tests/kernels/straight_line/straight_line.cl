/* Two thousand instructions without a branch. */
#define ROUND(n)                       \
    a = a * 1664525u + b + n;          \
    b = (b ^ a >> 7) + c;              \
    c = c + (a & 1 ? b : d) * (n | 1); \
    d = (d << 3 | d >> 29) ^ c;
#define ROUND8(n) \
    ROUND(n) ROUND(n + 1) ROUND(n + 2) ROUND(n + 3) ROUND(n + 4) ROUND(n + 5) ROUND(n + 6) \
        ROUND(n + 7)
#define ROUND64(n)                                                                          \
    ROUND8(n) ROUND8(n + 8) ROUND8(n + 16) ROUND8(n + 24) ROUND8(n + 32) ROUND8(n + 40)    \
        ROUND8(n + 48) ROUND8(n + 56)

kernel void straight_line(global const uint *in, global uint *out)
{
    size_t i = get_global_id(0);
    uint a = in[i], b = a ^ 0xdeadbeef, c = ~a, d = (uint)i;
    ROUND64(0)
    ROUND64(64)
    ROUND64(128)
    out[i] = a + b + c + d;
}
