/* The integer functions of the library in all widths, with operands at the ends of their ranges. */
#define WIDTH(t)                                                                     \
    static void on_##t(global const t *in, uint mask, global long *o, uint i)        \
    {                                                                                \
        t a = in[i & mask], b = in[i >> 4], c = in[(i * 7 + 3) & mask];              \
        o[0] = (long)add_sat(a, b);                                                  \
        o[1] = (long)sub_sat(a, b);                                                  \
        o[2] = (long)mad_sat(a, b, c);                                               \
        o[3] = (long)mul_hi(a, b);                                                   \
        o[4] = (long)hadd(a, b);                                                     \
        o[5] = (long)rhadd(a, b);                                                    \
        o[6] = (long)rotate(a, b);                                                   \
        o[7] = (long)abs(a);                                                         \
        o[8] = (long)abs_diff(a, b);                                                 \
        o[9] = (long)clz(a);                                                         \
        o[10] = (long)popcount(b);                                                   \
        o[11] = (long)clamp(a, min(b, c), max(b, c));                                \
        o[12] = (long)bitselect(a, b, c);                                            \
        o[13] = (long)mad_hi(a, b, c);                                               \
    }
WIDTH(char)
WIDTH(uchar)
WIDTH(short)
WIDTH(ushort)
WIDTH(int)
WIDTH(uint)
WIDTH(long)
WIDTH(ulong)

kernel void integers_library(global const void *in, uint mask, global long *out)
{
    uint i = (uint)get_global_id(0);
    global long *o = out + i * 14 * 8;
    on_char(in, mask, o, i);
    on_uchar(in, mask, o + 14, i);
    on_short(in, mask, o + 28, i);
    on_ushort(in, mask, o + 42, i);
    on_int(in, mask, o + 56, i);
    on_uint(in, mask, o + 70, i);
    on_long(in, mask, o + 84, i);
    on_ulong(in, mask, o + 98, i);
}
