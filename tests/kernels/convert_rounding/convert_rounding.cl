/* Conversions between floats and integers with every rounding, saturated and not, halves in memory,
 * and double arithmetic to the last bit. */
#define ROUNDINGS(X, from) X(from##_rte) X(from##_rtz) X(from##_rtp) X(from##_rtn)
#define STORE(name) *o++ = (long)name(x);

#pragma OPENCL FP_CONTRACT OFF
kernel void convert_rounding(global const float *in, global long *out, global double *reals,
                             global ushort *halves)
{
    size_t i = get_global_id(0);
    float x = in[i];
    global long *o = out + i * 24;
    ROUNDINGS(STORE, convert_int_sat)
    ROUNDINGS(STORE, convert_uchar_sat)
    ROUNDINGS(STORE, convert_short_sat)
    ROUNDINGS(STORE, convert_ulong_sat)
    float limited = clamp(x, -1e9f, 1e9f);
    *o++ = convert_int_rte(limited);
    *o++ = convert_long_rtp(limited);
    *o++ = convert_long_rtn(limited);
    *o++ = (int)limited;
    *o++ = as_int((float)convert_int(limited));
    *o++ = as_int(convert_float_rtz(as_uint(limited)));
    *o++ = as_int(convert_float_rtp((long)as_int(limited) * 4099));
    *o++ = as_int(convert_float_rtn((double)limited / 3));

    double d = limited, e = clamp(in[(i + 1) & 63], -1e9f, 1e9f);
    global double *p = reals + i * 8;
    p[0] = d / 3 - sqrt(fabs(e));
    p[1] = fma(d, e, -d * e);
    p[2] = rint(d * 0.5) + floor(d / 7) * ceil(d / 7) + trunc(d / 9) + round(d * 0.5);
    p[3] = fmod(d, 7.25) + copysign(fmin(d, 3.5), d) + fmax(d, -2.0);
    p[4] = ldexp(d, (int)i - 64);
    p[5] = nextafter(d, 1e300);
    p[6] = (double)(as_ulong(d) >> 12);
    p[7] = d == 0 ? 0 : 1 / d;
    global half *h = (global half *)halves;
    vstore_half_rte(x, i * 6, h);
    vstore_half_rtz(x, i * 6 + 1, h);
    vstore_half_rtp(x, i * 6 + 2, h);
    vstore_half_rtn(x, i * 6 + 3, h);
    vstore_half2_rtp((double2)(d * 1e-12, d / 3), i * 3 + 2, h);
}
