/* A long chain of else-ifs, and conditions whose right sides are not always evaluated. */
static __attribute__((noinline)) bool note(uint *trace, uint mark, bool verdict)
{
    *trace = *trace * 8 + mark;
    return verdict;
}

kernel void if_chain(global const int *in, global uint *out)
{
    size_t i = get_global_id(0);
    int v = in[i];
    uint r = 0, trace = 0;
    if (v < -50)
        r = 1;
    else if (v == -7)
        r = 2;
    else if (v < 0 && (v & 1))
        r = 3;
    else if (v < 0)
        r = 4;
    else if (v == 0 || v == 3 || v == 9)
        r = 5;
    else if (v > 90)
        r = 6;
    else if (v % 5 == 0)
        r = v % 2 ? 7 : 8;
    else if (v > 40 || v % 7 == 2)
        r = 9;
    else
        r = 10;
    if ((note(&trace, 1, v > 0) && note(&trace, 2, v & 1)) ||
        (note(&trace, 3, v < -20) && !note(&trace, 4, v & 2)))
        r += 100;
    if (note(&trace, 5, v & 4) || note(&trace, 6, v & 8) || note(&trace, 7, v == 1))
        r += 1000;
    out[2 * i] = r;
    out[2 * i + 1] = trace;
}
