#include "sim/paging_series.h"

#include "base/memory.h"
#include "sim/samples.h"

#include <math.h>

enum { TICKS, LINK_IN, LINK_OUT, FAULTS, EVICTIONS, RESIDENT, COMING, NUMBERS };

struct ww_paging_series {
    ww_samples *samples;
};

ww_paging_series *ww_paging_series_create(void)
{
    ww_paging_series *s = ww_calloc(1, sizeof(*s));
    s->samples = ww_samples_create(NUMBERS, 64);
    return s;
}

void ww_paging_series_destroy(ww_paging_series *series)
{
    if (!series)
        return;
    ww_samples_destroy(series->samples);
    free(series);
}

uint64_t ww_paging_series_add(ww_paging_series *s, const ww_gpu_sample *sample)
{
    const ww_paging_sample *p = &sample->paging;
    const double numbers[NUMBERS] = {
        [TICKS] = (double)p->ticks,       [LINK_IN] = (double)p->link_in,
        [LINK_OUT] = (double)p->link_out, [FAULTS] = (double)p->faults,
        [RESIDENT] = (double)p->resident, [EVICTIONS] = (double)p->evictions,
        [COMING] = (double)p->coming};
    return ww_samples_add(s->samples, sample->cycle, numbers);
}

uint64_t ww_paging_series_end(const ww_paging_series *s)
{
    return ww_samples_end(s->samples);
}

static void append(json_t *object, const char *name, json_t *value)
{
    json_array_append_new(json_object_get(object, name), value);
}

static void append_whole(json_t *object, const char *name, double value)
{
    append(object, name, json_integer((json_int_t)value));
}

/* Four decimals are enough for a picture. */
static void append_share(json_t *object, const char *name, double part, double whole)
{
    append(object, name, ww_json_real(whole > 0 ? round(10000 * part / whole) / 10000 : 0));
}

static void append_bin(json_t *object, const double *a, const double *b)
{
    append_share(object, "link_in", b[LINK_IN] - a[LINK_IN], b[TICKS] - a[TICKS]);
    append_share(object, "link_out", b[LINK_OUT] - a[LINK_OUT], b[TICKS] - a[TICKS]);
    append_whole(object, "faults", floor(b[FAULTS]) - floor(a[FAULTS]));
    append_whole(object, "resident", floor(b[RESIDENT]));
    append_whole(object, "evictions", floor(b[EVICTIONS]) - floor(a[EVICTIONS]));
    append_whole(object, "waiting", floor(b[COMING]));
}

json_t *ww_paging_series_json(const ww_paging_series *s, unsigned bins, uint64_t end)
{
    static const char *const names[] = {"link_in",  "link_out",  "faults",
                                        "resident", "evictions", "waiting"};
    json_t *object = json_object();
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        json_object_set_new(object, names[i], json_array());
    size_t from = 0;
    double numbers[2][NUMBERS];
    ww_samples_read(s->samples, 0, &from, numbers[0]);
    for (unsigned i = 1; i <= bins; i++) {
        ww_samples_read(s->samples, (double)end * i / bins, &from, numbers[i % 2]);
        append_bin(object, numbers[1 - i % 2], numbers[i % 2]);
    }
    return object;
}
