#include "core/front_end.h"

#include "core/checked_mode.h"
#include "core/core_internal.h"

#define REPLIES 64

void ww_front_end_create(ww_cu *cu)
{
    ww_front_end *f = &cu->front_end;
    const ww_cu_config *c = &cu->config;
    f->last_fetched = WW_MOST_SLOTS - 1;
    f->l0 = ww_calloc((size_t)c->schedulers * c->l0_lines + 1, sizeof(*f->l0));
    f->per_l0_line = c->l0_lines ? UINT64_MAX / c->l0_lines + 1 : 0;
    f->line_shift = (unsigned)__builtin_ctz(c->line / c->instruction_bytes);
    ww_port_init(&f->replies, cu->wiring.engine, REPLIES, 1);
    ww_port_connect(&f->replies, &cu->task);
}

void ww_front_end_destroy(ww_cu *cu)
{
    ww_port_clear(&cu->front_end.replies);
    free(cu->front_end.l0);
}

void ww_front_end_start(ww_cu *cu, unsigned slot)
{
    cu->slots[slot].buffer = (ww_instruction_buffer){0};
    cu->front_end.fetching &= ~(1ull << slot);
}

void ww_front_end_stop(ww_cu *cu, unsigned slot)
{
    cu->front_end.needs_fetch &= ~(1ull << slot);
}

/* ---- a scheduler's own instruction cache ---- */

/* The address of an instruction of the slot's warp. */
static uint64_t address_of(const ww_cu *cu, unsigned slot, uint32_t pc)
{
    return cu->slots[slot].stream.launch->code_address +
           (uint64_t)pc * cu->config.instruction_bytes;
}

static uint64_t line_of(const ww_cu *cu, uint64_t address)
{
    return address & ~(uint64_t)(cu->config.line - 1);
}

/* number % lines, without a division (Lemire, Kaser and Kurz, 2019): exact for 32 bits. */
static uint32_t l0_index(const ww_front_end *f, uint32_t lines, uint32_t number)
{
    return (uint32_t)((unsigned __int128)(f->per_l0_line * number) * lines >> 64);
}

/* The entry of the direct-mapped L0 that holds the line on a hit. */
static uint64_t *l0_entry(const ww_cu *cu, unsigned slot, uint64_t line)
{
    const ww_front_end *f = &cu->front_end;
    uint32_t lines = cu->config.l0_lines;
    uint32_t number = (uint32_t)(line >> __builtin_ctz(cu->config.line));
    unsigned scheduler = ww_issue_rest(cu->config.schedulers, slot);
    return &f->l0[scheduler * lines + l0_index(f, lines, number)];
}

/* The slot's warp will fetch from the L0: its entry is prefetched into the host's cache. */
static void expect_fetch(const ww_cu *cu, unsigned slot, uint32_t pc)
{
    if (cu->config.l0_lines)
        __builtin_prefetch(l0_entry(cu, slot, line_of(cu, address_of(cu, slot, pc))));
}

/* ---- what warps need ---- */

void ww_front_end_demand(ww_cu *cu, unsigned slot, uint32_t pc)
{
    ww_front_end *f = &cu->front_end;
    ww_instruction_buffer *b = &cu->slots[slot].buffer;
    if (f->fetching >> slot & 1 && b->fetch_pc == pc)
        return;
    f->needs_fetch |= 1ull << slot;
    f->fetching &= ~(1ull << slot); /* the fetch in flight is not needed any more */
    b->fetch_pc = pc;
    expect_fetch(cu, slot, pc);
}

void ww_front_end_continue(ww_cu *cu, unsigned slot)
{
    ww_front_end *f = &cu->front_end;
    ww_instruction_buffer *b = &cu->slots[slot].buffer;
    if ((f->fetching | f->needs_fetch) >> slot & 1 ||
        b->to >= cu->slots[slot].stream.launch->code->op_count)
        return;
    f->needs_fetch |= 1ull << slot;
    b->fetch_pc = b->to;
    expect_fetch(cu, slot, b->to);
}

/* ---- buffers ---- */

/* The warp needs the fetched instructions now: its buffer does not continue with them. */
static bool is_demanded(const ww_slot_state *s)
{
    return s->buffer.fetch_pc != s->buffer.to || s->buffer.fetch_pc == s->issue.pc;
}

/* The end of what a fetch brings: of the cache line, or of the free part of the buffer. */
static uint32_t fetched_to(const ww_cu *cu, const ww_slot_state *s)
{
    unsigned shift = cu->front_end.line_shift;
    uint32_t end = ((s->buffer.fetch_pc >> shift) + 1) << shift;
    uint32_t from = is_demanded(s) ? s->buffer.fetch_pc : s->buffer.from;
    uint32_t limit = from + cu->config.instruction_buffer;
    return end < limit ? end : limit;
}

/* The sectors that a fetch needs; all of the line when an L0 keeps it. */
static uint32_t sectors_of(const ww_cu *cu, uint32_t pc, uint32_t end)
{
    const ww_cu_config *c = &cu->config;
    if (c->l0_lines)
        return (uint32_t)((1ull << c->line / c->sector) - 1);
    uint32_t in_line = (1u << cu->front_end.line_shift) - 1;
    unsigned sector = (unsigned)__builtin_ctz(c->sector);
    unsigned from = (pc & in_line) * c->instruction_bytes >> sector;
    unsigned last = (end - 1) & in_line;
    unsigned to = ((last + 1) * c->instruction_bytes - 1) >> sector;
    return (uint32_t)(((2ull << to) - 1) & ~((1ull << from) - 1));
}

static void fill_buffer(ww_cu *cu, unsigned slot, uint64_t cycle)
{
    ww_slot_state *s = &cu->slots[slot];
    cu->front_end.fetching &= ~(1ull << slot);
    if (is_demanded(s))
        s->buffer.from = s->buffer.fetch_pc;
    s->buffer.to = s->buffer.fetch_to;
    ww_issue_feed(&s->issue);
    if (s->issue.wait == WW_WAIT_FETCH)
        ww_issue_examine(cu, slot, cycle);
}

/* ---- fills from a scheduler's own instruction cache ---- */

static bool is_in_l0(const ww_cu *cu, unsigned slot)
{
    if (!cu->config.l0_lines)
        return false;
    uint64_t line = line_of(cu, address_of(cu, slot, cu->slots[slot].buffer.fetch_pc));
    return *l0_entry(cu, slot, line) == line;
}

static void fill_from_l0(ww_cu *cu, unsigned slot, uint64_t cycle)
{
    uint64_t at = cycle + cu->config.l0_latency;
    cu->front_end.filled_at[slot] = at;
    cu->slots[slot].buffer.fetch_to = fetched_to(cu, &cu->slots[slot]);
    ww_ring_add(&cu->front_end.filled, at, 1ull << slot);
    cu->counters.l0_hits++;
}

static void process_fills(ww_cu *cu, uint64_t cycle)
{
    ww_front_end *f = &cu->front_end;
    /* of others the warp has branched meanwhile */
    uint64_t slots = ww_ring_take(&f->filled, cycle) & cu->residency.present & f->fetching;
    for (; slots; slots &= slots - 1) {
        unsigned slot = (unsigned)__builtin_ctzll(slots);
        if (f->filled_at[slot] == cycle)
            fill_buffer(cu, slot, cycle);
    }
}

/* ---- fetches ---- */

/* Whether the slot's warp waits for this reply of the instruction cache. */
static bool is_wanted(const ww_cu *cu, unsigned slot, uint64_t address)
{
    const ww_front_end *f = &cu->front_end;
    return (f->fetching & cu->residency.present) >> slot & 1 && !f->filled_at[slot] &&
           address_of(cu, slot, cu->slots[slot].buffer.fetch_pc) == address;
}

void ww_front_end_receive(ww_cu *cu, uint64_t cycle)
{
    ww_front_end *f = &cu->front_end;
    process_fills(cu, cycle);
    for (ww_request *r; (r = ww_port_peek(&f->replies)) != NULL;) {
        unsigned slot = r->warp & ((1u << WW_SHARER_SHIFT) - 1);
        uint64_t address = (uint64_t)(uintptr_t)r->owner;
        if (cu->wiring.check && !ww_check_reply(cu, r, WW_CLASS_INSTRUCTION))
            return;
        ww_port_pop(&f->replies);
        f->outstanding--;
        if (cu->config.l0_lines)
            *l0_entry(cu, slot, line_of(cu, address)) = line_of(cu, address);
        ww_request_free(cu->wiring.pool, r);
        if (is_wanted(cu, slot, address))
            fill_buffer(cu, slot, cycle);
    }
    ww_front_end_expect(cu);
}

void ww_front_end_expect(ww_cu *cu)
{
    const ww_port *replies = &cu->front_end.replies;
    if (replies->count)
        ww_wake(cu->wiring.engine, &cu->task, ww_port_next(replies));
}

/* A reply that the cache has not sent yet takes its latency from now on, at least. */
uint64_t ww_front_end_next_reply(const ww_cu *cu, uint64_t cycle, uint64_t next)
{
    const ww_front_end *f = &cu->front_end;
    uint64_t others = cycle + cu->wiring.instruction.latency;
    if (!f->outstanding)
        return WW_NEVER;
    if (others <= next || !f->replies.count)
        return others;
    uint64_t sent = ww_cu_cycle_from(cu, ww_port_next(&f->replies));
    return sent < others ? sent : others;
}

/* False when the port is full: the compute unit then tries again in every cycle. The port must not
 * wake it, because it may have run ahead by then, with fetches that hit in the L0. */
static bool send_fetch(ww_cu *cu, unsigned slot)
{
    ww_port *port = cu->wiring.instruction.port;
    if (!ww_port_has_room(port))
        return false;
    ww_instruction_buffer *b = &cu->slots[slot].buffer;
    ww_tick now = ww_engine_now(cu->wiring.engine);
    ww_request *r = ww_request_allocate(cu->wiring.pool, now);
    uint64_t address = address_of(cu, slot, b->fetch_pc), line = line_of(cu, address);
    if (!ww_cu_touch(cu, cu->slots[slot].stream.launch, line, &r->address))
        return false;
    b->fetch_to = fetched_to(cu, &cu->slots[slot]);
    r->sectors = sectors_of(cu, b->fetch_pc, b->fetch_to);
    r->kind = WW_REQUEST_READ;
    r->class = WW_CLASS_INSTRUCTION;
    r->source = cu->wiring.instruction.source;
    r->warp = slot | (uint32_t)cu->wiring.instruction.sharer << WW_SHARER_SHIFT;
    r->owner = (void *)(uintptr_t)address;
    if (cu->wiring.check && !ww_check_send(cu, r, line, false, slot, b->fetch_pc))
        return false;
    ww_port_send(port, r, now + 1);
    cu->front_end.outstanding++;
    cu->front_end.filled_at[slot] = 0;
    return true;
}

bool ww_front_end_fetch(ww_cu *cu, uint64_t cycle, bool ahead)
{
    ww_front_end *f = &cu->front_end;
    if (!f->needs_fetch)
        return true;
    unsigned slot = ww_next_slot(f->needs_fetch, f->last_fetched);
    if (is_in_l0(cu, slot))
        fill_from_l0(cu, slot, cycle);
    else if (ahead)
        return false;
    else if (!send_fetch(cu, slot))
        return true;
    f->fetching |= 1ull << slot;
    f->needs_fetch &= ~(1ull << slot);
    f->last_fetched = slot;
    cu->counters.fetches++;
    return true;
}
