/* Loops counted in 64 bits, loops that run zero times, do-while, and counting down past zero. */
kernel void loops_wide(global const ulong *in, global ulong *out)
{
    size_t i = get_global_id(0);
    ulong v = in[i], sum = 0;
    for (long k = (long)0xfffffffff - (long)(v % 9); k <= 0xfffffffff; k++)
        sum += (ulong)k * (v | 1);
    for (ulong k = v % 5; k < v % 3; k++)
        sum ^= k << 40;
    ulong a = v | 1, b = (v >> 17) | 1;
    do {
        ulong rest = a % b;
        a = b;
        b = rest;
        sum += rest >> 3;
    } while (b);
    uchar down = (uchar)(v % 11);
    while (down-- != 0)
        sum = (sum << 7 | sum >> 57) + down;
    out[i] = sum ^ a;
}
