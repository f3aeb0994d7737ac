/* One step of the fast Walsh transform, in place: each work-item replaces two elements that are
 * `step` apart by their sum and their difference. */
__kernel void fwt_step(__global float *values, uint pairs, uint step)
{
    uint i = get_global_id(0);
    if (i < pairs) {
        uint low = 2 * step * (i / step) + i % step;
        uint high = low + step;
        float a = values[low];
        float b = values[high];
        values[low] = a + b;
        values[high] = a - b;
    }
}
