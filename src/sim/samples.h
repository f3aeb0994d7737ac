/* Numbers that were sampled over the time of a run, a bounded number of times. When there are too
 * many samples, every second one is dropped and the distance doubles. Between two samples, numbers
 * are taken to change evenly. All are 0 at cycle 0. */
#ifndef WW_SIM_SAMPLES_H
#define WW_SIM_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

#define WW_MOST_SAMPLED 16 /* numbers of a sample */

typedef struct ww_samples ww_samples;

/* `period`: the first distance of samples, in cycles. */
ww_samples *ww_samples_create(unsigned numbers, uint64_t period);
void ww_samples_destroy(ww_samples *samples);

/* Cycles until the next sample. */
uint64_t ww_samples_add(ww_samples *samples, uint64_t cycle, const double *numbers);
uint64_t ww_samples_end(const ww_samples *samples); /* the cycle of the last one */
/* The numbers at a cycle. *from starts at 0; calls with later and later cycles keep it. */
void ww_samples_read(const ww_samples *samples, double cycle, size_t *from, double *numbers);

#endif
