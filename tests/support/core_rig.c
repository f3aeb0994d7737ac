#include "support/core_rig.h"

#include "exec/order.h"
#include "sim/components.h"
#include "support/kernel_run.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define MOST_TICKS 1000000

/* The one that runs: a scheduler has no context. */
static core_rig *current;

static void note(char *log, size_t *used, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void note(char *log, size_t *used, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (*used < CORE_RIG_LOG - 64)
        *used += (size_t)vsnprintf(log + *used, 64, format, arguments);
    va_end(arguments);
}

char *core_rig_kernel(const char *instructions)
{
    char *text = NULL;
    if (asprintf(&text, "%s%s%s", CORE_RIG_HEAD, instructions, CORE_RIG_TAIL) < 0)
        ww_out_of_memory(strlen(instructions));
    return text;
}

/* ---- mocks ---- */

static void log_request(core_mock *m, const ww_request *r)
{
    const ww_cu_config *c = &m->rig->config;
    uint32_t all = (uint32_t)((1ull << c->line / c->sector) - 1);
    char kind = r->kind == WW_REQUEST_READ     ? 'R'
                : r->kind == WW_REQUEST_ATOMIC ? 'A'
                : r->full                      ? 'W'
                                               : 'w';
    note(m->log, &m->used, "%s%" PRIu64 ":%c%" PRIx64, m->used ? " " : "",
         ww_engine_now(m->rig->engine), kind, r->address - m->base);
    if (r->sectors != all)
        note(m->log, &m->used, ":%x", r->sectors);
}

static void answer(core_mock *m, ww_request *r)
{
    core_rig *rig = m->rig;
    ww_tick at = ww_engine_now(rig->engine) + m->latency;
    r->missed = m->missed;
    at = at > m->last ? at : m->last;
    m->last = at;
    for (unsigned n = m->spoil ? m->spoil(r) : 1; n; n--)
        ww_port_send(m->out, r, at);
}

static void mock_tick(void *owner)
{
    core_mock *m = owner;
    ww_tick now = ww_engine_now(m->rig->engine);
    if (now < m->hold) {
        ww_wake(m->rig->engine, &m->task, m->hold);
        return;
    }
    for (ww_request *r; (r = ww_port_peek(&m->in)) != NULL;) {
        ww_port_pop(&m->in);
        m->arrived++;
        log_request(m, r);
        answer(m, r);
    }
    if (m->in.count)
        ww_wake(m->rig->engine, &m->task, ww_port_next(&m->in));
}

static void start_mock(core_rig *rig, core_mock *m, uint64_t base)
{
    m->rig = rig;
    m->base = base;
    ww_task_init(rig->engine, &m->task, WW_PHASE_L1, mock_tick, m);
    ww_port_init(&m->in, rig->engine, 4, 1);
    ww_port_connect(&m->in, &m->task);
}

/* ---- callbacks ---- */

static void spy_issued(void *state, unsigned slot)
{
    core_rig *rig = current;
    const ww_scheduler *real =
        (const ww_scheduler *)(const void *)ww_policy_find(&ww_scheduler_family, rig->scheduler);
    uint64_t cycle = ww_cu_cycle(rig->cu);
    if (!rig->issues++)
        rig->first_issue = cycle;
    rig->last_issue = cycle;
    note(rig->log, &rig->used, "%s%" PRIu64 ":%c%u", rig->used ? " " : "", cycle - rig->first_issue,
         'a' + (int)slot, rig->cu->slots[slot].issue.pc);
    real->issued(state, slot);
}

static uint64_t mshr_cycles(void *context, unsigned cu, uint64_t cycle)
{
    (void)cu;
    return ((core_rig *)context)->refuse ? cycle : 0;
}

static void slot_freed(void *context, unsigned cu)
{
    core_rig *rig = context;
    (void)cu;
    ww_wake(rig->engine, &rig->dispatch, ww_engine_now(rig->engine));
}

static void group_done(void *context, unsigned cu)
{
    ((core_rig *)context)->done++;
    slot_freed(context, cu);
}

static bool touch(void *context, uint16_t asid, uint64_t address, uint64_t *physical)
{
    core_rig *rig = context;
    *physical = tlb_mock_translate(&rig->tlb, asid, address).physical;
    return true;
}

static void failed(void *context, int status)
{
    core_rig *rig = context;
    rig->status = status;
    ww_engine_stop(rig->engine);
}

/* ---- groups ---- */

/* As if everything had been fetched before. */
static void warm_up(core_rig *rig, uint64_t slots)
{
    for (; slots; slots &= slots - 1) {
        unsigned slot = (unsigned)__builtin_ctzll(slots);
        ww_slot_state *s = &rig->cu->slots[slot];
        s->buffer.to = s->stream.launch->code->op_count;
        rig->cu->front_end.needs_fetch &= ~(1ull << slot);
        ww_issue_examine(rig->cu, slot, s->resident.born);
    }
}

static void dispatch(void *owner)
{
    core_rig *rig = owner;
    while (rig->started < rig->groups && ww_cu_can_accept(rig->cu, &rig->cu_launch)) {
        uint64_t before = rig->cu->residency.present;
        ww_cu_add_group(rig->cu, &rig->cu_launch, rig->started++);
        if (rig->warm)
            warm_up(rig, rig->cu->residency.present & ~before);
    }
}

/* ---- building ---- */

void core_rig_init(core_rig *rig)
{
    *rig = (core_rig){
        .warm = true, .groups = 1, .group = 32, .scheduler = "rr", .mapping = &ww_identity_mapping};
    rig->config = (ww_cu_config){.clock = {1, 1},
                                 .width = 32,
                                 .slots = 8,
                                 .schedulers = 1,
                                 .issue_period = 1,
                                 .issue_width = 1,
                                 .groups = 8,
                                 .registers = 1 << 20,
                                 .lds_bytes = 65536,
                                 .lds_banks = 32,
                                 .lds_bank_bytes = 4,
                                 .lds_conflict = 1,
                                 .instruction_bytes = 8,
                                 .instruction_buffer = 16,
                                 .memory_queue = 8,
                                 .address_queue = 8,
                                 .line = 128,
                                 .sector = 32,
                                 .requests_per_cycle = 1};
    for (unsigned u = 0; u < WW_UNIT_COUNT; u++)
        rig->config.units[u] = (ww_unit_timing){4, 1};
    rig->data.latency = rig->instruction.latency = rig->scalar.latency = 10;
}

static uint64_t next_address(void *state, uint64_t end, uint64_t size)
{
    (void)state;
    (void)size;
    return (end + 0x1ffff) & ~0xffffull;
}

static void load_kernel(core_rig *rig, const char *text)
{
    rig->module = kernel_parse(text);
    rig->analysis = ww_analysis_create(rig->module);
    rig->memory = ww_memory_create(&(ww_placer){next_address, NULL});
    const ww_buffer *buffer =
        ww_memory_add(rig->memory, "buffer", CORE_RIG_BUFFER, false, rig->errors);
    assert_non_null(buffer);
    rig->params[0] = buffer->address;
    ww_exec_options options = {.width = rig->config.width,
                               .level = ww_lane_best(),
                               .order = (const ww_order *)(const void *)ww_order_family.members[0],
                               .loads_arguments = rig->config.argument_block != 0};
    rig->program = ww_program_create(rig->module, rig->memory, &options, rig->errors);
    rig->launch = (ww_launch){.entry = "k",
                              .groups = {rig->groups, 1, 1},
                              .group = {rig->group, 1, 1},
                              .work_dim = 1,
                              .params = (const uint8_t *)rig->params,
                              .dynamic_shared = rig->dynamic_shared};
    if (rig->program)
        rig->executor = ww_program_begin(rig->program, &rig->launch, rig->errors);
    if (!rig->executor)
        ww_errors_print(rig->errors, stderr);
    assert_non_null(rig->executor);
    if (rig->config.argument_block)
        rig->executor->argument_address = rig->params[0] + CORE_RIG_ARGUMENTS;
    rig->code = ww_timed_code_create(rig->executor->kernel, rig->analysis, rig->config.scalar_unit,
                                     rig->config.argument_block, rig->config.end_waits);
}

static void make_launch(core_rig *rig)
{
    uint32_t warps = (rig->group + rig->config.width - 1) / rig->config.width;
    const ww_register_need *need = &rig->code->need;
    bool scalars = rig->config.scalar_registers > 0;
    rig->cu_launch =
        (ww_cu_launch){.executor = rig->executor,
                       .code = rig->code,
                       .code_address = CORE_RIG_CODE,
                       .local_address = 2 * CORE_RIG_CODE,
                       .warps = warps,
                       .registers = ((uint64_t)need->vector + (scalars ? 0 : need->scalar)) *
                                    rig->config.width * warps,
                       .scalar_registers = scalars ? (uint64_t)need->scalar * warps : 0,
                       .lds_bytes = rig->executor->shared_bytes,
                       .launch = &rig->launch};
}

static void start_tlbs(core_rig *rig)
{
    tlb_mock_start(&rig->tlb, rig->engine, rig->config.page_shift, rig->params[0]);
    tlb_mock_start(&rig->scalar_tlb, rig->engine, rig->config.page_shift, rig->params[0]);
    rig->tlb.records = rig->scalar_tlb.records = rig->walk_records;
    if (!rig->tlb.link.lookups)
        return;
    rig->tlb_mapping = (ww_mapping){.translate = tlb_mock_translate, .context = &rig->tlb};
    rig->mapping = &rig->tlb_mapping;
}

static void wire_tlbs(core_rig *rig, ww_cu_wiring *wiring)
{
    wiring->data_tlb = rig->prepare_vm ? rig->data_tlb : tlb_mock_link(&rig->tlb);
    if (!wiring->data_tlb.port)
        return;
    wiring->scalar_tlb = tlb_mock_link(&rig->scalar_tlb);
    wiring->memory_instructions = &rig->memory_instructions;
    wiring->touch = touch;
    wiring->walk_records = rig->prepare_vm ? rig->mmu_records : rig->walk_records;
    wiring->faults = rig->faults;
}

void core_rig_load(core_rig *rig, const char *text)
{
    current = rig;
    rig->errors = ww_errors_create();
    rig->engine = ww_engine_create();
    rig->pool = ww_request_pool_create();
    rig->walk_records = ww_walk_records_create(1);
    rig->keys = ww_config_create(&ww_all_schemas);
    char *schedulers = ww_format("core.schedulers=%u", rig->config.schedulers);
    assert_int_equal(ww_config_set(rig->keys, schedulers, rig->errors), WW_OK);
    free(schedulers);
    if (rig->setting)
        assert_int_equal(ww_config_set(rig->keys, rig->setting, rig->errors), WW_OK);
    load_kernel(rig, text);
    make_launch(rig);
    start_mock(rig, &rig->data, rig->params[0]);
    start_mock(rig, &rig->instruction, CORE_RIG_CODE);
    start_mock(rig, &rig->scalar, rig->params[0]);
    start_tlbs(rig);
    if (rig->prepare_vm)
        rig->prepare_vm(rig);
    rig->check = ww_checker_create(rig->mapping);
    const ww_policy *policy = ww_policy_find(&ww_scheduler_family, rig->scheduler);
    assert_non_null(policy);
    rig->spy = *(const ww_scheduler *)(const void *)policy;
    rig->spy.issued = spy_issued;
    rig->config.scheduler = &rig->spy;
    ww_cu_wiring wiring = {.engine = rig->engine,
                           .pool = rig->pool,
                           .instructions = &rig->instructions,
                           .start = {.config = rig->keys, .prefix = "core"},
                           .data = {&rig->data.in, 0, 0},
                           .instruction = {&rig->instruction.in, 1, 0},
                           .mshr_cycles = mshr_cycles,
                           .slot_freed = slot_freed,
                           .group_done = group_done,
                           .failed = failed,
                           .context = rig,
                           .check = rig->check,
                           .walker = rig->walker};
    wire_tlbs(rig, &wiring);
    if (rig->config.scalar_unit)
        wiring.scalar = (ww_cu_link){&rig->scalar.in, 2, 0, 0};
    rig->cu = ww_cu_create(0, &rig->config, &wiring);
    rig->data.out = ww_cu_data_replies(rig->cu);
    rig->instruction.out = ww_cu_instruction_replies(rig->cu);
    rig->scalar.out = ww_cu_scalar_replies(rig->cu);
    rig->tlb.out = ww_cu_data_translations(rig->cu);
    rig->scalar_tlb.out = ww_cu_scalar_translations(rig->cu);
    ww_cu_begin(rig->cu, &rig->cu_launch);
    ww_task_init(rig->engine, &rig->dispatch, WW_PHASE_DISPATCH, dispatch, rig);
    ww_wake(rig->engine, &rig->dispatch, 0);
}

/* ---- running ---- */

bool core_rig_step(core_rig *rig, ww_tick limit)
{
    bool more = ww_engine_run(rig->engine, limit);
    rig->counters = *ww_cu_count(rig->cu);
    if (rig->status != WW_OK)
        ww_errors_print(rig->errors, stderr);
    assert_int_equal(rig->status, WW_OK);
    return more;
}

void core_rig_run(core_rig *rig)
{
    bool stuck = core_rig_step(rig, MOST_TICKS);
    if (stuck || rig->done < rig->groups) {
        ww_engine_explain(rig->engine, stderr);
        fail_msg("%" PRIu64 " of %u groups have ended", rig->done, rig->groups);
    }
}

static void check_laws(const core_rig *rig)
{
    const ww_cu_counters *c = &rig->counters;
    uint64_t reasons = 0, stages = 0;
    for (unsigned r = 0; r < WW_REASON_COUNT; r++)
        reasons += c->reasons[r];
    for (unsigned s = 0; s < WW_STAGE_COUNT; s++)
        stages += c->stages[s];
    assert_int_equal(reasons, c->lifetime);
    assert_int_equal(c->warp_cycles, c->lifetime);
    assert_int_equal(c->reasons[WW_REASON_EXECUTION], c->instructions);
    assert_int_equal(stages, c->request_ticks);
    assert_int_equal(c->instructions, rig->issues);
    assert_int_equal(rig->instructions, rig->issues);
}

void core_rig_drop(core_rig *rig)
{
    ww_cu_end(rig->cu, &rig->cu_launch);
    ww_cu_destroy(rig->cu);
    ww_program_end(rig->program);
    ww_port_clear(&rig->data.in);
    ww_port_clear(&rig->instruction.in);
    ww_port_clear(&rig->scalar.in);
    tlb_mock_clear(&rig->tlb);
    tlb_mock_clear(&rig->scalar_tlb);
    ww_timed_code_destroy(rig->code);
    ww_program_destroy(rig->program);
    ww_memory_destroy(rig->memory);
    ww_analysis_destroy(rig->analysis);
    ww_module_destroy(rig->module);
    ww_config_destroy(rig->keys);
    ww_checker_destroy(rig->check);
    ww_walk_records_destroy(rig->walk_records);
    ww_request_pool_destroy(rig->pool);
    ww_engine_destroy(rig->engine);
    ww_errors_destroy(rig->errors);
}

void core_rig_end(core_rig *rig)
{
    check_laws(rig);
    assert_true(ww_cu_is_idle(rig->cu));
    assert_int_equal(ww_walk_records_used(rig->walk_records), 0);
    assert_int_equal(ww_walk_records_count(rig->walk_records)->instructions,
                     rig->memory_instructions);
    assert_int_equal(ww_request_pool_in_use(rig->pool), 0);
    assert_int_equal(ww_checker_end(rig->check, rig->errors), WW_OK);
    core_rig_drop(rig);
}

void core_rig_fail(core_rig *rig, const char *text, const char *words)
{
    core_rig_load(rig, text);
    ww_engine_run(rig->engine, MOST_TICKS);
    if (rig->status == WW_OK)
        rig->status = ww_checker_end(rig->check, rig->errors);
    assert_int_equal(rig->status, WW_FAILED);
    assert_int_equal(ww_errors_count(rig->errors), 1);
    if (!strstr(ww_errors_line(rig->errors, 0), words))
        fail_msg("'%s' has no '%s'", ww_errors_line(rig->errors, 0), words);
    core_rig_drop(rig);
}

void core_rig_play(core_rig *rig, const char *text)
{
    core_rig_load(rig, text);
    core_rig_run(rig);
}

void core_rig_expect(const core_rig *rig, const char *log)
{
    assert_string_equal(rig->log, log);
}
