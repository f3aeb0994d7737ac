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

/* The sectors of its line that a fetch takes instructions from. */
static uint32_t sectors_of(const ww_core *core, uint32_t pc, uint32_t end)
{
    const ww_core_config *c = &core->config;
    uint32_t in_line = (1u << core->line_shift) - 1;
    unsigned sector = (unsigned)__builtin_ctz(c->sector);
    unsigned from = (pc & in_line) * c->instruction_bytes >> sector;
    unsigned last = (end - 1) & in_line;
    unsigned to = ((last + 1) * c->instruction_bytes - 1) >> sector;
    return (uint32_t)(((2ull << to) - 1) & ~((1ull << from) - 1));
}

void ww_core_take_instructions(ww_core *core, uint64_t cycle)
{
    for (ww_request *r; (r = ww_port_peek(&core->instruction_replies)) != NULL;) {
        unsigned slot = r->warp & ((1u << WW_SHARER_SHIFT) - 1);
        ww_slot_state *s = &core->slots[slot];
        uint32_t pc = (uint32_t)(uintptr_t)r->owner;
        if (core->wiring.check && !ww_check_reply(core, r, WW_CLASS_INSTRUCTION))
            return;
        ww_port_pop(&core->instruction_replies);
        ww_request_give(core->wiring.pool, r);
        if (!(core->present >> slot & 1) || !s->fetching || s->fetch_pc != pc)
            continue; /* the warp went elsewhere meanwhile */
        s->fetching = false;
        if (pc != s->buffered_to || pc == s->pc)
            s->buffered_from = pc;
        s->buffered_to = s->fetch_to;
        if (s->wait == WW_WAIT_FETCH)
            ww_core_examine(core, slot, cycle);
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

/* One fetch a cycle, warps in turn. */
void ww_core_fetch(ww_core *core)
{
    ww_port *port = core->wiring.instruction.port;
    core->needs_fetch &= core->present;
    if (!core->needs_fetch)
        return;
    if (!ww_port_has_room(port)) {
        ww_port_wait(port, &core->task);
        return;
    }
    ww_tick now = ww_engine_now(core->wiring.engine);
    unsigned slot = ww_next_slot(core->needs_fetch, core->last_fetched);
    ww_slot_state *s = &core->slots[slot];
    ww_request *r = ww_request_take(core->wiring.pool, now);
    uint64_t address =
        core->launch->code_address + (uint64_t)s->fetch_pc * core->config.instruction_bytes;
    r->address = address & ~(uint64_t)(core->config.line - 1);
    s->fetch_to = fetched_to(core, s);
    r->sectors = sectors_of(core, s->fetch_pc, s->fetch_to);
    r->kind = WW_REQUEST_READ;
    r->class = WW_CLASS_INSTRUCTION;
    r->source = core->wiring.instruction.source;
    r->warp = slot | (uint32_t)core->wiring.instruction.sharer << WW_SHARER_SHIFT;
    r->owner = (void *)(uintptr_t)s->fetch_pc;
    if (core->wiring.check && !ww_check_send(core, r, r->address, slot, s->fetch_pc))
        return;
    ww_port_send(port, r, now + 1);
    s->fetching = true;
    core->needs_fetch &= ~(1ull << slot);
    core->last_fetched = slot;
    core->wiring.counters->fetches++;
}
