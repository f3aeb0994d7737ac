/* Bytes, shorts and vectors in memory: extension by sign or zero, saturation, unaligned packs. */
kernel void small_types(global const char *a, global const uchar *b, global const short *c,
                        global uchar *bytes, global short *shorts, global uint *words)
{
    size_t i = get_global_id(0);
    char x = a[i];
    uchar y = b[i];
    short z = c[i];
    bytes[i] = (uchar)(x + y);
    shorts[2 * i] = (short)(x * y - z);
    shorts[2 * i + 1] = add_sat(z, (short)(x * 200));
    char4 four = vload4(0, a + i);
    uchar3 three = vload3(0, b + i);
    int dot = four.x * three.x + four.y * three.y + four.z * three.z + four.w;
    if (x < 0)
        dot += (uchar)x;
    else if (y > 127)
        dot -= (char)y;
    uint packed = as_uint(convert_uchar4_sat(convert_int4(four) + (int)y));
    words[3 * i] = (uint)dot;
    words[3 * i + 1] = packed ^ upsample(upsample((uchar)z, y), (ushort)z);
    words[3 * i + 2] = (uint)(convert_char_sat(z) * 1000 + convert_uchar_sat(z));
    vstore2((char2)(four.w, four.x), 0, (global char *)words + 4 * 3 * get_global_size(0) + 2 * i);
}
