/* Time: what happens when, in a fixed order.
 *
 * tick     the unit of time: one cycle of the base clock, the fastest clock of the machine (clock.h)
 * task     something that can run at a tick: a component embeds one for each thing it does on its own
 * phase    when in a tick a task runs; a small number that the task has for its life
 * wake     to make a task run at a tick; a task is due at one tick at most, the earliest asked for
 *
 * Order within a tick: phases from 0 up; within a phase, an order of its tasks that changes from tick to tick, so that
 * none is always first where several want the same thing. A task that runs may wake others for the same tick if
 * their phase is later than its own; for a phase that is running or over, `now` means the next tick. The order
 * depends on nothing but the tick and the order of the tasks' creation: not on who woke whom how often, so that work that
 * is saved changes no result.
 *
 * Nobody polls: a component that can do nothing lets its task sleep, and whoever changes that (a port,
 * a completion) wakes it. Ticks at which nothing is due are skipped. When nothing is due at all, the
 * run is over, or stuck: ww_engine_explain lets every component say what it waits for. */
#ifndef WW_ENGINE_ENGINE_H
#define WW_ENGINE_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef uint64_t ww_tick;

#define WW_NEVER UINT64_MAX
#define WW_PHASES 9

typedef struct ww_engine ww_engine;

typedef struct ww_task {
    ww_tick due; /* WW_NEVER: asleep */
    void (*run)(void *owner);
    void *owner;
    uint64_t bit;        /* in the wheel's words */
    uint32_t word;       /* that has it */
    uint32_t heap_place; /* among the tasks that are due far ahead */
    uint8_t phase;
    bool far;
} ww_task;

ww_engine *ww_engine_create(void);
void ww_engine_destroy(ww_engine *engine);

/* What everybody asks for; the rest is the engine's own. */
typedef struct ww_time {
    ww_tick now;
    int phase; /* that runs; -1: none */
    ww_tick limit;
} ww_time;

/* The tick that is running; between runs, the first that has not. */
static inline ww_tick ww_engine_now(const ww_engine *engine)
{
    return ((const ww_time *)engine)->now;
}

/* No tick at or after this one runs before ww_engine_run returns. */
static inline ww_tick ww_engine_limit(const ww_engine *engine)
{
    return ((const ww_time *)engine)->limit;
}

/* The task stays where it is for the engine's life. */
void ww_task_init(ww_engine *engine, ww_task *task, unsigned phase, void (*run)(void *owner),
                  void *owner);
void ww_wake_earlier(ww_engine *engine, ww_task *task, ww_tick tick); /* for ww_wake */

/* Makes the task run at `tick`, or leaves it when it is due earlier. A tick that is over means as soon
 * as the order allows. */
static inline void ww_wake(ww_engine *engine, ww_task *task, ww_tick tick)
{
    const ww_time *time = (const ww_time *)engine;
    ww_tick earliest = time->now + (task->phase <= time->phase);
    tick = tick > earliest ? tick : earliest;
    if (tick < task->due)
        ww_wake_earlier(engine, task, tick);
}

void ww_sleep(ww_engine *engine, ww_task *task); /* it is not due any more */

/* Runs until nothing is due, or until after the tick in which someone called ww_engine_stop, or until
 * `limit` (no tick at or after it runs, and time has come to it). Returns false when nothing is due. */
bool ww_engine_run(ww_engine *engine, ww_tick limit);
void ww_engine_stop(ww_engine *engine);

/* Who can be asked what it waits for: a line each, or nothing when it is idle. */
typedef void ww_explain_fn(const void *owner, FILE *out);
void ww_engine_add_explainer(ww_engine *engine, ww_explain_fn *explain, const void *owner);
void ww_engine_explain(const ww_engine *engine, FILE *out);

#endif
