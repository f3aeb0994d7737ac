/* Dense (a jump table), sparse, falling through, and inside a loop with break and continue. */
kernel void switches(global const uint *in, global uint *out)
{
    size_t i = get_global_id(0);
    uint v = in[i], r = 0;
    switch (v % 12) {
    case 0: r = v * 3; break;
    case 1: r = v ^ 0xff; break;
    case 2: r = v >> 3; /* falls through */
    case 3: r += 17; break;
    case 4: r = v & 0xf0f0; break;
    case 5: r = ~v; /* falls through */
    case 6: r = r * 5 + 1; /* falls through */
    case 7: r ^= v; break;
    case 8: r = v % 1000; break;
    case 9: r = v / 77; break;
    case 10: r = 42; break;
    default: r = v + 1; break;
    }
    switch (v & 0xff0) {
    case 0x10: r += 1; break;
    case 0x7f0: r += 2; break;
    case 0x100:
    case 0xa00: r += 3; break;
    case 0xff0: r += 4; break;
    default: r += 5;
    }
    uint state = v % 4;
    for (uint step = 0; step < 20; step++) {
        switch (state) {
        case 0: state = (r >> step & 1) + 1; continue;
        case 1: state = 3; r += step; break;
        case 2: state = step % 2 ? 0 : 4; break;
        case 3: r ^= step << 4; state = 2; continue;
        case 4: r += 1u << 20; state = step > 10 ? 5 : 0; break;
        case 5: goto end;
        case 6: return;
        case 7: r = 0; break;
        }
        r = r * 33 + state;
    }
end:
    out[i] = r;
}
