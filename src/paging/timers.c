#include "paging/timers.h"

#include "base/memory.h"
#include "mem/mem.h"

struct ww_timers {
    ww_task task;
    ww_engine *engine;
    WW_VEC(ww_timer *) heap; /* the earliest first */
    uint64_t orders;
    ww_tick stopped_at; /* in this time: where it stands, or stood until it was resumed */
    ww_tick resumed_at; /* the engine's tick that is `stopped_at`; while time passes */
    bool paused;
};

/* ---- the heap ---- */

static bool is_before(const ww_timer *a, const ww_timer *b)
{
    return a->due != b->due ? a->due < b->due : a->order < b->order;
}

static void put(ww_timers *t, size_t at, ww_timer *timer)
{
    t->heap.items[at] = timer;
    timer->index = (uint32_t)at + 1;
}

static void move_up(ww_timers *t, size_t at)
{
    ww_timer *timer = t->heap.items[at];
    for (; at && is_before(timer, t->heap.items[(at - 1) / 2]); at = (at - 1) / 2)
        put(t, at, t->heap.items[(at - 1) / 2]);
    put(t, at, timer);
}

static void move_down(ww_timers *t, size_t at)
{
    ww_timer *timer = t->heap.items[at];
    for (size_t child; (child = 2 * at + 1) < t->heap.count; at = child) {
        child +=
            child + 1 < t->heap.count && is_before(t->heap.items[child + 1], t->heap.items[child]);
        if (!is_before(t->heap.items[child], timer))
            break;
        put(t, at, t->heap.items[child]);
    }
    put(t, at, timer);
}

static void remove_at(ww_timers *t, size_t at)
{
    t->heap.items[at]->index = 0;
    ww_timer *last = t->heap.items[--t->heap.count];
    if (at == t->heap.count)
        return;
    put(t, at, last);
    move_down(t, at);
    move_up(t, last->index - 1);
}

/* ---- time ---- */

ww_tick ww_timers_now(const ww_timers *t)
{
    ww_tick now = ww_engine_now(t->engine);
    if (t->paused || now < t->resumed_at)
        return t->stopped_at;
    return t->stopped_at + (now - t->resumed_at);
}

static void wake(ww_timers *t)
{
    if (!t->paused && t->heap.count)
        ww_wake(t->engine, &t->task, t->resumed_at + (t->heap.items[0]->due - t->stopped_at));
}

static void tick(void *owner)
{
    ww_timers *t = owner;
    while (!t->paused && t->heap.count && t->heap.items[0]->due <= ww_timers_now(t)) {
        ww_timer *timer = t->heap.items[0];
        remove_at(t, 0);
        timer->run(timer->owner);
    }
    wake(t);
}

void ww_timer_set(ww_timers *t, ww_timer *timer, ww_tick due)
{
    ww_timer_clear(t, timer);
    ww_tick earliest = ww_timers_now(t) + 1;
    timer->due = due > earliest ? due : earliest;
    timer->order = t->orders++;
    ww_vec_push(&t->heap, timer);
    put(t, t->heap.count - 1, timer);
    move_up(t, t->heap.count - 1);
    wake(t);
}

void ww_timer_clear(ww_timers *t, ww_timer *timer)
{
    if (timer->index)
        remove_at(t, timer->index - 1);
}

void ww_timers_pause(ww_timers *t)
{
    t->stopped_at = ww_timers_now(t);
    t->paused = true;
    ww_sleep(t->engine, &t->task);
}

void ww_timers_resume(ww_timers *t, ww_tick at)
{
    t->resumed_at = at;
    t->paused = false;
    wake(t);
}

ww_timers *ww_timers_create(ww_engine *engine)
{
    ww_timers *t = ww_calloc(1, sizeof(*t));
    t->engine = engine;
    t->paused = true;
    ww_task_init(engine, &t->task, WW_PHASE_DISPATCH, tick, t);
    return t;
}

void ww_timers_destroy(ww_timers *t)
{
    if (!t)
        return;
    ww_vec_free(&t->heap);
    free(t);
}
