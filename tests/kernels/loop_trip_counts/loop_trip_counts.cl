/* Loops whose lanes leave in different rounds: while, do-while, nested, some with no round. */
kernel void loop_trip_counts(global const uint *in, global uint *steps, global uint *sums)
{
    size_t i = get_global_id(0);
    uint v = in[i], n = 0;
    for (uint x = v % 97; x > 1; n++)
        x = x % 2 ? 3 * x + 1 : x / 2;
    steps[i] = n;

    uint sum = 0;
    for (uint a = 0; a < v % 5; a++)
        for (uint b = a; b < v % 11; b++) {
            uint c = 0;
            do {
                sum += a * b + c;
                c++;
            } while (c < (a ^ b));
        }
    uint k = v % 3;
    while (k-- > 0)
        sum = sum * 31 + k;
    sums[i] = sum;
}
