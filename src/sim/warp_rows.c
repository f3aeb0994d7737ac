#include "sim/warp_rows.h"

#include "base/memory.h"
#include "sim/waves.h"

#include <inttypes.h>

struct ww_warp_rows {
    ww_cu_observer observer;
    FILE *out;
    uint64_t launch;
    ww_waves *waves;
};

static void started(void *context, const ww_observed *o)
{
    ww_waves_started(((ww_warp_rows *)context)->waves, o);
}

static void ended(void *context, const ww_observed *o)
{
    ww_warp_rows *r = context;
    ww_wave_warp w = ww_waves_ended(r->waves, o);
    const uint64_t *reasons = ww_cu_ended_reasons(o->cu, o->slot);
    fprintf(r->out, "%" PRIu64 ",%" PRIu64 ",%" PRIu32 ",%u,%" PRIu32 ",%" PRIu64 ",%" PRIu64,
            r->launch, w.group, o->warp->index, o->compute_unit, w.wave, w.start,
            o->cycle - w.start);
    for (unsigned i = 0; i < WW_REASON_COUNT; i++)
        fprintf(r->out, ",%" PRIu64, reasons[i]);
    fputc('\n', r->out);
}

#define HEAD(id, name, text) "," name

ww_warp_rows *ww_warp_rows_create(FILE *out)
{
    ww_warp_rows *r = ww_calloc(1, sizeof(*r));
    r->out = out;
    r->waves = ww_waves_create();
    r->observer = (ww_cu_observer){.started = started, .ended = ended, .context = r};
    fputs("launch,group,warp,compute_unit,wave,start,cycles" WW_REASONS(HEAD) "\n", out);
    return r;
}

void ww_warp_rows_destroy(ww_warp_rows *r)
{
    if (!r)
        return;
    ww_waves_destroy(r->waves);
    free(r);
}

const ww_cu_observer *ww_warp_rows_observer(const ww_warp_rows *rows)
{
    return &rows->observer;
}

void ww_warp_rows_launched(ww_warp_rows *r, uint64_t number)
{
    r->launch = number;
    ww_waves_launched(r->waves);
}
