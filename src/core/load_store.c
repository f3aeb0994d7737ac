#include "core/load_store.h"

#include "core/checked_mode.h"
#include "core/load_store_internal.h"

#include <string.h>

#define REPLY_PORT 4096

static void add_spares(ww_load_store *m)
{
    ww_memory_op *block = ww_calloc_rows(WW_OPS_OF_BLOCK * sizeof(*block));
    ww_vec_push(&m->blocks, block);
    for (size_t i = WW_OPS_OF_BLOCK; i-- > 0;) {
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
    return !m->count && !m->in_flight && !m->translator.parked;
}

void ww_load_store_note_blame(ww_load_store *m, ww_tick now)
{
    bool full = m->pending_send.count && !ww_port_has_room(m->link.port);
    ww_cause cause = m->pending_send.count ? WW_CAUSE_COALESCER
                     : m->count            ? WW_CAUSE_TRANSLATION
                                           : WW_CAUSE_NONE;
    ww_blame_wait(&m->blame, full ? m->link.port->blame : NULL, cause, now);
}

/* ---- instructions ---- */

void ww_load_store_start(ww_cu *cu, unsigned slot)
{
    cu->slots[slot].outstanding = (ww_outstanding){0};
}

void ww_load_store_stop(ww_cu *cu, unsigned slot)
{
    const ww_outstanding *o = &cu->slots[slot].outstanding;
    cu->outstanding -= o->loads + o->stores;
}

/* The address of the private memory of the slot's warp. */
static uint64_t private_base(const ww_cu *cu, unsigned slot)
{
    const ww_cu_launch *l = cu->slots[slot].stream.launch;
    uint64_t lane_bytes = (l->executor->kernel->local_bytes + 3) / 4 * 4;
    uint64_t index = (uint64_t)cu->number * cu->config.slots + slot;
    return l->local_address + index * lane_bytes * cu->config.width;
}

static ww_request_kind kind_of(const ww_timed_op *op)
{
    return op->flags & WW_TIMED_ATOMIC ? WW_REQUEST_ATOMIC
           : op->flags & WW_TIMED_LOAD ? WW_REQUEST_READ
                                       : WW_REQUEST_WRITE;
}

/* Samples one of `blame_every` instructions, at random but the same in every run. */
static bool is_followed(ww_load_store *m)
{
    uint64_t draw = m->draw;
    m->draw = draw * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407); /* Knuth */
    return (draw >> 32) * m->cu->config.blame_every <= UINT32_MAX;
}

/* Fills a new operation but for its lines. */
static void describe(ww_memory_op *op, const ww_slot_state *s, unsigned slot,
                     const ww_timed_op *what, uint64_t cycle)
{
    op->next = op->sendable = 0;
    op->first_register = what->first;
    op->written = what->written;
    op->slot = (uint8_t)slot;
    op->kind = (uint8_t)kind_of(what);
    op->pc = s->issue.pc;
    op->missed = op->held = op->draining = false;
    op->issued = cycle;
    op->born = s->resident.born;
    op->launch = s->stream.launch;
}

/* Counts the operation, which the unit has from now on. */
static void accept(ww_load_store *m, ww_memory_op *op)
{
    ww_outstanding *o = &m->cu->slots[op->slot].outstanding;
    m->cu->outstanding++;
    if (op->kind == WW_REQUEST_WRITE)
        o->stores++;
    else
        o->loads++;
    m->ops[op->entry] = op;
    m->count++;
    if (ww_load_store_is_ordered(m))
        add_youngest(m, op);
    op->blamed = is_followed(m);
}

void ww_load_store_add(ww_load_store *m, unsigned slot, const ww_timed_op *what,
                       const ww_access *access, uint64_t cycle)
{
    ww_cu *cu = m->cu;
    const ww_slot_state *s = &cu->slots[slot];
    uint32_t entry = m->free[m->most - 1 - m->count];
    ww_warp_lines *lines = &m->lines[entry];
    ww_memory_op *op = allocate_op(m);
    ww_coalesce_access(&m->coalescer, s->stream.launch->executor->tools, access,
                       private_base(cu, slot), lines);
    describe(op, s, slot, what, cycle);
    op->physical = access->physical;
    op->entry = entry;
    op->address = lines->line[0].address;
    op->lines = op->remaining = lines->count;
    if (cu->wiring.check && !ww_check_lines(cu, op, access, lines))
        return;
    accept(m, op);
    if (!ww_translate_add(m, op))
        return;
    cu->counters.memory_instructions++;
    cu->counters.lines += op->lines;
    ww_wake(cu->wiring.engine, &m->task, ww_clock_edge(cu->config.clock, cycle + 1));
}

/* A parked instruction may have the entries of the reorder buffer that all others wait for: one of
 * the unit's is kept for its return. */
static void set_limit(ww_load_store *m)
{
    bool reserved = m->order.entries && m->translator.parked;
    m->limit = m->most - (m->translator.blocked || reserved);
}

void ww_load_store_free_entry(ww_load_store *m, uint32_t entry, ww_tick now)
{
    if (m->count >= m->limit)
        ww_wake(m->cu->wiring.engine, &m->cu->task, now);
    m->free[m->most - m->count--] = entry;
    m->ops[entry] = NULL;
    set_limit(m);
}

void ww_load_store_return(ww_load_store *m, ww_memory_op *op, const ww_warp_line *lines)
{
    op->entry = m->free[m->most - 1 - m->count++];
    m->ops[op->entry] = op;
    m->lines[op->entry].count = op->lines;
    memcpy(m->lines[op->entry].line, lines, op->lines * sizeof(*lines));
}

void ww_load_store_release(ww_load_store *m, ww_memory_op *op, uint32_t lines)
{
    bool was_sending = op->next < op->sendable;
    op->sendable += lines;
    if (!was_sending)
        ww_entry_queue_push(&m->pending_send, op->entry);
}

bool ww_load_store_enter(ww_load_store *m, const ww_memory_op *op, uint32_t page,
                         uint16_t rob_entry[])
{
    const uint16_t *page_of = m->translator.pages[op->entry].of_line;
    uint32_t lines = 0;
    if (!m->order.entries)
        return true;
    for (uint32_t i = 0; i < op->lines; i++)
        lines += page_of[i] == page;
    if (!ww_line_order_has_room(&m->order, lines, op == m->oldest))
        return false;
    for (uint32_t i = 0; i < op->lines; i++)
        if (page_of[i] == page)
            rob_entry[i] = ww_line_order_enter(&m->order);
    return true;
}

void ww_load_store_hold(ww_load_store *m, ww_memory_op *op, uint32_t lines)
{
    if (!lines)
        return;
    op->sendable -= lines;
    if (op->sendable == op->next)
        ww_entry_queue_remove(&m->pending_send, op->entry);
}

void ww_load_store_block(ww_load_store *m, bool blocked)
{
    ww_translate_block(m, blocked);
    set_limit(m);
    ww_wake(m->cu->wiring.engine, &m->task, ww_engine_now(m->cu->wiring.engine));
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

/* Finds the physical address of a line. False: no memory is left for it. */
static bool find_address(const ww_load_store *m, const ww_memory_op *op, uint32_t line,
                         uint64_t *physical)
{
    uint64_t address = m->lines[op->entry].line[line].address;
    if (!op->translation.paged && !op->physical)
        return ww_cu_touch(m->cu, op->launch, address, physical);
    *physical =
        op->physical ? address : ww_translate_address(&m->translator, op->entry, line, address);
    return true;
}

static bool send(ww_load_store *m, ww_memory_op *op, ww_tick now)
{
    ww_cu *cu = m->cu;
    const ww_op_translation *t = &op->translation;
    uint32_t i = ww_translate_order(&m->translator, t, op->entry, op->next++);
    const ww_warp_lines *lines = &m->lines[op->entry];
    const ww_warp_line *line = &lines->line[i];
    ww_request *r = ww_request_allocate(cu->wiring.pool, now);
    r->made = r->since = ww_clock_edge(cu->config.clock, op->issued);
    if (!find_address(m, op, i, &r->address))
        return false;
    if (t->paged)
        ww_request_stage(r, WW_STAGE_TRANSLATE, ww_translate_time(&m->translator, t, op->entry, i));
    r->rob_entry =
        t->paged ? m->translator.pages[op->entry].rob_entry[i] : ww_line_order_enter(&m->order);
    r->sectors = line->sectors;
    r->kind = op->kind;
    r->class = (uint8_t)m->class;
    r->full = op->kind == WW_REQUEST_WRITE && ww_warp_line_is_full(lines, i, cu->config.sector);
    r->source = m->link.source;
    r->pc_tag = op->launch->code->tags[op->pc];
    r->pc = (uint16_t)op->pc;
    r->lanes = line->accesses;
    r->warp = op->slot | (uint32_t)m->link.sharer << WW_SHARER_SHIFT;
    if (cu->predictor.criticality && ww_memory_op_is_alive(cu, op)) {
        r->critical = ww_predictor_is_critical(cu, op->slot);
        r->criticality = cu->predictor.criticality[op->slot];
    }
    r->owner = op;
    if (cu->wiring.check && !ww_check_send(cu, r, line->address, op->physical, op->slot, op->pc))
        return false;
    if (op->blamed)
        begin_blame(m, ww_translate_blame(&m->translator, t, op->entry, i), r, now);
    ww_request_stage(r, WW_STAGE_COALESCE, now + 1);
    ww_port_send(m->link.port, r, now + 1);
    m->in_flight++;
    return true;
}

/* Prefetches what the first request of a later cycle needs. */
static void prefetch_next(const ww_load_store *m)
{
    const ww_memory_op *op = m->ops[m->pending_send.ring[m->pending_send.first]];
    const ww_translator *t = &m->translator;
    uint32_t i = ww_translate_order(t, &op->translation, op->entry, op->next);
    __builtin_prefetch(&m->lines[op->entry].line[i]);
    if (op->translation.paged)
        __builtin_prefetch(&t->pages[op->entry].page[t->pages[op->entry].of_line[i]].frame);
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
        if (!op->translation.paged && !ww_line_order_has_room(&m->order, 1, op == m->oldest))
            return; /* a reply wakes it */
        if (!send(m, op, now))
            return;
        if (op->next < op->sendable)
            continue;
        ww_entry_queue_pop(&m->pending_send);
        if (op->next == op->lines)
            ww_load_store_free_entry(m, op->entry, now);
        else if (!op->translation.untranslated)
            ww_park(m, op, now);
    }
    if (!m->pending_send.count)
        return;
    prefetch_next(m);
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
    if (m->replies.count &&
        !ww_load_store_receive_replies(m, ww_clock_cycle(cu->config.clock, now)))
        return;
    if (m->replies.count)
        ww_wake(cu->wiring.engine, &m->task, ww_port_next(&m->replies));
    if (m->translator.answers.count || m->translator.pending.count || m->translator.again)
        ww_translate_tick(m, now);
    if (m->pending_send.count)
        send_requests(m, now);
    if (m->translator.replays)
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
                (unsigned long long)m->in_flight, m->translator.outstanding, ww_park_count(m));
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
    m->most = m->limit = cu->config.memory_queue;
    m->ops = ww_calloc(m->most, sizeof(ww_memory_op *));
    m->lines = ww_calloc(m->most, sizeof(*m->lines));
    m->free = ww_calloc(m->most, sizeof(*m->free));
    for (uint32_t i = 0; i < m->most; i++)
        m->free[i] = m->most - 1 - i;
    m->pending_send = ww_entry_queue_create(m->most);
    m->order =
        ww_line_order_create(ww_load_store_is_ordered(m) ? cu->config.reorder : 0, WW_MOST_LINES);
    m->coalescer = (ww_coalescer){.line = cu->config.line,
                                  .sector = cu->config.sector,
                                  .width = cu->config.width,
                                  .scalar = class == WW_CLASS_SCALAR};
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
    free(m->pending_send.ring);
    free(m->order.answered);
    ww_translate_destroy(m);
    ww_port_clear(&m->replies);
}
