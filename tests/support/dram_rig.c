#include "support/dram_rig.h"

#include "mem/dram_schema.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const ww_schema *const schemas[] = {&ww_dram_schema};
static const ww_schema_set set = {schemas, 1};

static const char *const usual[] = {"dram.channels=1", "dram.order=row:rank:bank:group:column",
                                    "dram.hash=false", NULL};

static void apply(ww_config *config, const char *const *settings, ww_errors *errors)
{
    for (; *settings; settings++)
        ww_config_set(config, *settings, errors);
}

static void note_command(void *owner, const ww_dram_command *command)
{
    dram_rig *rig = owner;
    ww_vec_push(&rig->commands, *command);
}

static void feed(void *owner)
{
    dram_rig *rig = owner;
    ww_tick now = ww_engine_now(rig->engine);
    for (; rig->next < rig->requests.count; rig->next++) {
        rig_request *planned = &rig->requests.items[rig->next];
        if (planned->tick > now + 1) {
            ww_wake(rig->engine, &rig->feeder, planned->tick - 1);
            return;
        }
        if (!ww_port_has_room(&rig->in)) {
            ww_port_wait(&rig->in, &rig->feeder);
            return;
        }
        ww_request *request = ww_request_allocate(rig->pool, now + 1);
        request->address = planned->address;
        request->sectors = planned->sectors;
        request->kind = planned->kind;
        request->class = planned->class;
        request->full = planned->full;
        request->owner = (void *)(uintptr_t)(rig->next + 1);
        planned->sent = now + 1;
        ww_port_send(&rig->in, request, now + 1);
    }
}

static void take(void *owner)
{
    dram_rig *rig = owner;
    ww_tick now = ww_engine_now(rig->engine);
    ww_request *request;
    while (now >= rig->sink_free && (request = ww_port_peek(&rig->out)) != NULL) {
        rig_request *planned = &rig->requests.items[(uintptr_t)request->owner - 1];
        planned->replied = now;
        planned->replies++;
        planned->queue_time = request->stages[WW_STAGE_DRAM_QUEUE];
        planned->dram_time = request->stages[WW_STAGE_DRAM];
        assert_true(request->since <= now);
        ww_port_pop(&rig->out);
        ww_request_free(rig->pool, request);
        rig->sink_free = now + rig->sink_interval;
    }
    ww_tick next = ww_port_next(&rig->out);
    if (next != WW_NEVER)
        ww_wake(rig->engine, &rig->sink, next > rig->sink_free ? next : rig->sink_free);
}

void rig_create(dram_rig *rig, const char *const *settings, const rig_machine *machine)
{
    ww_errors *errors = ww_errors_create();
    *rig = (dram_rig){.engine = ww_engine_create(), .pool = ww_request_pool_create()};
    rig->config = ww_config_create(&set);
    apply(rig->config, usual, errors);
    apply(rig->config, settings, errors);
    ww_config_check(rig->config, errors);
    rig_machine usual_machine = {ww_dram_resolve(rig->config).hertz, 64, 64, 64, 64};
    if (!machine)
        machine = &usual_machine;
    if (!ww_errors_count(errors))
        ww_dram_configure(rig->config, machine->base_hertz, machine->line_bytes,
                          machine->sector_bytes, &rig->c);
    ww_errors_print(errors, stderr);
    assert_int_equal(ww_errors_count(errors), 0);
    ww_errors_destroy(errors);
    ww_port_init(&rig->in, rig->engine, machine->in_capacity, 1);
    ww_port_init(&rig->out, rig->engine, machine->out_capacity, 1);
    ww_task_init(rig->engine, &rig->feeder, WW_PHASE_L2, feed, rig);
    ww_task_init(rig->engine, &rig->sink, WW_PHASE_L2, take, rig);
    ww_port_connect(&rig->out, &rig->sink);
}

void rig_start(dram_rig *rig)
{
    ww_dram_wiring wiring = {.engine = rig->engine,
                             .pool = rig->pool,
                             .in = &rig->in,
                             .out = &rig->out,
                             .trace = note_command,
                             .trace_owner = rig};
    rig->dram = ww_dram_create(&rig->c, &wiring);
}

void rig_destroy(dram_rig *rig)
{
    ww_dram_destroy(rig->dram);
    ww_port_clear(&rig->in);
    ww_port_clear(&rig->out);
    ww_request_pool_destroy(rig->pool);
    ww_engine_destroy(rig->engine);
    ww_config_destroy(rig->config);
    ww_vec_free(&rig->requests);
    ww_vec_free(&rig->commands);
}

uint64_t rig_address(const dram_rig *rig, unsigned rank, unsigned group, unsigned bank,
                     uint64_t row, unsigned column)
{
    const ww_dram_type *type = &rig->c.type;
    uint64_t address = row * type->ranks + rank;
    address = address * (type->banks / type->bank_groups) + bank;
    address = address * type->bank_groups + group;
    return address * type->row_bytes + (uint64_t)column * rig->c.line_bytes;
}

size_t rig_plan(dram_rig *rig, const rig_request *request)
{
    ww_vec_push(&rig->requests, *request);
    return rig->requests.count - 1;
}

static size_t plan_line(dram_rig *rig, ww_tick tick, uint64_t address, uint8_t kind)
{
    uint32_t all = (uint32_t)((UINT64_C(1) << rig->c.line_bytes / rig->c.sector_bytes) - 1);
    return rig_plan(
        rig, &(rig_request){
                 .tick = tick, .address = address, .sectors = all, .kind = kind, .full = true});
}

size_t rig_read(dram_rig *rig, ww_tick tick, uint64_t address)
{
    return plan_line(rig, tick, address, WW_REQUEST_READ);
}

size_t rig_write(dram_rig *rig, ww_tick tick, uint64_t address)
{
    return plan_line(rig, tick, address, WW_REQUEST_WRITE);
}

void rig_run(dram_rig *rig, ww_tick limit)
{
    if (!rig->dram)
        rig_start(rig);
    if (rig->next < rig->requests.count)
        ww_wake(rig->engine, &rig->feeder, rig->requests.items[rig->next].tick - 1);
    ww_engine_run(rig->engine, limit);
}

uint64_t rig_command(const dram_rig *rig, ww_dram_op op, size_t n)
{
    for (size_t i = 0; i < rig->commands.count; i++)
        if (rig->commands.items[i].op == op && n-- == 0)
            return rig->commands.items[i].cycle;
    return WW_NEVER;
}

ww_dram_counters rig_counters(dram_rig *rig)
{
    ww_dram_update_stats(rig->dram, ww_engine_now(rig->engine));
    return *ww_dram_get_counters(rig->dram);
}
