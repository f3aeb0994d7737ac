/* Vectors of 2, 3, 4, 8 and 16 elements: loads that need no alignment, swizzles on both sides,
 * conversions, comparisons, selects, shuffles, and vectors of three in arrays and structs. */
typedef struct box {
    char tag;
    float3 corner;
    short3 size;
} box;

static int16 mix16(int16 a, uchar16 by)
{
    int16 r = a.s0123456789abcdef + convert_int16(by).sfedcba9876543210;
    r.even = r.odd * 3;
    r.s37b = (int3)(r.s0, r.s1, -r.s2);
    r.lo.hi += r.hi.lo.s3210;
    return select(r, -r, r > a);
}

kernel void types_vectors(global const int *in, global int *out, global float *boxes)
{
    size_t i = get_global_id(0);
    int3 three = vload3(i, in);
    int8 eight = vload8(0, in + i);
    int2 two = (int2)(three.z, eight.s5);
    int16 mixed = mix16((int16)(eight, three, two, three), as_uchar16((int4)(three, 77)));
    three.zx = two;
    three = three.yzx ^ (int3)7;
    short4 narrow = convert_short4_sat(eight.hi);
    uint4 picked = shuffle2(as_uint4(eight.lo), as_uint4(eight.hi), as_uint4(three.xxyz) & 7u);
    int4 folded = as_int4(picked) + convert_int4(narrow) + (two.xyxy << 2);
    vstore3(three, i * 10, out);
    vstore16(mixed, 0, out + i * 30 + 3);
    vstore4(folded, 0, out + i * 30 + 19);
    out[i * 30 + 23] = any(three < two.xyx) + 2 * all(eight != 0) + 4 * (int)vec_step(three);

    box b[3];
    for (int n = 0; n < 3; n++) {
        b[n].tag = (char)(n + i);
        b[n].corner = convert_float3(three) * (float)(n + 1);
        b[n].size = convert_short3(three);
    }
    int at = (int)(i % 3);
    vstore3(b[at].corner + b[at].tag, i, boxes);
    vstore3(convert_int3(b[2 - at].size), 0, out + i * 30 + 24);
    out[i * 30 + 27] = (int)sizeof(box);
    vstore2(two.yx, 0, out + i * 30 + 28);
}
