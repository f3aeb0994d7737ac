/* Private arrays with indices known only at run time: sorting, a queue, queens on a board. */
static uint queens(uint n, uint first)
{
    uchar column[8];
    uint solutions = 0;
    int row = 1;
    column[0] = (uchar)first;
    column[1] = 0;
    while (row > 0) {
        bool safe = column[row] < n;
        for (int other = 0; other < row && safe; other++)
            safe = column[other] != column[row] &&
                   abs(column[other] - column[row]) != (uint)(row - other);
        if (column[row] >= n)
            column[--row]++;
        else if (!safe)
            column[row]++;
        else if (row + 1 == n) {
            solutions++;
            column[row]++;
        } else
            column[++row] = 0;
    }
    return solutions;
}

kernel void private_queues(global const uint *in, global uint *out)
{
    size_t i = get_global_id(0);
    uint items[12], count = in[i] % 12 + 1;
    for (uint n = 0; n < count; n++)
        items[n] = in[i] * (n + 1) >> 3 & 0xfff;
    for (uint n = 1; n < count; n++) {
        uint item = items[n], at = n;
        while (at > 0 && items[at - 1] > item) {
            items[at] = items[at - 1];
            at--;
        }
        items[at] = item;
    }
    ushort queue[16] = {0};
    uint head = 0, tail = 1, seen = 0;
    queue[0] = (ushort)(in[i] % 64);
    while (head != tail && seen < 100) {
        uint v = queue[head++ % 16];
        seen++;
        if (v > 3 && tail - head < 14)
            queue[tail++ % 16] = (ushort)(v / 2);
        if (v % 3 == 1 && tail - head < 14)
            queue[tail++ % 16] = (ushort)(v - 1);
    }
    out[4 * i] = items[count / 2];
    out[4 * i + 1] = items[count - 1] - items[0];
    out[4 * i + 2] = seen;
    out[4 * i + 3] = queens(4 + (uint)i % 3, (uint)i % 4);
}
