#include "sim/paging_series.h"

#include "base/memory.h"

#include <math.h>

#define POINTS 512u
#define FIRST_PERIOD 64u /* cycles */

typedef struct point {
    uint64_t cycle;
    ww_paging_sample sample;
} point;

struct ww_paging_series {
    uint64_t period;
    size_t count;
    point points[POINTS];
};

ww_paging_series *ww_paging_series_create(void)
{
    ww_paging_series *s = ww_calloc(1, sizeof(*s));
    s->period = FIRST_PERIOD;
    s->count = 1; /* nothing at cycle 0 */
    return s;
}

void ww_paging_series_destroy(ww_paging_series *series)
{
    free(series);
}

static void drop_half(ww_paging_series *s)
{
    for (size_t i = 0; i < POINTS / 2; i++)
        s->points[i] = s->points[2 * i];
    s->count = POINTS / 2;
    s->period *= 2;
}

uint64_t ww_paging_series_add(ww_paging_series *s, const ww_gpu_sample *sample)
{
    point *last = &s->points[s->count - 1];
    if (sample->cycle > last->cycle) {
        if (s->count == POINTS)
            drop_half(s);
        last = &s->points[s->count++];
    }
    *last = (point){sample->cycle, sample->paging};
    return s->period;
}

uint64_t ww_paging_series_end(const ww_paging_series *s)
{
    return s->points[s->count - 1].cycle;
}

/* X(field, name) */
#define COUNTS(X)       \
    X(faults, "faults") \
    X(evictions, "evictions")
#define LEVELS(X)           \
    X(resident, "resident") \
    X(coming, "waiting")

typedef struct reading {
    double ticks, link_in, link_out, faults, evictions, resident, coming;
} reading;

static double between(uint64_t a, uint64_t b, double part)
{
    return (double)a + ((double)b - (double)a) * part;
}

/* `at` is a cycle; *from is a point not after it, and moves up. */
static reading read_at(const ww_paging_series *s, double at, size_t *from)
{
    while (*from + 2 < s->count && (double)s->points[*from + 1].cycle < at)
        ++*from;
    size_t next = *from + 1 < s->count ? *from + 1 : *from;
    const point *a = &s->points[*from], *b = &s->points[next];
    const ww_paging_sample *x = &a->sample, *y = &b->sample;
    double width = (double)(b->cycle - a->cycle);
    double part = width > 0 ? fmin(fmax((at - (double)a->cycle) / width, 0), 1) : 1;
    return (reading){.ticks = between(x->ticks, y->ticks, part),
                     .link_in = between(x->link_in, y->link_in, part),
                     .link_out = between(x->link_out, y->link_out, part),
                     .faults = floor(between(x->faults, y->faults, part)),
                     .evictions = floor(between(x->evictions, y->evictions, part)),
                     .resident = floor(between(x->resident, y->resident, part)),
                     .coming = floor(between(x->coming, y->coming, part))};
}

/* Four decimals are enough for a picture. */
static double share(double part, double whole)
{
    return whole > 0 ? round(10000 * part / whole) / 10000 : 0;
}

static void append(json_t *object, const char *name, json_t *value)
{
    json_array_append_new(json_object_get(object, name), value);
}

static void append_whole(json_t *object, const char *name, double value)
{
    append(object, name, json_integer((json_int_t)value));
}

static void append_bin(json_t *object, const reading *a, const reading *b)
{
    append(object, "link_in", ww_json_real(share(b->link_in - a->link_in, b->ticks - a->ticks)));
    append(object, "link_out", ww_json_real(share(b->link_out - a->link_out, b->ticks - a->ticks)));
#define APPEND_COUNT(field, name) append_whole(object, name, b->field - a->field);
#define APPEND_LEVEL(field, name) append_whole(object, name, b->field);
    COUNTS(APPEND_COUNT)
    LEVELS(APPEND_LEVEL)
}

json_t *ww_paging_series_json(const ww_paging_series *s, unsigned bins, uint64_t end)
{
    static const char *const names[] = {"link_in",  "link_out",  "faults",
                                        "resident", "evictions", "waiting"};
    json_t *object = json_object();
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        json_object_set_new(object, names[i], json_array());
    size_t from = 0;
    reading before = read_at(s, 0, &from);
    for (unsigned i = 1; i <= bins; i++) {
        reading now = read_at(s, (double)end * i / bins, &from);
        append_bin(object, &before, &now);
        before = now;
    }
    return object;
}
