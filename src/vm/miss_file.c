#include "vm/miss_file.h"

#include "base/memory.h"

void ww_miss_file_create(ww_miss_file *file, uint32_t most)
{
    *file = (ww_miss_file){.most = most, .bucket_bits = 1};
    file->items = ww_calloc(most, sizeof(*file->items));
    for (uint32_t i = 0; i < most; i++)
        file->items[i].next = i + 1;
    while ((1ull << file->bucket_bits) < 2ull * most)
        file->bucket_bits++;
    file->buckets = ww_calloc((size_t)1 << file->bucket_bits, sizeof(*file->buckets));
    for (size_t i = 0; i < (size_t)1 << file->bucket_bits; i++)
        file->buckets[i] = WW_NO_MISS;
}

void ww_miss_file_destroy(ww_miss_file *file)
{
    free(file->buckets);
    free(file->items);
}
