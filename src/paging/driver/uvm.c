/* NVIDIA's open UVM driver (release 595), with the fault buffer and the replays of its GPUs.
 *
 * A fault is an entry of the fault buffer. An idle driver is woken by an interrupt and begins a
 * service: it fetches batches of entries until there is none, or so many of them. It serves the
 * 2 MiB blocks of a batch one after the other: the pages that faulted and what the prefetcher adds
 * are brought while the driver works on the next block. Then it replays:
 *   block         after each block
 *   batch         after each batch; the driver goes on at once
 *   batch_flush   after each batch; it drops the entries that it knows of first, and waits for the
 *                 replay. With many duplicates in the batch it reads PUT before, so that it drops
 *                 entries that came since, too. What was dropped faults again.
 *   once          at the end of the service
 * A service has one replay at least.
 *
 * Like the real one with paging.prefetch tree, paging.chunk 2MiB, paging.evict allocation2m and
 * paging.write_back always. Not here: the host's time for evictions, thrashing, access counters. */
#include "base/memory.h"
#include "paging/driver.h"
#include "paging/fault_batch.h"
#include "paging/paging_stats.h"
#include "paging/replays.h"
#include "stats/stats.h"

typedef enum replay_policy { BLOCK, BATCH, BATCH_FLUSH, ONCE } replay_policy;

typedef struct state {
    const ww_paging_services *services;
    ww_fault_buffer buffer;
    ww_fault_batch batch;
    ww_replays replays;
    replay_policy policy;
    uint64_t capacity, batch_size, most_batches, put_ratio;
    /* Picoseconds until it is connected. */
    ww_tick interrupt, register_read, fetch, block, page, replay;
    ww_timer timer; /* until the next step of the driver */
    bool working;
    bool without_memory;      /* pages of the block that it brings wait for others to leave */
    uint64_t batches, pushed; /* of this service: batches and replays */
    uint64_t awaited;         /* the replay that the driver waits for; 0: none */
    uint64_t last_fault;
    WW_VEC(ww_page_record *) members; /* pages of the block that is served */
    uint64_t blocks;                  /* statistics */
} state;

static void fetch(void *own);
static void serve(void *own);

static void after(state *s, ww_tick ticks, void (*step)(void *own))
{
    ww_timers *timers = s->services->timers;
    s->timer.run = step;
    ww_timer_set(timers, &s->timer, ww_timers_now(timers) + ticks);
}

static uint64_t push_replay(state *s)
{
    s->pushed++;
    return ww_replays_push(&s->replays);
}

/* ---- a service ---- */

static void begin_service(void *own)
{
    state *s = own;
    s->batches = s->pushed = 0;
    fetch(s);
}

static void wake(state *s)
{
    s->working = true;
    after(s, s->interrupt, begin_service);
}

static void end_service(void *own)
{
    state *s = own;
    if (s->policy == ONCE || !s->pushed)
        push_replay(s);
    s->working = false;
    if (ww_fault_buffer_used(&s->buffer))
        wake(s);
}

static void fetch(void *own)
{
    state *s = own;
    if (s->batches == s->most_batches) {
        end_service(s);
        return;
    }
    uint64_t reads = s->buffer.put_reads;
    uint32_t raw = ww_fault_batch_fetch(&s->batch, &s->buffer);
    reads = s->buffer.put_reads - reads;
    after(s, raw * s->fetch + reads * s->register_read, raw ? serve : end_service);
}

static void flush(void *own)
{
    state *s = own;
    ww_fault_buffer_flush(&s->buffer);
    s->awaited = push_replay(s);
}

static void read_put_and_flush(void *own)
{
    state *s = own;
    ww_fault_buffer_read_put(&s->buffer);
    flush(s);
}

static void replayed(void *own)
{
    state *s = own;
    if (!s->awaited || s->replays.executed < s->awaited)
        return;
    s->awaited = 0;
    fetch(s);
}

static void end_batch(state *s)
{
    uint64_t duplicates = s->batch.raw - s->batch.count;
    s->batches++;
    s->services->counters->services++;
    s->services->counters->duplicates += duplicates;
    if (s->policy == BATCH)
        push_replay(s);
    if (s->policy != BATCH_FLUSH) {
        fetch(s);
    } else if (duplicates * 100 > s->batch.raw * s->put_ratio) {
        after(s, s->register_read, read_put_and_flush);
    } else {
        flush(s);
    }
}

/* ---- a block ---- */

static bool can_bring(const ww_page_record *record)
{
    return record->state == WW_PAGE_ON_HOST || (record->state == WW_PAGE_LEAVING && !record->again);
}

static void add_member(state *s, ww_page_record *record)
{
    record->chosen = true;
    ww_vec_push(&s->members, record);
}

/* Pages of the block that have not come, and whose buffer still exists. */
static void add_faults(state *s, const ww_fault_block *block)
{
    for (uint32_t i = 0; i < block->count; i++) {
        s->last_fault = block->faults[i].page;
        ww_page_record *record = ww_page_residency_find(s->services->residency, s->last_fault);
        if (!record || ww_page_residency_is_present(record))
            continue;
        record->demanded = true;
        if (can_bring(record))
            add_member(s, record);
    }
}

static void prefetch(state *s)
{
    const ww_paging_services *v = s->services;
    bool full = ww_migration_is_full(v->migration);
    if (!v->prefetch->next || !s->members.count || (full && !v->prefetch->when_full))
        return;
    ww_prefetch_view view = {.residency = v->residency,
                             .faults = s->members.items,
                             .fault_count = s->members.count,
                             .last_fault = s->last_fault,
                             .full = full,
                             .order = v->order,
                             .order_count = v->order_count};
    if (v->prefetch->begin)
        v->prefetch->begin(v->prefetch_state, &view);
    for (ww_page_record *it; s->members.count < v->residency->block_pages &&
                             (it = v->prefetch->next(v->prefetch_state, &view)) != NULL;) {
        add_member(s, it);
        view.faults = s->members.items;
    }
}

/* The next block is served when all pages of this one have memory: others may have to leave. */
static void continue_with_memory(state *s)
{
    if (!s->without_memory || ww_migration_coming(s->services->migration))
        return;
    s->without_memory = false;
    serve(s);
}

static void bring(void *own)
{
    state *s = own;
    s->blocks++;
    for (size_t i = 0; i < s->members.count; i++) {
        ww_page_record *record = s->members.items[i];
        record->chosen = false;
        if (!can_bring(record))
            continue;
        ww_replays_add_page(&s->replays, record);
        ww_migration_bring(s->services->migration, record, (ww_page_times){0});
    }
    if (s->policy == BLOCK)
        push_replay(s);
    s->without_memory = true;
    continue_with_memory(s);
}

/* A block without a page to bring takes no time of its own. */
static void serve(void *own)
{
    state *s = own;
    for (ww_fault_block block; ww_fault_batch_next_block(&s->batch, &block);) {
        s->members.count = 0;
        add_faults(s, &block);
        prefetch(s);
        if (s->members.count) {
            after(s, s->block + s->members.count * s->page, bring);
            return;
        }
    }
    end_batch(s);
}

/* ---- events ---- */

static void fault(void *own, unsigned cu, ww_page_record *record, const ww_page_fault *what)
{
    state *s = own;
    (void)record;
    ww_fault_entry entry = {.page = what->page,
                            .time = ww_timers_now(s->services->timers),
                            .utlb = cu,
                            .asid = what->instruction.asid,
                            .access = what->writes ? WW_FAULT_WRITE : WW_FAULT_READ};
    s->services->counters->queued += ww_fault_buffer_write(&s->buffer, &entry);
    ww_replays_add_refused(&s->replays, cu, what->page);
    if (!s->working)
        wake(s);
}

static void arrived(void *own, ww_page_record *record)
{
    state *s = own;
    ww_replays_page_arrived(&s->replays, record);
    continue_with_memory(s);
}

static void launch(void *own)
{
    state *s = own;
    ww_replays_recount(&s->replays);
    continue_with_memory(s);
}

static void explain(const void *own, FILE *out)
{
    const state *s = own;
    if (s->working || s->replays.refused.count)
        fprintf(out, "paging driver: %zu requests refused, %u entries in the fault buffer%s\n",
                s->replays.refused.count, ww_fault_buffer_used(&s->buffer),
                s->awaited ? ", waits for a replay" : "");
}

/* ---- making it ---- */

static void connect(void *own, const ww_paging_services *services)
{
    state *s = own;
    s->services = services;
    s->last_fault = WW_NO_FAULT;
    s->timer.owner = own;
    ww_tick *times[] = {&s->interrupt, &s->register_read, &s->fetch,
                        &s->block,     &s->page,          &s->replay};
    for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
        *times[i] = ww_paging_ticks(services, *times[i]);
    ww_fault_buffer_create(&s->buffer, (uint32_t)s->capacity);
    ww_fault_batch_create(
        &s->batch, &(ww_fault_batch_config){.size = (uint32_t)s->batch_size,
                                            .utlbs = services->hardware.cus,
                                            .block_pages = services->residency->block_pages});
    ww_replays_create(&s->replays, &(ww_replays_wiring){.timers = services->timers,
                                                        .residency = services->residency,
                                                        .counters = services->counters,
                                                        .hardware = &services->hardware,
                                                        .latency = s->replay,
                                                        .executed = replayed,
                                                        .context = s});
}

static void destroy(void *own)
{
    state *s = own;
    ww_fault_buffer_destroy(&s->buffer);
    ww_fault_batch_destroy(&s->batch);
    ww_replays_destroy(&s->replays);
    ww_vec_free(&s->members);
}

static const char *const replay_policies[] = {"block", "batch", "batch_flush", "once", NULL};

#define NUMBER(name, of, least, most, value, text)                                      \
    {                                                                                   \
        .key = (name), .type = WW_KEY_U64, .unit = (of), .min = (least), .max = (most), \
        .initial = (value), .doc = (text)                                               \
    }
#define TIME(name, value, text)                                                            \
    {                                                                                      \
        .key = (name), .type = WW_KEY_TIME, .min = "0ns", .max = "1s", .initial = (value), \
        .doc = (text)                                                                      \
    }

/* Numbers are the driver's defaults. Of the times, only register_time has a source. */
static const ww_key keys[] = {
    {.key = "replay",
     .type = WW_KEY_CHOICE,
     .choices = replay_policies,
     .initial = "batch_flush",
     .doc = "when all refused requests go again: after each 2 MiB block, after each batch (with or "
            "without a flush of the fault buffer), or once in a service"},
    NUMBER("fault_buffer", "entries", "2", "1048576", "1024",
           "of the hardware's ring, one of them always free; assumed"),
    NUMBER("batch_size", "entries", "1", "1048576", "256",
           "most entries that the driver fetches and serves together"),
    NUMBER("batches", "batches", "1", "1000000", "20",
           "most of a service; the next one begins with an interrupt"),
    NUMBER("put_ratio", "percent", "0", "100", "50",
           "duplicates of a batch above which a flush drops entries that came since, too"),
    TIME("interrupt_time", "5us", "from the first fault to the driver's service; assumed"),
    TIME("register_time", "800ns",
         "to read PUT, a register of the GPU; as pcie-lat measured another device"),
    TIME("fetch_time", "100ns", "of each entry of a batch: read, compare, sort; assumed"),
    TIME("block_time", "10us", "of each 2 MiB block of which pages come; assumed"),
    TIME("page_time", "250ns", "of each page that comes, besides its transfer; assumed"),
    TIME("replay_time", "2us", "from the last page of a batch to the replay; assumed"),
};

#define COUNTER(text, of, says, field)                                        \
    {                                                                         \
        .name = (text), .unit = (of), .doc = (says), .kind = WW_STAT_COUNTER, \
        .offset = offsetof(state, field)                                      \
    }

static const ww_stat stats[] = {
    COUNTER("buffer_dropped", "faults", "that found the fault buffer full", buffer.dropped),
    COUNTER("buffer_flushed", "faults", "that a flush dropped", buffer.flushed),
    COUNTER("put_reads", "reads", "of the fault buffer's PUT register", buffer.put_reads),
    COUNTER("fetched", "faults", "entries that the driver fetched", batch.counters.raw),
    COUNTER("fetched_pages", "pages", "of them, one for each page of a batch",
            batch.counters.pages),
    COUNTER("same_utlb", "faults", "duplicates of the last one of their compute unit",
            batch.counters.same_utlb),
    COUNTER("same_as_last", "faults", "duplicates of the last one that was kept",
            batch.counters.same_as_last),
    COUNTER("same_after_sort", "faults", "duplicates that the sort brought together",
            batch.counters.after_sort),
    COUNTER("blocks", "blocks", "2 MiB blocks of which pages came, in each batch", blocks),
    COUNTER("replay_commands", "replays", "of all refused requests", replays.executed),
};

static void start(void *own, const ww_policy_start *start)
{
    state *s = own;
    s->policy = (replay_policy)ww_policy_choice(start, "replay");
    s->capacity = ww_policy_u64(start, "fault_buffer");
    s->batch_size = ww_policy_u64(start, "batch_size");
    s->most_batches = ww_policy_u64(start, "batches");
    s->put_ratio = ww_policy_u64(start, "put_ratio");
    s->interrupt = ww_policy_time(start, "interrupt_time");
    s->register_read = ww_policy_time(start, "register_time");
    s->fetch = ww_policy_time(start, "fetch_time");
    s->block = ww_policy_time(start, "block_time");
    s->page = ww_policy_time(start, "page_time");
    s->replay = ww_policy_time(start, "replay_time");
}

extern const ww_paging_driver ww_paging_driver_uvm;
const ww_paging_driver ww_paging_driver_uvm = {
    .policy = {.name = "uvm",
               .doc = "a fault buffer, batches of faults by 2 MiB block, and replays of all "
                      "requests (NVIDIA's open UVM driver)",
               WW_POLICY_KEYS(keys),
               WW_POLICY_STATS(stats),
               .state_size = sizeof(state),
               .start = start},
    .connect = connect,
    .destroy = destroy,
    .launch = launch,
    .fault = fault,
    .arrived = arrived,
    .explain = explain,
};
