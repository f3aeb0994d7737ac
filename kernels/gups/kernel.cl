/* Random updates of a table of mask + 1 words, a power of two. Each work-item goes on from its own
 * place in one long sequence of pseudo-random numbers and leaves in `numbers` how far it came. */
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

/* The next number: a shift register with feedback x^64 + x^2 + x + 1, as in HPCC. */
ulong next(ulong number)
{
    return (number << 1) ^ ((long)number < 0 ? 7 : 0);
}

/* Read, change and write are three steps: an update is lost when another comes between. */
__kernel void gups_plain(__global ulong *table, __global ulong *numbers, ulong mask, uint items,
                         uint updates)
{
    uint i = get_global_id(0);
    if (i < items) {
        ulong number = numbers[i];
        for (uint k = 0; k < updates; k++) {
            number = next(number);
            table[number & mask] ^= number;
        }
        numbers[i] = number;
    }
}

__kernel void gups_atomic(__global ulong *table, __global ulong *numbers, ulong mask, uint items,
                          uint updates)
{
    uint i = get_global_id(0);
    if (i < items) {
        ulong number = numbers[i];
        for (uint k = 0; k < updates; k++) {
            number = next(number);
            atom_xor(table + (number & mask), number);
        }
        numbers[i] = number;
    }
}
