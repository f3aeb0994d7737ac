/* Records a first pass: an observer that measures how long each warp takes, and notes pages when
 * they are accessed first. */
#include "base/memory.h"
#include "base/number_map.h"
#include "core/observer.h"
#include "sim/first_pass.h"
#include "sim/gpu.h"

typedef struct running_warp {
    uint64_t start; /* cycle */
    uint64_t group;
    uint32_t warp;
    bool running;
} running_warp;

struct ww_recorder {
    ww_cu_observer of_cus;
    ww_gpu_observer of_gpu;
    ww_paging_observer of_pages;
    ww_warp_times *warps;
    uint64_t launch;            /* that runs */
    bool ended;                 /* a warp of it has ended */
    WW_VEC(running_warp) slots; /* of all compute units */
    WW_VEC(uint64_t) pages;
    ww_number_map seen; /* those pages */
};

static running_warp *slot_of(ww_recorder *r, const ww_observed *o)
{
    size_t index = (size_t)o->compute_unit * WW_MOST_SLOTS + o->slot;
    while (r->slots.count <= index)
        ww_vec_push(&r->slots, (running_warp){0});
    return &r->slots.items[index];
}

static void record(ww_recorder *r, running_warp *w, uint64_t cycle)
{
    ww_warp_times_set(r->warps, r->launch, w->group, w->warp, cycle - w->start);
    w->running = false;
}

static void started(void *context, const ww_observed *o)
{
    ww_recorder *r = context;
    if (!r->ended)
        ww_warp_times_set_first(r->warps, r->launch, o->warp->group->number + 1);
    *slot_of(context, o) = (running_warp){.start = o->cycle,
                                          .group = o->warp->group->number,
                                          .warp = o->warp->index,
                                          .running = true};
}

static void ended(void *context, const ww_observed *o)
{
    ((ww_recorder *)context)->ended = true;
    record(context, slot_of(context, o), o->cycle);
}

static void launched(void *context, uint64_t number, uint64_t cycle, const ww_cu_launch *launch)
{
    ww_recorder *r = context;
    const uint32_t *groups = launch->launch->groups;
    (void)cycle;
    r->launch = number;
    r->ended = false;
    ww_warp_times_add_launch(r->warps, (uint64_t)groups[0] * groups[1] * groups[2], launch->warps);
}

static void stopped(void *context, uint64_t cycle)
{
    ww_recorder *r = context;
    for (size_t i = 0; i < r->slots.count; i++)
        if (r->slots.items[i].running)
            record(r, &r->slots.items[i], cycle);
}

static void page_accessed(void *context, uint64_t cycle, uint64_t page)
{
    ww_recorder *r = context;
    (void)cycle;
    if (ww_number_map_get(&r->seen, page) != WW_NO_NUMBER)
        return;
    ww_number_map_set(&r->seen, page, r->pages.count);
    ww_vec_push(&r->pages, page);
}

ww_recorder *ww_recorder_create(unsigned records)
{
    ww_recorder *r = ww_calloc(1, sizeof(*r));
    r->warps = ww_warp_times_create();
    r->of_cus = (ww_cu_observer){.started = started, .ended = ended, .context = r};
    r->of_gpu = (ww_gpu_observer){
        .observers = &r->of_cus, .launched = launched, .stopped = stopped, .context = r};
    r->of_pages = (ww_paging_observer){.accessed = page_accessed, .context = r};
    if (records & WW_RECORD_PAGE_ORDER)
        r->of_gpu.pages = &r->of_pages;
    return r;
}

void ww_recorder_destroy(ww_recorder *r)
{
    if (!r)
        return;
    ww_warp_times_destroy(r->warps);
    ww_vec_free(&r->slots);
    ww_vec_free(&r->pages);
    ww_number_map_clear(&r->seen);
    free(r);
}

const ww_gpu_observer *ww_recorder_observer(const ww_recorder *r)
{
    return &r->of_gpu;
}

ww_first_pass *ww_recorder_take(ww_recorder *r, uint64_t cycles)
{
    ww_first_pass *pass = ww_calloc(1, sizeof(*pass));
    *pass = (ww_first_pass){
        .cycles = cycles, .warps = r->warps, .pages = r->pages.items, .page_count = r->pages.count};
    r->warps = NULL;
    r->pages.items = NULL;
    r->pages.count = 0;
    return pass;
}
