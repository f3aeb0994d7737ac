/* The event engine: runs tasks at ticks, in a fixed order.
 *
 * tick     the unit of time: one cycle of the base clock, the machine's fastest (clock.h)
 * task     a function that runs at a tick; a component embeds one for each activity it has
 * phase    when in a tick a task runs; a small number that never changes
 * wake     makes a task due at a tick; a task is due at one tick at most, the earliest requested
 *
 * Order within a tick: phases from 0 up. Within a phase the order of tasks changes from tick to
 * tick, so that none is always first where several compete. A task may wake tasks of later phases
 * for the same tick; for a phase that is running or over, `now` means the next tick. The order
 * depends only on the tick and on the order in which tasks were created. It does not depend on the
 * order or number of wakes, so that leaving out needless wakes changes no result.
 *
 * Components do not poll: one that can do nothing lets its task sleep, and the port or component
 * that changes this wakes it. Ticks at which nothing is due are skipped. When nothing is due at
 * all, the run is over or stuck: ww_engine_explain prints what every component waits for. */
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
    uint32_t heap_index; /* in the heap of tasks that are due far ahead */
    uint16_t phase_bit;
    uint8_t phase;
    bool far;
} ww_task;

ww_engine *ww_engine_create(void);
void ww_engine_destroy(ww_engine *engine);

/* The part of the engine that inline functions read. */
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

/* The task must not move in memory while the engine exists. */
void ww_task_init(ww_engine *engine, ww_task *task, unsigned phase, void (*run)(void *owner),
                  void *owner);
void ww_wake_earlier(ww_engine *engine, ww_task *task, ww_tick tick); /* for ww_wake */

/* Makes the task due at `tick`, unless it is due earlier. A tick that is over means as soon as the
 * order allows. */
static inline void ww_wake(ww_engine *engine, ww_task *task, ww_tick tick)
{
    const ww_time *time = (const ww_time *)engine;
    ww_tick earliest = time->now + (task->phase <= time->phase);
    tick = tick > earliest ? tick : earliest;
    if (tick < task->due)
        ww_wake_earlier(engine, task, tick);
}

void ww_sleep(ww_engine *engine, ww_task *task); /* it is not due any more */

/* Runs until nothing is due, or until the end of a tick in which ww_engine_stop was called, or
 * until `limit`: no tick at or after it runs, and `now` becomes `limit`. False: nothing is due. */
bool ww_engine_run(ww_engine *engine, ww_tick limit);
void ww_engine_stop(ww_engine *engine);

/* A component's function that prints what it waits for: a line, or nothing when it is idle. */
typedef void ww_explain_fn(const void *owner, FILE *out);
void ww_engine_add_explainer(ww_engine *engine, ww_explain_fn *explain, const void *owner);
void ww_engine_explain(const ww_engine *engine, FILE *out);

#endif
