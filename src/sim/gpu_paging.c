/* Launches on a machine with paged memory. The driver and the link have work that no launch waits
 * for; so their time stands still between launches, and a launch ends as others do: when nothing is
 * due. */
#include "sim/gpu_internal.h"

#define SLICE 20000 /* ticks, while buffers are copied */
#define LAST 64     /* ticks, when all groups have ended: so much the driver may gain */
/* Of all pages of memory, without an instruction. The oldest instruction keeps its pages
 * (paging/migration.h), and has at most as many as memory: 1000 sets for each of them. */
#define MOST_EXCHANGES 1000

static void run_copies(ww_gpu *gpu)
{
    const ww_machine *m = gpu->machine;
    ww_tick end = gpu->start;
    for (bool more = true;
         more && gpu->status == WW_OK && ww_paging_is_copying(m->paging.paging);) {
        end += SLICE;
        more = ww_gpu_run_until(gpu, end);
    }
}

ww_tick ww_gpu_paging_begin(ww_gpu *gpu)
{
    const ww_machine *m = gpu->machine;
    if (!m->paging.paging)
        return gpu->start;
    ww_paging_begin_launch(m->paging.paging, gpu->start);
    gpu->paging_runs = true;
    run_copies(gpu);
    ww_tick now = ww_clock_next(m->clock, ww_engine_now(m->engine));
    return now > gpu->start ? now : gpu->start;
}

static bool has_ended(const ww_gpu *gpu, uint64_t groups)
{
    const ww_machine *m = gpu->machine;
    bool ended = ww_dispatcher_done(m->dispatcher) >= groups;
    for (unsigned i = 0; ended && i < gpu->begun_count; i++)
        ended = ww_cu_is_quiet(m->cus[gpu->begun[i]]);
    return ended;
}

uint64_t ww_gpu_paging_slice(const ww_gpu *gpu, uint64_t groups, uint64_t most)
{
    bool last = gpu->paging_runs && ww_dispatcher_done(gpu->machine->dispatcher) >= groups;
    return last ? LAST : most;
}

void ww_gpu_paging_end(ww_gpu *gpu, uint64_t groups)
{
    if (!gpu->paging_runs || !has_ended(gpu, groups))
        return;
    ww_paging_end_launch(gpu->machine->paging.paging);
    gpu->paging_runs = false;
}

int ww_gpu_paging_check(ww_gpu *gpu)
{
    ww_gpu_progress *p = &gpu->progress;
    const ww_paging *paging = gpu->machine->paging.paging;
    if (!paging)
        return WW_OK;
    uint64_t issued = ww_gpu_instructions(gpu), pages_in = ww_paging_count(paging)->pages_in;
    if (issued != p->issued || pages_in < p->pages_in) {
        p->issued = issued;
        p->pages_in = pages_in;
    }
    uint64_t came = pages_in - p->pages_in;
    return came > MOST_EXCHANGES * ww_paging_capacity(paging) ? ww_gpu_no_page_stays(gpu, came)
                                                              : WW_OK;
}

bool ww_gpu_paging_is_stuck(const ww_gpu *gpu)
{
    const ww_paging *paging = gpu->machine->paging.paging;
    return paging && ww_paging_is_stuck(paging);
}

void ww_gpu_copy_back(ww_gpu *gpu)
{
    const ww_machine *m = gpu->machine;
    if (!m->paging.paging || !ww_paging_copies_back(m->paging.paging) || gpu->status != WW_OK)
        return;
    gpu->start = ww_clock_next(m->clock, ww_engine_now(m->engine));
    ww_paging_resume(m->paging.paging, gpu->start);
    ww_paging_copy_back(m->paging.paging);
    run_copies(gpu);
    ww_gpu_sample_last(gpu);
    ww_paging_end_launch(m->paging.paging);
    gpu->machine->of_all.cycles +=
        ww_clock_cycle(m->clock, ww_engine_now(m->engine)) - ww_clock_cycle(m->clock, gpu->start);
}
