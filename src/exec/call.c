/* Calls: arguments and results are bytes in each lane's local frames, or registers. */
#include "exec/lanes_of.h"
#include "exec/warp.h"

#include <string.h>

static uint8_t *local_at(const ww_executor *x, const ww_warp *w, int lane, uint64_t offset)
{
    return w->local + (uint64_t)lane * x->kernel->local_bytes + offset;
}

/* Caller or callee. `rows` holds its registers: the warp's, or a copy where caller and callee are
 * the same function and results must not overwrite what is still to be read. */
typedef struct side {
    const ww_code *code;
    uint32_t frame;
    uint8_t *rows;
} side;

/* The host address of one lane's value: in its frame, or in a register's row. */
static uint8_t *value_address(const ww_executor *x, const ww_warp *w, int lane, const side *at,
                              const ww_variable *variable, int32_t reg)
{
    if (variable)
        return local_at(x, w, lane, at->frame + variable->offset);
    const ww_row *row = &at->code->rows[reg];
    return at->rows + row->offset + (unsigned)lane * (row->wide ? 8u : 4u);
}

/* Predicates cannot be passed as bytes. */
static void copy_value(const ww_executor *x, const ww_warp *w, uint64_t lanes,
                       const ww_operand *operand, const side *outer, const ww_variable *variable,
                       const side *inner, bool inwards)
{
    const ww_variable *outer_variable =
        operand->kind == WW_OPERAND_ADDRESS ? operand->variable : NULL;
    ww_each_lane(lane, lanes) {
        uint8_t *in = value_address(x, w, lane, inner, variable->in_register ? NULL : variable,
                                    variable->reg);
        if (operand->kind == WW_OPERAND_VALUE) {
            memcpy(in, &operand->bits, variable->size < 8 ? variable->size : 8);
            continue;
        }
        uint8_t *out = value_address(x, w, lane, outer, outer_variable, operand->reg);
        if (inwards)
            memcpy(in, out, variable->size);
        else
            memcpy(out, in, variable->size);
    }
}

static bool passes_predicates(const ww_executor *x, const ww_call *call, const ww_code *caller)
{
    (void)x;
    for (unsigned i = 0; i < call->arg_count + call->return_count; i++) {
        const ww_operand *o =
            i < call->arg_count ? &call->args[i] : &call->returns[i - call->arg_count];
        if (o->kind == WW_OPERAND_REGISTER &&
            caller->function->registers[o->reg].type == WW_TYPE_PRED)
            return true;
    }
    return false;
}

static int enter(ww_executor *x, ww_warp *w, const ww_code *callee, uint64_t lanes)
{
    ww_split *join = &w->splits[w->current];
    const ww_code *caller = &x->kernel->codes[join->code];
    uint32_t call_pc = join->is_call ? join->pc - 1 : join->pc;
    const ww_call *call = x->kernel->instructions[call_pc]->call;
    uint64_t frame = join->frame + caller->local_bytes;
    if (frame + callee->local_bytes > x->kernel->local_bytes)
        return ww_fault(x, w, __builtin_ctzll(lanes),
                        "the stack of %llu bytes overflows in a call of '%s' (endless recursion?)",
                        (unsigned long long)x->kernel->local_bytes, callee->function->name);
    if (passes_predicates(x, call, caller))
        return ww_fault(x, w, -1, "a call cannot pass predicates");
    if (caller->recursive && !join->saved) {
        size_t bytes = x->kernel->register_bytes;
        join->saved = ww_calloc_rows(bytes + x->kernel->predicate_count * 8);
        memcpy(join->saved, w->rows, bytes);
        memcpy(join->saved + bytes, w->predicates, x->kernel->predicate_count * 8);
    }
    side outer = {caller, join->frame, join->saved ? join->saved : w->rows};
    side inner = {callee, (uint32_t)frame, w->rows};
    ww_split *child = ww_split_call(w, lanes, callee->first, call_pc + 1);
    child->frame = (uint32_t)frame;
    child->code = (uint16_t)(callee - x->kernel->codes);
    for (unsigned i = 0; i < call->arg_count; i++)
        copy_value(x, w, lanes, &call->args[i], &outer, &callee->function->params[i], &inner, true);
    return WW_OK;
}

int ww_exec_call(ww_executor *x, ww_warp *w, const ww_uop *u, uint64_t lanes)
{
    if (!lanes) {
        w->splits[w->current].pc++;
        return WW_OK;
    }
    int status = enter(x, w, &x->kernel->codes[u->imm], lanes);
    ww_split_choose(w);
    return status;
}

static const ww_code *function_at(const ww_executor *x, uint64_t address)
{
    const ww_module *m = x->kernel->entry->module;
    uint64_t index = (address - WW_CODE_WINDOW) / 16 - 1;
    if (address < WW_CODE_WINDOW || (address - WW_CODE_WINDOW) % 16 || index >= m->function_count ||
        x->kernel->code_of[index] == UINT16_MAX)
        return NULL;
    return &x->kernel->codes[x->kernel->code_of[index]];
}

static bool fits_prototype(const ww_function *f, const ww_prototype *t)
{
    bool fits = f->param_count == t->param_count && f->return_count == t->return_count;
    for (unsigned i = 0; fits && i < t->param_count; i++)
        fits = f->params[i].size == t->params[i].size;
    for (unsigned i = 0; fits && i < t->return_count; i++)
        fits = f->returns[i].size == t->returns[i].size;
    return fits && !f->is_entry;
}

/* Lanes may call different functions: each function becomes a split of the lanes that call it. */
int ww_exec_call_indirect(ww_executor *x, ww_warp *w, const ww_uop *u, uint64_t lanes)
{
    const uint64_t *targets = ww_row_at(x, w, u->a);
    const ww_prototype *t = x->kernel->instructions[u - x->kernel->uops]->call->prototype;
    if (!lanes)
        w->splits[w->current].pc++;
    while (lanes) {
        int first = __builtin_ctzll(lanes);
        uint64_t same = 0;
        ww_each_lane(lane, lanes)
            same |= (uint64_t)(targets[lane] == targets[first]) << lane;
        const ww_code *callee = function_at(x, targets[first]);
        if (!callee || !fits_prototype(callee->function, t))
            return ww_fault(x, w, first,
                            "call through 0x%llx, which is not a function of that kind",
                            (unsigned long long)targets[first]);
        int status = enter(x, w, callee, same);
        if (status != WW_OK)
            return status;
        lanes &= ~same;
    }
    ww_split_choose(w);
    return WW_OK;
}

int ww_exec_return(ww_executor *x, ww_warp *w, uint64_t lanes)
{
    const ww_split *s = &w->splits[w->current];
    int32_t at = w->current;
    while (at != WW_NO_SPLIT && !w->splits[at].is_call)
        at = w->splits[at].parent;
    const ww_split *join = &w->splits[at];
    const ww_call *call = x->kernel->instructions[join->pc - 1]->call;
    side outer = {&x->kernel->codes[join->code], join->frame, w->rows};
    side inner = {&x->kernel->codes[s->code], s->frame, w->rows};
    uint8_t *copy = NULL;
    if (inner.code == outer.code && call->return_count > 1) {
        copy = inner.rows = ww_calloc_rows(x->kernel->register_bytes);
        memcpy(copy, w->rows, x->kernel->register_bytes);
    }
    for (unsigned i = 0; i < call->return_count; i++)
        copy_value(x, w, lanes, &call->returns[i], &outer, &inner.code->function->returns[i],
                   &inner, false);
    free(copy);
    ww_split_leave(w, lanes, true);
    return WW_OK;
}

/* After recursion, restores the caller's registers except those that hold results of the call. */
void ww_exec_resume(ww_executor *x, ww_warp *w, ww_split *join)
{
    const ww_code *code = &x->kernel->codes[join->code];
    const ww_call *call = x->kernel->instructions[join->pc - 1]->call;
    join->is_call = false;
    if (!join->saved)
        return;
    const uint8_t *saved = join->saved;
    for (uint32_t r = 0; r < code->function->register_count; r++) {
        const ww_row *row = &code->rows[r];
        bool given = false;
        for (unsigned i = 0; i < call->return_count; i++)
            given |=
                call->returns[i].kind == WW_OPERAND_REGISTER && call->returns[i].reg == (int32_t)r;
        if (given)
            continue;
        if (code->function->registers[r].type == WW_TYPE_PRED) {
            uint64_t mask;
            memcpy(&mask, saved + x->kernel->register_bytes + row->offset * 8, 8);
            ww_set_predicate(w, (ww_slot)row->offset, mask, join->lanes);
        } else {
            ww_write_row(x, w, (ww_slot)row->offset, saved + row->offset, join->lanes, row->wide);
        }
    }
    free(join->saved);
    join->saved = NULL;
}
