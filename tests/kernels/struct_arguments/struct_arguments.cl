/* Structures and vectors by value: padding, arrays inside, odd alignments. */
typedef struct {
    char tag;
    int offset[3];
    double scale;
    short bias;
} settings;

kernel void struct_arguments(global const int *in, global int *out, settings s, char4 steps,
                             long3 wide, uchar last)
{
    size_t i = get_global_id(0);
    int v = in[i] + s.offset[i % 3];
    v += (int)(s.scale * (double)(in[i] & 1023)) - s.bias;
    v += i % 2 ? steps.y : steps.w;
    v ^= (int)(wide.x + wide.z - wide.y) + s.tag;
    out[i] = v * (int)last;
}
