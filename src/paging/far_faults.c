#include "paging/far_faults.h"

#include "base/memory.h"
#include "base/number_map.h"
#include "paging/paging_stats.h"

typedef enum entry_state { UNTRACKED, TRACKED, REPLAYED } entry_state;

/* A page that a compute unit was refused. */
typedef struct entry {
    ww_page_record *record;
    ww_tick since;
    uint64_t oldest;         /* of the instructions that were refused */
    uint32_t next, previous; /* untracked ones, in the order of their Nacks; or free ones */
    uint8_t state;
    bool registered; /* the MMU knows that the compute unit wants the page */
    bool owner;      /* and it takes one of the compute unit's registers */
    bool chained;    /* replayed because its turn among the untracked had come */
} entry;

#define NONE UINT32_MAX

typedef struct cu_faults {
    ww_number_map index; /* of entries, by page */
    WW_VEC(entry) entries;
    uint32_t free;
    uint32_t first, last; /* untracked */
    uint64_t pending;     /* tracked Nacks */
    uint64_t registers;   /* in use */
    bool blocked;
    ww_tick blocked_since;
} cu_faults;

struct ww_far_faults {
    ww_far_faults_config config;
    ww_far_faults_wiring wiring;
    ww_number_map registered; /* pages with a register: how many compute units want them */
    uint64_t outstanding;
    cu_faults cu[];
};

/* ---- entries ---- */

static uint64_t page_of(const ww_far_faults *f, const ww_page_record *record)
{
    return ww_page_residency_page(f->wiring.residency, record);
}

static entry *find(cu_faults *c, uint64_t page)
{
    uint64_t at = ww_number_map_get(&c->index, page);
    return at == WW_NO_NUMBER ? NULL : &c->entries.items[at];
}

static entry *add(ww_far_faults *f, cu_faults *c, ww_page_record *record)
{
    uint32_t at = c->free;
    if (at == NONE) {
        at = (uint32_t)c->entries.count;
        ww_vec_push(&c->entries, (entry){0});
    } else {
        c->free = c->entries.items[at].next;
    }
    ww_number_map_set(&c->index, page_of(f, record), at);
    c->entries.items[at] = (entry){.record = record,
                                   .since = ww_timers_now(f->wiring.timers),
                                   .next = NONE,
                                   .previous = NONE,
                                   .state = REPLAYED};
    f->outstanding++;
    return &c->entries.items[at];
}

static void drop(ww_far_faults *f, cu_faults *c, entry *e)
{
    uint32_t at = (uint32_t)(e - c->entries.items);
    ww_number_map_remove(&c->index, page_of(f, e->record));
    f->wiring.counters->waiting += ww_timers_now(f->wiring.timers) - e->since;
    e->next = c->free;
    c->free = at;
    f->outstanding--;
}

static void append_untracked(cu_faults *c, entry *e)
{
    uint32_t at = (uint32_t)(e - c->entries.items);
    e->previous = c->last;
    e->next = NONE;
    if (c->last == NONE)
        c->first = at;
    else
        c->entries.items[c->last].next = at;
    c->last = at;
}

static void unlink_untracked(cu_faults *c, entry *e)
{
    if (e->previous == NONE)
        c->first = e->next;
    else
        c->entries.items[e->previous].next = e->next;
    if (e->next == NONE)
        c->last = e->previous;
    else
        c->entries.items[e->next].previous = e->previous;
}

/* ---- replays ---- */

/* False: nothing is requested yet. */
static bool replay(ww_far_faults *f, unsigned cu, entry *e)
{
    ww_page_record *record = e->record;
    if (e->state == TRACKED)
        f->cu[cu].pending--;
    else if (e->state == UNTRACKED)
        unlink_untracked(&f->cu[cu], e);
    e->state = REPLAYED;
    record->pins++;
    f->wiring.counters->replays++;
    return f->wiring.hardware->replay(f->wiring.hardware->context, cu, page_of(f, record));
}

/* The untracked request whose turn it is. */
static entry *next_untracked(const ww_far_faults *f, cu_faults *c)
{
    entry *chosen = &c->entries.items[c->first];
    if (!f->wiring.is_full || !f->wiring.is_full(f->wiring.context))
        return chosen;
    for (uint32_t at = c->first; at != NONE; at = c->entries.items[at].next)
        if (c->entries.items[at].oldest < chosen->oldest)
            chosen = &c->entries.items[at];
    return chosen;
}

/* Up to one that is requested: the others have no result that the next one could follow. */
static void replay_oldest_untracked(ww_far_faults *f, unsigned cu)
{
    cu_faults *c = &f->cu[cu];
    for (bool requested = false; !requested && c->first != NONE;) {
        entry *e = next_untracked(f, c);
        e->chained = true;
        requested = replay(f, cu, e);
    }
}

/* ---- blocking ---- */

static void set_blocked(ww_far_faults *f, unsigned cu, bool blocked)
{
    cu_faults *c = &f->cu[cu];
    ww_tick now = ww_timers_now(f->wiring.timers);
    if (!f->config.blocking || c->blocked == blocked)
        return;
    if (blocked)
        c->blocked_since = now;
    else
        f->wiring.counters->blocked += now - c->blocked_since;
    c->blocked = blocked;
    f->wiring.hardware->block(f->wiring.hardware->context, cu, blocked);
}

/* ---- events ---- */

/* Its turn among the untracked had come, and others have taken the registers. */
static bool must_be_tracked(const ww_far_faults *f, const entry *e)
{
    return e->chained && f->wiring.is_urgent && f->wiring.is_urgent(f->wiring.context, e->record);
}

/* The MMU's part: whether the page gets a register, or has one. */
static void reach_mmu(ww_far_faults *f, cu_faults *c, entry *e)
{
    uint64_t page = page_of(f, e->record);
    uint64_t known = ww_number_map_get(&f->registered, page);
    bool merged = known != WW_NO_NUMBER;
    if (merged && !f->config.merged_count) {
        e->registered = true;
    } else if (c->registers < f->config.registers || must_be_tracked(f, e)) {
        e->registered = e->owner = true;
        c->registers++;
    }
    if (!e->registered)
        return;
    ww_number_map_set(&f->registered, page, merged ? known + 1 : 1);
    if (!merged)
        f->wiring.fault(f->wiring.context, e->record);
}

/* The compute unit's part: whether it waits for a notice. */
static void count_nack(ww_far_faults *f, cu_faults *c, entry *e)
{
    f->wiring.counters->nacks++;
    if (e->registered) {
        c->pending++;
        e->state = TRACKED;
        return;
    }
    f->wiring.counters->untracked++;
    e->state = UNTRACKED;
    append_untracked(c, e);
}

/* The page came while the Nack was on its way. */
static void replay_at_once(ww_far_faults *f, unsigned cu, ww_page_record *record, entry *e)
{
    if (!e) {
        add(f, &f->cu[cu], record)->oldest = UINT64_MAX;
        record->pins++;
    }
    f->wiring.counters->replays++;
    f->wiring.hardware->replay(f->wiring.hardware->context, cu, page_of(f, record));
}

void ww_far_faults_nack(ww_far_faults *f, unsigned cu, ww_page_record *record, uint64_t instruction)
{
    cu_faults *c = &f->cu[cu];
    entry *e = find(c, page_of(f, record));
    if (e && instruction < e->oldest)
        e->oldest = instruction;
    if (e && e->state != REPLAYED) {
        set_blocked(f, cu, true);
        return; /* another instruction waits for the page already */
    }
    if (ww_page_residency_is_present(record)) {
        replay_at_once(f, cu, record, e);
        return;
    }
    if (!e)
        (e = add(f, c, record))->oldest = instruction;
    else
        record->pins = (uint16_t)(record->pins ? record->pins - 1 : 0); /* it has left again */
    if (!e->registered)
        reach_mmu(f, c, e);
    e->chained = false;
    count_nack(f, c, e);
    set_blocked(f, cu, true);
}

void ww_far_faults_translated(ww_far_faults *f, unsigned cu, ww_page_record *record)
{
    cu_faults *c = &f->cu[cu];
    entry *e = find(c, page_of(f, record));
    if (!e || e->state != REPLAYED)
        return;
    bool chained = e->chained;
    record->pins--;
    drop(f, c, e);
    if (!c->index.count || (f->config.blocked_until == WW_BLOCKED_UNTIL_FIRST && !c->pending))
        set_blocked(f, cu, false);
    if (chained || (f->config.blocking && !c->pending))
        replay_oldest_untracked(f, cu);
}

void ww_far_faults_notice(ww_far_faults *f, ww_page_record *record)
{
    uint64_t page = page_of(f, record);
    if (!ww_number_map_remove(&f->registered, page))
        return; /* nobody faulted */
    for (unsigned cu = 0; cu < f->config.cus; cu++) {
        cu_faults *c = &f->cu[cu];
        entry *e = find(c, page);
        if (!e || !e->registered)
            continue;
        c->registers -= e->owner;
        e->registered = e->owner = false;
        if (f->config.blocked_until == WW_BLOCKED_UNTIL_ARRIVAL)
            set_blocked(f, cu, false);
        bool requested = e->state != REPLAYED && replay(f, cu, e);
        if (!f->config.blocking || !requested)
            replay_oldest_untracked(f, cu);
    }
}

void ww_far_faults_replay_resident(ww_far_faults *f)
{
    for (unsigned cu = 0; cu < f->config.cus; cu++) {
        const cu_faults *c = &f->cu[cu];
        for (uint32_t at = c->first, next; at != NONE; at = next) {
            entry *e = &c->entries.items[at];
            next = e->next;
            if (e->record->state == WW_PAGE_RESIDENT)
                (void)replay(f, cu, e);
        }
    }
}

void ww_far_faults_explain(const ww_far_faults *f, FILE *out)
{
    for (unsigned cu = 0; cu < f->config.cus; cu++) {
        const cu_faults *c = &f->cu[cu];
        if (c->index.count)
            fprintf(out, "far-faults of compute unit %u: %zu pages, %llu tracked, %s untracked\n",
                    cu, c->index.count, (unsigned long long)c->pending,
                    c->first == NONE ? "none" : "some");
    }
}

uint64_t ww_far_faults_outstanding(const ww_far_faults *f)
{
    return f->outstanding;
}

ww_far_faults *ww_far_faults_create(const ww_far_faults_config *config,
                                    const ww_far_faults_wiring *wiring)
{
    ww_far_faults *f = ww_calloc(1, sizeof(*f) + config->cus * sizeof(cu_faults));
    f->config = *config;
    f->wiring = *wiring;
    if (config->blocking)
        f->config.registers = 1;
    for (unsigned i = 0; i < config->cus; i++)
        f->cu[i].free = f->cu[i].first = f->cu[i].last = NONE;
    return f;
}

void ww_far_faults_destroy(ww_far_faults *f)
{
    if (!f)
        return;
    for (unsigned i = 0; i < f->config.cus; i++) {
        ww_number_map_clear(&f->cu[i].index);
        ww_vec_free(&f->cu[i].entries);
    }
    ww_number_map_clear(&f->registered);
    free(f);
}
