/* Loops that count and compute in 64 bits: division, powers modulo a prime, roots, gcd, steps that
 * need more than 32 bits. */
static ulong power(ulong base, ulong exponent, ulong modulus)
{
    ulong r = 1;
    base %= modulus;
    while (exponent) {
        if (exponent & 1)
            r = r * base % modulus;
        base = base * base % modulus;
        exponent >>= 1;
    }
    return r;
}

kernel void loops_64(global const ulong *in, global ulong *out)
{
    size_t i = get_global_id(0);
    ulong v = in[i], a = v >> 20, b = (v & 0xfffffffff) + 1, steps = 0;
    out[4 * i] = power(v, v >> 33, 4294967291ul);
    while (b) {
        ulong rest = a % b;
        a = b;
        b = rest;
    }
    out[4 * i + 1] = a;
    ulong root = 0, low = 0, high = 1ul << 32;
    while (low < high) {
        root = (low + high) / 2;
        if (root * root > v)
            high = root;
        else
            low = root + 1;
    }
    out[4 * i + 2] = low - 1;
    for (long n = (long)(v >> 1); n > 0; n -= (long)(v / 37) + 3) {
        steps += (ulong)n % 1000003;
        if (n % 11 == 5)
            continue;
        steps ^= (ulong)(-n / 7);
    }
    out[4 * i + 3] = steps;
}
