#include "support/mmu_rig.h"

#include "base/memory.h"
#include "config/config.h"
#include "sim/components.h"
#include "stats/stats.h"
#include "vm/mmu_internal.h"
#include "vm/vm_stats.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_PORTS = 4 };

typedef struct pending {
    ww_tick due;
    ww_request *request;
} pending;

struct mmu_rig {
    mmu_rig_config config;
    ww_config *keys;
    ww_engine *engine;
    ww_request_pool *pool;
    ww_driver *driver;
    ww_mmu *mmu;
    ww_task feeder, memory, above;
    ww_port ports[MOST_PORTS];
    ww_port *port_list[MOST_PORTS];
    ww_port out;
    ww_rng rng;
    mmu_rig_request *requests;
    size_t planned, fed, answered, capacity;
    ww_walk_record *records; /* by instruction: as it ended last */
    uint64_t record_reads;   /* of all instructions that ended */
    size_t *record_requests; /* planned and not answered */
    WW_VEC(pending) pending;
    uint64_t memory_reads;
    bool silent;
    size_t used;
    char log[8192], answers[256];
    size_t answer_count;
};

mmu_rig_config mmu_rig_plain(void)
{
    return (mmu_rig_config){.mmu = {.clock = {1, 1},
                                    .walkers = 1,
                                    .buffer = 64,
                                    .queue = 64,
                                    .suppliers = 1,
                                    .instructions = 1,
                                    .cache = WW_WALK_CACHE_NONE,
                                    .cache_entries = 8,
                                    .protect = true,
                                    .aging = UINT64_MAX,
                                    .start = {.prefix = "walk", .seed = 1},
                                    .line = 8,
                                    .sector = 8},
                            .scheduler = "fcfs",
                            .merge = "none",
                            .merge_levels = "all",
                            .batch_entries = "8",
                            .frames = "random",
                            .page_bytes = 4096,
                            .memory_ports = 1,
                            .spaces = 1,
                            .memory_queue = 64,
                            .read_time = 10,
                            .most = 256};
}

static void note(mmu_rig *rig, const char *format, ...)
{
    if (rig->silent)
        return;
    va_list args;
    va_start(args, format);
    int length = vsnprintf(rig->log + rig->used, sizeof(rig->log) - rig->used, format, args);
    va_end(args);
    rig->used += (size_t)length;
    assert_true(rig->used < sizeof(rig->log));
}

static mmu_rig_request *request_of(ww_translation *t)
{
    return t->owner;
}

/* ---- above ---- */

static void feed(void *owner)
{
    mmu_rig *rig = owner;
    ww_tick now = ww_engine_now(rig->engine);
    for (; rig->fed < rig->planned && rig->fed - rig->answered < rig->config.most; rig->fed++) {
        mmu_rig_request *r = &rig->requests[rig->fed];
        if (r->planned > now + 1) {
            ww_wake(rig->engine, &rig->feeder, r->planned - 1);
            return;
        }
        if (!ww_port_has_room(ww_mmu_in(rig->mmu))) {
            ww_port_wait(ww_mmu_in(rig->mmu), &rig->feeder);
            return;
        }
        ww_port_send(ww_mmu_in(rig->mmu), &r->translation, now + 1);
    }
}

static void end_instruction(mmu_rig *rig, const ww_instruction_id *instruction)
{
    ww_walk_records *records = ww_mmu_records(rig->mmu);
    const ww_walk_record *record = ww_walk_records_find(records, instruction->number);
    assert_non_null(record);
    assert_int_equal(record->done, record->walks);
    rig->record_reads += record->reads;
    rig->records[instruction->number - 1] = *record;
    ww_walk_records_end(records, instruction);
}

static void check_answer(const mmu_rig *rig, const ww_translation *t)
{
    ww_mapping mapping = ww_driver_mapping(rig->driver);
    uint64_t address = t->page * rig->config.page_bytes;
    if (t->status != WW_FAR_FAULT)
        assert_int_equal(t->frame,
                         mapping.translate(mapping.context, t->instruction.asid, address).physical);
}

static void receive_answers(void *owner)
{
    mmu_rig *rig = owner;
    ww_tick now = ww_engine_now(rig->engine);
    for (ww_translation *t; (t = ww_port_peek(&rig->out)) != NULL;) {
        mmu_rig_request *r = request_of(t);
        ww_port_pop(&rig->out);
        check_answer(rig, t);
        r->answers++;
        r->answered = now;
        rig->answered++;
        note(rig, "%llu%c%c ", (unsigned long long)now, "^!#"[t->status], r -> name);
        if (rig->answer_count < sizeof(rig->answers) - 1)
            rig->answers[rig->answer_count++] = r->name;
        if (--rig->record_requests[t->instruction.number - 1] == 0)
            end_instruction(rig, &t->instruction);
        ww_wake(rig->engine, &rig->feeder, now);
    }
    if (rig->out.count)
        ww_wake(rig->engine, &rig->above, ww_port_next(&rig->out));
}

/* ---- below ---- */

/* The physical address of an entry, from the bytes of the page table. */
static uint64_t entry_of(const mmu_rig *rig, uint64_t address, unsigned level)
{
    const ww_page_table *table = ww_driver_table(rig->driver, (uint16_t)(address >> WW_ASID_SHIFT));
    uint64_t node = ww_page_table_root(table);
    for (unsigned at = WW_LEVELS; at > level; at--)
        node = ww_page_table_read(table, ww_pte_address(node, address, at)) & WW_PTE_FRAME;
    return ww_pte_address(node, address, level);
}

static void receive_read(mmu_rig *rig, ww_request *request, ww_tick now)
{
    const ww_walk_slot *slot = request->owner;
    uint64_t entry = entry_of(rig, slot->walk.address, slot->level);
    assert_int_equal(request->address, entry - entry % rig->config.mmu.line);
    assert_int_equal(request->kind, WW_REQUEST_READ);
    assert_int_equal(request->class, WW_CLASS_PTE);
    mmu_rig_request *r = request_of(slot->walk.translation);
    r->reads++;
    rig->memory_reads++;
    note(rig, "%llu%s%c%u ", (unsigned long long)now, "v", r->name, slot->level);
    ww_tick more = rig->config.read_more ? ww_rng_below(&rig->rng, rig->config.read_more + 1) : 0;
    ww_vec_push(&rig->pending, ((pending){now + rig->config.read_time - 1 + more, request}));
}

/* Replies go when they are due, in the order in which their reads came. */
static void send_replies(mmu_rig *rig, ww_tick now)
{
    size_t left = 0;
    ww_tick next = WW_NEVER;
    for (size_t i = 0; i < rig->pending.count; i++) {
        pending p = rig->pending.items[i];
        if (p.due <= now) {
            ww_port_send(ww_mmu_replies(rig->mmu), p.request, now);
            continue;
        }
        next = p.due < next ? p.due : next;
        rig->pending.items[left++] = p;
    }
    rig->pending.count = left;
    if (next != WW_NEVER)
        ww_wake(rig->engine, &rig->memory, next);
}

static void run_memory(void *owner)
{
    mmu_rig *rig = owner;
    ww_tick now = ww_engine_now(rig->engine);
    if (now < rig->config.memory_hold) {
        ww_wake(rig->engine, &rig->memory, rig->config.memory_hold);
        return;
    }
    for (uint32_t i = 0; i < rig->config.memory_ports; i++) {
        for (ww_request *r; (r = ww_port_peek(&rig->ports[i])) != NULL;) {
            ww_port_pop(&rig->ports[i]);
            receive_read(rig, r, now);
        }
        if (rig->ports[i].count)
            ww_wake(rig->engine, &rig->memory, ww_port_next(&rig->ports[i]));
    }
    send_replies(rig, now);
}

static uint32_t route(const void *context, uint64_t address)
{
    const mmu_rig *rig = context;
    return (uint32_t)(address / 64 % rig->config.memory_ports);
}

/* ---- making it ---- */

static void create_ports(mmu_rig *rig)
{
    ww_task_init(rig->engine, &rig->memory, WW_PHASE_DRAM, run_memory, rig);
    ww_task_init(rig->engine, &rig->above, WW_PHASE_LOAD_STORE, receive_answers, rig);
    ww_task_init(rig->engine, &rig->feeder, WW_PHASE_BEFORE_ISSUE, feed, rig);
    ww_port_init(&rig->out, rig->engine, rig->config.most, 1);
    ww_port_connect(&rig->out, &rig->above);
    for (uint32_t i = 0; i < rig->config.memory_ports; i++) {
        ww_port_init(&rig->ports[i], rig->engine, rig->config.memory_queue, 1);
        ww_port_connect(&rig->ports[i], &rig->memory);
        rig->port_list[i] = &rig->ports[i];
    }
}

static const void *policy_of(const ww_policy_family *family, const char *name)
{
    const ww_policy *policy = ww_policy_find(family, name);
    assert_non_null(policy);
    return policy;
}

/* For the policies' own keys. */
static ww_config *create_keys(const mmu_rig_config *config)
{
    ww_config *keys = ww_config_create(&ww_all_schemas);
    ww_errors *errors = ww_errors_create();
    char *levels = ww_format("walk.merge_levels=%s", config->merge_levels);
    char *entries = ww_format("walk.batch_entries=%s", config->batch_entries);
    assert_int_equal(ww_config_set(keys, levels, errors), WW_OK);
    assert_int_equal(ww_config_set(keys, entries, errors), WW_OK);
    free(levels);
    free(entries);
    ww_errors_destroy(errors);
    return keys;
}

static void create_mmu(mmu_rig *rig)
{
    ww_mmu_config *c = &rig->config.mmu;
    c->scheduler = policy_of(&ww_walksched_family, rig->config.scheduler);
    c->merge = policy_of(&ww_walkmerge_family, rig->config.merge);
    c->page_shift = (unsigned)__builtin_ctzll(rig->config.page_bytes);
    c->start.config = rig->keys = create_keys(&rig->config);
    rig->mmu = ww_mmu_create(c, rig->engine, rig->pool);
    for (uint16_t asid = 0; asid < rig->config.spaces; asid++)
        ww_mmu_set_table(rig->mmu, asid, ww_driver_table(rig->driver, asid));
    ww_mmu_connect(rig->mmu, &(ww_mmu_wiring){.out = &rig->out,
                                              .memory = rig->port_list,
                                              .route = route,
                                              .route_context = rig});
}

mmu_rig *mmu_rig_create(const mmu_rig_config *config, size_t count, size_t instructions)
{
    mmu_rig *rig = ww_calloc(1, sizeof(*rig));
    assert_true(config->memory_ports <= MOST_PORTS);
    rig->config = *config;
    rig->engine = ww_engine_create();
    rig->pool = ww_request_pool_create();
    rig->driver = ww_driver_create(
        &(ww_driver_config){.frames = {.memory = 1ull << 36,
                                       .frame = config->page_bytes,
                                       .order = policy_of(&ww_frame_order_family, config->frames),
                                       .start = {.seed = 11}}});
    for (uint16_t asid = 0; asid < config->spaces; asid++)
        assert_true(ww_driver_add_space(rig->driver, asid));
    rig->capacity = count;
    rig->requests = ww_calloc(count, sizeof(*rig->requests));
    rig->records = ww_calloc(instructions, sizeof(*rig->records));
    rig->record_requests = ww_calloc(instructions, sizeof(*rig->record_requests));
    ww_rng_seed(&rig->rng, config->mmu.start.seed);
    create_ports(rig);
    create_mmu(rig);
    return rig;
}

mmu_rig_request *mmu_rig_plan(mmu_rig *rig, ww_tick tick, char name, unsigned instruction,
                              uint64_t page)
{
    return mmu_rig_plan_in(rig, 0, tick, name, instruction, page);
}

mmu_rig_request *mmu_rig_plan_in(mmu_rig *rig, uint16_t asid, ww_tick tick, char name,
                                 unsigned instruction, uint64_t page)
{
    uint64_t unused;
    mmu_rig_request *r = mmu_rig_plan_absent(rig, tick, name, instruction, page);
    r->translation.instruction.asid = asid;
    assert_true(ww_driver_touch(rig->driver, asid, page * rig->config.page_bytes, &unused));
    return r;
}

ww_driver *mmu_rig_driver(mmu_rig *rig)
{
    return rig->driver;
}

mmu_rig_request *mmu_rig_plan_absent(mmu_rig *rig, ww_tick tick, char name, unsigned instruction,
                                     uint64_t page)
{
    assert_true(rig->planned < rig->capacity);
    mmu_rig_request *r = &rig->requests[rig->planned++];
    *r = (mmu_rig_request){.translation = {.page = page,
                                           .instruction.number = instruction + 1,
                                           .owner = r,
                                           .missed = tick},
                           .planned = tick,
                           .name = name};
    rig->record_requests[instruction]++;
    ww_wake(rig->engine, &rig->feeder, tick - 1);
    return r;
}

void mmu_rig_run_until(mmu_rig *rig, ww_tick limit)
{
    ww_engine_run(rig->engine, limit);
}

bool mmu_rig_run(mmu_rig *rig)
{
    assert_false(ww_engine_run(rig->engine, WW_NEVER));
    return rig->answered == rig->planned;
}

void mmu_rig_expect(mmu_rig *rig, const char *log)
{
    assert_true(mmu_rig_run(rig));
    if (rig->used && rig->log[rig->used - 1] == ' ')
        rig->log[--rig->used] = '\0';
    assert_string_equal(rig->log, log);
    rig->used = 0;
    rig->log[0] = '\0';
}

void mmu_rig_expect_answers(mmu_rig *rig, const char *names)
{
    assert_true(mmu_rig_run(rig));
    rig->answers[rig->answer_count] = '\0';
    assert_string_equal(rig->answers, names);
}

/* ---- afterwards ---- */

static void check_laws(mmu_rig *rig)
{
    ww_errors *errors = ww_errors_create();
    ww_stats *stats = ww_stats_create(NULL);
    ww_stats_add(stats, &ww_walk_stats, mmu_rig_count(rig));
    ww_stats_read(stats);
    ww_stats_check(stats, errors);
    ww_errors_print(errors, stderr);
    assert_int_equal(ww_errors_count(errors), 0);
    ww_stats_destroy(stats);
    ww_errors_destroy(errors);
}

/* Every request once, every walker idle, every read one of a walk. */
static void check_end(mmu_rig *rig)
{
    const ww_walk_counters *c = mmu_rig_count(rig);
    uint64_t reads = 0;
    for (size_t i = 0; i < rig->planned; i++) {
        assert_int_equal(rig->requests[i].answers, 1);
        reads += rig->requests[i].reads;
    }
    assert_int_equal(rig->record_reads, reads);
    assert_int_equal(ww_walk_records_used(ww_mmu_records(rig->mmu)), 0);
    assert_int_equal(c->count, rig->planned);
    assert_int_equal(c->pte_reads, rig->memory_reads);
    assert_int_equal(c->pte_reads, reads);
    assert_int_equal(ww_mmu_busy(rig->mmu), 0);
    assert_int_equal(ww_mmu_waiting(rig->mmu), 0);
    assert_int_equal(ww_request_pool_in_use(rig->pool), 0);
    check_laws(rig);
}

void mmu_rig_destroy(mmu_rig *rig)
{
    check_end(rig);
    ww_mmu_destroy(rig->mmu);
    for (uint32_t i = 0; i < rig->config.memory_ports; i++)
        ww_port_clear(&rig->ports[i]);
    ww_port_clear(&rig->out);
    ww_vec_free(&rig->pending);
    ww_driver_destroy(rig->driver);
    ww_request_pool_destroy(rig->pool);
    ww_engine_destroy(rig->engine);
    ww_config_destroy(rig->keys);
    free(rig->requests);
    free(rig->records);
    free(rig->record_requests);
    free(rig);
}

ww_mmu *mmu_rig_mmu(mmu_rig *rig)
{
    return rig->mmu;
}

const ww_walk_counters *mmu_rig_count(mmu_rig *rig)
{
    ww_mmu_update_stats(rig->mmu, ww_engine_now(rig->engine));
    return ww_mmu_count(rig->mmu);
}

const ww_walk_record *mmu_rig_record(const mmu_rig *rig, unsigned instruction)
{
    return &rig->records[instruction];
}

uint64_t mmu_rig_memory_reads(const mmu_rig *rig)
{
    return rig->memory_reads;
}

void mmu_rig_silence(mmu_rig *rig)
{
    rig->silent = true;
}
