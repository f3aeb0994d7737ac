/* Bits: counts, scans, rotations, fields, shifts past the width, Morton codes, a Gray code, CRC. */
kernel void bit_tricks(global const uint *in, global const ulong *wide, global uint *out)
{
    size_t i = get_global_id(0);
    uint v = in[i], r = 0;
    ulong w = wide[i];
    r += popcount(v) + 100 * clz(v) + 10000 * (uint)popcount(w) + 1000000 * (uint)clz(w);
    r ^= rotate(v, v & 63);
    r += (uint)(rotate(w, w & 127) >> 17);
    r ^= v ^ (v >> 1);
    uint low = v & 0xffff;
    low = (low | low << 8) & 0x00ff00ff;
    low = (low | low << 4) & 0x0f0f0f0f;
    low = (low | low << 2) & 0x33333333;
    low = (low | low << 1) & 0x55555555;
    r += low;
    uint crc = ~v;
    for (int n = 0; n < 8; n++)
        crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
    r ^= crc;
    uint reversed = 0, rest = v;
    while (rest) {
        reversed = reversed << 1 | (rest & 1);
        rest >>= 1;
    }
    r += reversed;
    r += (uint)((int)v >> (v & 31)) + (v & -v);
    r ^= mul_hi(v, 0x9e3779b9u) + (uint)mul_hi(w, 0x9e3779b97f4a7c15ul);
    r += add_sat(v, 0x80000000u) ^ sub_sat((int)v, 0x70000000) ^ abs_diff(v, 77777u);
    r ^= hadd(v, 12345u) + rhadd((int)v, -12345) + mad24((int)(v & 0xfff), 77, 3);
    out[i] = r;
}
