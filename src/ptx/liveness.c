#include "ptx/liveness.h"

#include <string.h>

#define NOWHERE UINT32_MAX

typedef struct ranger {
    const ww_uses *uses;
    ww_live_blocks *live;
    uint32_t *reached; /* by block: reg + 1 when a definition may have happened before its start */
    uint32_t *work;
    bool partial; /* whether `reached` counts for the present register */
    ww_visit_range *visit;
    void *context;
} ranger;

static bool is_parameter(const ww_function *f, uint32_t reg)
{
    for (unsigned p = 0; p < f->param_count; p++)
        if (f->params[p].in_register && f->params[p].reg == (int32_t)reg)
            return true;
    return false;
}

static void reach(ranger *r, uint32_t reg, uint32_t from, uint32_t *count)
{
    const ww_block *block = &r->uses->flow->blocks[from];
    for (uint32_t s = 0; block->reachable && s < block->successor_count; s++) {
        uint32_t to = block->successors[s];
        if (to == r->uses->flow->block_count || r->reached[to] == reg + 1)
            continue;
        r->reached[to] = reg + 1;
        r->work[(*count)++] = to;
    }
}

/* Only a register that is live at the entry and is not a parameter can lack a value somewhere. */
static void find_reached(ranger *r, uint32_t reg)
{
    const ww_uses *uses = r->uses;
    uint32_t count = 0;
    r->partial = r->live->in[0] == reg + 1 && !is_parameter(uses->flow->function, reg);
    if (!r->partial)
        return;
    for (uint32_t o = uses->first[reg]; o < uses->first[reg + 1]; o++)
        if (uses->list[o].use != WW_USE_READ)
            reach(r, reg, uses->flow->block_of[uses->list[o].instruction], &count);
    for (uint32_t i = 0; i < count; i++)
        reach(r, reg, r->work[i], &count);
}

/* Emits [first, last] without the points before `defined`, the first point of the block at which
 * the register may have a value. */
static void emit(ranger *r, uint32_t reg, uint32_t first, uint32_t last, uint32_t defined)
{
    first = first < defined ? defined : first;
    if (first <= last)
        r->visit(reg, first, last, r->context);
}

/* Goes backwards over the occurrences [from, to) of a register in one block. */
static void ranges_in_block(ranger *r, uint32_t reg, uint32_t block, uint32_t from, uint32_t to)
{
    const ww_block *b = &r->uses->flow->blocks[block];
    const ww_occurrence *list = r->uses->list;
    if (!b->reachable)
        return;
    bool always = !r->partial || r->reached[block] == reg + 1;
    uint32_t defined = always ? 2 * b->first : NOWHERE;
    for (uint32_t o = to; o-- > from && !always;)
        if (list[o].use != WW_USE_READ)
            defined = 2 * list[o].instruction + 1;
    uint32_t end = r->live->out[block] == reg + 1 ? 2 * b->last + 1 : NOWHERE;
    for (uint32_t o = to; o-- > from;) {
        uint32_t i = list[o].instruction;
        if (list[o].use == WW_USE_READ) {
            end = end == NOWHERE ? 2 * i : end;
        } else if (list[o].use == WW_USE_SURE_WRITE || end == NOWHERE) {
            emit(r, reg, 2 * i + 1, end == NOWHERE ? 2 * i + 1 : end, defined);
            end = NOWHERE;
        }
    }
    if (end != NOWHERE)
        emit(r, reg, 2 * b->first, end, defined);
}

static void ranges_of(ranger *r, uint32_t reg)
{
    const ww_uses *uses = r->uses;
    const ww_flow *flow = uses->flow;
    ww_live_blocks_find(r->live, reg);
    find_reached(r, reg);
    for (uint32_t o = uses->first[reg]; o < uses->first[reg + 1];) {
        uint32_t block = flow->block_of[uses->list[o].instruction];
        uint32_t end = o;
        while (end < uses->first[reg + 1] &&
               uses->list[end].instruction <= flow->blocks[block].last)
            end++;
        ranges_in_block(r, reg, block, o, end);
        r->live->in[block] = 0;
        o = end;
    }
    for (uint32_t i = 0; i < r->live->count; i++) {
        uint32_t block = r->live->blocks[i];
        if (r->live->in[block] == reg + 1)
            ranges_in_block(r, reg, block, 0, 0);
    }
}

void ww_live_ranges(const ww_uses *uses, ww_visit_range *visit, void *context)
{
    uint32_t blocks = uses->flow->block_count + 1;
    ranger r = {.uses = uses, .live = ww_live_blocks_create(uses), .visit = visit};
    r.context = context;
    r.reached = ww_calloc(blocks, sizeof *r.reached);
    r.work = ww_calloc(blocks, sizeof *r.work);
    for (uint32_t reg = 0; reg < uses->flow->function->register_count; reg++)
        ranges_of(&r, reg);
    ww_live_blocks_destroy(r.live);
    free(r.reached);
    free(r.work);
}

unsigned ww_type_units(ww_type type)
{
    unsigned bits = ww_type_bits(type);
    return type == WW_TYPE_PRED ? 0 : bits <= 32 ? 1 : bits / 32;
}

/* Changes of the three counts at each point, summed up afterwards. */
typedef struct counter {
    const ww_function *function;
    const bool *uniform;
    ww_register_need *change; /* unsigned wrap-around stands for negative changes */
} counter;

static void count_range(uint32_t reg, uint32_t first, uint32_t last, void *context)
{
    counter *c = context;
    ww_type type = (ww_type)c->function->registers[reg].type;
    unsigned units = ww_type_units(type);
    ww_register_need *from = &c->change[first];
    ww_register_need *past = &c->change[last + 1];
    if (type == WW_TYPE_PRED) {
        from->predicates++;
        past->predicates--;
    } else if (c->uniform && c->uniform[reg]) {
        from->scalar += units;
        past->scalar -= units;
    } else {
        from->vector += units;
        past->vector -= units;
    }
}

static void raise_to(ww_register_need *most, const ww_register_need *need)
{
    most->vector = need->vector > most->vector ? need->vector : most->vector;
    most->scalar = need->scalar > most->scalar ? need->scalar : most->scalar;
    most->predicates = need->predicates > most->predicates ? need->predicates : most->predicates;
}

ww_liveness *ww_liveness_create(const ww_uses *uses, const bool *uniform_registers)
{
    const ww_function *f = uses->flow->function;
    ww_liveness *liveness = ww_calloc(1, sizeof *liveness);
    counter c = {f, uniform_registers, NULL};
    c.change = ww_calloc(2 * (size_t)f->instruction_count + 1, sizeof *c.change);
    ww_live_ranges(uses, count_range, &c);
    liveness->at = ww_calloc(f->instruction_count + 1u, sizeof *liveness->at);
    ww_register_need now = {0};
    for (uint32_t point = 0; point < 2 * f->instruction_count; point++) {
        now.vector += c.change[point].vector;
        now.scalar += c.change[point].scalar;
        now.predicates += c.change[point].predicates;
        raise_to(&liveness->at[point / 2], &now);
        raise_to(&liveness->most, &now);
    }
    free(c.change);
    return liveness;
}

void ww_liveness_destroy(ww_liveness *liveness)
{
    if (!liveness)
        return;
    free(liveness->at);
    free(liveness);
}
