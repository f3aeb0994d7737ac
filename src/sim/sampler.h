/* The sampler: which launches of a program are timed, and what their times say about the others.
 *
 * features   of a launch, from a functional first pass: kernel and group, numbers of groups,
 *            instructions by kind, pages that it accesses, and pages that none accessed before it
 * class      launches of one kernel whose features are equal to within a few percent
 * chosen     launches that are timed. A class is divided into as many runs of consecutive launches
 *            as it has samples, and one launch of each run is chosen at random: so a slow change
 *            over time is sampled evenly.
 * weight     of a chosen launch: how many launches it stands for
 *
 * A program runs once for its features, then once, or a few times with more samples, with the
 * chosen launches timed. A launch that was not planned, since the program depends on a race, is a
 * class of its own. */
#ifndef WW_SIM_SAMPLER_H
#define WW_SIM_SAMPLER_H

#include "exec/exec.h"
#include "sim/sample.h"

/* Of a launch. */
typedef struct ww_features {
    ww_exec_counters counters;
    uint64_t pages, fresh_pages;
} ww_features;

typedef struct ww_sampler_result {
    double cycles, half_width;
    uint64_t classes, launches;
    uint64_t timed;  /* launches */
    uint64_t passes; /* with timed launches */
} ww_sampler_result;

typedef struct ww_sampler ww_sampler;

ww_sampler *ww_sampler_create(const ww_sample *sample, uint64_t seed);
void ww_sampler_destroy(ww_sampler *sampler);

/* The first pass: after each launch; then once, at its end. */
void ww_sampler_add(ww_sampler *sampler, const ww_launch *launch, const ww_features *features);
void ww_sampler_choose(ww_sampler *sampler);

/* Whether launches are only to be recorded: true until ww_sampler_choose. */
bool ww_sampler_is_planning(const ww_sampler *sampler);
/* A later pass: before each launch. The weight of a launch that is to be timed, else 0. */
double ww_sampler_next(ww_sampler *sampler, const ww_launch *launch);
/* The launch has been timed. */
void ww_sampler_note(ww_sampler *sampler, double cycles);

/* Whether the launch that ran last was timed, and its cycles. */
bool ww_sampler_last(const ww_sampler *sampler, uint64_t *cycles);

ww_sampler_result ww_sampler_read(const ww_sampler *sampler);
/* Whether the interval is too wide, and another pass with more samples can follow: they are chosen
 * then. */
bool ww_sampler_refine(ww_sampler *sampler);

#endif
