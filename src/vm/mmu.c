#include "vm/mmu.h"

#include "base/memory.h"
#include "vm/mmu_internal.h"

#include <assert.h>

static ww_tick now_of(const ww_mmu *mmu)
{
    return ww_engine_now(mmu->engine);
}

/* ---- counting ---- */

/* Counts busy and waiting time up to now; called before the number of walkers or walks changes. */
static void count_time(ww_mmu *mmu, ww_tick now)
{
    mmu->counters.busy += mmu->busy * (now - mmu->accounted_to);
    mmu->counters.waiting += ww_walk_buffer_count(mmu->buffer) * (now - mmu->accounted_to);
    mmu->accounted_to = now;
}

/* ---- the start of a walk ---- */

static uint32_t holder_of(ww_mmu *mmu, const ww_walk *walk)
{
    const ww_walkmerge *merge = mmu->config.merge;
    if (!merge->held_by)
        return WW_NO_WALKER;
    return merge->held_by(mmu->merge_state, mmu, walk->address,
                          ww_mmu_start_of(mmu, walk, WW_LOOKUP_PEEK).level);
}

static void hold(ww_mmu *mmu, ww_walk *walk, uint32_t holder)
{
    walk->holder = holder;
    mmu->counters.held++;
    ww_walk_buffer_hold(mmu->buffer, walk);
}

static void start(ww_mmu *mmu, const ww_walk *walk, ww_walk_lookup why)
{
    ww_tick now = now_of(mmu);
    ww_walk_slot *slot = ww_mmu_take_slot(mmu);
    walk->translation->started = now;
    slot->walk = *walk;
    slot->started = now;
    slot->why = why;
    slot->restart = false;
    ww_walk_buffer_follow(mmu->buffer, walk->record);
    ww_mmu_look_up(mmu, slot);
}

static ww_walk *pick(ww_mmu *mmu)
{
    const ww_walksched *scheduler = mmu->config.scheduler;
    ww_walk *starved =
        scheduler->ages ? ww_walk_buffer_starved(mmu->buffer, mmu->config.aging) : NULL;
    return starved ? starved : ww_walksched_choose(scheduler, mmu->scheduler_state, mmu->buffer);
}

static void select_walks(ww_mmu *mmu)
{
    while (mmu->free_count && ww_walk_buffer_eligible(mmu->buffer)) {
        ww_walk *walk = pick(mmu);
        uint32_t holder = holder_of(mmu, walk);
        if (holder != WW_NO_WALKER) {
            hold(mmu, walk, holder);
            continue;
        }
        ww_walk_buffer_remove(mmu->buffer, walk, true);
        mmu->counters.selected++;
        start(mmu, walk, WW_LOOKUP_SELECTED);
    }
}

static uint32_t estimate(ww_mmu *mmu, const ww_walk *walk)
{
    if (!mmu->config.scheduler->scores)
        return 0;
    return ww_walk_cache_lookup(mmu->cache, walk->address, WW_LOOKUP_ESTIMATE).level -
           mmu->leaf_level + 1;
}

static void add_to_buffer(ww_mmu *mmu, const ww_walk *arrived, uint32_t holder)
{
    ww_walk *walk = ww_walk_buffer_add(mmu->buffer, arrived, estimate(mmu, arrived));
    if (holder != WW_NO_WALKER)
        hold(mmu, walk, holder);
}

static void admit(ww_mmu *mmu, ww_translation *t)
{
    ww_walk walk = {.translation = t,
                    .address =
                        ww_walk_address(t->instruction.asid, t->page << mmu->config.page_shift),
                    .number = ++mmu->arrived};
    walk.record = ww_walk_records_arrive(mmu->records, &t->instruction, walk.number, t->missed);
    mmu->counters.count++;
    uint32_t holder = mmu->free_count ? holder_of(mmu, &walk) : WW_NO_WALKER;
    if (!mmu->free_count || holder != WW_NO_WALKER) {
        add_to_buffer(mmu, &walk, holder);
        return;
    }
    mmu->counters.at_once++;
    start(mmu, &walk, WW_LOOKUP_AT_ONCE);
}

static void accept_requests(ww_mmu *mmu, ww_tick now)
{
    ww_translation *t;
    while ((t = ww_port_peek(&mmu->in)) != NULL && !ww_walk_buffer_is_full(mmu->buffer)) {
        ww_port_pop(&mmu->in);
        admit(mmu, t);
    }
    if (t && mmu->full_since == WW_NEVER)
        mmu->full_since = now;
}

/* ---- time ---- */

static void wake_for(ww_mmu *mmu, const ww_port *port)
{
    if (port->count)
        ww_wake(mmu->engine, &mmu->task, ww_port_next(port));
}

static void tick(void *owner)
{
    ww_mmu *mmu = owner;
    ww_tick now = now_of(mmu);
    ww_tick edge = ww_clock_next(mmu->config.clock, now);
    if (edge != now) {
        ww_wake(mmu->engine, &mmu->task, edge);
        return;
    }
    if (mmu->full_since != WW_NEVER)
        mmu->counters.full += now - mmu->full_since;
    mmu->full_since = WW_NEVER;
    count_time(mmu, now);
    if (mmu->blocked)
        ww_mmu_retry_blocked(mmu);
    if (mmu->replies.count)
        ww_mmu_receive_replies(mmu, now);
    if (mmu->pte_cache_lookups.count)
        ww_mmu_finish_pte_cache_lookups(mmu);
    if (mmu->walk_cache_lookups.count)
        ww_mmu_finish_walk_cache_lookups(mmu);
    ww_mmu_start_queued_lookups(mmu);
    select_walks(mmu);
    accept_requests(mmu, now);
    if (mmu->at_work)
        ww_mmu_read_batches(mmu, now);
    wake_for(mmu, &mmu->replies);
    wake_for(mmu, &mmu->pte_cache_lookups);
    wake_for(mmu, &mmu->walk_cache_lookups);
    ww_mmu_wake_for_cache_ports(mmu);
    if (!ww_walk_buffer_is_full(mmu->buffer))
        wake_for(mmu, &mmu->in);
}

void ww_mmu_update_stats(ww_mmu *mmu, ww_tick elapsed)
{
    const ww_walk_cache_counters *cache = ww_walk_cache_count(mmu->cache);
    ww_walk_counters *c = &mmu->counters;
    count_time(mmu, now_of(mmu));
    c->ticks = elapsed;
    c->cache_lookups = cache->lookups;
    for (unsigned level = 0; level <= WW_LEVELS; level++)
        c->cache_hits[level] = cache->hits[level];
    c->estimates = cache->estimates;
    c->estimate_hits = cache->estimate_hits;
    c->protected_victims = cache->protected_victims;
    const ww_instruction_counters *instructions = ww_walk_records_count(mmu->records);
#define COPY_COUNTER(field, statistic, unit, doc) c->field = instructions->field;
    WW_INSTRUCTION_COUNTERS(COPY_COUNTER)
#undef COPY_COUNTER
}

/* ---- making it ---- */

static void explain(const void *owner, FILE *out)
{
    const ww_mmu *mmu = owner;
    if (mmu->busy || ww_walk_buffer_count(mmu->buffer) || mmu->in.count)
        fprintf(out, "walkers: %u at work, %u walks wait (%u of them held back), %u outside\n",
                mmu->busy, ww_walk_buffer_count(mmu->buffer),
                ww_walk_buffer_count(mmu->buffer) - ww_walk_buffer_eligible(mmu->buffer),
                mmu->in.count);
}

static void create_ports(ww_mmu *mmu)
{
    ww_engine *engine = mmu->engine;
    ww_port_init(&mmu->in, engine, mmu->config.queue, 1);
    ww_port_init(&mmu->replies, engine, mmu->slot_count, mmu->config.suppliers);
    ww_port_init(&mmu->walk_cache_lookups, engine, mmu->slot_count, 1);
    ww_port_init(&mmu->pte_cache_lookups, engine, mmu->slot_count, 1);
    ww_port_connect(&mmu->in, &mmu->task);
    ww_port_connect(&mmu->replies, &mmu->task);
    ww_port_connect(&mmu->walk_cache_lookups, &mmu->task);
    ww_port_connect(&mmu->pte_cache_lookups, &mmu->task);
}

static void create_caches(ww_mmu *mmu)
{
    const ww_mmu_config *c = &mmu->config;
    mmu->cache =
        ww_walk_cache_create(&(ww_walk_cache_config){.kind = c->cache,
                                                     .entries = c->cache_entries,
                                                     .protect = c->protect && c->scheduler->scores,
                                                     .leaf_level = mmu->leaf_level});
    mmu->cache_ports = ww_calloc(c->cache_ports + 1, sizeof(*mmu->cache_ports));
    ww_lru_create(&mmu->lines, &c->pte_cache);
}

ww_mmu *ww_mmu_create(const ww_mmu_config *config, ww_engine *engine, ww_request_pool *pool)
{
    ww_mmu *mmu = ww_calloc(1, sizeof(*mmu));
    mmu->config = *config;
    mmu->engine = engine;
    mmu->pool = pool;
    mmu->full_since = WW_NEVER;
    mmu->leaf_level = config->page_shift < ww_level_shift(2) ? 1 : 2;
    ww_task_init(engine, &mmu->task, WW_PHASE_TRANSLATION, tick, mmu);
    mmu->buffer = ww_walk_buffer_create(config->buffer, config->scheduler->scores);
    mmu->records = ww_walk_records_create(config->instructions);
    create_caches(mmu);
    mmu->config.start.entries = config->buffer;
    mmu->scheduler_state = ww_policy_create(&config->scheduler->policy, &mmu->config.start);
    mmu->merge_state = ww_policy_create(&config->merge->policy, &mmu->config.start);
    ww_mmu_create_slots(mmu);
    create_ports(mmu);
    ww_engine_add_explainer(engine, explain, mmu);
    return mmu;
}

void ww_mmu_destroy(ww_mmu *mmu)
{
    if (!mmu)
        return;
    ww_walk_buffer_destroy(mmu->buffer);
    ww_walk_records_destroy(mmu->records);
    ww_walk_cache_destroy(mmu->cache);
    ww_lru_destroy(&mmu->lines);
    ww_port_clear(&mmu->in);
    ww_port_clear(&mmu->replies);
    ww_port_clear(&mmu->walk_cache_lookups);
    ww_port_clear(&mmu->pte_cache_lookups);
    free(mmu->cache_ports);
    ww_mmu_destroy_slots(mmu);
    free(mmu->spaces);
    ww_policy_destroy(&mmu->config.scheduler->policy, &mmu->config.start, mmu->scheduler_state);
    ww_policy_destroy(&mmu->config.merge->policy, &mmu->config.start, mmu->merge_state);
    free(mmu);
}

void ww_mmu_connect(ww_mmu *mmu, const ww_mmu_wiring *wiring)
{
    mmu->wiring = *wiring;
}

void ww_mmu_set_table(ww_mmu *mmu, uint16_t asid, const ww_page_table *table)
{
    if (asid >= mmu->space_count) {
        mmu->spaces = ww_realloc(mmu->spaces, asid + 1u, sizeof(*mmu->spaces));
        while (mmu->space_count <= asid)
            mmu->spaces[mmu->space_count++] = (ww_mmu_space){0};
    }
    mmu->spaces[asid] = (ww_mmu_space){table, ww_page_table_root(table)};
}

ww_port *ww_mmu_in(ww_mmu *mmu)
{
    return &mmu->in;
}

ww_port *ww_mmu_replies(ww_mmu *mmu)
{
    return &mmu->replies;
}

ww_walk_records *ww_mmu_records(ww_mmu *mmu)
{
    return mmu->records;
}

/* ---- walks of compute units ---- */

void ww_mmu_keep_node(ww_mmu *mmu, uint64_t address, unsigned level, uint64_t node)
{
    ww_walk_cache_put(mmu->cache, address, level, node);
}

bool ww_mmu_can_start(const ww_mmu *mmu)
{
    return mmu->free_count && !mmu->in.count && !ww_walk_buffer_count(mmu->buffer);
}

/* ---- invalidations ---- */

typedef struct invalidated {
    const ww_invalidation *what;
    unsigned page_shift;
} invalidated;

static bool is_invalidated(const invalidated *i, uint64_t address)
{
    uint64_t page = (address & ((1ull << WW_ASID_SHIFT) - 1)) >> i->page_shift;
    return ww_invalidation_has(i->what, (uint16_t)(address >> WW_ASID_SHIFT), page);
}

static void forget_start(void *owner, ww_walk *walk)
{
    if (is_invalidated(owner, walk->address))
        walk->resume.level = 0;
}

static void invalidate_caches(ww_mmu *mmu, const ww_invalidation *what)
{
    ww_lru_clear(&mmu->lines);
    if (what->all)
        ww_walk_cache_invalidate_space(mmu->cache, what->asid);
    for (uint32_t i = 0; !what->all && i < what->count; i++)
        ww_walk_cache_invalidate(
            mmu->cache, ww_walk_address(what->asid, what->pages[i] << mmu->config.page_shift));
}

void ww_mmu_invalidate(ww_mmu *mmu, const ww_invalidation *what)
{
    invalidated these = {what, mmu->config.page_shift};
    invalidate_caches(mmu, what);
    ww_walk_buffer_each(mmu->buffer, what->asid, WW_ASID_SHIFT, forget_start, &these);
    for (uint32_t i = 0; i < mmu->slot_count; i++) {
        ww_walk_slot *slot = &mmu->slots[i];
        slot->restart |= slot->level && is_invalidated(&these, slot->walk.address);
    }
}

const ww_walk_counters *ww_mmu_count(const ww_mmu *mmu)
{
    return &mmu->counters;
}

uint32_t ww_mmu_waiting(const ww_mmu *mmu)
{
    return ww_walk_buffer_count(mmu->buffer);
}

uint32_t ww_mmu_busy(const ww_mmu *mmu)
{
    return mmu->busy;
}
