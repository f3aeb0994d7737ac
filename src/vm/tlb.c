#include "vm/tlb.h"

#include "base/memory.h"
#include "mem/mem.h"
#include "vm/miss_file.h"
#include "vm/oldest.h"
#include "vm/page_table.h"

#include <assert.h>

struct ww_tlb {
    ww_task task;
    ww_port in, fill;
    ww_lru entries;
    const ww_tlbmerge *merge; /* NULL: each page has an entry */
    void *merge_state;
    ww_miss_file misses;
    uint32_t held, lent;                  /* registers, entries */
    ww_translation *unsent, *last_unsent; /* misses that wait for the port below */
    ww_oldest oldest_in, oldest_unsent;   /* with oldest_first: instead of those */
    uint64_t cycle;                       /* of the last lookups */
    uint32_t lookups;                     /* made in that cycle */
    ww_tick stall_since;                  /* WW_NEVER: it does not stall */
    uint64_t *stall;                      /* the counter of the stall */
    ww_engine *engine;
    ww_tlb_config config;
    ww_tlb_wiring wiring;
    uint32_t epoch_lookups, epoch_warps; /* of the present epoch */
    uint32_t *warp_epoch;                /* by warp: the last epoch with a lookup of it */
    ww_tlb_counters counters;
    ww_blame_clock blame; /* of `in` */
};

/* ---- outstanding misses ---- */

/* Finds the page a register: one of the file, else an entry. False: there is none. */
static bool open_miss(ww_tlb *tlb, uint32_t *link, uint64_t key)
{
    uint32_t entry = WW_NO_MISS;
    bool evicts = false;
    if (ww_miss_file_is_full(&tlb->misses))
        return false;
    if (tlb->misses.used >= tlb->config.mshrs) {
        if (tlb->lent < tlb->config.lends)
            entry = ww_lru_lend(&tlb->entries, key, &evicts);
        if (entry == WW_NO_MISS)
            return false;
        tlb->lent++;
        tlb->counters.lent++;
        tlb->counters.evictions += evicts;
    }
    ww_miss_open(&tlb->misses, link, key, entry);
    return true;
}

/* The miss is answered: an entry that was lent for it is free. */
static void return_entry(ww_tlb *tlb, const ww_miss *m)
{
    if (m->entry == WW_NO_MISS)
        return;
    ww_lru_return(&tlb->entries, m->entry);
    tlb->lent--;
}

/* ---- misses that wait for the port below ---- */

static ww_translation *first_unsent(const ww_tlb *tlb)
{
    return tlb->config.oldest_first ? ww_oldest_first(&tlb->oldest_unsent) : tlb->unsent;
}

static void add_unsent(ww_tlb *tlb, ww_translation *t)
{
    if (tlb->config.oldest_first) {
        ww_oldest_add(&tlb->oldest_unsent, t);
        return;
    }
    t->link = NULL;
    if (tlb->unsent)
        tlb->last_unsent->link = t;
    else
        tlb->unsent = t;
    tlb->last_unsent = t;
}

static void drop_first_unsent(ww_tlb *tlb)
{
    if (tlb->config.oldest_first)
        ww_oldest_drop_first(&tlb->oldest_unsent);
    else
        tlb->unsent = tlb->unsent->link;
}

static void send_down(ww_tlb *tlb, ww_tick now)
{
    ww_translation *t = first_unsent(tlb);
    if (!t)
        return;
    ww_port *down = tlb->wiring.down;
    ww_tick arrival = ww_clock_after(tlb->config.clock, now, tlb->wiring.down_latency);
    for (; t && ww_port_has_room(down); t = first_unsent(tlb)) {
        drop_first_unsent(tlb);
        ww_port_send(down, t, arrival);
    }
    if (t && down->seats)
        ww_port_wait_in(down, tlb->wiring.down_seat, &tlb->task);
    else if (t)
        ww_port_wait(down, &tlb->task);
}

/* ---- answers ---- */

static inline unsigned out_of(const ww_tlb *tlb, const ww_translation *t)
{
    ww_tlb_route route = tlb->wiring.route;
    return route == WW_TO_SOURCE ? t->source : route == WW_TO_UNIT ? t->unit : 0;
}

static inline void answer(ww_tlb *tlb, ww_translation *t, uint64_t entry, ww_page_run run,
                          ww_tick now)
{
    const ww_tlb_wiring *w = &tlb->wiring;
    ww_pte_answer(entry, t);
    t->run = run;
    ww_port_send(w->outs[out_of(tlb, t)], t, now + w->answer_ticks);
}

/* The bits of the page-table entry that an answer is made from. */
static inline uint64_t entry_of(const ww_translation *t)
{
    if (t->status == WW_FAR_FAULT)
        return 0;
    return t->frame | WW_PTE_PRESENT | (t->writable ? WW_PTE_WRITABLE : 0);
}

/* Back into the register file, which may have more than its registers then: an answer that no
 * register waits for would be lost. */
static void take_back(ww_tlb *tlb, ww_miss *m)
{
    tlb->misses.used += m->forwarded;
    m->forwarded = false;
}

/* The answer was invalidated on its way. */
static void ask_again(ww_tlb *tlb, ww_miss *m, ww_translation *t, ww_tick now)
{
    take_back(tlb, m);
    m->stale = m->alone = false;
    t->past_l1 = false;
    t->missed = now;
    t->started = 0;
    t->held -= ww_translation_held(tlb->wiring.down, now);
    add_unsent(tlb, t);
}

/* One register is left for pages that a walk finds: those that wait for a page may need them. */
static bool can_hold(const ww_tlb *tlb, const ww_miss *m)
{
    return tlb->config.holds_faults && tlb->held + 1 < tlb->config.mshrs &&
           tlb->misses.used + m->forwarded <= tlb->config.mshrs;
}

/* Its compute unit makes the walk, which begins after invalidations so far. */
static void pass_to_walker(ww_tlb *tlb, ww_miss *m, ww_translation *t, ww_tick now)
{
    m->stale = m->alone = false;
    m->forwarded = true;
    tlb->misses.used--;
    ww_port_send(tlb->wiring.walkers[out_of(tlb, t)], t, now);
}

/* Keeps a page that was answered with a frame. */
static void keep(ww_tlb *tlb, uint64_t key, uint64_t entry, ww_page_run run)
{
    tlb->counters.evictions +=
        tlb->merge ? tlb->merge->fill(tlb->merge_state, &tlb->entries, key, entry, run)
                   : ww_lru_put(&tlb->entries, key, entry);
}

static void receive_fills(ww_tlb *tlb, ww_tick now)
{
    for (ww_translation *t; (t = ww_port_arrived(&tlb->fill, now)) != NULL;) {
        ww_port_pop(&tlb->fill);
        uint64_t entry = entry_of(t), key = ww_translation_key(t);
        uint32_t *link = ww_miss_find(&tlb->misses, key);
        assert(*link != WW_NO_MISS);
        if (t->status == WW_FORWARDED) {
            pass_to_walker(tlb, &tlb->misses.items[*link], t, now);
            continue;
        }
        if (tlb->misses.items[*link].stale) {
            ask_again(tlb, &tlb->misses.items[*link], t, now);
            continue;
        }
        tlb->counters.fills++;
        return_entry(tlb, &tlb->misses.items[*link]);
        ww_page_run run = tlb->misses.items[*link].alone ? (ww_page_run){0} : t->run;
        if (t->status == WW_TRANSLATED && !t->past_l1)
            keep(tlb, key, entry, run);
        ww_translation *waiting = ww_miss_take_merged(&tlb->misses.items[*link]);
        if (t->status == WW_FAR_FAULT && can_hold(tlb, &tlb->misses.items[*link])) {
            take_back(tlb, &tlb->misses.items[*link]);
            tlb->misses.items[*link].held = true;
            tlb->held++;
        } else {
            ww_miss_close(&tlb->misses, link);
        }
        answer(tlb, t, entry, run, now);
        for (ww_translation *next; waiting; waiting = next) {
            next = waiting->link;
            waiting->missed = t->missed;
            waiting->started = t->started;
            answer(tlb, waiting, entry, run, now);
        }
    }
}

/* ---- lookups ---- */

/* An unfinished epoch is not counted. */
static void count_warp(ww_tlb *tlb, const ww_translation *t)
{
    uint32_t epoch = (uint32_t)tlb->counters.epochs + 1;
    tlb->epoch_warps += tlb->warp_epoch[t->instruction.warp_slot] != epoch;
    tlb->warp_epoch[t->instruction.warp_slot] = epoch;
    if (++tlb->epoch_lookups < tlb->config.epoch)
        return;
    tlb->counters.epochs++;
    tlb->counters.epoch_warps += tlb->epoch_warps;
    tlb->epoch_lookups = tlb->epoch_warps = 0;
}

/* The head of the queue waits; the next tick of the TLB ends the stall. */
static bool stall(ww_tlb *tlb, uint64_t *why, ww_tick now)
{
    tlb->stall_since = now;
    tlb->stall = why;
    ww_blame_wait(&tlb->blame, NULL, WW_CAUSE_TRANSLATION, now);
    return false;
}

/* Its compute unit makes the walk, if it can. */
static bool forward(ww_tlb *tlb, ww_translation *t, ww_tick now)
{
    const ww_tlb_wiring *w = &tlb->wiring;
    if (!w->can_forward(w->context, t))
        return false;
    t->status = WW_FORWARDED;
    t->missed = now;
    if (w->allocate)
        w->allocate(w->context, t);
    tlb->counters.forwarded++;
    ww_port_send(w->outs[out_of(tlb, t)], t, now + w->answer_ticks);
    return true;
}

/* False: it stays in the queue. */
static bool miss_or_merge(ww_tlb *tlb, ww_translation *t, uint64_t key, ww_tick now)
{
    uint32_t *link = ww_miss_find(&tlb->misses, key);
    if (*link != WW_NO_MISS) {
        if (tlb->misses.items[*link].held)
            answer(tlb, t, 0, (ww_page_run){0}, now);
        else
            ww_miss_merge(&tlb->misses.items[*link], t);
        tlb->counters.merged++;
        return true;
    }
    if (tlb->config.forwards && tlb->misses.used + tlb->lent >= tlb->config.forwards &&
        forward(tlb, t, now))
        return true;
    if (!open_miss(tlb, link, key)) {
        if (tlb->config.forwards && forward(tlb, t, now))
            return true;
        return stall(tlb, &tlb->counters.stall_mshr, now);
    }
    t->missed = now;
    t->held -= ww_translation_held(tlb->wiring.down, now);
    if (tlb->wiring.allocate)
        tlb->wiring.allocate(tlb->wiring.context, t);
    add_unsent(tlb, t);
    tlb->counters.misses++;
    return true;
}

/* The next request to look up; NULL: none has arrived. */
static ww_translation *next_request(ww_tlb *tlb, ww_tick now)
{
    if (!tlb->config.oldest_first)
        return ww_port_arrived(&tlb->in, now);
    ww_oldest *arrived = &tlb->oldest_in;
    for (ww_translation *t; arrived->count < arrived->capacity;) {
        if ((t = ww_port_arrived(&tlb->in, now)) == NULL)
            break;
        ww_port_pop(&tlb->in);
        ww_oldest_add(arrived, t);
    }
    return ww_oldest_first(arrived);
}

static void drop_request(ww_tlb *tlb)
{
    if (tlb->config.oldest_first)
        ww_oldest_drop_first(&tlb->oldest_in);
    else
        ww_port_pop(&tlb->in);
}

static inline bool find_page(ww_tlb *tlb, uint64_t key, uint64_t *entry, ww_page_run *run)
{
    if (__builtin_expect(tlb->merge != NULL, 0))
        return tlb->merge->find(tlb->merge_state, &tlb->entries, key, entry, run);
    return ww_lru_find(&tlb->entries, key, entry);
}

bool ww_tlb_find(ww_tlb *tlb, uint64_t key, uint64_t *entry, ww_page_run *run)
{
    return find_page(tlb, key, entry, run);
}

static bool look_up(ww_tlb *tlb, ww_translation *t, ww_tick now)
{
    uint64_t entry, key = ww_translation_key(t);
    ww_page_run run = {0};
    if (find_page(tlb, key, &entry, &run) && (!t->writes || entry & WW_PTE_WRITABLE)) {
        drop_request(tlb);
        answer(tlb, t, entry, run, now);
        tlb->counters.hits++;
    } else {
        if (!miss_or_merge(tlb, t, key, now))
            return false;
        drop_request(tlb);
    }
    t->held += ww_translation_held(&tlb->in, now);
    tlb->counters.accesses++;
    if (tlb->config.epoch)
        count_warp(tlb, t);
    return true;
}

static void end_stall(ww_tlb *tlb, ww_tick now)
{
    if (tlb->stall_since == WW_NEVER)
        return;
    *tlb->stall += now - tlb->stall_since;
    tlb->stall_since = WW_NEVER;
    ww_blame_wait(&tlb->blame, NULL, WW_CAUSE_TLB, now);
}

static void look_up_all(ww_tlb *tlb, ww_tick now)
{
    uint64_t cycle = ww_clock_cycle(tlb->config.clock, now);
    if (cycle != tlb->cycle) {
        tlb->cycle = cycle;
        tlb->lookups = 0;
    }
    for (ww_translation *t; (t = next_request(tlb, now)) != NULL; tlb->lookups++) {
        if (tlb->lookups == tlb->config.lookups) {
            ww_wake(tlb->engine, &tlb->task, ww_clock_after(tlb->config.clock, now, 1));
            return;
        }
        if (!look_up(tlb, t, now))
            return; /* a fill, or space in the port below, wakes the TLB */
    }
    if (tlb->in.count)
        ww_wake(tlb->engine, &tlb->task, ww_port_next(&tlb->in));
}

static void tick(void *owner)
{
    ww_tlb *tlb = owner;
    ww_tick now = ww_engine_now(tlb->engine);
    ww_tick edge = ww_clock_next(tlb->config.clock, now);
    if (edge != now) {
        ww_wake(tlb->engine, &tlb->task, edge);
        return;
    }
    end_stall(tlb, now);
    receive_fills(tlb, now);
    if (tlb->fill.count)
        ww_wake(tlb->engine, &tlb->task, ww_port_next(&tlb->fill));
    look_up_all(tlb, now);
    send_down(tlb, now);
}

/* ---- making it ---- */

static void explain(const void *owner, FILE *out)
{
    const ww_tlb *tlb = owner;
    uint32_t waiting = tlb->in.count + tlb->oldest_in.count;
    if (tlb->misses.used + tlb->lent || waiting)
        fprintf(out, "%s: %u requests wait for their lookup, %u misses outstanding\n",
                tlb->config.name, waiting, tlb->misses.used + tlb->lent);
}

ww_tlb *ww_tlb_create(const ww_tlb_config *config, ww_engine *engine)
{
    ww_tlb *tlb = ww_calloc(1, sizeof(*tlb));
    tlb->config = *config;
    tlb->engine = engine;
    tlb->stall_since = WW_NEVER;
    tlb->cycle = UINT64_MAX;
    ww_lru_create(&tlb->entries, &config->entries);
    if (config->merge && config->merge->find) {
        tlb->merge = config->merge;
        tlb->merge_state = ww_policy_create(&config->merge->policy, &tlb->config.start);
    }
    ww_miss_file_create(&tlb->misses, config->mshrs + config->lends + config->forwarded);
    if (config->oldest_first) {
        ww_oldest_create(&tlb->oldest_in, config->queue);
        ww_oldest_create(&tlb->oldest_unsent, config->mshrs + config->lends);
    }
    if (config->epoch)
        tlb->warp_epoch = ww_calloc(config->warps, sizeof(*tlb->warp_epoch));
    ww_task_init(engine, &tlb->task, WW_PHASE_TRANSLATION, tick, tlb);
    ww_port_init(&tlb->in, engine, config->queue + config->latency * config->lookups,
                 config->producers);
    if (config->seats)
        ww_port_seat(&tlb->in, config->seats, &tlb->config.clock);
    ww_port_init(&tlb->fill, engine, tlb->misses.most, 1);
    ww_port_connect(&tlb->in, &tlb->task);
    tlb->in.blame = &tlb->blame;
    tlb->blame.cause = WW_CAUSE_TLB;
    ww_port_connect(&tlb->fill, &tlb->task);
    ww_engine_add_explainer(engine, explain, tlb);
    return tlb;
}

void ww_tlb_destroy(ww_tlb *tlb)
{
    if (!tlb)
        return;
    ww_lru_destroy(&tlb->entries);
    if (tlb->merge)
        ww_policy_destroy(&tlb->merge->policy, &tlb->config.start, tlb->merge_state);
    ww_oldest_destroy(&tlb->oldest_in);
    ww_oldest_destroy(&tlb->oldest_unsent);
    ww_port_clear(&tlb->in);
    ww_port_clear(&tlb->fill);
    ww_miss_file_destroy(&tlb->misses);
    free(tlb->warp_epoch);
    free(tlb);
}

void ww_tlb_connect(ww_tlb *tlb, const ww_tlb_wiring *wiring)
{
    tlb->wiring = *wiring;
}

ww_port *ww_tlb_in(ww_tlb *tlb)
{
    return &tlb->in;
}

ww_port *ww_tlb_fill(ww_tlb *tlb)
{
    return &tlb->fill;
}

static void invalidate_page(ww_tlb *tlb, uint64_t key)
{
    uint32_t index = *ww_miss_find(&tlb->misses, key);
    if (index != WW_NO_MISS)
        tlb->misses.items[index].stale = true;
    if (tlb->merge)
        tlb->merge->remove(tlb->merge_state, &tlb->entries, key);
    else
        ww_lru_remove(&tlb->entries, key);
}

/* Runs of answers that are on their way may have pages of the list. */
static void forget_runs(ww_tlb *tlb, uint16_t asid)
{
    for (uint32_t i = 0; tlb->merge && i < tlb->config.mshrs + tlb->config.forwarded; i++)
        if (tlb->misses.items[i].key >> WW_ASID_SHIFT == asid)
            tlb->misses.items[i].alone = true; /* in a free one it has no effect */
}

void ww_tlb_invalidate(ww_tlb *tlb, const ww_invalidation *what)
{
    forget_runs(tlb, what->asid);
    for (uint32_t i = 0; !what->all && i < what->count; i++)
        invalidate_page(tlb, ww_page_key(what->asid, what->pages[i]));
    if (!what->all)
        return;
    for (uint32_t i = 0; i < tlb->misses.most; i++)
        if (tlb->misses.items[i].key >> WW_ASID_SHIFT == what->asid)
            tlb->misses.items[i].stale = true; /* in a free one it has no effect */
    if (tlb->merge)
        tlb->merge->remove_space(tlb->merge_state, &tlb->entries, what->asid);
    else
        ww_lru_remove_all(&tlb->entries, WW_ASID_SHIFT, what->asid);
}

void ww_tlb_keep(ww_tlb *tlb, uint64_t key, uint64_t entry, ww_page_run run)
{
    tlb->counters.fills++;
    keep(tlb, key, entry, run);
    if (tlb->stall_since != WW_NEVER) /* its head may hit now, or find a free thread */
        ww_wake(tlb->engine, &tlb->task, ww_engine_now(tlb->engine));
}

void ww_tlb_free_held(ww_tlb *tlb, uint16_t asid, uint64_t page)
{
    uint32_t *link = ww_miss_find(&tlb->misses, ww_page_key(asid, page));
    if (*link == WW_NO_MISS || !tlb->misses.items[*link].held)
        return;
    tlb->held--;
    ww_miss_close(&tlb->misses, link);
    ww_wake(tlb->engine, &tlb->task, ww_engine_now(tlb->engine));
}

ww_tlb_counters *ww_tlb_count(ww_tlb *tlb)
{
    return &tlb->counters;
}
