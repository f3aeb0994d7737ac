/* Dot products of four bytes (cl_khr_integer_dot_product). */
kernel void dot_products(global const uint *in, global int *out)
{
    size_t i = get_global_id(0);
    uint x = in[i], y = in[i + 1];
    int sum = as_int(in[i + 2]);
    global int *o = out + i * 16;
    o[0] = as_int(dot_4x8packed_uu_uint(x, y));
    o[1] = dot_4x8packed_ss_int(x, y);
    o[2] = dot_4x8packed_us_int(x, y);
    o[3] = dot_4x8packed_su_int(x, y);
    o[4] = as_int(dot_acc_sat_4x8packed_uu_uint(x, y, as_uint(sum)));
    o[5] = dot_acc_sat_4x8packed_ss_int(x, y, sum);
    o[6] = dot_acc_sat_4x8packed_us_int(x, y, sum);
    o[7] = dot_acc_sat_4x8packed_su_int(x, y, sum);
    o[8] = as_int(dot(as_uchar4(x), as_uchar4(y)));
    o[9] = dot(as_char4(x), as_char4(y));
    o[10] = dot(as_uchar4(x), as_char4(y));
    o[11] = dot(as_char4(x), as_uchar4(y));
    o[12] = as_int(dot_acc_sat(as_uchar4(x), as_uchar4(y), as_uint(sum)));
    o[13] = dot_acc_sat(as_char4(x), as_char4(y), sum);
    o[14] = dot_acc_sat(as_uchar4(x), as_char4(y), sum);
    o[15] = dot_acc_sat(as_char4(x), as_uchar4(y), sum);
}
