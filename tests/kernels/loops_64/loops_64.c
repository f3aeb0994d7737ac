#include "support/reference.h"

static uint64_t power(uint64_t base, uint64_t exponent, uint64_t modulus)
{
    unsigned __int128 result = 1;
    for (int n = 63; n >= 0; n--) {
        result = result * result % modulus;
        if (exponent >> n & 1)
            result = result * base % modulus;
    }
    return (uint64_t)result;
}

static uint64_t gcd(uint64_t a, uint64_t b)
{
    return b ? gcd(b, a % b) : a;
}

static uint64_t root(uint64_t v)
{
    uint64_t result = 0;
    for (int n = 31; n >= 0; n--) {
        uint64_t more = result | 1ull << n;
        if ((unsigned __int128)more * more <= v)
            result = more;
    }
    return result;
}

REFERENCE(loops_64)
{
    const uint64_t *in = reference_input(r, "in");
    uint64_t *out = reference_wanted(r, "out");
    for (size_t i = 0; i < reference_bytes(r, "in") / 8; i++) {
        uint64_t v = in[i], steps = 0;
        out[4 * i] = power(v % 4294967291u, v >> 33, 4294967291u);
        out[4 * i + 1] = gcd(v >> 20, (v & 0xfffffffff) + 1);
        out[4 * i + 2] = root(v);
        for (int64_t n = (int64_t)(v / 2); n > 0; n -= (int64_t)(v / 37) + 3) {
            steps += (uint64_t)n % 1000003;
            if (n % 11 != 5)
                steps ^= (uint64_t)(-n / 7);
        }
        out[4 * i + 3] = steps;
    }
}
