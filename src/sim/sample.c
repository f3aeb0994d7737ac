#include "sim/sample.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_FREEDOM 1000u /* beyond it, Student's distribution is the normal one */

/* ---- the option ---- */

static int refuse(const char *item, ww_errors *errors)
{
    return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                   "--sample: '%.60s' (error=E and confidence=C are possible: 0.001 to 0.5, and "
                   "0.5 to 0.999)",
                   item);
}

static int read_item(char *item, ww_sample *sample, ww_errors *errors)
{
    char *equals = strchr(item, '='), *end;
    if (!equals)
        return refuse(item, errors);
    double value = strtod(equals + 1, &end);
    bool whole = end != equals + 1 && !*end;
    bool is_error = strncmp(item, "error=", 6) == 0;
    bool is_confidence = strncmp(item, "confidence=", 11) == 0;
    if (whole && is_error && value >= 0.001 && value <= 0.5)
        sample->error = value;
    else if (whole && is_confidence && value >= 0.5 && value <= 0.999)
        sample->confidence = value;
    else
        return refuse(item, errors);
    return WW_OK;
}

int ww_sample_read(const char *text, ww_sample *sample, ww_errors *errors)
{
    *sample = (ww_sample){.error = WW_SAMPLE_ERROR, .confidence = WW_SAMPLE_CONFIDENCE};
    if (!text)
        return WW_OK;
    char *copy = ww_strdup(text), *rest = copy;
    int status = WW_OK;
    for (char *item; (item = strsep(&rest, ",")) != NULL;)
        status |= read_item(item, sample, errors);
    free(copy);
    return status;
}

/* ---- Student's t ---- */

/* The probability between -t and t, for t = tan(angle) * sqrt(freedom): Abramowitz and Stegun,
 * 26.7.3 and 26.7.4. */
static double student_probability(unsigned freedom, double angle)
{
    double c = cos(angle), term = freedom % 2 ? c : 1, sum = freedom > 1 ? term : 0;
    for (unsigned i = 2 + freedom % 2; i + 2 <= freedom; i += 2) {
        term *= c * c * (i - 1) / i;
        sum += term;
    }
    return freedom % 2 ? 2 / M_PI * (angle + sin(angle) * sum) : sin(angle) * sum;
}

double ww_student_t(unsigned freedom, double probability)
{
    double low = 0, high = M_PI / 2;
    freedom = freedom < 1 ? 1 : freedom > MOST_FREEDOM ? MOST_FREEDOM : freedom;
    for (unsigned i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (student_probability(freedom, middle) < probability)
            low = middle;
        else
            high = middle;
    }
    return tan(low) * sqrt(freedom);
}

/* ---- estimates ---- */

void ww_estimate_add(ww_estimate *e, double value, double variance, double freedom)
{
    e->total += value;
    if (variance <= 0)
        return;
    e->variance += variance;
    e->squares += variance * variance / freedom;
}

double ww_estimate_half_width(const ww_estimate *e, double confidence)
{
    if (e->variance <= 0)
        return 0;
    double freedom = e->variance * e->variance / e->squares;
    unsigned whole = freedom > MOST_FREEDOM ? MOST_FREEDOM : (unsigned)(freedom + 1e-9);
    return ww_student_t(whole, confidence) * sqrt(e->variance);
}

void ww_moments_add(ww_moments *m, double value)
{
    double distance = value - m->mean;
    m->count++;
    m->mean += distance / (double)m->count;
    m->squares += distance * (value - m->mean);
}

double ww_moments_variance(const ww_moments *m)
{
    return m->count > 1 ? m->squares / (double)(m->count - 1) : 0;
}

/* With the correction for a finite population: units that were measured have no error. */
void ww_estimate_add_stratum(ww_estimate *e, const ww_moments *m, double units)
{
    double count = (double)m->count;
    if (!m->count)
        return;
    double share = units > count ? 1 - count / units : 0;
    ww_estimate_add(e, units * m->mean, units * units * share * ww_moments_variance(m) / count,
                    count - 1);
}
