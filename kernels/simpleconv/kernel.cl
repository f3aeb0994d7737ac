/* Convolution of an image with a square mask of `mask_size` x `mask_size` weights. The input has
 * mask_size - 1 more rows and columns than the output, after the last ones. */

/* One pixel of the output a work-item, in row-major order. */
__kernel void simpleconv(__global const uint *input, __global const float *mask,
                         __global uint *output, uint columns, uint rows, uint mask_size)
{
    uint pixel = get_global_id(0);
    uint x = pixel % columns;
    uint y = pixel / columns;
    uint pitch = columns + mask_size - 1;
    if (y >= rows)
        return;
    float sum = 0.0f;
    for (uint i = 0; i < mask_size; i++)
        for (uint j = 0; j < mask_size; j++)
            sum += (float)input[(y + i) * pitch + x + j] * mask[i * mask_size + j];
    output[pixel] = (uint)(sum + 0.5f);
}
