/* Prices of European call options by binomial trees: the values at expiry, then `steps` times the
 * discounted mean of neighbours, until one value is left. A work-group has one option. Its values lie
 * in global memory; it takes CACHE of them at a time into local memory and makes ROUNDS steps with
 * them, of which the last CACHE - ROUNDS stay right. */

#pragma OPENCL FP_CONTRACT OFF

#define CACHE 256
#define ROUNDS 32
#define KEPT (CACHE - ROUNDS)

/* e^x, of x within 87 of zero: a power of two, times the series of the rest. */
static float exponential(float x)
{
    float y = fmin(fmax(x, -87.0f), 87.0f);
    float n = rint(y * 1.44269504f);
    float r = fma(n, -0.693145752f, y);
    r = fma(n, -1.42860677e-6f, r);
    float sum = fma(r, 1.0f / 720.0f, 1.0f / 120.0f);
    sum = fma(sum, r, 1.0f / 24.0f);
    sum = fma(sum, r, 1.0f / 6.0f);
    sum = fma(sum, r, 0.5f);
    sum = fma(sum, r, 1.0f);
    sum = fma(sum, r, 1.0f);
    return sum * as_float(((int)n + 127) << 23);
}

/* `options` has, for each option: price, strike, the logarithm of a step's factor, and the discounted
 * probabilities of up and down. */
__kernel __attribute__((reqd_work_group_size(CACHE, 1, 1))) void
binomial_price(__global const float *options, __global float *values, __global float *prices,
               int steps)
{
    __local float before[CACHE + 1];
    __local float after[CACHE + 1];
    int item = get_local_id(0), group = get_group_id(0);
    __global const float *option = options + group * 5;
    __global float *value = values + (long)group * (steps + 16);
    float price = option[0], strike = option[1], factor = option[2];
    float up = option[3], down = option[4];

    for (int i = item; i <= steps; i += CACHE)
        value[i] = fmax(fma(price, exponential(factor * (float)(2 * i - steps)), -strike), 0.0f);

    /* From all values to those of ROUNDS steps earlier, from the lowest ones up. */
    for (int last = steps; last > 0; last -= ROUNDS)
        for (int base = 0; base < last; base += KEPT) {
            int end = min(CACHE - 1, last - base);
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            if (item <= end)
                before[item] = value[base + item];
            for (int k = end - 1; k >= end - ROUNDS; k -= 2) {
                barrier(CLK_LOCAL_MEM_FENCE);
                if (item <= k)
                    after[item] = fma(up, before[item + 1], down * before[item]);
                barrier(CLK_LOCAL_MEM_FENCE);
                if (item < k)
                    before[item] = fma(up, after[item + 1], down * after[item]);
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            if (item <= end - ROUNDS)
                value[base + item] = before[item];
        }
    if (item == 0)
        prices[group] = before[0];
}
