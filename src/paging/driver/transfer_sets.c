/* The driver of HPCA 2016 (Zheng et al., sections 3.1 and 4.1), with its far-fault registers.
 *
 * Without a prefetcher, a page is resident `fault_latency` after the driver has seen its fault: its
 * passing of the link is a part of that. Faults overlap (pipelined), or the driver takes all that
 * are queued and serves no other until they are resident (batched).
 *
 * With a prefetcher, time is cut into intervals. The first pages that fault in an interval make a
 * set; at the end of the interval the prefetcher fills it up to as many pages as the link passes in
 * an interval, and the set is sent, pages that faulted first. Where a fault takes longer than an
 * interval, sets flow that much later, but as often. Sets are made as long as a page is on the host
 * or a fault waits; when memory is full, only for faults.
 *
 * A driver that has nothing to do is woken by an interrupt; one that works polls. */
#include "paging/driver/transfer_sets.h"
#include "base/memory.h"
#include "paging/paging_stats.h"

/* A page that is to be brought at a time. */
typedef struct order {
    ww_page_record *record;
    ww_tick at;
    ww_page_times times;
} order;

typedef struct state {
    const ww_paging_services *services;
    ww_far_faults *faults;
    ww_transfer_sets_config config;
    ww_tick latency, interval, selection, interrupt;
    uint32_t set_pages;
    WW_VEC(ww_page_record *) queue; /* faults that no batch or set has yet */
    size_t queue_first;
    WW_VEC(order) orders; /* in the order of time */
    size_t order_first;
    ww_timer send_timer, wake_timer, interval_timer;
    uint64_t in_service; /* pages that faulted and are not resident, */
    uint64_t in_batch;   /* and those of the present batch */
    uint64_t last_fault;
    uint64_t set; /* number, also of batches */
    bool was_full;
    WW_VEC(ww_page_record *) members; /* of the set that is being made */
} state;

/* ---- pages that are sent ---- */

static uint64_t order_count(const state *s)
{
    return s->orders.count - s->order_first;
}

static void bring(state *s, ww_page_record *record, ww_page_times times)
{
    record->chosen = false;
    if (record->state == WW_PAGE_ON_HOST || record->state == WW_PAGE_LEAVING)
        ww_migration_bring(s->services->migration, record, times);
}

static void send_orders(void *own)
{
    state *s = own;
    ww_tick now = ww_timers_now(s->services->timers);
    while (s->order_first < s->orders.count && s->orders.items[s->order_first].at <= now) {
        const order *o = &s->orders.items[s->order_first++];
        bring(s, o->record, o->times);
    }
    if (s->order_first == s->orders.count)
        s->order_first = s->orders.count = 0;
    else
        ww_timer_set(s->services->timers, &s->send_timer, s->orders.items[s->order_first].at);
}

static void add_order(state *s, ww_page_record *record, ww_tick at, ww_page_times times)
{
    ww_vec_push(&s->orders, ((order){.record = record, .at = at, .times = times}));
    if (order_count(s) == 1)
        ww_timer_set(s->services->timers, &s->send_timer, at);
}

/* A page takes so long on the link and into memory. */
static ww_tick lead(const state *s)
{
    ww_tick most = 2 * s->services->page_ticks;
    return most < s->latency ? most : s->latency;
}

/* ---- on demand ---- */

/* Pages that leave for it do so when it is brought. */
static void serve(state *s, ww_page_record *record, ww_tick now)
{
    ww_tick sent = s->latency - lead(s);
    if (s->config.evict_time == WW_EVICT_SENDING)
        add_order(s, record, now + sent, (ww_page_times){.resident = now + s->latency});
    else if (s->config.evict_time == WW_EVICT_INSIDE)
        bring(s, record, (ww_page_times){.sent = now + sent, .resident = now + s->latency});
    else
        bring(s, record,
              (ww_page_times){.sent = sent, .resident = s->latency, .after_memory = true});
}

static void serve_queue(void *own)
{
    state *s = own;
    ww_tick now = ww_timers_now(s->services->timers);
    size_t count = s->queue.count - s->queue_first;
    if (!count || (s->config.service == WW_SERVICE_BATCHED && s->in_batch))
        return;
    s->services->counters->services++;
    s->set++;
    s->in_batch = count;
    ww_migration_keep_set(s->services->migration, s->set);
    while (s->queue_first < s->queue.count) {
        ww_page_record *record = s->queue.items[s->queue_first++];
        record->set = s->set;
        serve(s, record, now);
    }
    s->queue.count = s->queue_first = 0;
}

/* ---- sets ---- */

static bool has_prefetcher(const state *s)
{
    const ww_paging_services *v = s->services;
    if (s->was_full)
        return v->prefetch->next && v->prefetch->when_full;
    return v->prefetch->next || v->warm->next;
}

static void note_full(state *s)
{
    const ww_paging_services *v = s->services;
    s->was_full |= v->residency->on_host.count && ww_migration_is_full(v->migration);
}

static void add_member(state *s, ww_page_record *record)
{
    record->chosen = true;
    record->set = s->set;
    ww_vec_push(&s->members, record);
}

static void take_faults(state *s)
{
    while (s->queue_first < s->queue.count && s->members.count < s->set_pages)
        add_member(s, s->queue.items[s->queue_first++]);
    if (s->queue_first == s->queue.count)
        s->queue.count = s->queue_first = 0;
}

/* From the end of an interval until its set is sent. */
static ww_tick delay(const state *s)
{
    return (s->latency > s->interval ? s->latency - s->interval : 0) + s->selection;
}

/* Pages that the link has still to pass when this set is sent, of earlier ones. */
static uint64_t pages_before(const state *s)
{
    const ww_paging_services *v = s->services;
    ww_tick now = ww_timers_now(v->timers), sent = now + delay(s);
    ww_tick idle = now + ww_pcie_backlog(v->pcie, WW_PCIE_TO_GPU) +
                   ww_migration_coming(v->migration) * v->page_ticks;
    for (size_t i = s->order_first; i < s->orders.count; i++) {
        ww_tick at = s->orders.items[i].at;
        idle = (idle > at ? idle : at) + v->page_ticks;
    }
    return idle > sent ? (idle - sent) / v->page_ticks : 0;
}

/* Pages that the link passes until the next set beyond what it has to pass already, and that
 * memory has room for, as long as it is not full; then perhaps any number. */
static size_t room(const state *s)
{
    if (s->was_full && s->config.full_all)
        return SIZE_MAX;
    uint64_t before = pages_before(s), ordered = order_count(s);
    uint64_t most = before < s->set_pages ? s->set_pages - before : 0;
    uint64_t free = ww_migration_free_pages(s->services->migration);
    free = free > ordered ? free - ordered : 0;
    return (size_t)(s->was_full || most < free ? most : free);
}

static void prefetch(state *s)
{
    const ww_paging_services *v = s->services;
    bool warming = !s->was_full && v->warm->next;
    const ww_prefetch *policy = warming ? v->warm : v->prefetch;
    void *own = warming ? v->warm_state : v->prefetch_state;
    size_t faults = s->members.count, most = room(s);
    ww_prefetch_view view = {.residency = v->residency,
                             .faults = s->members.items,
                             .fault_count = faults,
                             .last_fault = s->last_fault,
                             .full = s->was_full,
                             .order = v->order,
                             .order_count = v->order_count};
    if (policy->begin)
        policy->begin(own, &view);
    for (ww_page_record *it; s->members.count < most && (it = policy->next(own, &view)) != NULL;) {
        add_member(s, it);
        view.faults = s->members.items;
    }
}

static void end_interval(void *own)
{
    state *s = own;
    const ww_paging_services *v = s->services;
    ww_tick now = ww_timers_now(v->timers);
    note_full(s);
    if (!has_prefetcher(s)) {
        serve_queue(s);
        return;
    }
    s->set++;
    s->members.count = 0;
    take_faults(s);
    prefetch(s);
    for (size_t i = 0; i < s->members.count; i++)
        add_order(s, s->members.items[i], now + delay(s), (ww_page_times){0});
    v->counters->services += s->members.count > 0;
    if (s->members.count)
        ww_migration_keep_set(v->migration, s->set);
    bool more = s->queue_first < s->queue.count || (!s->was_full && v->residency->on_host.count);
    if (more)
        ww_timer_set(v->timers, &s->interval_timer, now + s->interval);
}

/* ---- events ---- */

static void see_fault(void *own, ww_page_record *record)
{
    state *s = own;
    const ww_paging_services *v = s->services;
    ww_tick now = ww_timers_now(v->timers);
    bool idle = s->in_service == 0;
    v->counters->queued++;
    s->last_fault = ww_page_residency_page(v->residency, record);
    s->in_service += !record->demanded;
    record->demanded = true;
    if (record->chosen || record->state == WW_PAGE_COMING) {
        v->counters->duplicates++;
        return; /* it comes already */
    }
    record->chosen = true;
    ww_vec_push(&s->queue, record);
    if (has_prefetcher(s)) {
        if (!s->interval_timer.index)
            ww_timer_set(v->timers, &s->interval_timer, now + s->interval);
    } else if ((idle || s->config.service == WW_SERVICE_PIPELINED) && !s->wake_timer.index) {
        ww_timer_set(v->timers, &s->wake_timer, now + (idle ? s->interrupt : 0));
    }
}

/* When memory is full: a page of the instruction that has to go on. */
static bool is_urgent(void *own, const ww_page_record *record)
{
    const ww_migration *migration = ((const state *)own)->services->migration;
    uint64_t senior = ww_migration_senior(migration);
    return senior && record->senior == senior && ww_migration_is_full(migration);
}

static bool is_full(void *own)
{
    return ww_migration_is_full(((const state *)own)->services->migration);
}

static void fault(void *own, unsigned cu, ww_page_record *record, const ww_page_fault *what)
{
    state *s = own;
    ww_far_faults_nack(s->faults, cu, record, what->instruction.number);
}

static void translated(void *own, unsigned cu, ww_page_record *record)
{
    state *s = own;
    ww_far_faults_translated(s->faults, cu, record);
}

static void arrived(void *own, ww_page_record *record)
{
    state *s = own;
    s->in_service -= record->demanded;
    s->in_batch -= s->in_batch && record->set == s->set;
    ww_far_faults_notice(s->faults, record);
    if (!has_prefetcher(s))
        serve_queue(s);
}

static void starved(void *own)
{
    state *s = own;
    ww_far_faults_replay_resident(s->faults);
}

static void launch(void *own)
{
    state *s = own;
    const ww_paging_services *v = s->services;
    s->was_full &= ww_migration_is_full(v->migration);
    if (has_prefetcher(s) && v->residency->on_host.count && !s->interval_timer.index)
        ww_timer_set(v->timers, &s->interval_timer, ww_timers_now(v->timers) + s->interval);
}

static void explain(const void *own, FILE *out)
{
    const state *s = own;
    uint64_t outstanding = ww_far_faults_outstanding(s->faults);
    if (outstanding || s->in_service)
        fprintf(out, "paging driver: %llu requests refused, %llu pages that faulted in service\n",
                (unsigned long long)outstanding, (unsigned long long)s->in_service);
    ww_far_faults_explain(s->faults, out);
}

/* ---- making it ---- */

static void connect(void *own, const ww_paging_services *services)
{
    state *s = own;
    s->services = services;
    s->latency = ww_paging_ticks(services, s->config.latency);
    s->interval = ww_paging_ticks(services, s->config.interval / s->config.channels);
    s->selection = ww_paging_ticks(services, s->config.selection);
    s->interrupt = ww_paging_ticks(services, s->config.interrupt);
    s->set_pages = (uint32_t)(s->interval / services->page_ticks);
    s->set_pages += !s->set_pages;
    s->last_fault = WW_NO_FAULT;
    s->send_timer = (ww_timer){.run = send_orders, .owner = s};
    s->wake_timer = (ww_timer){.run = serve_queue, .owner = s};
    s->interval_timer = (ww_timer){.run = end_interval, .owner = s};
    s->config.faults.cus = services->hardware.cus;
    s->faults = ww_far_faults_create(&s->config.faults,
                                     &(ww_far_faults_wiring){.timers = services->timers,
                                                             .residency = services->residency,
                                                             .counters = services->counters,
                                                             .hardware = &services->hardware,
                                                             .fault = see_fault,
                                                             .is_urgent = is_urgent,
                                                             .is_full = is_full,
                                                             .context = s});
}

static void destroy(void *own)
{
    state *s = own;
    ww_far_faults_destroy(s->faults);
    ww_vec_free(&s->queue);
    ww_vec_free(&s->orders);
    ww_vec_free(&s->members);
}

static void start(void *own, const ww_policy_start *start)
{
    ((state *)own)->config = ww_transfer_sets_read(start);
}

extern const ww_paging_driver ww_paging_driver_transfer_sets;
const ww_paging_driver ww_paging_driver_transfer_sets = {
    .policy = {.name = "transfer_sets",
               .doc = "far-fault registers, and sets of pages at intervals (HPCA 2016)",
               WW_POLICY_KEYS(ww_transfer_sets_keys),
               .state_size = sizeof(state),
               .start = start},
    .warms = true,
    .connect = connect,
    .destroy = destroy,
    .launch = launch,
    .fault = fault,
    .translated = translated,
    .arrived = arrived,
    .starved = starved,
    .explain = explain,
};
