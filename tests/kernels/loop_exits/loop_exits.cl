/* break and continue, also out of two loops at once; loops with several exits; returns from the
 * middle of nested loops. */
kernel void loop_exits(global const uchar *text, uint length, global int *out)
{
    size_t i = get_global_id(0);
    uint at = (uint)i * 13 % length;
    int words = 0, depth = 0, deepest = 0;
    for (uint n = 0; n < 64; n++, at++) {
        if (at >= length)
            break;
        uchar c = text[at];
        if (c < 32)
            continue;
        if (c == '(') {
            depth++;
            deepest = max(deepest, depth);
            continue;
        }
        if (c == ')' && --depth < -1)
            break;
        words += c == ' ';
        if (words > 9)
            goto full;
    }
    words += 1000;
full:
    out[i] = words * 100 + deepest;

    int found = -1;
    for (uint a = 2; a < 40; a++) {
        for (uint b = a; b < 40; b++) {
            if ((a + b) % 7 == i % 7)
                continue;
            if (a * b > 400 + i)
                break;
            if ((a * a + b * b) % 101 == i % 101) {
                found = (int)(a * 64 + b);
                goto done;
            }
            if (a * b == 391) {
                out[i] += 7;
                return;
            }
        }
        if (a > 30 && i % 3 == 0)
            return;
    }
done:
    out[i] += found * 3;
}
