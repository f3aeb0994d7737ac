/* One straight piece of code of many thousand instructions: rounds of a hash, written out. */
#define ROUND(a, b, c, d, n)                                                     \
    a += (b & c) ^ (~b & d) ^ w[(n * 7 + 3) & 15];                               \
    a = rotate(a, (uint)((n * 5) % 31 + 1)) + b * 0x9e3779b1u;                   \
    w[n & 15] = (w[n & 15] ^ (a >> 7)) + rotate(d, 11u) - n;
#define ROUNDS4(n)                                                               \
    ROUND(a, b, c, d, (n)) ROUND(d, a, b, c, (n + 1))                            \
    ROUND(c, d, a, b, (n + 2)) ROUND(b, c, d, a, (n + 3))
#define ROUNDS16(n) ROUNDS4(n) ROUNDS4(n + 4) ROUNDS4(n + 8) ROUNDS4(n + 12)
#define ROUNDS64(n) ROUNDS16(n) ROUNDS16(n + 16) ROUNDS16(n + 32) ROUNDS16(n + 48)
#define ROUNDS256(n) ROUNDS64(n) ROUNDS64(n + 64) ROUNDS64(n + 128) ROUNDS64(n + 192)

kernel void hash_unrolled(global const uint *in, global uint4 *out)
{
    size_t i = get_global_id(0);
    uint w[16], a = 1, b = 2, c = 3, d = (uint)i;
    for (int n = 0; n < 16; n++)
        w[n] = in[i + n];
    ROUNDS256(0)
    if (a & 1) {
        ROUNDS256(256)
    }
    ROUNDS64(512)
    out[i] = (uint4)(a, b, c, d);
}
