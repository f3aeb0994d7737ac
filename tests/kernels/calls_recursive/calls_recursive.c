#include "support/reference.h"

static unsigned fibonacci(unsigned n)
{
    unsigned a = 0, b = 1;
    for (; n > 0; n--) {
        unsigned next = a + b;
        a = b;
        b = next;
    }
    return a;
}

static int ackermann(int m, int n)
{
    return m == 0 ? n + 1 : m == 1 ? n + 2 : 2 * n + 3;
}

static int64_t swapped(int v)
{
    int32_t first = 5;
    int64_t second = 7 + (1ll << 32);
    int8_t tag = 42;
    for (int n = 0; n < (v & 3); n++) {
        int32_t old = first;
        first = (int32_t)second;
        second = old + (v & 255);
        tag = (int8_t)(tag ^ (v & 255));
    }
    return first * 1000ll + second + tag;
}

static int operation(int which, int a, int b)
{
    return which == 1 ? a * b : which == 2 ? (int)fibonacci((unsigned)a & 7) - b : a + b;
}

REFERENCE(calls_recursive)
{
    const int *in = reference_input(r, "in");
    int64_t *o = reference_wanted(r, "out");
    for (size_t i = 0; i < 300; i++, o += 6) {
        int v = in[i];
        o[0] = fibonacci((unsigned)v % 11);
        o[1] = v % 3 ? v % 17 % 2 == 0 : 7;
        o[2] = ackermann(v & 1, v >> 1 & 3) + (v & 16 ? ackermann(2, v >> 5 & 1) : 0);
        o[3] = swapped(v);
        o[4] = operation(v & 3, v & 1023, v >> 4 & 63);
        o[5] = v & 32 ? (v & 31) * (v & 31) : (v & 15) * 3;
    }
}
