#include "sim/sampled_launch.h"

#include "exec/run.h"

#define PAGE_BITS 12 /* of features: small pages, on every machine */

static uint64_t groups_of(const ww_launch *launch)
{
    return (uint64_t)launch->groups[0] * launch->groups[1] * launch->groups[2];
}

/* ---- the first pass ---- */

static void note_page(ww_sampling *s, uint64_t page)
{
    uint64_t before = ww_number_map_get(&s->pages, page);
    if (before == s->launches)
        return;
    s->recorded_pages++;
    s->fresh_pages += before == WW_NO_NUMBER;
    ww_number_map_set(&s->pages, page, s->launches);
}

static void note_access(void *context, const ww_warp *warp, uint32_t pc)
{
    ww_sampling *s = context;
    const ww_access *a = &s->executor->access;
    uint64_t last = WW_NO_NUMBER;
    (void)warp;
    (void)pc;
    if (a->space != WW_SPACE_GLOBAL && a->space != WW_SPACE_GENERIC)
        return;
    for (uint64_t rest = a->lanes; rest; rest &= rest - 1) {
        uint64_t page = a->address[__builtin_ctzll(rest)] >> PAGE_BITS;
        if (page != last)
            note_page(s, page);
        last = page;
    }
}

static int record(ww_sampling *s, const ww_gpu_launch *what)
{
    ww_executor *x = what->executor;
    ww_run run = {.x = x,
                  .options = s->options,
                  .launch = what->launch,
                  .group_count = groups_of(what->launch)};
    ww_exec_counters before = *x->counters;
    ww_features features = {.counters = *x->counters};
    s->executor = x;
    s->recorded_pages = s->fresh_pages = 0;
    x->accessed = note_access;
    x->accessed_context = s;
    int status = ww_run_groups(&run);
    x->accessed = NULL;
#define DIFFERENCE(field, name, unit, doc) \
    features.counters.field = x->counters->field - before.field;
    WW_EXEC_COUNTERS(DIFFERENCE)
#undef DIFFERENCE
    features.pages = s->recorded_pages;
    features.fresh_pages = s->fresh_pages;
    ww_sampler_add(s->sampler, what->launch, &features);
    return status;
}

/* ---- the later passes ---- */

int ww_sampled_launch_run(ww_sampling *s, const ww_gpu_launch *what, ww_errors *errors)
{
    s->launches++;
    if (ww_sampler_is_planning(s->sampler))
        return record(s, what);
    double weight = ww_sampler_next(s->sampler, what->launch);
    if (weight <= 0)
        return ww_gpu_warm(s->gpu, what, s->options, errors);
    uint64_t before = ww_gpu_cycles(s->gpu);
    ww_gpu_collect_stats(s->gpu);
    ww_stats_mark(s->stats);
    int status = ww_gpu_run(s->gpu, what, errors);
    if (status != WW_OK)
        return status;
    ww_gpu_collect_stats(s->gpu);
    ww_stats_weigh(s->stats, weight);
    ww_sampler_note(s->sampler, (double)(ww_gpu_cycles(s->gpu) - before));
    return WW_OK;
}
