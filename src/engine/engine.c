/* Tasks due within the next SLOTS ticks are in a wheel: for each tick a bit for each task, in words
 * that belong to one phase each, with a bitmap of the ticks that have any. Tasks due later are in a
 * heap, and move to the wheel when the first of them is the next to run. */
#include "engine/engine.h"

#include "base/memory.h"

#include <assert.h>

#define SLOTS 1024u
#define SLOT_WORDS (SLOTS / 64)

/* What is needed to run a task without reading the task. */
typedef struct entry {
    ww_task *task;
    void (*run)(void *owner);
    void *owner;
} entry;

/* The words that belong to a phase, in every slot. */
typedef struct phase_words {
    uint32_t first, count;
    entry *entries; /* [count * 64] */
} phase_words;

typedef struct far_task {
    ww_tick due;
    ww_task *task;
} far_task;

typedef struct explainer {
    ww_explain_fn *explain;
    const void *owner;
} explainer;

struct ww_engine {
    ww_time time; /* first: engine.h reads it through a cast */
    bool stopping;
    unsigned slot_shift; /* a slot has 2 to this power words */
    ww_tick reach;       /* ticks that the wheel covers; 0: it is not laid out for all tasks */
    /* [SLOTS][1 << slot_shift]: of each slot, first a bit for each phase that may have tasks in it,
     * then the words of the phases. */
    uint64_t *bits;
    entry *by_bit; /* of all words */
    phase_words words[WW_PHASES];
    uint64_t occupied[SLOT_WORDS];
    WW_VEC(ww_task *) tasks[WW_PHASES];
    WW_VEC(far_task) far;
    WW_VEC(explainer) explainers;
};

ww_engine *ww_engine_create(void)
{
    ww_engine *engine = ww_calloc(1, sizeof(*engine));
    engine->time.phase = -1;
    return engine;
}

void ww_engine_destroy(ww_engine *engine)
{
    if (!engine)
        return;
    for (unsigned phase = 0; phase < WW_PHASES; phase++)
        ww_vec_free(&engine->tasks[phase]);
    free(engine->bits);
    free(engine->by_bit);
    ww_vec_free(&engine->far);
    ww_vec_free(&engine->explainers);
    free(engine);
}

/* ---- the wheel's words ---- */

static uint64_t *slot_of(const ww_engine *engine, ww_tick tick)
{
    return engine->bits + (tick % SLOTS << engine->slot_shift);
}

static inline void put_near(ww_engine *engine, const ww_task *task)
{
    uint64_t *slot = slot_of(engine, task->due), phases = *slot;
    slot[task->word] |= task->bit;
    *slot = phases | task->phase_bit;
    if (!phases)
        engine->occupied[task->due % SLOTS / 64] |= 1ull << task->due % 64;
}

static void lay_out_phase(ww_engine *engine, unsigned phase)
{
    for (size_t i = 0; i < engine->tasks[phase].count; i++) {
        ww_task *task = engine->tasks[phase].items[i];
        task->word = engine->words[phase].first + (uint32_t)(i / 64);
        task->bit = 1ull << i % 64;
        engine->words[phase].entries[i] = (entry){task, task->run, task->owner};
        if (task->due != WW_NEVER && !task->far)
            put_near(engine, task);
    }
}

/* Assigns a bit to every task; tasks that are due keep their ticks. */
static void lay_out(ww_engine *engine)
{
    uint32_t words = 1;
    for (unsigned phase = 0; phase < WW_PHASES; phase++) {
        uint32_t count = (uint32_t)((engine->tasks[phase].count + 63) / 64);
        engine->words[phase] = (phase_words){.first = words, .count = count};
        words += count;
    }
    free(engine->bits);
    free(engine->by_bit);
    for (engine->slot_shift = 0; 1u << engine->slot_shift < words;)
        engine->slot_shift++;
    engine->bits = ww_calloc((size_t)SLOTS << engine->slot_shift, sizeof(*engine->bits));
    engine->by_bit = ww_calloc((size_t)words * 64, sizeof(*engine->by_bit));
    for (unsigned phase = 0; phase < WW_PHASES; phase++) {
        engine->words[phase].entries = engine->by_bit + (size_t)engine->words[phase].first * 64;
        lay_out_phase(engine, phase);
    }
    engine->reach = SLOTS;
}

void ww_task_init(ww_engine *engine, ww_task *task, unsigned phase, void (*run)(void *owner),
                  void *owner)
{
    assert(phase < WW_PHASES);
    *task = (ww_task){.due = WW_NEVER,
                      .run = run,
                      .owner = owner,
                      .phase_bit = (uint16_t)(1u << phase),
                      .phase = (uint8_t)phase};
    ww_vec_push(&engine->tasks[phase], task);
    engine->reach = 0;
}

/* ---- the heap of tasks that are due far ahead ---- */

static bool is_before(const far_task *a, const far_task *b)
{
    return a->due < b->due;
}

static void put_far(ww_engine *engine, size_t index, far_task item)
{
    engine->far.items[index] = item;
    item.task->heap_index = (uint32_t)index;
}

static void sift_up(ww_engine *engine, size_t index, far_task item)
{
    while (index > 0) {
        size_t parent = (index - 1) / 2;
        if (!is_before(&item, &engine->far.items[parent]))
            break;
        put_far(engine, index, engine->far.items[parent]);
        index = parent;
    }
    put_far(engine, index, item);
}

static void sift_down(ww_engine *engine, size_t index, far_task item)
{
    size_t count = engine->far.count;
    for (size_t child; (child = 2 * index + 1) < count; index = child) {
        const far_task *items = engine->far.items;
        if (child + 1 < count && is_before(&items[child + 1], &items[child]))
            child++;
        if (!is_before(&items[child], &item))
            break;
        put_far(engine, index, items[child]);
    }
    put_far(engine, index, item);
}

static void remove_far(ww_engine *engine, size_t index)
{
    far_task last = engine->far.items[--engine->far.count];
    if (index == engine->far.count)
        return;
    if (index > 0 && is_before(&last, &engine->far.items[(index - 1) / 2]))
        sift_up(engine, index, last);
    else
        sift_down(engine, index, last);
}

/* ---- waking ---- */

void ww_sleep(ww_engine *engine, ww_task *task)
{
    if (task->due == WW_NEVER)
        return;
    if (task->far) {
        remove_far(engine, task->heap_index);
        task->far = false;
    } else {
        slot_of(engine, task->due)[task->word] &= ~task->bit;
    }
    task->due = WW_NEVER;
}

/* The task is due already, or the tick is far ahead, or there is no wheel yet. */
static __attribute__((noinline)) void move(ww_engine *engine, ww_task *task, ww_tick tick)
{
    ww_sleep(engine, task);
    if (!engine->reach)
        lay_out(engine);
    task->due = tick;
    task->far = tick - engine->time.now >= SLOTS;
    if (!task->far) {
        put_near(engine, task);
        return;
    }
    far_task item = {tick, task};
    ww_vec_push(&engine->far, item);
    sift_up(engine, engine->far.count - 1, item);
}

void ww_wake_earlier(ww_engine *engine, ww_task *task, ww_tick tick)
{
    if (task->due != WW_NEVER || tick - engine->time.now >= engine->reach) {
        move(engine, task, tick);
        return;
    }
    task->due = tick;
    put_near(engine, task);
}

/* ---- running ---- */

/* The first tick after the word of slots that now is in. */
static ww_tick next_in_other_words(const ww_engine *engine)
{
    ww_tick start = engine->time.now / 64 * 64;
    for (size_t i = 1; i <= SLOT_WORDS; i++) {
        uint64_t bits = engine->occupied[(start / 64 + i) % SLOT_WORDS];
        if (bits)
            return start + i * 64 + (ww_tick)__builtin_ctzll(bits);
    }
    return WW_NEVER;
}

/* The first tick from now on that has a task in the wheel, or WW_NEVER. A slot's bit may be set
 * although its tasks went to sleep. */
static inline ww_tick next_in_wheel(const ww_engine *engine)
{
    ww_tick now = engine->time.now;
    uint64_t bits = engine->occupied[now % SLOTS / 64] >> now % 64;
    return bits ? now + (ww_tick)__builtin_ctzll(bits) : next_in_other_words(engine);
}

/* Moves tasks to the wheel whose tick it now covers. */
static void bring_near(ww_engine *engine)
{
    while (engine->far.count && engine->far.items[0].due - engine->time.now < SLOTS) {
        ww_task *task = engine->far.items[0].task;
        remove_far(engine, 0);
        task->far = false;
        put_near(engine, task);
    }
}

/* Swaps adjacent fields of `bits` bits. */
static uint64_t exchange(uint64_t word, unsigned bits, uint64_t lower)
{
    return (word >> bits & lower) | (word & lower) << bits;
}

/* The word with bit i at i xor key. */
static uint64_t shuffle(uint64_t word, unsigned key)
{
    word = key & 1 ? exchange(word, 1, 0x5555555555555555) : word;
    word = key & 2 ? exchange(word, 2, 0x3333333333333333) : word;
    word = key & 4 ? exchange(word, 4, 0x0f0f0f0f0f0f0f0f) : word;
    word = key & 8 ? exchange(word, 8, 0x00ff00ff00ff00ff) : word;
    word = key & 16 ? exchange(word, 16, 0x0000ffff0000ffff) : word;
    return key & 32 ? word >> 32 | word << 32 : word;
}

/* Most owners have what their task needs in their first lines, the task included. */
static inline void prefetch(const entry *e)
{
    for (size_t line = 0; line < 4; line++)
        __builtin_prefetch((const char *)e->owner + line * 64);
}

static inline void run_entry(const entry *e)
{
    e->task->due = WW_NEVER;
    e->run(e->owner);
}

/* Likewise, unless another task of this tick put it to sleep. */
static inline void run_due(const entry *e, ww_tick now)
{
    if (e->task->due == now)
        run_entry(e);
}

/* Runs tasks in the order of their bits' numbers xor a key. */
static __attribute__((noinline)) void run_several(uint64_t bits, const entry *entries, ww_tick now,
                                                  unsigned key)
{
    uint64_t rest = shuffle(bits, key);
    const entry *e = &entries[(unsigned)__builtin_ctzll(rest) ^ key];
    while ((rest &= rest - 1)) {
        const entry *next = &entries[(unsigned)__builtin_ctzll(rest) ^ key];
        prefetch(next);
        run_due(e, now);
        e = next;
    }
    run_due(e, now);
}

/* As run_several for two tasks, without a shuffle. */
static void run_two(const entry *entries, ww_tick now, unsigned key, unsigned low, unsigned high)
{
    bool swapped = (high ^ key) < (low ^ key);
    const entry *first = &entries[swapped ? high : low], *second = &entries[swapped ? low : high];
    prefetch(second);
    run_entry(first);
    run_due(second, now);
}

/* Runs the task of a word that has one at most. */
static inline void run_only(uint64_t *word, const entry *entries)
{
    if (!*word)
        return;
    const entry *e = &entries[__builtin_ctzll(*word)];
    *word = 0;
    run_entry(e);
}

static inline void run_word(uint64_t *word, const entry *entries, ww_tick now, unsigned key)
{
    uint64_t bits = *word, others = bits & (bits - 1);
    if (!others) {
        run_only(word, entries);
        return;
    }
    *word = 0;
    unsigned low = (unsigned)__builtin_ctzll(bits);
    if (!(others & (others - 1)))
        run_two(entries, now, key, low, (unsigned)__builtin_ctzll(others));
    else
        run_several(bits, entries, now, key);
}

/* Mixed: clocks and arbiters have short periods. */
static uint64_t mix(ww_tick now)
{
    return now * 0x9e3779b97f4a7c15u;
}

/* Runs the words of a phase, starting with a different one in each tick. */
static __attribute__((noinline)) void run_words(uint64_t *words, const phase_words *of, ww_tick now)
{
    uint64_t mixed = mix(now);
    uint32_t word = (uint32_t)(mixed >> 32 & 0xffff) % of->count;
    for (uint32_t i = 0; i < of->count; i++) {
        if (words[word])
            run_word(&words[word], of->entries + (size_t)word * 64, now, (unsigned)(mixed >> 58));
        word = word + 1 < of->count ? word + 1 : 0;
    }
}

static inline void run_phase(uint64_t *words, const phase_words *of, ww_tick now)
{
    if (of->count > 1)
        run_words(words, of, now);
    else
        run_word(words, of->entries, now, (unsigned)(mix(now) >> 58));
}

static void run_tick(ww_engine *engine, ww_tick now)
{
    uint64_t *slot = slot_of(engine, now);
    for (uint64_t rest; (rest = *slot) != 0;) { /* a task that runs wakes later phases only */
        int phase = __builtin_ctzll(rest);
        const phase_words *words = &engine->words[phase];
        engine->time.phase = phase;
        *slot = rest & (rest - 1);
        run_phase(slot + words->first, words, now);
    }
    engine->time.phase = -1;
    engine->occupied[now % SLOTS / 64] &= ~(1ull << now % 64);
}

bool ww_engine_run(ww_engine *engine, ww_tick limit)
{
    engine->stopping = false;
    engine->time.limit = limit;
    if (!engine->reach)
        lay_out(engine);
    while (!engine->stopping) {
        ww_tick tick = next_in_wheel(engine);
        bool is_far = engine->far.count && engine->far.items[0].due <= tick;
        if (is_far)
            tick = engine->far.items[0].due;
        if (tick == WW_NEVER)
            return false;
        if (tick >= limit) {
            if (limit > engine->time.now)
                engine->time.now = limit;
            return true;
        }
        engine->time.now = tick;
        if (is_far)
            bring_near(engine);
        run_tick(engine, tick);
        engine->time.now = tick + 1;
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
