/* A histogram of whole numbers in constant space: exact count, sum and extremes; percentiles from
 * buckets whose width is at most an eighth of their values. A plain struct: zeroed is empty. */
#ifndef WW_STATS_HISTOGRAM_H
#define WW_STATS_HISTOGRAM_H

#include <stdint.h>

#define WW_HISTOGRAM_BUCKETS 496 /* 8 for each power of two from 2^3 on, and the 8 below */

typedef struct ww_histogram {
    uint64_t count;
    uint64_t sum;
    uint64_t max;
    uint64_t buckets[WW_HISTOGRAM_BUCKETS];
} ww_histogram;

void ww_histogram_add(ww_histogram *histogram, uint64_t value);
void ww_histogram_merge(ww_histogram *into, const ww_histogram *from);
double ww_histogram_mean(const ww_histogram *histogram); /* 0 when empty */
/* The value that `share` (0 to 1) of all values do not exceed, rounded up to its bucket's end. */
uint64_t ww_histogram_percentile(const ww_histogram *histogram, double share);

#endif
