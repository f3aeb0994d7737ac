/* The load/store unit: accepts memory instructions in order, sends a request for each line, and
 * completes an instruction with its last reply. */
#include "core/checked_mode.h"
#include "core/core_internal.h"

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

static ww_memory_op *allocate_op(ww_load_store *m)
{
    if (!m->spare)
        add_spares(m);
    ww_memory_op *op = m->spare;
    m->spare = op->link;
    return op;
}

static void free_op(ww_load_store *m, ww_memory_op *op)
{
    op->link = m->spare;
    m->spare = op;
}

/* Scalar loads complete in any order; only vector instructions may be kept in order. */
static bool returns_in_order(const ww_load_store *m)
{
    return m->cu->config.in_order && m->class == WW_CLASS_DATA;
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
    return !m->count && !m->in_flight && !m->parked;
}

/* ---- from addresses to lines ---- */

/* Private memory: the lanes' copies of a word are adjacent. */
static uint64_t private_word(const ww_cu *cu, unsigned slot, unsigned lane, uint64_t offset)
{
    uint64_t lane_bytes = (cu->launch->executor->kernel->local_bytes + 3) / 4 * 4;
    uint64_t index = (uint64_t)cu->number * cu->config.slots + slot;
    uint64_t base = cu->launch->local_address + index * lane_bytes * cu->config.width;
    return base + (offset / 4 * cu->config.width + lane) * 4;
}

static void add_private(ww_cu *cu, ww_warp_lines *lines, unsigned slot, uint64_t lanes)
{
    const ww_access *access = &cu->launch->executor->access;
    uint64_t address[WW_MOST_LANES];
    uint64_t window = access->space == WW_SPACE_LOCAL ? 0 : WW_LOCAL_WINDOW;
    for (unsigned word = 0; word < access->bytes; word += 4) {
        for (uint64_t rest = lanes; rest; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctzll(rest);
            address[lane] = private_word(cu, slot, lane, access->address[lane] - window + word);
        }
        ww_coalesce(lines, lanes, address, 4, cu->config.line, cu->config.sector);
    }
}

/* Lanes that access private memory. Lanes of a generic access in the local data share are timed as
 * the others. */
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

/* The number of lanes when lanes 0, 1, 2, ... access consecutive elements, else 0. */
static unsigned sequence_of(const ww_executor *x, uint64_t lanes)
{
    const ww_access *access = &x->access;
    unsigned bytes = access->bytes;
    unsigned count = ~lanes ? (unsigned)__builtin_ctzll(~lanes) : 64;
    bool simple = !(lanes & (lanes + 1)) && count > 1 && !(bytes & (bytes - 1)) &&
                  !(access->address[0] & (bytes - 1));
    return simple && x->tools->is_sequence(access->address, bytes, count) ? count : 0;
}

static void find_lines(ww_load_store *m, unsigned slot, ww_warp_lines *lines)
{
    ww_cu *cu = m->cu;
    const ww_access *access = &cu->launch->executor->access;
    uint64_t private = private_lanes(access);
    uint64_t lanes = access->lanes & ~private;
    if (m->class == WW_CLASS_SCALAR)
        lanes &= 0 - lanes; /* all have the same address */
    lines->count = 0;
    unsigned sequence = sequence_of(cu->launch->executor, lanes);
    if (sequence && access->bytes <= cu->config.line)
        ww_coalesce_sequence(lines, access->address[0], sequence, access->bytes, cu->config.line,
                             cu->config.sector);
    else if (lanes)
        ww_coalesce(lines, lanes, access->address, access->bytes, cu->config.line,
                    cu->config.sector);
    if (private)
        add_private(cu, lines, slot, private);
}

/* Samples one of `blame_every` instructions, at random but the same in every run. */
static bool is_followed(ww_load_store *m)
{
    uint64_t draw = m->draw;
    m->draw = draw * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407); /* Knuth */
    return (draw >> 32) * m->cu->config.blame_every <= UINT32_MAX;
}

void ww_load_store_add(ww_load_store *m, unsigned slot, const ww_timed_op *what, uint64_t cycle)
{
    ww_cu *cu = m->cu;
    ww_slot_state *s = &cu->slots[slot];
    uint32_t entry = m->free[m->most - 1 - m->count];
    ww_warp_lines *lines = &m->lines[entry];
    ww_memory_op *op = allocate_op(m);
    find_lines(m, slot, lines);
    op->address = lines->line[0].address;
    op->lines = op->remaining = lines->count;
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
    op->entry = entry;
    op->translated = 0;
    if (cu->wiring.check && !ww_check_lines(cu, op, lines))
        return;
    cu->memory_in_flight++;
    if (op->kind == WW_REQUEST_WRITE)
        s->stores++;
    else
        s->loads++;
    m->ops[entry] = op;
    m->count++;
    if (returns_in_order(m))
        add_youngest(m, op);
    op->blamed = is_followed(m);
    if (!m->pages) {
        ww_entry_queue_push(&m->pending_send, entry);
        ww_load_store_note_blame(m, ww_engine_now(cu->wiring.engine));
        op->blame = (ww_blame){.ticks = {0}};
        if (op->blamed)
            ww_blame_subtract(&op->blame, &m->blame, ww_clock_edge(cu->config.clock, cycle));
    } else if (!ww_translate_add(m, op))
        return;
    cu->wiring.counters->memory_instructions++;
    cu->wiring.counters->lines += op->lines;
    ww_wake(cu->wiring.engine, &m->task, ww_clock_edge(cu->config.clock, cycle + 1));
}

/* ---- replies ---- */

/* The slot still has the warp that issued the instruction. */
static bool is_alive(const ww_cu *cu, const ww_memory_op *op)
{
    return cu->present >> op->slot & 1 && cu->slots[op->slot].born == op->born;
}

static void set_values(ww_cu *cu, const ww_memory_op *op, uint64_t cycle)
{
    const uint16_t *registers = cu->launch->code->registers + op->first_register;
    for (unsigned i = 0; i < op->written; i++)
        cu->slots[op->slot].ready_at[registers[i]] = cycle;
}

/* The warp waits for a value that the instruction loads. */
static bool is_waited_for(const ww_cu *cu, const ww_memory_op *op)
{
    const ww_timed_code *code = cu->launch->code;
    const ww_timed_op *next = &code->ops[cu->slots[op->slot].pc];
    if (cu->slots[op->slot].wait != WW_WAIT_LOAD)
        return false;
    for (unsigned i = 0; i < op->written; i++)
        for (unsigned j = 0; j < next->count; j++)
            if (code->registers[op->first_register + i] == code->registers[next->first + j])
                return true;
    return false;
}

/* False: checked mode found a fault. */
static bool complete(ww_load_store *m, ww_memory_op *op, uint64_t cycle)
{
    ww_cu *cu = m->cu;
    ww_slot_state *s = &cu->slots[op->slot];
    if (cu->wiring.observers)
        ww_cu_notify_access(cu, op, cycle);
    if (is_alive(cu, op)) {
        bool waited_for = is_waited_for(cu, op);
        ww_cu_account(cu, cycle);
        cu->memory_in_flight--;
        if (op->kind == WW_REQUEST_WRITE) {
            s->stores--;
        } else {
            s->loads--;
            s->missed = waited_for && (op->missed || op->held);
            if (cu->wiring.check && !ww_check_release(cu, op))
                return false;
            set_values(cu, op, cycle);
            cu->wiring.counters->loads++;
            cu->wiring.counters->load_latency += cycle - op->issued;
        }
        if (waited_for || s->wait == WW_WAIT_SYNCHRONISATION) {
            ww_cu_examine(cu, op->slot, cycle);
            ww_cu_wake(cu, cycle);
        }
    }
    free_op(m, op);
    return true;
}

/* All replies of the instruction have arrived. False: checked mode found a fault. */
static bool all_replied(ww_load_store *m, ww_memory_op *op, uint64_t cycle)
{
    if (!returns_in_order(m))
        return complete(m, op, cycle);
    op->held = op != m->oldest;
    for (ww_memory_op *first; (first = m->oldest) != NULL && !first->remaining;) {
        m->oldest = first->link;
        if (!complete(m, first, cycle))
            return false;
    }
    return true;
}

static void note_stages(ww_cu *cu, const ww_request *r, ww_tick now)
{
    ww_cu_counters *c = cu->wiring.counters;
#define ADD_STAGE(name, statistic, doc) c->stages[WW_STAGE_##name] += r->stages[WW_STAGE_##name];
    WW_STAGES(ADD_STAGE)
#undef ADD_STAGE
    c->request_ticks += now - r->made;
}

/* The warp of a load waited for the load's last request. */
static void note_blame(ww_cu *cu, ww_request *r, const ww_memory_op *op, ww_tick now)
{
    struct ww_cu_noted *waits = &cu->wiring.counters->waits.noted;
    r->after_l1.ticks[WW_CAUSE_L1_LATENCY] += (uint32_t)now;
    ww_blame_sum_add(&waits->before_l1, &r->before_l1);
    ww_blame_sum_add(&waits->after_l1, &r->after_l1);
    if (op->remaining > 1 || op->kind == WW_REQUEST_WRITE)
        return;
    ww_blame whole = {.row = r->before_l1.row + r->after_l1.row};
    ww_blame_sum_add(op->missed ? &waits->last : &waits->last_hit, &whole);
}

/* False: checked mode found a fault. */
static bool receive_replies(ww_load_store *m, uint64_t cycle)
{
    ww_cu *cu = m->cu;
    ww_tick now = ww_engine_now(cu->wiring.engine);
    for (ww_request *r; (r = ww_port_peek(&m->replies)) != NULL;) {
        ww_memory_op *op = r->owner;
        if (cu->wiring.check && !ww_check_reply(cu, r, m->class))
            return false;
        ww_port_pop(&m->replies);
        ww_request_stage(r, WW_STAGE_REPLY, now);
        note_stages(cu, r, now);
        op->missed |= r->missed;
        if (r->blamed)
            note_blame(cu, r, op, now);
        ww_request_free(cu->wiring.pool, r);
        m->in_flight--;
        m->last_reply = now;
        if (--op->remaining == 0 && !all_replied(m, op, cycle))
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
    ww_cu *cu = m->cu;
    uint32_t i = ww_translate_next_line(m, op);
    const ww_warp_lines *lines = &m->lines[op->entry];
    const ww_warp_line *line = &lines->line[i];
    ww_request *r = ww_request_allocate(cu->wiring.pool, now);
    r->made = r->since = ww_clock_edge(cu->config.clock, op->issued);
    if (!ww_translate_line(m, op, i, &r->address))
        return false;
    if (m->pages)
        ww_request_stage(r, WW_STAGE_TRANSLATE, ww_translate_time(m, op, i));
    r->sectors = line->sectors;
    r->kind = op->kind;
    r->class = (uint8_t)m->class;
    r->full = op->kind == WW_REQUEST_WRITE && ww_warp_line_is_full(lines, i, cu->config.sector);
    r->source = m->link.source;
    r->pc_tag = (uint16_t)op->pc;
    r->lanes = line->accesses;
    r->warp = op->slot | (uint32_t)m->link.sharer << WW_SHARER_SHIFT;
    if (cu->criticality)
        r->criticality = cu->criticality[op->slot];
    r->owner = op;
    if (cu->wiring.check && !ww_check_send(cu, r, line->address, op->slot, op->pc))
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
    const ww_cu *cu = m->cu;
    for (unsigned n = 0; m->pending_send.count && n < cu->config.requests_per_cycle; n++) {
        ww_memory_op *op = m->ops[m->pending_send.ring[m->pending_send.first]];
        if (!ww_port_has_room(m->link.port)) {
            ww_port_wait(m->link.port, &m->task);
            return;
        }
        if (!send(m, op, now))
            return;
        if (op->next < op->sendable)
            continue;
        ww_entry_queue_pop(&m->pending_send);
        if (op->next == op->lines)
            ww_load_store_free_entry(m, op->entry, now);
        else if (!op->untranslated)
            ww_park(m, op, now);
    }
    if (m->pending_send.count)
        ww_wake(cu->wiring.engine, &m->task, ww_clock_after(cu->config.clock, now, 1));
}

static void tick(void *owner)
{
    ww_load_store *m = owner;
    const ww_cu *cu = m->cu;
    ww_tick now = ww_engine_now(cu->wiring.engine);
    ww_tick edge = ww_clock_next(cu->config.clock, now);
    if (edge != now) {
        ww_wake(cu->wiring.engine, &m->task, edge);
        return;
    }
    if (m->replies.count && !receive_replies(m, ww_clock_cycle(cu->config.clock, now)))
        return;
    if (m->replies.count)
        ww_wake(cu->wiring.engine, &m->task, ww_port_next(&m->replies));
    if (m->translations.count || m->pending_translation.count || m->again)
        ww_translate_tick(m, now);
    if (m->pending_send.count)
        send_requests(m, now);
    if (m->replays)
        ww_park_return(m, now);
    ww_load_store_note_blame(m, now);
}

static void explain(const void *owner, FILE *out)
{
    const ww_load_store *m = owner;
    if (!ww_load_store_is_idle(m))
        fprintf(out,
                "compute unit %u: %u %s instructions pending, %llu requests outstanding, "
                "%u translations outstanding, %u instructions parked\n",
                m->cu->number, m->count, m->class == WW_CLASS_SCALAR ? "scalar" : "memory",
                (unsigned long long)m->in_flight, m->outstanding, ww_park_count(m));
}

static void create_queue(ww_entry_queue *queue, uint32_t capacity)
{
    *queue = (ww_entry_queue){.ring = ww_calloc(capacity, sizeof(uint32_t)), .capacity = capacity};
}

void ww_load_store_create(ww_load_store *m, ww_cu *cu, const ww_cu_link *link,
                          const ww_tlb_link *tlb, ww_request_class class)
{
    m->cu = cu;
    m->link = *link;
    m->class = class;
    ww_task_init(cu->wiring.engine, &m->task, WW_PHASE_LOAD_STORE, tick, m);
    ww_port_init(&m->replies, cu->wiring.engine, REPLY_PORT, 1);
    ww_port_connect(&m->replies, &m->task);
    m->blame.cause = WW_CAUSE_NONE;
    m->most = cu->config.memory_queue;
    m->ops = ww_calloc(m->most, sizeof(ww_memory_op *));
    m->lines = ww_calloc(m->most, sizeof(*m->lines));
    m->free = ww_calloc(m->most, sizeof(*m->free));
    for (uint32_t i = 0; i < m->most; i++)
        m->free[i] = m->most - 1 - i;
    create_queue(&m->pending_translation, m->most);
    create_queue(&m->pending_send, m->most);
    ww_translate_create(m, tlb);
    ww_engine_add_explainer(cu->wiring.engine, explain, m);
}

void ww_load_store_destroy(ww_load_store *m)
{
    for (size_t i = 0; i < m->blocks.count; i++)
        free(m->blocks.items[i]);
    ww_vec_free(&m->blocks);
    free(m->ops);
    free(m->lines);
    free(m->free);
    free(m->pending_translation.ring);
    free(m->pending_send.ring);
    ww_park_destroy(m);
    ww_translate_destroy(m);
    ww_port_clear(&m->replies);
}
