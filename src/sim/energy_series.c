#include "sim/energy_series.h"

#include "base/memory.h"
#include "sim/samples.h"

#include <math.h>

#define FIRST_PERIOD 64 /* cycles */
#define CYCLES_A_CU 128 /* at least, in a long run: a sample visits every component */
#define EARLY_PARTS 32  /* at least, of a shorter run: half of its bins */

/* Joules by group, then seconds. */
enum { SECONDS = WW_ENERGY_GROUP_COUNT, NUMBERS };

struct ww_energy_series {
    ww_samples *samples;
};

ww_energy_series *ww_energy_series_create(void)
{
    ww_energy_series *s = ww_calloc(1, sizeof(*s));
    s->samples = ww_samples_create(NUMBERS, FIRST_PERIOD);
    return s;
}

void ww_energy_series_destroy(ww_energy_series *series)
{
    if (!series)
        return;
    ww_samples_destroy(series->samples);
    free(series);
}

uint64_t ww_energy_series_add(ww_energy_series *s, const ww_gpu_sample *sample)
{
    double numbers[NUMBERS];
    ww_energy_by_group(&sample->energy, numbers);
    numbers[SECONDS] = sample->energy.seconds;
    uint64_t period = ww_samples_add(s->samples, sample->cycle, numbers);
    uint64_t least = (uint64_t)CYCLES_A_CU * sample->compute_units;
    uint64_t early = sample->cycle / EARLY_PARTS;
    least = least < early ? least : early;
    return period > least ? period : least;
}

uint64_t ww_energy_series_end(const ww_energy_series *s)
{
    return ww_samples_end(s->samples);
}

/* Four decimals are enough for a picture. */
static void append(json_t *bins, double joules, double seconds)
{
    json_array_append_new(bins, ww_json_real(round(10000 * ww_ratio(joules, seconds)) / 10000));
}

static void append_bin(json_t *const *bins, const double *before, const double *now)
{
    double seconds = now[SECONDS] - before[SECONDS], all = 0;
    for (unsigned i = 0; i < WW_ENERGY_GROUP_COUNT; i++) {
        append(bins[i], now[i] - before[i], seconds);
        all += now[i] - before[i];
    }
    append(bins[WW_ENERGY_GROUP_COUNT], all, seconds);
}

static void add_names(json_t *object, json_t **bins)
{
    char name[32];
    for (unsigned i = 0; i <= WW_ENERGY_GROUP_COUNT; i++)
        bins[i] = json_array();
    json_object_set_new(object, "power", bins[WW_ENERGY_GROUP_COUNT]);
    for (unsigned i = 0; i < WW_ENERGY_GROUP_COUNT; i++) {
        snprintf(name, sizeof(name), "power_%s", ww_energy_group_names[i]);
        json_object_set_new(object, name, bins[i]);
    }
}

json_t *ww_energy_series_json(const ww_energy_series *s, unsigned bins, uint64_t end)
{
    json_t *object = json_object(), *arrays[WW_ENERGY_GROUP_COUNT + 1];
    double numbers[2][NUMBERS];
    size_t from = 0;
    add_names(object, arrays);
    ww_samples_read(s->samples, 0, &from, numbers[0]);
    for (unsigned i = 1; i <= bins; i++) {
        ww_samples_read(s->samples, (double)end * i / bins, &from, numbers[i % 2]);
        append_bin(arrays, numbers[1 - i % 2], numbers[i % 2]);
    }
    return object;
}
