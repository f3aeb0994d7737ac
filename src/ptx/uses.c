#include "ptx/uses.h"

#include <string.h>

static bool reads_carry(const ww_form *form)
{
    return form->op == WW_OP_ADDC || form->op == WW_OP_SUBC || form->op == WW_OP_MADC;
}

/* Whether the instruction can return from the function to its caller. */
static bool returns_here(const ww_function *f, uint32_t i)
{
    return f->instructions[i].form.op == WW_OP_RET || i + 1 == f->instruction_count;
}

void ww_uses_reads(const ww_function *f, uint32_t instruction, ww_visit_register *visit,
                   void *context)
{
    const ww_instruction *i = &f->instructions[instruction];
    ww_instruction_reads(i, visit, context);
    if (reads_carry(&i->form))
        visit((int32_t)f->register_count, context);
    for (unsigned r = 0; r < f->return_count && returns_here(f, instruction); r++)
        if (f->returns[r].in_register)
            visit(f->returns[r].reg, context);
}

void ww_uses_writes(const ww_function *f, uint32_t instruction, ww_visit_register *visit,
                    void *context)
{
    const ww_instruction *i = &f->instructions[instruction];
    ww_instruction_writes(i, visit, context);
    if (i->form.flags & WW_FLAG_CC)
        visit((int32_t)f->register_count, context);
}

typedef struct collector {
    ww_uses *uses;
    uint32_t *fill; /* by register: where its next occurrence goes; NULL while counting */
    ww_occurrence now;
} collector;

static void collect(int32_t reg, void *context)
{
    collector *c = context;
    if (c->fill)
        c->uses->list[c->fill[reg]++] = c->now;
    else
        c->uses->first[reg + 1]++;
}

static void collect_all(collector *c, const ww_function *f)
{
    for (uint32_t i = 0; i < f->instruction_count; i++) {
        c->now = (ww_occurrence){i, WW_USE_READ};
        ww_uses_reads(f, i, collect, c);
        c->now.use = f->instructions[i].guard < 0 ? WW_USE_SURE_WRITE : WW_USE_WRITE;
        ww_uses_writes(f, i, collect, c);
    }
}

ww_uses *ww_uses_create(const ww_flow *flow)
{
    ww_uses *uses = ww_calloc(1, sizeof *uses);
    uint32_t count = flow->function->register_count + 1;
    uses->flow = flow;
    uses->register_count = count;
    uses->first = ww_calloc(count + 1u, sizeof *uses->first);
    collector c = {.uses = uses};
    collect_all(&c, flow->function);
    for (uint32_t r = 0; r < count; r++)
        uses->first[r + 1] += uses->first[r];
    uses->list = ww_calloc(uses->first[count] + 1u, sizeof *uses->list);
    c.fill = ww_calloc(count, sizeof *c.fill);
    memcpy(c.fill, uses->first, count * sizeof *c.fill);
    collect_all(&c, flow->function);
    free(c.fill);
    return uses;
}

void ww_uses_destroy(ww_uses *uses)
{
    if (!uses)
        return;
    free(uses->first);
    free(uses->list);
    free(uses);
}

ww_live_blocks *ww_live_blocks_create(const ww_uses *uses)
{
    ww_live_blocks *live = ww_calloc(1, sizeof *live);
    uint32_t blocks = uses->flow->block_count + 1;
    live->uses = uses;
    live->blocks = ww_calloc(blocks, sizeof *live->blocks);
    live->in = ww_calloc(blocks, sizeof *live->in);
    live->out = ww_calloc(blocks, sizeof *live->out);
    live->kill = ww_calloc(blocks, sizeof *live->kill);
    return live;
}

void ww_live_blocks_destroy(ww_live_blocks *live)
{
    if (!live)
        return;
    free(live->blocks);
    free(live->in);
    free(live->out);
    free(live->kill);
    free(live);
}

static void enter(ww_live_blocks *live, uint32_t block)
{
    if (live->in[block] == live->reg + 1)
        return;
    live->in[block] = live->reg + 1;
    live->blocks[live->count++] = block;
}

void ww_live_blocks_find(ww_live_blocks *live, uint32_t reg)
{
    const ww_uses *uses = live->uses;
    const ww_flow *flow = uses->flow;
    live->reg = reg;
    live->count = 0;
    for (uint32_t o = uses->first[reg]; o < uses->first[reg + 1]; o++) {
        uint32_t block = flow->block_of[uses->list[o].instruction];
        if (uses->list[o].use == WW_USE_SURE_WRITE)
            live->kill[block] = reg + 1;
        else if (uses->list[o].use == WW_USE_READ && live->kill[block] != reg + 1)
            enter(live, block);
    }
    for (uint32_t i = 0; i < live->count; i++) {
        const ww_block *block = &flow->blocks[live->blocks[i]];
        for (uint32_t p = 0; p < block->predecessor_count; p++) {
            uint32_t before = block->predecessors[p];
            live->out[before] = reg + 1;
            if (live->kill[before] != reg + 1)
                enter(live, before);
        }
    }
}
