#include "support/reference.h"

#include <string.h>

static int64_t bits(int64_t v, unsigned count)
{
    return (int64_t)((uint64_t)v << (64 - count)) >> (64 - count);
}

static void pack(uint8_t *p, uint8_t ua, int16_t sa, uint16_t ta, uint16_t tb)
{
    int32_t value = (int32_t)((uint32_t)sa * tb + ua);
    uint16_t low = (uint16_t)(ta >> 1);
    int64_t wide = (int64_t)((uint64_t)sa << 33 | ta);
    p[0] = ua;
    memcpy(p + 1, &value, 4);
    memcpy(p + 5, &low, 2);
    memcpy(p + 7, &wide, 8);
}

static int64_t fields(uint8_t ua, uint8_t ub, int16_t sa)
{
    int64_t e = bits(ub, 4), d = (ua >> 1) & 7, b = ub & 127;
    int64_t a = bits(bits(ua, 5) + e, 5);
    int64_t c = bits(bits(sa * 16, 20) - a, 20);
    b = (b * 5 + d) & 127;
    return a + 100 * b + 100000 * c + d * 7 + e;
}

REFERENCE(types_narrow)
{
    const uint8_t *in = reference_input(r, "in");
    int8_t *sc = reference_wanted(r, "sc");
    uint8_t *uc = reference_wanted(r, "uc"), *p = reference_wanted(r, "p");
    int16_t *ss = reference_wanted(r, "ss");
    uint16_t *us = reference_wanted(r, "us");
    int64_t *f = reference_wanted(r, "f");
    for (size_t i = 0; i < 600; i++) {
        int a = (int8_t)in[i], b = (int8_t)in[i + 1];
        int ua = in[i], ub = in[i + 1];
        int sa = (int16_t)(ua << 8 | ub), sb = (int16_t)(a * b);
        int ta = (uint16_t)sa, tb = (uint16_t)sb;
        int first = (int8_t)(a * b + (a >> 2)) ^ (int8_t)(b * 8);
        sc[i] = (int8_t)(first + (a < b ? a == -128 : (uint8_t)a > (uint8_t)b));
        uc[i] = (uint8_t)((uint8_t)(ua * ub + (ua >> 2)) | (uint8_t) ~(ub << 3));
        ss[i] = (int16_t)((sa / (b ? b : 1)) % 100 - (sb >> 3));
        us[i] = (uint16_t)((uint16_t)((uint32_t)ta * (uint32_t)tb) > ta ? ta / (ub | 1) : tb - ta);
        pack(p + 15 * i, (uint8_t)ua, (int16_t)sa, (uint16_t)ta, (uint16_t)tb);
        f[i] = fields((uint8_t)ua, (uint8_t)ub, (int16_t)sa);
    }
}
