#include "sim/group_rows.h"

#include "base/memory.h"
#include "core/disparity.h"
#include "sim/waves.h"

/* Of one launch. */
typedef struct wave {
    ww_disparity_sums groups;
    uint64_t end; /* the cycle after the last */
} wave;

typedef struct warp_row {
    uint32_t warp, compute_unit, wave, profiled;
    uint64_t start, cycles;
    uint64_t reasons[WW_REASON_COUNT];
} warp_row;

struct ww_group_rows {
    ww_cu_observer observer;
    ww_waves *waves;
    bool has_first_pass; /* the typical group was looked for */
    ww_typical_group typical;
    char *kernel; /* of the typical group */
    WW_VEC(warp_row) warps;
    uint64_t launch, begun; /* of the one that runs; its cycle */
    const ww_cu_launch *of;
    char *entry;
    WW_VEC(wave) of_launch;
    json_t *all_waves;
};

/* ---- columns of figures ---- */

static const ww_row_part wave_parts[] = {
    {"groups", NULL, "groups", "that ended"},
    {"cycles", NULL, "cycles", "from the launch to the end of the wave's last group"},
    {"inverted", "compared", "", "groups whose slowest warp was faster than the mean before"},
    {"changed", "compared", "", "groups with another slowest warp than before"},
    {"slowest", "critical_before", "", "time of groups' slowest warps over that before"},
    {"critical", "critical_before", "", "likewise of the warps that were slowest before"},
};

#define PART(id, name, text) {name, NULL, "cycles", text},
static const ww_row_part warp_parts[] = {WW_REASONS(PART)};

const ww_row_list ww_wave_list = {
    .name = "waves",
    .plot = "waves",
    .what = "wave",
    .drawn = "table",
    .names = {{"", "kernel"}, {", launch ", "launch"}, {", wave ", "wave"}},
    .parts = wave_parts,
    .part_count = sizeof(wave_parts) / sizeof(wave_parts[0]),
};

const ww_row_list ww_warp_list = {
    .name = "warps",
    .plot = "warps",
    .what = "warp",
    .drawn = "stacked",
    .names = {{"warp ", "warp"}, {" of ", "launch"}, {".", "group"}},
    .parts = warp_parts,
    .part_count = sizeof(warp_parts) / sizeof(warp_parts[0]),
};

/* ---- waves ---- */

static json_t *wave_json(const ww_group_rows *r, size_t index)
{
    const wave *w = &r->of_launch.items[index];
    const ww_disparity_sums *s = &w->groups;
    bool all = s->compared == s->groups;
    return json_pack(
        "{s:I, s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:I, s:I}", "launch", (json_int_t)r->launch,
        "kernel", ww_json_text(r->entry), "wave", (json_int_t)index + 1, "groups",
        (json_int_t)s->groups, "cycles", (json_int_t)(w->end - r->begun), "compared",
        (json_int_t)s->compared, "inverted", (json_int_t)s->inverted, "changed",
        (json_int_t)s->changed, "slowest", all ? json_integer((json_int_t)s->slowest) : json_null(),
        "critical", (json_int_t)s->critical, "critical_before", (json_int_t)s->critical_profiled);
}

static void end_launch(ww_group_rows *r)
{
    for (size_t i = 0; i < r->of_launch.count; i++)
        if (r->of_launch.items[i].groups.groups)
            json_array_append_new(r->all_waves, wave_json(r, i));
    r->of_launch.count = 0;
}

static wave *wave_of(ww_group_rows *r, uint32_t number)
{
    while (r->of_launch.count < number)
        ww_vec_push(&r->of_launch, (wave){.end = 0});
    return &r->of_launch.items[number - 1];
}

/* ---- observers ---- */

static void started(void *context, const ww_observed *o)
{
    ww_waves_started(((ww_group_rows *)context)->waves, o);
}

static void add_warp(ww_group_rows *r, const ww_observed *o, const ww_wave_warp *w)
{
    warp_row row = {
        .warp = o->warp->index,
        .compute_unit = o->compute_unit,
        .wave = w->wave,
        .profiled = ww_warp_times_get(r->of->profiled, r->launch, w->group, o->warp->index),
        .start = w->start,
        .cycles = o->cycle - w->start,
    };
    const uint64_t *reasons = ww_cu_ended_reasons(o->cu, o->slot);
    for (unsigned i = 0; i < WW_REASON_COUNT; i++)
        row.reasons[i] = reasons[i];
    ww_vec_push(&r->warps, row);
}

static void ended(void *context, const ww_observed *o)
{
    ww_group_rows *r = context;
    ww_wave_warp w = ww_waves_ended(r->waves, o);
    const ww_group_times *group = ww_cu_ended_group(o->cu, o->slot);
    if (r->launch == r->typical.launch && w.group == r->typical.group)
        add_warp(r, o, &w);
    if (!group)
        return;
    wave *of = wave_of(r, w.wave);
    ww_disparity_add_group(&of->groups, group);
    of->end = o->cycle;
}

void ww_group_rows_launched(ww_group_rows *r, uint64_t number, uint64_t cycle,
                            const ww_cu_launch *launch)
{
    end_launch(r);
    ww_waves_launched(r->waves);
    r->launch = number;
    r->begun = cycle;
    r->of = launch;
    free(r->entry);
    r->entry = ww_strdup(launch->launch->entry);
    if (!r->has_first_pass && launch->profiled) {
        r->has_first_pass = true;
        r->typical = ww_warp_times_typical(launch->profiled);
    }
    if (number == r->typical.launch && !r->kernel)
        r->kernel = ww_strdup(r->entry);
}

/* ---- life ---- */

ww_group_rows *ww_group_rows_create(void)
{
    ww_group_rows *r = ww_calloc(1, sizeof(*r));
    r->waves = ww_waves_create();
    r->all_waves = json_array();
    r->observer = (ww_cu_observer){.started = started, .ended = ended, .context = r};
    return r;
}

void ww_group_rows_destroy(ww_group_rows *r)
{
    if (!r)
        return;
    ww_waves_destroy(r->waves);
    ww_vec_free(&r->warps);
    ww_vec_free(&r->of_launch);
    json_decref(r->all_waves);
    free(r->kernel);
    free(r->entry);
    free(r);
}

const ww_cu_observer *ww_group_rows_observer(const ww_group_rows *rows)
{
    return &rows->observer;
}

/* ---- the result ---- */

static int compare(const void *left, const void *right)
{
    const warp_row *a = left, *b = right;
    if (a->profiled != b->profiled)
        return a->profiled < b->profiled ? -1 : 1;
    return a->warp < b->warp ? -1 : 1;
}

static json_t *warp_json(const ww_group_rows *r, const warp_row *row)
{
    json_t *o = json_pack("{s:I, s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "launch",
                          (json_int_t)r->typical.launch, "kernel", ww_json_text(r->kernel), "group",
                          (json_int_t)r->typical.group, "warp", (json_int_t)row->warp,
                          "compute_unit", (json_int_t)row->compute_unit, "wave",
                          (json_int_t)row->wave, "start", (json_int_t)row->start, "cycles",
                          (json_int_t)row->cycles, "cycles_before", (json_int_t)row->profiled);
    for (unsigned i = 0; i < WW_REASON_COUNT; i++)
        json_object_set_new(o, warp_parts[i].name, json_integer((json_int_t)row->reasons[i]));
    return o;
}

json_t *ww_group_rows_json(ww_group_rows *r)
{
    if (!r->has_first_pass)
        return NULL;
    json_t *warps = json_array();
    end_launch(r);
    if (r->warps.count)
        qsort(r->warps.items, r->warps.count, sizeof(*r->warps.items), compare);
    for (size_t i = 0; i < r->warps.count; i++)
        json_array_append_new(warps, warp_json(r, &r->warps.items[i]));
    return json_pack("{s:o, s:O}", ww_warp_list.name, warps, ww_wave_list.name, r->all_waves);
}
