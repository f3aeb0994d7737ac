/* Sampling: what `--sample` asks for, and the statistics of an estimate.
 *
 * estimate     a sum of independent parts, each with the variance of its error
 * freedom      degrees of freedom of a variance: the number of samples that it was computed from,
 *              less one. Those of a sum follow from Welch and Satterthwaite (Biometrics Bulletin 2,
 *              1946): a sum that rests on the variance of three samples is treated as three are.
 * half width   of a two-sided interval around the estimate: Student's t times the deviation */
#ifndef WW_SIM_SAMPLE_H
#define WW_SIM_SAMPLE_H

#include "base/error.h"

#include <stdint.h>

typedef struct ww_sample {
    double error;      /* the half width that is aimed at, over the estimate; 0: no sampling */
    double confidence; /* that the interval has the truth: below 1 */
} ww_sample;

#define WW_SAMPLE_ERROR 0.03
#define WW_SAMPLE_CONFIDENCE 0.95

/* Reads "error=E,confidence=C"; an item that is missing, or NULL for all, has its usual value. */
int ww_sample_read(const char *text, ww_sample *sample, ww_errors *errors);

typedef struct ww_estimate {
    double total;
    double variance;
    double squares; /* of the parts' variances, each over its freedom */
} ww_estimate;      /* zeroed: no part */

/* Adds a part. A variance of 0 has no freedom. */
void ww_estimate_add(ww_estimate *estimate, double value, double variance, double freedom);
double ww_estimate_half_width(const ww_estimate *estimate, double confidence);

/* The t at which Student's distribution of so many degrees of freedom has this probability between
 * -t and t. */
double ww_student_t(unsigned freedom, double probability);

/* Samples of one stratum: equally many of its units have not been measured for each that has. */
typedef struct ww_moments {
    uint64_t count;
    double mean;
    double squares; /* of distances from the mean */
} ww_moments;       /* zeroed: none */

void ww_moments_add(ww_moments *moments, double value);
double ww_moments_variance(const ww_moments *moments); /* of a unit; 0 with fewer than two */
/* Adds the sum of a stratum of `units` units, of which these are a random sample. */
void ww_estimate_add_stratum(ww_estimate *estimate, const ww_moments *samples, double units);

#endif
