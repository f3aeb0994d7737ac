/* Latency attribution against a model that visits every warp in every cycle: random kernels, all
 * schedulers.
 *
 * The model looks at the scoreboard, the buffers and the warps just before a cycle's issues, not at
 * the masks; what the scheduler allowed and considered is what the policy said. */
#include "support/core_rig.h"
#include "support/random_kernel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { READY = WW_REASON_COUNT, PENDING };

typedef struct model {
    ww_task early, late; /* `late` runs after the load/store units and before the issues */
    const ww_scheduler *real;
    uint64_t present;
    unsigned category[WW_MOST_SLOTS];
    bool memory_full;
    uint64_t busy; /* warps whose unit is busy before the first issue */
    uint64_t allowed[WW_MOST_SCHEDULERS], considered[WW_MOST_SCHEDULERS],
        issued[WW_MOST_SCHEDULERS];
    unsigned picks[WW_MOST_SCHEDULERS];
    uint64_t awaited[WW_MOST_SLOTS]; /* which loads a warp waits for: a hash, 0: none */
    bool waited[WW_MOST_SLOTS];      /* for them, before */
    uint64_t reasons[WW_REASON_COUNT];
    uint64_t lifetime;
    ww_tick counted; /* cycles before this one are */
} model;

static core_rig r;
static model m;

/* ---- a cycle's state ---- */

/* The reply to the warp's fetch is taken in this cycle. */
static bool is_fed(unsigned slot)
{
    const ww_slot_state *s = &r.cu->slots[slot];
    const ww_port *port = &r.cu->front_end.replies;
    uint64_t address = CORE_RIG_CODE + (uint64_t)s->buffer.fetch_pc * r.config.instruction_bytes;
    for (uint32_t i = 0; i < port->count; i++) {
        const ww_port_item *item = &port->items[(port->first + i) % port->capacity];
        const ww_request *reply = item->item;
        if (item->arrival <= ww_engine_now(r.engine) && reply->warp == slot &&
            (uintptr_t)reply->owner == address && r.cu->front_end.fetching >> slot & 1)
            return true;
    }
    return false;
}

static bool has_instruction(unsigned slot, uint32_t pc)
{
    const ww_instruction_buffer *buffer = &r.cu->slots[slot].buffer;
    return ww_instruction_buffer_has(buffer, pc) || (buffer->fetch_pc == pc && is_fed(slot));
}

static unsigned categorise(unsigned slot, uint64_t cycle)
{
    const ww_slot_state *s = &r.cu->slots[slot];
    uint64_t before = m.awaited[slot], awaited = 0, latest = 0;
    m.awaited[slot] = 0;
    if (!ww_stream_can_run(&s->stream))
        return WW_REASON_SYNCHRONISATION;
    uint32_t pc = ww_stream_pc(&s->stream);
    const ww_timed_op *op = &r.code->ops[pc];
    if (s->issue.decided > cycle)
        return s->issue.is_starved && !is_fed(slot) ? WW_REASON_FETCH : WW_REASON_CONTROL;
    if (!has_instruction(slot, pc))
        return WW_REASON_FETCH;
    for (unsigned i = 0; i < op->count; i++) {
        const uint16_t *reg = &r.code->registers[op->first + i];
        uint64_t at = ww_scoreboard_ready(&s->scoreboard, ww_scoreboard_bits(reg, 1), reg, 1);
        if (at == WW_NEVER)
            awaited = awaited * 31 + *reg + 1 + (uint64_t)pc * 65536;
        else
            latest = at > latest ? at : latest;
    }
    if (awaited) {
        m.waited[slot] = m.waited[slot] && before == awaited;
        m.awaited[slot] = awaited;
        return PENDING;
    }
    if (latest > cycle)
        return WW_REASON_DATA_HAZARD;
    return op->flags & WW_TIMED_FENCE && s->outstanding.stores + s->outstanding.loads
               ? WW_REASON_SYNCHRONISATION
               : READY;
}

static bool is_busy(unsigned slot, uint64_t cycle)
{
    const ww_cu *cu = r.cu;
    unsigned unit = r.code->ops[ww_stream_pc(&cu->slots[slot].stream)].unit;
    return (unit == WW_UNIT_MEMORY && m.memory_full) ||
           (unit == WW_UNIT_SCALAR && cu->scalar_memory.count == r.config.memory_queue) ||
           ww_units_free_at(&cu->units, slot % r.config.schedulers, unit) > cycle;
}

static void snapshot(void *owner)
{
    uint64_t cycle = ww_engine_now(r.engine);
    (void)owner;
    m.present = r.cu->residency.present;
    m.memory_full = r.cu->memory.count == r.config.memory_queue;
    m.busy = 0;
    memset(m.considered, 0, sizeof(m.considered));
    memset(m.issued, 0, sizeof(m.issued));
    memset(m.picks, 0, sizeof(m.picks));
    for (uint64_t rest = m.present; rest; rest &= rest - 1) {
        unsigned slot = (unsigned)__builtin_ctzll(rest);
        m.category[slot] = categorise(slot, cycle);
        if (m.category[slot] == READY && is_busy(slot, cycle))
            m.busy |= 1ull << slot;
    }
}

static void wake_late(void *owner)
{
    (void)owner;
    ww_wake(r.engine, &m.late, ww_engine_now(r.engine));
}

/* ---- what the scheduler said ---- */

static unsigned owner_of(const void *state)
{
    unsigned s = 0;
    while (r.cu->issue.scheduler_state[s] != state)
        s++;
    return s;
}

static uint64_t eligible(void *state, const ww_scheduler_view *view)
{
    return m.allowed[owner_of(state)] = m.real->eligible(state, view);
}

static uint64_t before(const void *state, const ww_scheduler_view *view, unsigned picked)
{
    unsigned s = owner_of(state);
    uint64_t mask = m.real->before(state, view, picked);
    m.considered[s] |= mask | 1ull << picked;
    m.issued[s] |= 1ull << picked;
    m.picks[s]++;
    return mask;
}

/* ---- counting ---- */

static ww_reason busy_reason(unsigned slot)
{
    const ww_slot_state *s = &r.cu->slots[slot];
    bool full = m.memory_full && r.refuse && r.code->ops[s->issue.pc].unit == WW_UNIT_MEMORY;
    return full ? WW_REASON_MSHR : WW_REASON_STRUCTURAL;
}

static ww_reason wait_reason(unsigned slot)
{
    if (m.category[slot] != PENDING)
        return (ww_reason)m.category[slot];
    bool first = !m.waited[slot];
    m.waited[slot] = true;
    return first || !r.data.missed ? WW_REASON_DATA_HAZARD : WW_REASON_DATA_CACHE;
}

static ww_reason reason_of(unsigned slot, uint64_t cycle)
{
    unsigned s = slot % r.config.schedulers;
    bool ready = m.category[slot] == READY;
    bool active = cycle % r.config.issue_period == s % r.config.issue_period;
    if (m.issued[s] >> slot & 1) {
        assert_true(ready);
        return WW_REASON_EXECUTION;
    }
    if (!active && ready)
        return m.busy >> slot & 1 ? busy_reason(slot) : WW_REASON_SCHEDULING;
    if (!active)
        return wait_reason(slot);
    bool all = m.picks[s] < r.config.issue_width; /* no other warp could */
    bool considered = all ? !ready || m.allowed[s] >> slot & 1 : m.considered[s] >> slot & 1;
    if (!considered)
        return WW_REASON_SCHEDULING;
    return ready ? busy_reason(slot) : wait_reason(slot);
}

static void count_cycle(uint64_t cycle)
{
    for (uint64_t rest = m.present; rest; rest &= rest - 1) {
        unsigned slot = (unsigned)__builtin_ctzll(rest);
        m.reasons[reason_of(slot, cycle)]++;
        m.lifetime++;
    }
}

/* ---- runs ---- */

static void start_model(void)
{
    m = (model){0};
    memset(m.allowed, 0xff, sizeof(m.allowed)); /* until the policy says what is */
    m.real = (const ww_scheduler *)(const void *)ww_policy_find(&ww_scheduler_family, r.scheduler);
    r.spy.before = before;
    if (m.real->eligible)
        r.spy.eligible = eligible;
    ww_task_init(r.engine, &m.early, WW_PHASE_TRANSLATION, wake_late, NULL);
    ww_task_init(r.engine, &m.late, WW_PHASE_BEFORE_ISSUE, snapshot, NULL);
}

static void run_model(const char *text)
{
    core_rig_load(&r, text);
    start_model();
    uint64_t cycle = 0;
    do {
        ww_wake(r.engine, &m.early, cycle);
        core_rig_step(&r, cycle + 1);
        count_cycle(cycle++);
        assert_true(cycle < 4000000);
    } while (r.done < r.groups || !ww_cu_is_idle(r.cu) || ww_request_pool_in_use(r.pool));
    core_rig_run(&r);
}

static void check_model(void)
{
    static const char *const names[] = {
#define NAME(name, statistic, doc) statistic,
        WW_REASONS(NAME)};
    for (unsigned i = 0; i < WW_REASON_COUNT; i++)
        if (r.counters.reasons[i] != m.reasons[i])
            fail_msg("%s: %llu counted, %llu by the model", names[i],
                     (unsigned long long)r.counters.reasons[i], (unsigned long long)m.reasons[i]);
    assert_int_equal(r.counters.lifetime, m.lifetime);
    assert_int_equal(r.counters.warps, r.groups * ((r.group + 31) / 32));
}

/* A random machine: NVIDIA-like or GCN-like issue, small queues and buffers. */
static void choose_machine(ww_rng *rng, uint64_t seed)
{
    static const unsigned schedulers[] = {1, 2, 4};
    core_rig_init(&r);
    r.warm = false;
    r.scheduler = ww_scheduler_family.members[seed % ww_scheduler_family.count]->name;
    r.setting = strcmp(r.scheduler, "two_level") == 0 ? "core.two_level_active=2" : NULL;
    r.config.schedulers = schedulers[ww_rng_below(rng, 3)];
    r.config.issue_period = ww_rng_below(rng, 2) ? 1 : 4;
    r.config.issue_width = ww_rng_below(rng, 2) ? 1 : 5;
    r.config.memory_queue = 1 + (unsigned)ww_rng_below(rng, 4);
    r.config.instruction_buffer = 4u << ww_rng_below(rng, 3);
    for (unsigned u = 0; u < WW_UNIT_COUNT; u++)
        r.config.units[u] = (ww_unit_timing){1 + (uint32_t)ww_rng_below(rng, 90),
                                             1 + (uint32_t)ww_rng_below(rng, 5)};
    r.data.latency = 5 + ww_rng_below(rng, 60);
    r.data.missed = ww_rng_below(rng, 2);
    r.instruction.latency = 2 + ww_rng_below(rng, 20);
    r.refuse = ww_rng_below(rng, 2);
    r.group = 1 + (unsigned)ww_rng_below(rng, RANDOM_KERNEL_GROUP);
    r.groups = RANDOM_KERNEL_ITEMS / r.group;
    r.groups = r.groups > 6 ? 6 : r.groups;
}

static void random_kernels_match_a_model_of_every_cycle(void **state)
{
    (void)state;
    uint64_t seen[WW_REASON_COUNT] = {0};
    for (uint64_t seed = 0; seed < 24; seed++) {
        ww_rng rng;
        ww_rng_seed(&rng, seed);
        choose_machine(&rng, seed);
        char *text = random_kernel(&rng);
        print_message("seed %u: %s, %u schedulers, period %u, width %u\n", (unsigned)seed,
                      r.scheduler, r.config.schedulers, r.config.issue_period,
                      r.config.issue_width);
        run_model(text);
        check_model();
        for (unsigned i = 0; i < WW_REASON_COUNT; i++)
            seen[i] += r.counters.reasons[i];
        core_rig_end(&r);
        free(text);
    }
    for (unsigned i = 0; i < WW_REASON_COUNT; i++)
        assert_true(seen[i] > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_kernels_match_a_model_of_every_cycle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
