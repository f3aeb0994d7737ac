#include "sim/run_observer.h"

#include "base/memory.h"

#include <errno.h>
#include <string.h>

typedef struct output {
    FILE *file;
    const char *path; /* NULL: a standard stream, or none */
} output;

struct ww_run_observer {
    ww_gpu_observer of_gpu;
    ww_cu_observer first; /* a copy of the timeline's, followed by the trace's */
    ww_trace *trace;
    ww_timeline *timeline;
    output trace_output, timeline_output;
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
    const ww_run_observer *w = context;
    if (w->trace)
        ww_trace_launched(w->trace, number);
    if (w->timeline)
        ww_timeline_launched(w->timeline, number, cycle, launch);
}

static uint64_t sample(void *context, const ww_gpu_sample *s)
{
    const ww_run_observer *w = context;
    return ww_timeline_sample(w->timeline, s);
}

static void connect(ww_run_observer *w)
{
    w->of_gpu = (ww_gpu_observer){.launched = launched, .context = w};
    if (w->trace)
        w->of_gpu.observers = ww_trace_observer(w->trace);
    if (!w->timeline)
        return;
    w->first = *ww_timeline_observer(w->timeline);
    w->first.next = w->of_gpu.observers;
    w->of_gpu.observers = &w->first;
    w->of_gpu.sample = sample;
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
    if (status != WW_OK) {
        ww_run_observer_destroy(w);
        return NULL;
    }
    if (o->trace)
        w->trace = ww_trace_create(o->trace, w->trace_output.file);
    if (o->timeline)
        w->timeline = ww_timeline_create(config, w->timeline_output.file);
    connect(w);
    return w;
}

const ww_gpu_observer *ww_run_observer_of_gpu(const ww_run_observer *observer)
{
    return observer->trace || observer->timeline ? &observer->of_gpu : NULL;
}

int ww_run_observer_finish(ww_run_observer *w, bool complete, ww_errors *errors)
{
    int status = WW_OK;
    if (w->trace && complete)
        status = ww_trace_check(w->trace, errors);
    if (w->timeline)
        ww_timeline_finish(w->timeline);
    int closed = close_output(&w->trace_output, errors);
    closed |= close_output(&w->timeline_output, errors);
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
    ww_trace_destroy(w->trace);
    ww_timeline_destroy(w->timeline);
    free(w);
}
