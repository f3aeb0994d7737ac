#include "sim/samples.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

#define POINTS 512u

typedef struct point {
    uint64_t cycle;
    double numbers[WW_MOST_SAMPLED];
} point;

struct ww_samples {
    unsigned numbers;
    uint64_t period;
    size_t count;
    point points[POINTS];
};

ww_samples *ww_samples_create(unsigned numbers, uint64_t period)
{
    ww_samples *s = ww_calloc(1, sizeof(*s));
    s->numbers = numbers;
    s->period = period;
    s->count = 1; /* nothing at cycle 0 */
    return s;
}

void ww_samples_destroy(ww_samples *samples)
{
    free(samples);
}

static void drop_half(ww_samples *s)
{
    for (size_t i = 0; i < POINTS / 2; i++)
        s->points[i] = s->points[2 * i];
    s->count = POINTS / 2;
    s->period *= 2;
}

uint64_t ww_samples_add(ww_samples *s, uint64_t cycle, const double *numbers)
{
    point *last = &s->points[s->count - 1];
    if (cycle > last->cycle) {
        if (s->count == POINTS)
            drop_half(s);
        last = &s->points[s->count++];
    }
    last->cycle = cycle;
    memcpy(last->numbers, numbers, s->numbers * sizeof(*numbers));
    return s->period;
}

uint64_t ww_samples_end(const ww_samples *s)
{
    return s->points[s->count - 1].cycle;
}

void ww_samples_read(const ww_samples *s, double cycle, size_t *from, double *numbers)
{
    while (*from + 2 < s->count && (double)s->points[*from + 1].cycle < cycle)
        ++*from;
    const point *a = &s->points[*from];
    const point *b = &s->points[*from + 1 < s->count ? *from + 1 : *from];
    double width = (double)(b->cycle - a->cycle);
    double part = width > 0 ? fmin(fmax((cycle - (double)a->cycle) / width, 0), 1) : 1;
    for (unsigned i = 0; i < s->numbers; i++)
        numbers[i] = a->numbers[i] + (b->numbers[i] - a->numbers[i]) * part;
}
