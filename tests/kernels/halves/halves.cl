/* Arithmetic on 16-bit floats: every operation rounds to a half, a fused one once. */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#ifdef cl_khr_fp16
kernel void halves(global const half *in, global half *out, half scale, global int *flags)
{
#pragma OPENCL FP_CONTRACT OFF
    size_t i = get_global_id(0);
    half a = in[i], b = in[i + 1];
    half4 v = vload4(0, in + i);
    global half *o = out + i * 12;
    o[0] = a + b;
    o[1] = a * b - scale;
    o[2] = a / (b == 0 ? 1.0h : b);
    o[3] = fma(a, b, scale);
    o[4] = sqrt(fabs(a));
    o[5] = max(a, b) - fmin(a, scale);
    v = v * scale + v.wzyx;
    vstore3(v.xyz, 2, o);
    o[9] = dot(v, (half4)(1, -1, 0.5h, 2));
    o[10] = convert_half_rtz((float)a * 1.0001f) + floor(b);
    o[11] = select(a, b, (short)(a < b)) + (half)(int)i;
    flags[i] = convert_int_rte(a) + 1000 * isgreater(a, b) + 10000 * convert_uchar_sat(b);
}
#endif
