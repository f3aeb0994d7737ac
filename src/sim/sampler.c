#include "sim/sampler.h"

#include "base/memory.h"
#include "base/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_SAMPLES 4 /* of a class */
#define MOST_PASSES 3
/* What warming may be off by, of the cycles of launches that were not timed (docs/sampling.md). All
 * samples have the same such error: it is added to the half width as it is. */
#define WARMING 0.01
#define FREEDOM 5      /* that is assumed of the variance of a later pass */
#define TOLERANCE 0.05 /* by which the features of a class may differ */

#define FEATURES 8

typedef struct record {
    char *entry;
    uint32_t group[3];
    uint64_t features[FEATURES];
    size_t class;
    bool is_first; /* of its kernel */
    bool chosen;
    bool measured; /* in this pass */
    double cycles;
} record;

typedef struct class
{
    WW_VEC(size_t) launches; /* in order */
    uint64_t samples;
} class;

struct ww_sampler {
    ww_sample sample;
    ww_rng rng;
    bool chosen;
    WW_VEC(record) launches;
    WW_VEC(class) classes;
    size_t next; /* launch of the pass */
    uint64_t passes;
};

ww_sampler *ww_sampler_create(const ww_sample *sample, uint64_t seed)
{
    ww_sampler *s = ww_calloc(1, sizeof(*s));
    s->sample = *sample;
    ww_rng_seed(&s->rng, seed);
    return s;
}

void ww_sampler_destroy(ww_sampler *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->launches.count; i++)
        free(s->launches.items[i].entry);
    for (size_t i = 0; i < s->classes.count; i++)
        ww_vec_free(&s->classes.items[i].launches);
    ww_vec_free(&s->launches);
    ww_vec_free(&s->classes);
    free(s);
}

/* ---- classes ---- */

static bool is_near(uint64_t a, uint64_t b)
{
    double larger = (double)(a > b ? a : b), distance = fabs((double)a - (double)b);
    return distance <= TOLERANCE * larger;
}

static bool is_same_kernel(const record *a, const record *b)
{
    return strcmp(a->entry, b->entry) == 0 && memcmp(a->group, b->group, sizeof(a->group)) == 0;
}

/* Launches are compared with the first one of a class. A kernel's first launch is like no other:
 * its instructions are in no cache. */
static bool is_of_class(const ww_sampler *s, const class *c, const record *launch)
{
    const record *first = &s->launches.items[c->launches.items[0]];
    bool alike = is_same_kernel(first, launch) && !first->is_first;
    for (unsigned i = 0; alike && i < FEATURES; i++)
        alike = is_near(first->features[i], launch->features[i]);
    return alike;
}

static void classify(ww_sampler *s, size_t index)
{
    record *launch = &s->launches.items[index];
    size_t i = s->classes.count;
    launch->is_first = true;
    for (size_t k = 0; k < index && launch->is_first; k++)
        launch->is_first = strcmp(s->launches.items[k].entry, launch->entry) != 0;
    while (i-- > 0)
        if (is_of_class(s, &s->classes.items[i], launch))
            break;
    if (i == SIZE_MAX) {
        i = s->classes.count;
        ww_vec_push(&s->classes, ((class){.samples = FIRST_SAMPLES}));
    }
    launch->class = i;
    ww_vec_push(&s->classes.items[i].launches, index);
}

static record *add_launch(ww_sampler *s, const ww_launch *launch)
{
    record r = {.entry = ww_strdup(launch->entry)};
    memcpy(r.group, launch->group, sizeof(r.group));
    ww_vec_push(&s->launches, r);
    return &s->launches.items[s->launches.count - 1];
}

void ww_sampler_add(ww_sampler *s, const ww_launch *launch, const ww_features *f)
{
    const ww_exec_counters *c = &f->counters;
    record *r = add_launch(s, launch);
    uint64_t features[FEATURES] = {c->groups,
                                   c->warp_instructions,
                                   c->thread_instructions,
                                   c->global_loads + c->global_stores + c->atomics,
                                   c->shared_accesses,
                                   c->divergent_branches,
                                   f->pages,
                                   f->fresh_pages};
    memcpy(r->features, features, sizeof(features));
    classify(s, s->launches.count - 1);
}

/* ---- choosing ---- */

static void choose(ww_sampler *s, class *c)
{
    size_t count = c->launches.count, samples = c->samples < count ? c->samples : count;
    for (size_t i = 0; i < count; i++)
        s->launches.items[c->launches.items[i]].chosen = false;
    for (size_t i = 0; i < samples; i++) {
        size_t first = i * count / samples, end = (i + 1) * count / samples;
        size_t at = first + (size_t)ww_rng_below(&s->rng, end - first);
        s->launches.items[c->launches.items[at]].chosen = true;
    }
}

void ww_sampler_choose(ww_sampler *s)
{
    for (size_t i = 0; i < s->classes.count; i++)
        choose(s, &s->classes.items[i]);
    for (size_t i = 0; i < s->launches.count; i++)
        s->launches.items[i].measured = false;
    s->chosen = true;
    s->next = 0;
    s->passes++;
}

bool ww_sampler_is_planning(const ww_sampler *s)
{
    return !s->chosen;
}

/* ---- a pass ---- */

/* The launch was not planned: it becomes a class, and is timed. */
static record *insert(ww_sampler *s, const ww_launch *launch)
{
    record *r = add_launch(s, launch);
    r->chosen = true;
    r->class = s->classes.count;
    ww_vec_push(&s->classes, ((class){.samples = FIRST_SAMPLES}));
    ww_vec_push(&s->classes.items[r->class].launches, s->launches.count - 1);
    return r;
}

static double weight_of(const ww_sampler *s, const record *r)
{
    const class *c = &s->classes.items[r->class];
    size_t chosen = 0;
    for (size_t i = 0; i < c->launches.count; i++)
        chosen += s->launches.items[c->launches.items[i]].chosen;
    return (double)c->launches.count / (double)chosen;
}

double ww_sampler_next(ww_sampler *s, const ww_launch *launch)
{
    record *r = s->next < s->launches.count ? &s->launches.items[s->next] : insert(s, launch);
    s->next++;
    return r->chosen ? weight_of(s, r) : 0;
}

void ww_sampler_note(ww_sampler *s, double cycles)
{
    record *r = &s->launches.items[s->next - 1];
    r->measured = true;
    r->cycles = cycles;
}

bool ww_sampler_last(const ww_sampler *s, uint64_t *cycles)
{
    const record *r = s->next ? &s->launches.items[s->next - 1] : NULL;
    if (!r || !r->measured)
        return false;
    *cycles = (uint64_t)(r->cycles + 0.5);
    return true;
}

/* ---- the estimate ---- */

static ww_moments moments_of(const ww_sampler *s, const class *c)
{
    ww_moments m = {0};
    for (size_t i = 0; i < c->launches.count; i++) {
        const record *r = &s->launches.items[c->launches.items[i]];
        if (r->measured)
            ww_moments_add(&m, r->cycles);
    }
    return m;
}

ww_sampler_result ww_sampler_read(const ww_sampler *s)
{
    ww_estimate e = {0};
    double not_timed = 0; /* cycles */
    ww_sampler_result result = {
        .classes = s->classes.count, .launches = s->launches.count, .passes = s->passes};
    for (size_t i = 0; i < s->classes.count; i++) {
        ww_moments m = moments_of(s, &s->classes.items[i]);
        size_t count = s->classes.items[i].launches.count;
        ww_estimate_add_stratum(&e, &m, (double)count);
        not_timed += m.mean * (double)(count - m.count);
        result.timed += m.count;
    }
    result.cycles = e.total;
    result.half_width = ww_estimate_half_width(&e, s->sample.confidence) + WARMING * not_timed;
    return result;
}

/* Samples in proportion to the deviations of classes (Neyman's allocation; Cochran, Sampling
 * Techniques, section 5.9), for an estimate of this variance; more than before where launches
 * differ. */
static void allocate(ww_sampler *s, double variance)
{
    double deviations = 0, squares = 0; /* summed over all launches */
    for (size_t i = 0; i < s->classes.count; i++) {
        ww_moments m = moments_of(s, &s->classes.items[i]);
        double count = (double)s->classes.items[i].launches.count, v = ww_moments_variance(&m);
        deviations += sqrt(v) * count;
        squares += v * count;
    }
    for (size_t i = 0; i < s->classes.count; i++) {
        class *c = &s->classes.items[i];
        ww_moments m = moments_of(s, c);
        double count = (double)c->launches.count, deviation = sqrt(ww_moments_variance(&m));
        double wanted = ceil(count * deviation * deviations / (variance + squares));
        if (deviation > 0)
            c->samples = (uint64_t)fmin(fmax(wanted, (double)c->samples + 1), count);
    }
}

bool ww_sampler_refine(ww_sampler *s)
{
    ww_sampler_result result = ww_sampler_read(s);
    double wanted = s->sample.error * result.cycles;
    if (result.half_width <= wanted || s->passes >= MOST_PASSES)
        return false;
    double t = ww_student_t(FREEDOM, s->sample.confidence);
    allocate(s, wanted / t * (wanted / t));
    ww_sampler_choose(s);
    return true;
}
