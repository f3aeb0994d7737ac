/* Tasks due within the next SLOTS ticks are in a wheel: a list for each tick and phase, with a bitmap of
 * the ticks that have any. Those due later are in a heap, by tick and then by the order of waking, and
 * move to the wheel when their tick comes near. */
#include "engine/engine.h"

#include "base/memory.h"

#include <assert.h>

#define SLOTS 1024u
#define WORDS (SLOTS / 64)

typedef struct list {
    ww_task *first, *last;
} list;

typedef struct far_task {
    ww_tick due;
    uint64_t order; /* of waking */
    ww_task *task;
} far_task;

typedef struct explainer {
    ww_explain_fn *explain;
    const void *owner;
} explainer;

struct ww_engine {
    ww_tick now;
    int phase; /* that runs; -1: before the first */
    bool stopping;
    uint64_t occupied[WORDS];
    list slots[SLOTS][WW_PHASES];
    uint64_t far_order;
    WW_VEC(far_task) far;
    WW_VEC(explainer) explainers;
};

ww_engine *ww_engine_create(void)
{
    ww_engine *engine = ww_calloc(1, sizeof(*engine));
    engine->phase = -1;
    return engine;
}

void ww_engine_destroy(ww_engine *engine)
{
    if (!engine)
        return;
    ww_vec_free(&engine->far);
    ww_vec_free(&engine->explainers);
    free(engine);
}

ww_tick ww_engine_now(const ww_engine *engine)
{
    return engine->now;
}

void ww_task_init(ww_task *task, unsigned phase, void (*run)(void *owner), void *owner)
{
    assert(phase < WW_PHASES);
    *task = (ww_task){.due = WW_NEVER, .run = run, .owner = owner, .phase = (uint8_t)phase};
}

/* ---- the heap of tasks that are due far ahead ---- */

static bool is_before(const far_task *a, const far_task *b)
{
    return a->due < b->due || (a->due == b->due && a->order < b->order);
}

static void put_far(ww_engine *engine, size_t place, far_task item)
{
    engine->far.items[place] = item;
    item.task->heap_place = (uint32_t)place;
}

static void sift_up(ww_engine *engine, size_t place, far_task item)
{
    while (place > 0) {
        size_t parent = (place - 1) / 2;
        if (!is_before(&item, &engine->far.items[parent]))
            break;
        put_far(engine, place, engine->far.items[parent]);
        place = parent;
    }
    put_far(engine, place, item);
}

static void sift_down(ww_engine *engine, size_t place, far_task item)
{
    size_t count = engine->far.count;
    for (size_t child; (child = 2 * place + 1) < count; place = child) {
        const far_task *items = engine->far.items;
        if (child + 1 < count && is_before(&items[child + 1], &items[child]))
            child++;
        if (!is_before(&items[child], &item))
            break;
        put_far(engine, place, items[child]);
    }
    put_far(engine, place, item);
}

static void remove_far(ww_engine *engine, size_t place)
{
    far_task last = engine->far.items[--engine->far.count];
    if (place == engine->far.count)
        return;
    if (place > 0 && is_before(&last, &engine->far.items[(place - 1) / 2]))
        sift_up(engine, place, last);
    else
        sift_down(engine, place, last);
}

/* ---- the wheel ---- */

static void link_task(ww_engine *engine, ww_task *task)
{
    size_t slot = task->due % SLOTS;
    list *l = &engine->slots[slot][task->phase];
    task->far = false;
    task->next = NULL;
    task->previous = l->last;
    if (l->last)
        l->last->next = task;
    else
        l->first = task;
    l->last = task;
    engine->occupied[slot / 64] |= 1ull << slot % 64;
}

static void unlink_task(ww_engine *engine, ww_task *task)
{
    list *l = &engine->slots[task->due % SLOTS][task->phase];
    if (task->previous)
        task->previous->next = task->next;
    else
        l->first = task->next;
    if (task->next)
        task->next->previous = task->previous;
    else
        l->last = task->previous;
}

void ww_sleep(ww_engine *engine, ww_task *task)
{
    if (task->due == WW_NEVER)
        return;
    if (task->far)
        remove_far(engine, task->heap_place);
    else
        unlink_task(engine, task);
    task->due = WW_NEVER;
}

void ww_wake(ww_engine *engine, ww_task *task, ww_tick tick)
{
    ww_tick earliest = engine->now + (task->phase <= engine->phase);
    tick = tick > earliest ? tick : earliest;
    if (task->due <= tick)
        return;
    ww_sleep(engine, task);
    task->due = tick;
    if (tick - engine->now < SLOTS) {
        link_task(engine, task);
        return;
    }
    task->far = true;
    far_task item = {tick, engine->far_order++, task};
    ww_vec_push(&engine->far, item);
    sift_up(engine, engine->far.count - 1, item);
}

/* The first tick from now on that has a task in the wheel, or WW_NEVER. A slot's bit may be set although
 * its tasks went to sleep. */
static ww_tick next_in_wheel(const ww_engine *engine)
{
    size_t start = engine->now % SLOTS;
    for (size_t i = 0; i <= WORDS; i++) {
        size_t word = (start / 64 + i) % WORDS;
        uint64_t bits = engine->occupied[word];
        if (i == 0)
            bits &= ~0ull << start % 64;
        else if (i == WORDS)
            bits &= (1ull << start % 64) - 1;
        if (bits) {
            size_t slot = word * 64 + (size_t)__builtin_ctzll(bits);
            return engine->now + (slot + SLOTS - start) % SLOTS;
        }
    }
    return WW_NEVER;
}

/* Tasks whose tick is now within reach of the wheel. They were woken before any that is put there from
 * now on, so that the order of waking is kept. */
static void bring_near(ww_engine *engine)
{
    while (engine->far.count && engine->far.items[0].due - engine->now < SLOTS) {
        ww_task *task = engine->far.items[0].task;
        remove_far(engine, 0);
        link_task(engine, task);
    }
}

static void run_tick(ww_engine *engine)
{
    size_t slot = engine->now % SLOTS;
    list *lists = engine->slots[slot];
    for (int phase = 0; phase < WW_PHASES; phase++) {
        engine->phase = phase;
        for (ww_task *task; (task = lists[phase].first) != NULL;) {
            unlink_task(engine, task);
            task->due = WW_NEVER;
            task->run(task->owner);
        }
    }
    engine->phase = -1;
    engine->occupied[slot / 64] &= ~(1ull << slot % 64);
}

bool ww_engine_run(ww_engine *engine, ww_tick limit)
{
    engine->stopping = false;
    while (!engine->stopping) {
        ww_tick tick = next_in_wheel(engine);
        if (engine->far.count && engine->far.items[0].due < tick)
            tick = engine->far.items[0].due;
        if (tick == WW_NEVER)
            return false;
        if (tick >= limit) {
            if (limit > engine->now)
                engine->now = limit;
            bring_near(engine);
            return true;
        }
        engine->now = tick;
        bring_near(engine);
        run_tick(engine);
        engine->now++;
        bring_near(engine);
    }
    return true;
}

void ww_engine_stop(ww_engine *engine)
{
    engine->stopping = true;
}

void ww_engine_add_explainer(ww_engine *engine, ww_explain_fn *explain, const void *owner)
{
    ww_vec_push(&engine->explainers, ((explainer){explain, owner}));
}

void ww_engine_explain(const ww_engine *engine, FILE *out)
{
    for (size_t i = 0; i < engine->explainers.count; i++)
        engine->explainers.items[i].explain(engine->explainers.items[i].owner, out);
}
