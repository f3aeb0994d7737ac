/* Four levels of if-else, each on another bit of the input: all 16 ways in every warp. */
kernel void divergence_nested(global const uint *in, global uint *out)
{
    size_t i = get_global_id(0);
    uint v = in[i], r = 1;
    if (v & 1) {
        r = r * 3 + v;
        if (v & 2) {
            r ^= 0x55;
            if (v & 4) {
                r += 7;
                if (v & 8)
                    r *= 11;
                else
                    r -= v;
            } else {
                r <<= 2;
                if (v & 8)
                    r |= 1;
                else
                    r = ~r;
            }
            r += 100;
        } else {
            if (v & 4)
                r = r * r;
            else if (v & 8)
                r = r >> 1;
        }
    } else {
        r = v / 3;
        if (v & 2) {
            if (v & 4)
                r = v % 7;
            else if (!(v & 8))
                r = 1000 - r;
            r *= 5;
        } else {
            r += 2;
            if (v & 4) {
                r ^= v;
                if (v & 8)
                    r += r << 3;
            }
        }
    }
    out[i] = r + in[i];
}
