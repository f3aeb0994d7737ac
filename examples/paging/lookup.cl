/* Each work-item looks ROUNDS numbers up in a table: indices and results stream, the table is read at random. */
kernel void lookup(global const uint *indices, global const float *table, global float *sums)
{
    size_t i = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < ROUNDS; k++)
        sum += table[indices[k * get_global_size(0) + i]];
    sums[i] = sum;
}
