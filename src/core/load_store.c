/* The load/store unit: memory instructions in order, a request for each line, until all replies are there. */
#include "core/check.h"
#include "core/parts.h"

#define REPLY_PORT 4096
#define OPS 64 /* allocated at a time */

static void add_spares(ww_load_store *m)
{
    ww_memory_op *block = ww_calloc_rows(OPS * sizeof(*block));
    ww_vec_push(&m->blocks, block);
    for (size_t i = OPS; i-- > 0;) {
        block[i].link = m->spare;
        m->spare = &block[i];
    }
}

static ww_memory_op *take_op(ww_load_store *m)
{
    if (!m->spare)
        add_spares(m);
    ww_memory_op *op = m->spare;
    m->spare = op->link;
    return op;
}

static void give_op(ww_load_store *m, ww_memory_op *op)
{
    op->link = m->spare;
    m->spare = op;
}

/* Scalar results may come back in any order: only vectors' are put in order. */
static bool returns_in_order(const ww_load_store *m)
{
    return m->core->config.in_order && m->class == WW_CLASS_DATA;
}

static void add_youngest(ww_load_store *m, ww_memory_op *op)
{
    op->link = NULL;
    if (m->oldest)
        m->youngest->link = op;
    else
        m->oldest = op;
    m->youngest = op;
}

bool ww_load_store_is_idle(const ww_load_store *m)
{
    return !m->count && !m->in_flight;
}

/* ---- from addresses to lines ---- */

/* Private memory is laid out by words: the lanes' copies of a word are neighbours. */
static uint64_t private_word(const ww_core *core, unsigned slot, unsigned lane, uint64_t offset)
{
    uint64_t lane_bytes = (core->launch->executor->kernel->local_bytes + 3) / 4 * 4;
    uint64_t place = (uint64_t)core->number * core->config.slots + slot;
    uint64_t base = core->launch->local_address + place * lane_bytes * core->config.width;
    return base + (offset / 4 * core->config.width + lane) * 4;
}

static void add_private(ww_core *core, ww_lines *lines, unsigned slot, uint64_t lanes)
{
    const ww_access *access = &core->launch->executor->access;
    uint64_t address[WW_MOST_LANES];
    uint64_t window = access->space == WW_SPACE_LOCAL ? 0 : WW_LOCAL_WINDOW;
    for (unsigned word = 0; word < access->bytes; word += 4) {
        for (uint64_t rest = lanes; rest; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctzll(rest);
            address[lane] = private_word(core, slot, lane, access->address[lane] - window + word);
        }
        ww_coalesce(lines, lanes, address, 4, core->config.line, core->config.sector);
    }
}

/* Lanes of a generic access that are in private memory. Those in the local data share are not timed apart. */
static uint64_t private_lanes(const ww_access *access)
{
    if (access->space != WW_SPACE_GENERIC)
        return access->space == WW_SPACE_LOCAL ? access->lanes : 0;
    uint64_t lanes = 0;
    for (uint64_t rest = access->lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        if (access->address[lane] - WW_LOCAL_WINDOW < WW_WINDOW_BYTES)
            lanes |= 1ull << lane;
    }
    return lanes;
}

static ww_request_kind kind_of(const ww_timed_op *op)
{
    return op->flags & WW_TIMED_ATOMIC ? WW_REQUEST_ATOMIC
           : op->flags & WW_TIMED_LOAD ? WW_REQUEST_READ
                                       : WW_REQUEST_WRITE;
}

/* Lanes 0 to count - 1 access one element after the other; 0: they do not. */
static unsigned sequence_of(const ww_executor *x, uint64_t lanes)
{
    const ww_access *access = &x->access;
    unsigned bytes = access->bytes;
    unsigned count = ~lanes ? (unsigned)__builtin_ctzll(~lanes) : 64;
    bool simple = !(lanes & (lanes + 1)) && count > 1 && !(bytes & (bytes - 1)) &&
                  !(access->address[0] & (bytes - 1));
    return simple && x->tools->is_sequence(access->address, bytes, count) ? count : 0;
}

static void find_lines(ww_load_store *m, unsigned slot, ww_lines *lines)
{
    ww_core *core = m->core;
    const ww_access *access = &core->launch->executor->access;
    uint64_t private = private_lanes(access);
    uint64_t lanes = access->lanes & ~private;
    if (m->class == WW_CLASS_SCALAR)
        lanes &= 0 - lanes; /* all have the same address */
    lines->count = 0;
    unsigned sequence = sequence_of(core->launch->executor, lanes);
    if (sequence && access->bytes <= core->config.line)
        ww_coalesce_sequence(lines, access->address[0], sequence, access->bytes, core->config.line,
                             core->config.sector);
    else if (lanes)
        ww_coalesce(lines, lanes, access->address, access->bytes, core->config.line,
                    core->config.sector);
    if (private)
        add_private(core, lines, slot, private);
}

/* One of so many, at random but the same in every run. */
static bool is_followed(ww_load_store *m)
{
    uint64_t draw = m->draw;
    m->draw = draw * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407); /* Knuth */
    return (draw >> 32) * m->core->config.blame_every <= UINT32_MAX;
}

void ww_load_store_add(ww_load_store *m, unsigned slot, const ww_timed_op *what, uint64_t cycle)
{
    ww_core *core = m->core;
    ww_slot_state *s = &core->slots[slot];
    uint32_t place = m->free[m->most - 1 - m->count];
    ww_lines *lines = &m->lines[place];
    ww_memory_op *op = take_op(m);
    find_lines(m, slot, lines);
    op->address = lines->line[0].address;
    op->lines = op->pending = lines->count;
    op->next = 0;
    op->sendable = m->pages ? 0 : lines->count;
    op->first_register = what->first;
    op->written = what->written;
    op->slot = (uint8_t)slot;
    op->kind = (uint8_t)kind_of(what);
    op->pc = s->pc;
    op->missed = op->held = false;
    op->issued = cycle;
    op->born = s->born;
    op->place = place;
    op->translated = 0;
    if (core->wiring.check && !ww_check_lines(core, op, lines))
        return;
    core->pending++;
    if (op->kind == WW_REQUEST_WRITE)
        s->stores++;
    else
        s->loads++;
    m->ops[place] = op;
    m->count++;
    if (returns_in_order(m))
        add_youngest(m, op);
    op->blamed = is_followed(m);
    if (!m->pages) {
        ww_places_add(&m->sending, place);
        ww_load_store_note_blame(m, ww_engine_now(core->wiring.engine));
        op->blame = (ww_blame){.ticks = {0}};
        if (op->blamed)
            ww_blame_subtract(&op->blame, &m->blame, ww_clock_edge(core->config.clock, cycle));
    } else if (!ww_translate_add(m, op))
        return;
    core->wiring.counters->memory_instructions++;
    core->wiring.counters->lines += op->lines;
    ww_wake(core->wiring.engine, &m->task, ww_clock_edge(core->config.clock, cycle + 1));
}

/* ---- replies ---- */

/* The slot still has the warp that issued the instruction. */
static bool is_alive(const ww_core *core, const ww_memory_op *op)
{
    return core->present >> op->slot & 1 && core->slots[op->slot].born == op->born;
}

static void set_values(ww_core *core, const ww_memory_op *op, uint64_t cycle)
{
    const uint16_t *registers = core->launch->code->registers + op->first_register;
    for (unsigned i = 0; i < op->written; i++)
        core->slots[op->slot].ready_at[registers[i]] = cycle;
}

/* The warp waits for a value that the instruction brought. */
static bool is_waited_for(const ww_core *core, const ww_memory_op *op)
{
    const ww_timed_code *code = core->launch->code;
    const ww_timed_op *next = &code->ops[core->slots[op->slot].pc];
    if (core->slots[op->slot].wait != WW_WAIT_LOAD)
        return false;
    for (unsigned i = 0; i < op->written; i++)
        for (unsigned j = 0; j < next->count; j++)
            if (code->registers[op->first_register + i] == code->registers[next->first + j])
                return true;
    return false;
}

/* False when it cannot be: checked mode. */
static bool complete(ww_load_store *m, ww_memory_op *op, uint64_t cycle)
{
    ww_core *core = m->core;
    ww_slot_state *s = &core->slots[op->slot];
    if (core->wiring.observers)
        ww_core_tell_access(core, op, cycle);
    if (is_alive(core, op)) {
        bool waited_for = is_waited_for(core, op);
        ww_core_account(core, cycle);
        core->pending--;
        if (op->kind == WW_REQUEST_WRITE) {
            s->stores--;
        } else {
            s->loads--;
            s->missed = waited_for && (op->missed || op->held);
            if (core->wiring.check && !ww_check_release(core, op))
                return false;
            set_values(core, op, cycle);
            core->wiring.counters->loads++;
            core->wiring.counters->load_latency += cycle - op->issued;
        }
        if (waited_for || s->wait == WW_WAIT_SYNCHRONISATION) {
            ww_core_examine(core, op->slot, cycle);
            ww_core_wake(core, cycle);
        }
    }
    give_op(m, op);
    return true;
}

/* All replies of the instruction are there. False: checked mode. */
static bool all_replied(ww_load_store *m, ww_memory_op *op, uint64_t cycle)
{
    if (!returns_in_order(m))
        return complete(m, op, cycle);
    op->held = op != m->oldest;
    for (ww_memory_op *first; (first = m->oldest) != NULL && !first->pending;) {
        m->oldest = first->link;
        if (!complete(m, first, cycle))
            return false;
    }
    return true;
}

static void note_stages(ww_core *core, const ww_request *r, ww_tick now)
{
    ww_core_counters *c = core->wiring.counters;
#define ADD_STAGE(name, statistic, doc) c->stages[WW_STAGE_##name] += r->stages[WW_STAGE_##name];
    WW_STAGES(ADD_STAGE)
#undef ADD_STAGE
    c->request_ticks += now - r->made;
}

/* The last request of a load that missed is what its warp waited for. */
static void note_blame(ww_core *core, ww_request *r, const ww_memory_op *op, ww_tick now)
{
    struct ww_core_noted *waits = &core->wiring.counters->waits.noted;
    r->after_l1.ticks[WW_CAUSE_L1_LATENCY] += (uint32_t)now;
    ww_blame_sum_add(&waits->before_l1, &r->before_l1);
    ww_blame_sum_add(&waits->after_l1, &r->after_l1);
    if (op->pending > 1 || op->kind == WW_REQUEST_WRITE || !op->missed)
        return;
    ww_blame whole = {.row = r->before_l1.row + r->after_l1.row};
    ww_blame_sum_add(&waits->last, &whole);
}

/* False when a reply is wrong: checked mode. */
static bool take_replies(ww_load_store *m, uint64_t cycle)
{
    ww_core *core = m->core;
    ww_tick now = ww_engine_now(core->wiring.engine);
    for (ww_request *r; (r = ww_port_peek(&m->replies)) != NULL;) {
        ww_memory_op *op = r->owner;
        if (core->wiring.check && !ww_check_reply(core, r, m->class))
            return false;
        ww_port_pop(&m->replies);
        ww_request_stage(r, WW_STAGE_REPLY, now);
        note_stages(core, r, now);
        op->missed |= r->missed;
        if (r->blamed)
            note_blame(core, r, op, now);
        ww_request_give(core->wiring.pool, r);
        m->in_flight--;
        m->last_reply = now;
        if (--op->pending == 0 && !all_replied(m, op, cycle))
            return false;
    }
    return true;
}

/* ---- requests ---- */

static void begin_blame(const ww_load_store *m, const ww_blame *before, ww_request *r, ww_tick now)
{
    const ww_blame_clock *next = m->link.port->blame;
    if (!next)
        return;
    r->blamed = true;
    r->before_l1 = *before;
    r->after_l1 = (ww_blame){.ticks = {0}};
    ww_blame_add(&r->before_l1, &m->blame, now);
    ww_blame_subtract(&r->before_l1, next, now);
}

static bool send(ww_load_store *m, ww_memory_op *op, ww_tick now)
{
    ww_core *core = m->core;
    uint32_t i = ww_translate_next_line(m, op);
    const ww_lines *lines = &m->lines[op->place];
    const ww_line *line = &lines->line[i];
    ww_request *r = ww_request_take(core->wiring.pool, now);
    r->made = r->since = ww_clock_edge(core->config.clock, op->issued);
    if (!ww_translate_line(m, op, i, &r->address))
        return false;
    if (m->pages)
        ww_request_stage(r, WW_STAGE_TRANSLATE, ww_translate_time(m, op, i));
    r->sectors = line->sectors;
    r->kind = op->kind;
    r->class = (uint8_t)m->class;
    r->full = op->kind == WW_REQUEST_WRITE && ww_lines_full(lines, i, core->config.sector);
    r->source = m->link.source;
    r->pc_tag = (uint16_t)op->pc;
    r->lanes = line->accesses;
    r->warp = op->slot | (uint32_t)m->link.sharer << WW_SHARER_SHIFT;
    r->owner = op;
    if (core->wiring.check && !ww_check_send(core, r, line->address, op->slot, op->pc))
        return false;
    if (op->blamed)
        begin_blame(m, ww_translate_blame(m, op, i), r, now);
    ww_request_stage(r, WW_STAGE_COALESCE, now + 1);
    ww_port_send(m->link.port, r, now + 1);
    m->in_flight++;
    return true;
}

static void send_requests(ww_load_store *m, ww_tick now)
{
    const ww_core *core = m->core;
    for (unsigned n = 0; m->sending.count && n < core->config.requests_per_cycle; n++) {
        ww_memory_op *op = m->ops[m->sending.ring[m->sending.first]];
        if (!ww_port_has_room(m->link.port)) {
            ww_port_wait(m->link.port, &m->task);
            return;
        }
        if (!send(m, op, now))
            return;
        if (op->next < op->sendable)
            continue;
        ww_places_drop_first(&m->sending);
        if (op->next == op->lines) {
            if (m->count == m->most)
                ww_wake(core->wiring.engine, &m->core->task, now);
            m->free[m->most - m->count--] = op->place;
        }
    }
    if (m->sending.count)
        ww_wake(core->wiring.engine, &m->task, ww_clock_after(core->config.clock, now, 1));
}

static void tick(void *owner)
{
    ww_load_store *m = owner;
    const ww_core *core = m->core;
    ww_tick now = ww_engine_now(core->wiring.engine);
    ww_tick edge = ww_clock_next(core->config.clock, now);
    if (edge != now) {
        ww_wake(core->wiring.engine, &m->task, edge);
        return;
    }
    if (m->replies.count && !take_replies(m, ww_clock_cycle(core->config.clock, now)))
        return;
    if (m->replies.count)
        ww_wake(core->wiring.engine, &m->task, ww_port_next(&m->replies));
    if (m->translations.count || m->asking.count)
        ww_translate_tick(m, now);
    if (m->sending.count)
        send_requests(m, now);
    ww_load_store_note_blame(m, now);
}

static void explain(const void *owner, FILE *out)
{
    const ww_load_store *m = owner;
    if (!ww_load_store_is_idle(m))
        fprintf(out,
                "compute unit %u: %u %s instructions to be sent, %llu requests without a reply, "
                "%u pages without an answer\n",
                m->core->number, m->count, m->class == WW_CLASS_SCALAR ? "scalar" : "memory",
                (unsigned long long)m->in_flight, m->unanswered);
}

static void create_places(ww_places *places, uint32_t capacity)
{
    *places = (ww_places){.ring = ww_calloc(capacity, sizeof(uint32_t)), .capacity = capacity};
}

void ww_load_store_create(ww_load_store *m, ww_core *core, const ww_core_link *link,
                          const ww_tlb_link *tlb, ww_request_class class)
{
    m->core = core;
    m->link = *link;
    m->class = class;
    ww_task_init(core->wiring.engine, &m->task, WW_PHASE_LOAD_STORE, tick, m);
    ww_port_init(&m->replies, core->wiring.engine, REPLY_PORT, 1);
    ww_port_connect(&m->replies, &m->task);
    m->blame.cause = WW_CAUSE_NONE;
    m->most = core->config.memory_queue;
    m->ops = ww_calloc(m->most, sizeof(ww_memory_op *));
    m->lines = ww_calloc(m->most, sizeof(*m->lines));
    m->free = ww_calloc(m->most, sizeof(*m->free));
    for (uint32_t i = 0; i < m->most; i++)
        m->free[i] = m->most - 1 - i;
    create_places(&m->asking, m->most);
    create_places(&m->sending, m->most);
    ww_translate_create(m, tlb);
    ww_engine_add_explainer(core->wiring.engine, explain, m);
}

void ww_load_store_destroy(ww_load_store *m)
{
    for (size_t i = 0; i < m->blocks.count; i++)
        free(m->blocks.items[i]);
    ww_vec_free(&m->blocks);
    free(m->ops);
    free(m->lines);
    free(m->free);
    free(m->asking.ring);
    free(m->sending.ring);
    ww_translate_destroy(m);
    ww_port_clear(&m->replies);
}
