#include "stats/histogram.h"

#include <math.h>
#include <stddef.h>

/* Values below 8 have a bucket each; above, every power of two is cut into 8. */
static size_t bucket_of(uint64_t value)
{
    if (value < 8)
        return (size_t)value;
    unsigned shift = 60u - (unsigned)__builtin_clzll(value);
    return 8 * (size_t)shift + (size_t)(value >> shift);
}

static uint64_t last_of_bucket(size_t bucket)
{
    if (bucket < 16)
        return bucket;
    unsigned shift = (unsigned)(bucket / 8 - 1);
    uint64_t first = (uint64_t)(8 + bucket % 8) << shift;
    return first + ((UINT64_C(1) << shift) - 1);
}

void ww_histogram_add(ww_histogram *histogram, uint64_t value)
{
    histogram->count++;
    histogram->sum += value;
    if (value > histogram->max)
        histogram->max = value;
    histogram->buckets[bucket_of(value)]++;
}

void ww_histogram_merge(ww_histogram *into, const ww_histogram *from)
{
    into->count += from->count;
    into->sum += from->sum;
    if (from->max > into->max)
        into->max = from->max;
    for (size_t i = 0; i < WW_HISTOGRAM_BUCKETS; i++)
        into->buckets[i] += from->buckets[i];
}

double ww_histogram_mean(const ww_histogram *histogram)
{
    return histogram->count ? (double)histogram->sum / (double)histogram->count : 0;
}

uint64_t ww_histogram_percentile(const ww_histogram *histogram, double share)
{
    uint64_t wanted = (uint64_t)ceil(share * (double)histogram->count);
    uint64_t seen = 0;
    for (size_t i = 0; i < WW_HISTOGRAM_BUCKETS; i++) {
        seen += histogram->buckets[i];
        if (seen && seen >= wanted)
            return last_of_bucket(i) < histogram->max ? last_of_bucket(i) : histogram->max;
    }
    return 0;
}
