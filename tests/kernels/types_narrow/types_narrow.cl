/* 8- and 16-bit arithmetic: promotion, wrap-around on store, shifts, signs, bit-fields, packed and
 * unaligned members. */
typedef struct __attribute__((packed)) packed {
    uchar tag;
    int value;
    ushort low;
    long wide;
} packed;

typedef struct fields {
    int a : 5;
    uint b : 7;
    int c : 20;
    uchar d : 3;
    signed char e : 4;
} fields;

kernel void types_narrow(global const uchar *in, global char *sc, global uchar *uc,
                         global short *ss, global ushort *us, global packed *p, global long *f)
{
    size_t i = get_global_id(0);
    char a = (char)in[i], b = (char)in[i + 1];
    uchar ua = in[i], ub = in[i + 1];
    short sa = (short)(ua << 8 | ub), sb = (short)(a * b);
    ushort ta = (ushort)sa, tb = (ushort)sb;
    sc[i] = (char)(a * b + (a >> 2)) ^ (char)(b << 3);
    uc[i] = (uchar)(ua * ub + (ua >> 2)) | (uchar)~(ub << 3);
    ss[i] = (short)((sa / (b ? b : 1)) % 100 - (sb >> 3));
    us[i] = (ushort)(ta * tb) > ta ? ta / (ub | 1) : (ushort)(tb - ta);
    sc[i] += a < b ? a == (char)0x80 : (uchar)a > (uchar)b;
    p[i].tag = ua;
    p[i].value = sa * (int)tb;
    p[i].low = (ushort)(ta >> 1);
    p[i].wide = (long)sa << 33 | ta;
    p[i].value += p[i].tag;

    fields x = {.a = ua, .b = ub, .c = sa * 16, .d = ua >> 1, .e = ub};
    x.a += x.e;
    x.b = x.b * 5u + x.d;
    x.c -= x.a;
    f[i] = x.a + 100L * x.b + 100000L * x.c + x.d * 7 + x.e;
}
