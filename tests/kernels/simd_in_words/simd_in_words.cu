// CUDA's intrinsics on two halfwords and four bytes of a word.
__global__ void simd_in_words(const unsigned *in, unsigned *out, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned a = in[i], b = in[i * 7 % n];
    unsigned results[] = {
        __vadd4(a, b),      __vsub4(a, b),      __vaddss4(a, b),     __vaddus4(a, b),
        __vsubss4(a, b),    __vsubus4(a, b),    __vmaxs4(a, b),      __vmaxu4(a, b),
        __vmins4(a, b),     __vminu4(a, b),     __vabsdiffs4(a, b),  __vabsdiffu4(a, b),
        __vsads4(a, b),     __vsadu4(a, b),     __vcmpgts4(a, b),    __vsetleu4(a, b),
        __vavgs4(a, b),     __vavgu4(a, b),     __vabsss4(a),        __vnegss4(a),
        __vadd2(a, b),      __vsub2(a, b),      __vaddss2(a, b),     __vaddus2(a, b),
        __vsubss2(a, b),    __vsubus2(a, b),    __vmaxs2(a, b),      __vmaxu2(a, b),
        __vmins2(a, b),     __vminu2(a, b),     __vabsdiffs2(a, b),  __vabsdiffu2(a, b),
        __vsads2(a, b),     __vsadu2(a, b),     __vcmpgts2(a, b),    __vsetleu2(a, b),
        __vavgs2(a, b),     __vavgu2(a, b),     __vabsss2(a),        __vnegss2(a),
    };
    for (int k = 0; k < 40; k++)
        out[i * 40 + k] = results[k];
}
