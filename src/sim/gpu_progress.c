/* Detects loops without progress. When no group has ended for a long time, warps are watched for a
 * while: if no memory changes, and all warps that can run return to an earlier state, the launch
 * will never end. Instructions take effect at issue, so requests in flight change nothing. The
 * watch depends on ticks and groups alone. */
#include "sim/gpu_internal.h"

/* Ticks without the end of a group before the first watch. Each later pause is twice as long, so
 * that a kernel with long groups is seldom watched. */
#define FIRST_PAUSE (1ull << 18)
#define PAUSES_OF_A_WATCH 4

static void begin_pause(ww_gpu *gpu, ww_tick pause)
{
    gpu->launch.executor->watching = false;
    gpu->progress.pause = pause;
    gpu->progress.until = ww_engine_now(gpu->machine->engine) + pause;
}

static void begin_watch(ww_gpu *gpu)
{
    ww_executor *x = gpu->launch.executor;
    for (unsigned i = 0; i < gpu->begun_count; i++)
        ww_cu_watch_loops(gpu->machine->cus[gpu->begun[i]]);
    x->watching = true;
    x->changed = false;
    gpu->progress.until =
        ww_engine_now(gpu->machine->engine) + gpu->progress.pause / PAUSES_OF_A_WATCH;
}

static bool only_loops(const ww_gpu *gpu, const ww_warp **shown)
{
    bool all = ww_dispatcher_all_closed(gpu->machine->dispatcher);
    for (unsigned i = 0; i < gpu->begun_count && all; i++)
        all = ww_cu_only_loops(gpu->machine->cus[gpu->begun[i]], shown);
    return all && *shown;
}

void ww_gpu_progress_start(ww_gpu *gpu)
{
    gpu->progress.done = ww_dispatcher_done(gpu->machine->dispatcher);
    begin_pause(gpu, FIRST_PAUSE);
}

int ww_gpu_progress_check(ww_gpu *gpu)
{
    ww_gpu_progress *p = &gpu->progress;
    ww_executor *x = gpu->launch.executor;
    uint64_t done = ww_dispatcher_done(gpu->machine->dispatcher);
    bool over = ww_engine_now(gpu->machine->engine) >= p->until;
    const ww_warp *shown = NULL;
    if (done != p->done)
        ww_gpu_progress_start(gpu);
    else if (!x->watching && over)
        begin_watch(gpu);
    else if (x->watching && !x->changed && only_loops(gpu, &shown))
        return ww_report_no_progress(x, shown);
    else if (x->watching && (x->changed || over))
        begin_pause(gpu, 2 * p->pause);
    return WW_OK;
}
