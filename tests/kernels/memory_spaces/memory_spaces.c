#include "support/reference.h"

#include <string.h>

static int folded(int v)
{
    uint32_t deep[1000], sum = 0;
    for (uint32_t k = 0; k < 1000; k++)
        deep[k] = k * (uint32_t)v;
    for (uint32_t k = 0; k < 40; k++)
        deep[((uint32_t)v + k * k) % 1000] ^= deep[((uint32_t)v * 3 + k) % 1000] + k;
    for (uint32_t k = 0; k < 1000; k++)
        sum = sum * 31 + deep[k];
    return (int)sum;
}

static long constants(int v)
{
    static const char names[3][5] = {"zero", "one", "two!"},
                      text[] = "how many vowels are in here?";
    static const short limits[3][6] = {
        {1, -2, 3, 4, 5, -6}, {7, 0, 0, 8, 9, 0}, {10, 11, 12, 13, 14, 15}};
    static const long weights[3] = {2, -5, 4096};
    static const int tables[2][4] = {{500, 900, 200, 600}, {3, 1, 4, 1}};
    long sum = limits[v % 3][(v & 1) * 3 + v % 3] + weights[v % 3] + names[v % 3][v % 5];
    for (const char *s = text + (v & 7); *s; s++)
        sum += strchr("aeiou", *s) != NULL;
    for (int k = 0; k <= (v & 3); k++)
        sum += tables[v >> 2 & 1][k];
    return sum + (v % 3 * 2 + (v >> 4 & 1) + 1) * (v & 8 ? -1 : 1);
}

REFERENCE(memory_spaces)
{
    const int *in = reference_input(r, "in");
    int64_t *out = reference_wanted(r, "out");
    for (size_t i = 0; i < 240; i++) {
        size_t l = i % 60, first = i - l, other = (l * 7 + 3) % 60;
        int v = in[i], w = in[first + other], x = in[first + (other + 1) % 60];
        long sum = w + (x & 255) * 1000l + w / 2 + (int16_t)w * 3 + (long)other + 1 + 21;
        out[i] = (sum + constants(v)) * 7 + folded(v);
    }
}
