/* Instruction buffers: hold each warp's next instructions, fetched a line at a time through the
 * instruction cache. */
#include "core/checked_mode.h"
#include "core/core_internal.h"

/* The end of what a fetch brings: of the cache line, or of the free part of the buffer. */
static uint32_t fetched_to(const ww_cu *cu, const ww_slot_state *s)
{
    uint32_t end = ((s->fetch_pc >> cu->line_shift) + 1) << cu->line_shift;
    bool behind = s->fetch_pc == s->buffered_to && s->fetch_pc != s->pc;
    uint32_t from = behind ? s->buffered_from : s->fetch_pc;
    uint32_t limit = from + cu->config.instruction_buffer;
    return end < limit ? end : limit;
}

/* The sectors that a fetch needs; all of the line when an L0 keeps it. */
static uint32_t sectors_of(const ww_cu *cu, uint32_t pc, uint32_t end)
{
    const ww_cu_config *c = &cu->config;
    if (c->l0_lines)
        return (uint32_t)((1ull << c->line / c->sector) - 1);
    uint32_t in_line = (1u << cu->line_shift) - 1;
    unsigned sector = (unsigned)__builtin_ctz(c->sector);
    unsigned from = (pc & in_line) * c->instruction_bytes >> sector;
    unsigned last = (end - 1) & in_line;
    unsigned to = ((last + 1) * c->instruction_bytes - 1) >> sector;
    return (uint32_t)(((2ull << to) - 1) & ~((1ull << from) - 1));
}

static void fill_buffer(ww_cu *cu, unsigned slot, uint64_t cycle)
{
    ww_slot_state *s = &cu->slots[slot];
    s->fetching = false;
    if (s->fetch_pc != s->buffered_to || s->fetch_pc == s->pc)
        s->buffered_from = s->fetch_pc;
    s->buffered_to = s->fetch_to;
    if (s->wait == WW_WAIT_FETCH)
        ww_cu_examine(cu, slot, cycle);
}

/* ---- a scheduler's own instruction cache ---- */

static uint64_t line_of(const ww_cu *cu, uint32_t pc)
{
    uint64_t address = cu->launch->code_address + (uint64_t)pc * cu->config.instruction_bytes;
    return address & ~(uint64_t)(cu->config.line - 1);
}

/* The entry of the direct-mapped L0 that holds the line on a hit. */
static uint64_t *l0_entry(const ww_cu *cu, unsigned slot, uint64_t line)
{
    unsigned scheduler = slot % cu->config.schedulers;
    uint32_t number = (uint32_t)(line >> __builtin_ctz(cu->config.line));
    return &cu->l0[scheduler * cu->config.l0_lines + number % cu->config.l0_lines];
}

static bool is_in_l0(const ww_cu *cu, unsigned slot)
{
    if (!cu->config.l0_lines)
        return false;
    uint64_t line = line_of(cu, cu->slots[slot].fetch_pc);
    return *l0_entry(cu, slot, line) == line;
}

static void fill_from_l0(ww_cu *cu, unsigned slot, uint64_t cycle)
{
    uint64_t at = cycle + cu->config.l0_latency;
    cu->slots[slot].filled_at = at;
    cu->slots[slot].fetch_to = fetched_to(cu, &cu->slots[slot]);
    cu->ring[at % WW_RING].filled |= 1ull << slot;
    cu->filled_cycles |= 1ull << at % WW_RING;
    cu->wiring.counters->l0_hits++;
}

static void process_fills(ww_cu *cu, uint64_t cycle)
{
    unsigned index = cycle % WW_RING;
    uint64_t slots = cu->ring[index].filled & cu->present;
    cu->ring[index].filled = 0;
    cu->filled_cycles &= ~(1ull << index);
    for (; slots; slots &= slots - 1) {
        unsigned slot = (unsigned)__builtin_ctzll(slots);
        /* otherwise the warp has branched meanwhile */
        if (cu->slots[slot].fetching && cu->slots[slot].filled_at == cycle)
            fill_buffer(cu, slot, cycle);
    }
}

/* ---- fetches ---- */

void ww_cu_receive_instructions(ww_cu *cu, uint64_t cycle)
{
    process_fills(cu, cycle);
    for (ww_request *r; (r = ww_port_peek(&cu->instruction_replies)) != NULL;) {
        unsigned slot = r->warp & ((1u << WW_SHARER_SHIFT) - 1);
        const ww_slot_state *s = &cu->slots[slot];
        uint32_t pc = (uint32_t)(uintptr_t)r->owner;
        if (cu->wiring.check && !ww_check_reply(cu, r, WW_CLASS_INSTRUCTION))
            return;
        ww_port_pop(&cu->instruction_replies);
        cu->fetches--;
        if (cu->config.l0_lines)
            *l0_entry(cu, slot, line_of(cu, pc)) = line_of(cu, pc);
        ww_request_free(cu->wiring.pool, r);
        /* otherwise the warp has branched meanwhile */
        if (cu->present >> slot & 1 && s->fetching && !s->filled_at && s->fetch_pc == pc)
            fill_buffer(cu, slot, cycle);
    }
    if (cu->instruction_replies.count)
        ww_wake(cu->wiring.engine, &cu->task, ww_port_next(&cu->instruction_replies));
}

/* Requests the instructions after the buffer when it is at most half full. */
void ww_cu_prefetch(ww_cu *cu, unsigned slot)
{
    ww_slot_state *s = &cu->slots[slot];
    if (s->fetching || cu->needs_fetch >> slot & 1 ||
        s->buffered_to - s->buffered_from > cu->config.instruction_buffer / 2 ||
        s->buffered_to >= cu->launch->code->op_count)
        return;
    cu->needs_fetch |= 1ull << slot;
    s->fetch_pc = s->buffered_to;
}

/* False when the port is full: the compute unit then tries again in every cycle. The port must not
 * wake it, because it may have run ahead by then, with fetches that hit in the L0. */
static bool send_fetch(ww_cu *cu, unsigned slot)
{
    ww_port *port = cu->wiring.instruction.port;
    if (!ww_port_has_room(port))
        return false;
    ww_slot_state *s = &cu->slots[slot];
    ww_tick now = ww_engine_now(cu->wiring.engine);
    ww_request *r = ww_request_allocate(cu->wiring.pool, now);
    uint64_t line = line_of(cu, s->fetch_pc);
    if (!ww_cu_touch(cu, line, &r->address))
        return false;
    s->fetch_to = fetched_to(cu, s);
    r->sectors = sectors_of(cu, s->fetch_pc, s->fetch_to);
    r->kind = WW_REQUEST_READ;
    r->class = WW_CLASS_INSTRUCTION;
    r->source = cu->wiring.instruction.source;
    r->warp = slot | (uint32_t)cu->wiring.instruction.sharer << WW_SHARER_SHIFT;
    r->owner = (void *)(uintptr_t)s->fetch_pc;
    if (cu->wiring.check && !ww_check_send(cu, r, line, slot, s->fetch_pc))
        return false;
    ww_port_send(port, r, now + 1);
    cu->fetches++;
    s->filled_at = 0;
    return true;
}

/* One fetch a cycle; warps round robin. */
bool ww_cu_fetch(ww_cu *cu, uint64_t cycle, bool ahead)
{
    cu->needs_fetch &= cu->present;
    if (!cu->needs_fetch)
        return true;
    unsigned slot = ww_next_slot(cu->needs_fetch, cu->last_fetched);
    if (is_in_l0(cu, slot))
        fill_from_l0(cu, slot, cycle);
    else if (ahead)
        return false;
    else if (!send_fetch(cu, slot))
        return true;
    cu->slots[slot].fetching = true;
    cu->needs_fetch &= ~(1ull << slot);
    cu->last_fetched = slot;
    cu->wiring.counters->fetches++;
    return true;
}
