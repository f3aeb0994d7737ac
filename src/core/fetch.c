/* Instruction buffers: each warp's next instructions, fetched a line at a time through the instruction cache. */
#include "core/check.h"
#include "core/parts.h"

/* The end of what one fetch brings: the cache line's, or the buffer's, behind what is still in it. */
static uint32_t fetched_to(const ww_core *core, const ww_slot_state *s)
{
    uint32_t end = ((s->fetch_pc >> core->line_shift) + 1) << core->line_shift;
    bool behind = s->fetch_pc == s->buffered_to && s->fetch_pc != s->pc;
    uint32_t from = behind ? s->buffered_from : s->fetch_pc;
    uint32_t room = from + core->config.instruction_buffer;
    return end < room ? end : room;
}

/* The sectors of its line that a fetch takes instructions from; all when the line is kept. */
static uint32_t sectors_of(const ww_core *core, uint32_t pc, uint32_t end)
{
    const ww_core_config *c = &core->config;
    if (c->l0_lines)
        return (uint32_t)((1ull << c->line / c->sector) - 1);
    uint32_t in_line = (1u << core->line_shift) - 1;
    unsigned sector = (unsigned)__builtin_ctz(c->sector);
    unsigned from = (pc & in_line) * c->instruction_bytes >> sector;
    unsigned last = (end - 1) & in_line;
    unsigned to = ((last + 1) * c->instruction_bytes - 1) >> sector;
    return (uint32_t)(((2ull << to) - 1) & ~((1ull << from) - 1));
}

static void fill_buffer(ww_core *core, unsigned slot, uint64_t cycle)
{
    ww_slot_state *s = &core->slots[slot];
    s->fetching = false;
    if (s->fetch_pc != s->buffered_to || s->fetch_pc == s->pc)
        s->buffered_from = s->fetch_pc;
    s->buffered_to = s->fetch_to;
    if (s->wait == WW_WAIT_FETCH)
        ww_core_examine(core, slot, cycle);
}

/* ---- a scheduler's own instruction cache ---- */

static uint64_t line_of(const ww_core *core, uint32_t pc)
{
    uint64_t address = core->launch->code_address + (uint64_t)pc * core->config.instruction_bytes;
    return address & ~(uint64_t)(core->config.line - 1);
}

/* Where the line is, if it is there. */
static uint64_t *l0_place(const ww_core *core, unsigned slot, uint64_t line)
{
    unsigned scheduler = slot % core->config.schedulers;
    uint32_t number = (uint32_t)(line >> __builtin_ctz(core->config.line));
    return &core->l0[scheduler * core->config.l0_lines + number % core->config.l0_lines];
}

static bool is_in_l0(const ww_core *core, unsigned slot)
{
    if (!core->config.l0_lines)
        return false;
    uint64_t line = line_of(core, core->slots[slot].fetch_pc);
    return *l0_place(core, slot, line) == line;
}

static void fill_from_l0(ww_core *core, unsigned slot, uint64_t cycle)
{
    uint64_t at = cycle + core->config.l0_latency;
    core->slots[slot].filled_at = at;
    core->slots[slot].fetch_to = fetched_to(core, &core->slots[slot]);
    core->ring[at % WW_RING].filled |= 1ull << slot;
    core->filled_cycles |= 1ull << at % WW_RING;
    core->wiring.counters->l0_hits++;
}

static void take_fills(ww_core *core, uint64_t cycle)
{
    unsigned place = cycle % WW_RING;
    uint64_t slots = core->ring[place].filled & core->present;
    core->ring[place].filled = 0;
    core->filled_cycles &= ~(1ull << place);
    for (; slots; slots &= slots - 1) {
        unsigned slot = (unsigned)__builtin_ctzll(slots);
        /* otherwise the warp went elsewhere meanwhile */
        if (core->slots[slot].fetching && core->slots[slot].filled_at == cycle)
            fill_buffer(core, slot, cycle);
    }
}

/* ---- fetches ---- */

void ww_core_take_instructions(ww_core *core, uint64_t cycle)
{
    take_fills(core, cycle);
    for (ww_request *r; (r = ww_port_peek(&core->instruction_replies)) != NULL;) {
        unsigned slot = r->warp & ((1u << WW_SHARER_SHIFT) - 1);
        const ww_slot_state *s = &core->slots[slot];
        uint32_t pc = (uint32_t)(uintptr_t)r->owner;
        if (core->wiring.check && !ww_check_reply(core, r, WW_CLASS_INSTRUCTION))
            return;
        ww_port_pop(&core->instruction_replies);
        core->fetches--;
        if (core->config.l0_lines)
            *l0_place(core, slot, line_of(core, pc)) = line_of(core, pc);
        ww_request_give(core->wiring.pool, r);
        /* otherwise the warp went elsewhere meanwhile */
        if (core->present >> slot & 1 && s->fetching && !s->filled_at && s->fetch_pc == pc)
            fill_buffer(core, slot, cycle);
    }
    if (core->instruction_replies.count)
        ww_wake(core->wiring.engine, &core->task, ww_port_next(&core->instruction_replies));
}

/* The rest of the buffer is short: ask for what follows it. */
void ww_core_prefetch(ww_core *core, unsigned slot)
{
    ww_slot_state *s = &core->slots[slot];
    if (s->fetching || core->needs_fetch >> slot & 1 ||
        s->buffered_to - s->buffered_from > core->config.instruction_buffer / 2 ||
        s->buffered_to >= core->launch->code->op_count)
        return;
    core->needs_fetch |= 1ull << slot;
    s->fetch_pc = s->buffered_to;
}

/* False when there is no room. A compute unit that wants a fetch asks in every cycle. It must not be woken by the room: it
 * may have run ahead by then, with fetches that hit in the L0. */
static bool send_fetch(ww_core *core, unsigned slot)
{
    ww_port *port = core->wiring.instruction.port;
    if (!ww_port_has_room(port))
        return false;
    ww_slot_state *s = &core->slots[slot];
    ww_tick now = ww_engine_now(core->wiring.engine);
    ww_request *r = ww_request_take(core->wiring.pool, now);
    uint64_t line = line_of(core, s->fetch_pc);
    if (!ww_core_place(core, line, &r->address))
        return false;
    s->fetch_to = fetched_to(core, s);
    r->sectors = sectors_of(core, s->fetch_pc, s->fetch_to);
    r->kind = WW_REQUEST_READ;
    r->class = WW_CLASS_INSTRUCTION;
    r->source = core->wiring.instruction.source;
    r->warp = slot | (uint32_t)core->wiring.instruction.sharer << WW_SHARER_SHIFT;
    r->owner = (void *)(uintptr_t)s->fetch_pc;
    if (core->wiring.check && !ww_check_send(core, r, line, slot, s->fetch_pc))
        return false;
    ww_port_send(port, r, now + 1);
    core->fetches++;
    s->filled_at = 0;
    return true;
}

/* One fetch a cycle, warps in turn. */
bool ww_core_fetch(ww_core *core, uint64_t cycle, bool ahead)
{
    core->needs_fetch &= core->present;
    if (!core->needs_fetch)
        return true;
    unsigned slot = ww_next_slot(core->needs_fetch, core->last_fetched);
    if (is_in_l0(core, slot))
        fill_from_l0(core, slot, cycle);
    else if (ahead)
        return false;
    else if (!send_fetch(core, slot))
        return true;
    core->slots[slot].fetching = true;
    core->needs_fetch &= ~(1ull << slot);
    core->last_fetched = slot;
    core->wiring.counters->fetches++;
    return true;
}
