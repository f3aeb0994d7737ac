#include "sim/run_observer.h"

#include "base/html_page.h"
#include "base/memory.h"
#include "sim/energy_series.h"
#include "sim/group_rows.h"
#include "sim/paging_series.h"

#include <errno.h>
#include <string.h>

typedef struct output {
    FILE *file;
    const char *path; /* NULL: a standard stream, or none */
} output;

struct ww_run_observer {
    ww_gpu_observer of_gpu;
    ww_cu_observer of_cus[3]; /* copies of others', followed by the trace's */
    unsigned of_cus_count;
    ww_trace *trace;
    ww_timeline *timeline;
    ww_warp_rows *warps;
    ww_group_rows *groups; /* NULL: no first pass records warps */
    ww_page_map *pages;
    ww_paging_series *series; /* NULL: memory is not paged */
    ww_energy_series *energy;
    ww_paging_observer of_pages;
    const char *name; /* of the run */
    ww_paging_mode mode;
    output trace_output, timeline_output, warps_output, pages_output;
    ww_page_map_format pages_format;
    uint64_t timeline_at, series_at, energy_at; /* cycles of the next samples */
};

/* "-" is standard output, which stays open. */
static int open_output(output *o, const char *path, ww_errors *errors)
{
    bool standard = strcmp(path, "-") == 0;
    o->file = standard ? stdout : fopen(path, "we");
    o->path = standard ? NULL : path;
    if (o->file)
        return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE, "cannot write '%s': %s", path,
                   strerror(errno));
}

static int close_output(output *o, ww_errors *errors)
{
    if (!o->file || !o->path)
        return WW_OK;
    bool failed = ferror(o->file);
    failed |= fclose(o->file) != 0;
    o->file = NULL;
    if (!failed)
        return WW_OK;
    return ww_fail(errors, WW_FAILED, WW_NOWHERE, "cannot write all of '%s'", o->path);
}

static void launched(void *context, uint64_t number, uint64_t cycle, const ww_cu_launch *launch)
{
    ww_run_observer *w = context;
    if (w->pages)
        ww_page_map_launched(w->pages, launch->executor->memory);
    if (w->trace)
        ww_trace_launched(w->trace, number);
    if (w->warps)
        ww_warp_rows_launched(w->warps, number);
    if (w->groups)
        ww_group_rows_launched(w->groups, number, cycle, launch);
    if (w->timeline)
        ww_timeline_launched(w->timeline, number, cycle, launch);
}

static uint64_t sample(void *context, const ww_gpu_sample *s)
{
    ww_run_observer *w = context;
    if (w->timeline && s->cycle >= w->timeline_at)
        w->timeline_at = s->cycle + ww_timeline_sample(w->timeline, s);
    if (w->series && (s->last || s->cycle >= w->series_at))
        w->series_at = s->cycle + ww_paging_series_add(w->series, s);
    if (s->last || s->cycle >= w->energy_at)
        w->energy_at = s->cycle + ww_energy_series_add(w->energy, s);
    uint64_t next = w->timeline_at < w->series_at ? w->timeline_at : w->series_at;
    next = w->energy_at < next ? w->energy_at : next;
    return next > s->cycle ? next - s->cycle : 1;
}

/* ---- pages ---- */

/* Those of the map and of the timeline; NULL: there is none. */
typedef struct observers {
    const ww_paging_observer *each[2];
} observers;

static observers observers_of(const ww_run_observer *w)
{
    return (observers){{w->pages ? ww_page_map_observer(w->pages) : NULL,
                        w->timeline ? ww_timeline_pages(w->timeline) : NULL}};
}

#define TELL(w, function, ...)                                 \
    for (unsigned i = 0; i < 2; i++) {                         \
        const ww_paging_observer *o = observers_of(w).each[i]; \
        if (o && o->function)                                  \
            o->function(o->context, __VA_ARGS__);              \
    }

static void accessed(void *context, uint64_t cycle, uint64_t page)
{
    TELL(context, accessed, cycle, page)
}

static void faulted(void *context, uint64_t cycle, unsigned cu, uint64_t page, bool writes)
{
    TELL(context, faulted, cycle, cu, page, writes)
}

static void replayed(void *context, uint64_t cycle, unsigned cu, uint64_t page)
{
    TELL(context, replayed, cycle, cu, page)
}

static void migrated(void *context, uint64_t from, uint64_t to, uint64_t page, bool demanded)
{
    TELL(context, migrated, from, to, page, demanded)
}

static void evicted(void *context, uint64_t cycle, uint64_t page, bool sent_back)
{
    TELL(context, evicted, cycle, page, sent_back)
}

static void mapped(void *context, uint64_t cycle, uint64_t page)
{
    TELL(context, mapped, cycle, page)
}

static void connect_pages(ww_run_observer *w)
{
    observers all = observers_of(w);
    w->of_pages = (ww_paging_observer){.accessed = w->pages ? accessed : NULL,
                                       .faulted = faulted,
                                       .replayed = replayed,
                                       .migrated = migrated,
                                       .evicted = evicted,
                                       .mapped = mapped,
                                       .context = w};
    if (all.each[0] || all.each[1])
        w->of_gpu.pages = &w->of_pages;
}

/* "atax (small) on fermi-paged" and the rest of what the page, or the JSON, says. */
static json_t *pages_json(const ww_run_observer *w)
{
    static const char *const modes[] = {[WW_PAGING_RESIDENT] = "resident",
                                        [WW_PAGING_COPY] = "copy",
                                        [WW_PAGING_DEMAND] = "demand"};
    json_t *object = json_object();
    json_object_set_new(object, "name", ww_json_text(w->name));
    json_object_set_new(object, "mode", json_string(modes[w->mode]));
    json_t *map = ww_page_map_json(w->pages);
    json_object_update(object, map);
    json_decref(map);
    if (w->series)
        json_object_set_new(object, "series",
                            ww_paging_series_json(w->series, ww_page_map_bins(w->pages),
                                                  ww_page_map_end(w->pages)));
    return object;
}

static int write_pages(ww_run_observer *w, ww_errors *errors)
{
    int status = WW_OK;
    if (w->series)
        ww_page_map_extend(w->pages, ww_paging_series_end(w->series));
    json_t *data = pages_json(w);
    if (w->pages_format == WW_PAGE_MAP_HTML)
        status = ww_html_page_write(&(ww_html_page){.template_path = "data/report/pages.html",
                                                    .title = w->name,
                                                    .data = data},
                                    w->pages_output.file, errors);
    else if (w->pages_format == WW_PAGE_MAP_JSON)
        ww_json_write_script(data, w->pages_output.file);
    else
        ww_page_map_write_csv(w->pages, w->pages_output.file);
    json_decref(data);
    return status;
}

/* ---- all ---- */

static void connect_first(ww_run_observer *w, const ww_cu_observer *observer)
{
    ww_cu_observer *copy = &w->of_cus[w->of_cus_count++];
    *copy = *observer;
    copy->next = w->of_gpu.observers;
    w->of_gpu.observers = copy;
}

static void connect(ww_run_observer *w)
{
    w->of_gpu = (ww_gpu_observer){.launched = launched, .context = w};
    w->timeline_at = w->timeline ? 0 : UINT64_MAX;
    w->series_at = w->series ? 0 : UINT64_MAX;
    w->of_gpu.sample = sample;
    connect_pages(w);
    if (w->trace)
        w->of_gpu.observers = ww_trace_observer(w->trace);
    if (w->warps)
        connect_first(w, ww_warp_rows_observer(w->warps));
    if (w->groups)
        connect_first(w, ww_group_rows_observer(w->groups));
    if (w->timeline)
        connect_first(w, ww_timeline_observer(w->timeline));
}

ww_run_observer *ww_run_observer_create(const ww_run_observer_options *o, const ww_config *config,
                                        ww_errors *errors)
{
    ww_run_observer *w = ww_calloc(1, sizeof(*w));
    int status = o->trace ? ww_trace_selector_check(o->trace, config, errors) : WW_OK;
    w->trace_output.file = stderr;
    if (o->trace && o->trace_file)
        status |= open_output(&w->trace_output, o->trace_file, errors);
    if (o->timeline)
        status |= open_output(&w->timeline_output, o->timeline, errors);
    if (o->warp_times)
        status |= open_output(&w->warps_output, o->warp_times, errors);
    if (o->pages)
        status |= open_output(&w->pages_output, o->pages, errors);
    if (status != WW_OK) {
        ww_run_observer_destroy(w);
        return NULL;
    }
    if (o->trace)
        w->trace = ww_trace_create(o->trace, w->trace_output.file);
    if (o->timeline)
        w->timeline = ww_timeline_create(config, w->timeline_output.file);
    if (o->warp_times)
        w->warps = ww_warp_rows_create(w->warps_output.file);
    if (ww_first_pass_records(config) & WW_RECORD_WARP_TIMES)
        w->groups = ww_group_rows_create();
    if (o->pages) {
        w->pages = ww_page_map_create(config);
        w->pages_format = ww_page_map_format_of(o->pages);
    }
    if (ww_paging_mode_of(config) != WW_PAGING_RESIDENT)
        w->series = ww_paging_series_create();
    w->energy = ww_energy_series_create();
    w->name = o->name;
    w->mode = ww_paging_mode_of(config);
    connect(w);
    return w;
}

const ww_gpu_observer *ww_run_observer_of_gpu(const ww_run_observer *observer)
{
    return &observer->of_gpu;
}

json_t *ww_run_observer_series(const ww_run_observer *w)
{
    uint64_t end = ww_energy_series_end(w->energy);
    if (!end)
        return NULL;
    json_t *series = json_pack("{s:I}", "cycles", (json_int_t)end);
    json_object_update_new(series, ww_energy_series_json(w->energy, WW_SERIES_BINS, end));
    if (w->series)
        json_object_update_new(series, ww_paging_series_json(w->series, WW_SERIES_BINS, end));
    return series;
}

json_t *ww_run_observer_groups(ww_run_observer *w)
{
    return w->groups ? ww_group_rows_json(w->groups) : NULL;
}

int ww_run_observer_finish(ww_run_observer *w, bool complete, ww_errors *errors)
{
    int status = WW_OK;
    if (w->trace && complete)
        status = ww_trace_check(w->trace, errors);
    if (w->timeline)
        ww_timeline_finish(w->timeline);
    if (w->pages)
        status |= write_pages(w, errors);
    int closed = close_output(&w->trace_output, errors);
    closed |= close_output(&w->timeline_output, errors);
    closed |= close_output(&w->warps_output, errors);
    closed |= close_output(&w->pages_output, errors);
    return status ? status : closed;
}

void ww_run_observer_destroy(ww_run_observer *w)
{
    if (!w)
        return;
    if (w->trace_output.path && w->trace_output.file)
        fclose(w->trace_output.file);
    if (w->timeline_output.path && w->timeline_output.file)
        fclose(w->timeline_output.file);
    if (w->warps_output.path && w->warps_output.file)
        fclose(w->warps_output.file);
    if (w->pages_output.path && w->pages_output.file)
        fclose(w->pages_output.file);
    ww_trace_destroy(w->trace);
    ww_timeline_destroy(w->timeline);
    ww_warp_rows_destroy(w->warps);
    ww_group_rows_destroy(w->groups);
    ww_page_map_destroy(w->pages);
    ww_paging_series_destroy(w->series);
    ww_energy_series_destroy(w->energy);
    free(w);
}
