/* Control flow, barriers, and instructions across the lanes of a warp. */
#include "exec/decode.h"

#include <string.h>

static bool decode_branch_index(ww_decoder *d, ww_uop *u)
{
    const ww_operand *list = &d->instruction->operands[1];
    u->kind = WW_UOP_BRANCH_INDEX;
    u->b = (ww_slot)list->count;
    u->imm = (int64_t)d->targets.count;
    for (unsigned t = 0; t < list->count; t++)
        ww_vec_push(&d->targets, d->code->first + list->targets[t]);
    return ww_decode_source(d, &d->instruction->operands[0], &u->a);
}

static bool unresolved(ww_decoder *d, const char *name)
{
    if (strstr(name, "image") || strstr(name, "sampler") || strstr(name, "tex"))
        return ww_decode_error(d, "call of '%s': images, textures and samplers are not supported",
                               name);
    return ww_decode_error(d,
                           "call of '%s', which has no body in this module (define it, or link "
                           "what defines it)",
                           name);
}

static bool decode_call(ww_decoder *d, ww_uop *u)
{
    const ww_call *call = d->instruction->call;
    const ww_function *f = call->target.function;
    if (call->target.kind == WW_OPERAND_REGISTER) {
        u->kind = WW_UOP_CALL_INDIRECT;
        u->a = (ww_slot)d->code->rows[call->target.reg].offset;
        return true;
    }
    /* OpenCL C calls it printf, with the same two arguments. */
    bool prints = strcmp(f->name, "vprintf") == 0 || strcmp(f->name, "printf") == 0;
    if (!f->has_body && prints && call->arg_count == 2) {
        u->kind = WW_UOP_PRINT;
        return true;
    }
    if (!f->has_body && strcmp(f->name, "__assertfail") == 0) {
        u->kind = WW_UOP_TRAP;
        return true;
    }
    if (!f->has_body)
        return unresolved(d, f->name);
    u->kind = WW_UOP_CALL;
    u->imm = d->kernel->code_of[f->index];
    return true;
}

bool ww_decode_control(ww_decoder *d, ww_uop *u)
{
    const ww_instruction *i = d->instruction;
    u->category = WW_CATEGORY_CONTROL;
    switch (i->form.op) {
    case WW_OP_BRA:
        u->kind = WW_UOP_BRANCH;
        u->target = d->code->first + i->operands[0].target;
        return true;
    case WW_OP_BRX: return decode_branch_index(d, u);
    case WW_OP_CALL: return decode_call(d, u);
    case WW_OP_RET: u->kind = d->code->function->is_entry ? WW_UOP_EXIT : WW_UOP_RETURN; break;
    case WW_OP_EXIT: u->kind = WW_UOP_EXIT; break;
    default: u->kind = WW_UOP_TRAP; break;
    }
    return true;
}

static bool decode_barrier(ww_decoder *d, ww_uop *u)
{
    const ww_instruction *i = d->instruction;
    const ww_operand *o = &i->operands[i->result_count];
    u->variant = i->form.variant;
    u->combine = i->form.combine;
    if (i->form.flags & WW_FLAG_SUBGROUP) {
        u->kind = WW_UOP_WARP_BARRIER;
        u->a = ww_decode_constant(d, WW_CONSTANT_VALUE, UINT32_MAX, 0, false, false);
        return true;
    }
    if (i->form.flags & WW_FLAG_WARP) {
        u->kind = WW_UOP_WARP_BARRIER;
        return ww_decode_source(d, &o[0], &u->a);
    }
    u->kind = WW_UOP_BARRIER;
    if (o[1].kind == WW_OPERAND_NONE)
        u->flags |= WW_UOP_NO_BASE; /* all work-items of the group */
    else if (!ww_decode_source(d, &o[1], &u->b))
        return false;
    if (i->form.variant == WW_VARIANT_RED) {
        u->c = ww_decode_predicate(d, &o[2]);
        u->flags |= o[2].negated ? WW_UOP_NEGATE_C : 0;
        u->d = i->form.combine == WW_COMBINE_POPC ? ww_decode_result(d, &i->operands[0])
                                                  : ww_decode_predicate(d, &i->operands[0]);
    }
    return ww_decode_source(d, &o[0], &u->a);
}

static bool decode_shuffle(ww_decoder *d, ww_uop *u)
{
    const ww_operand *o = d->instruction->operands;
    u->kind = WW_UOP_SHUFFLE;
    u->d = ww_decode_result(d, &o[0]);
    if (u->flags & WW_UOP_SUBGROUP)
        return ww_decode_source(d, &o[1], &u->a) && ww_decode_source(d, &o[2], &u->b);
    u->e = ww_decode_predicate(d, &o[1]);
    return ww_decode_source(d, &o[2], &u->a) && ww_decode_source(d, &o[3], &u->b) &&
           ww_decode_source(d, &o[4], &u->c);
}

static bool decode_vote(ww_decoder *d, ww_uop *u)
{
    const ww_operand *o = d->instruction->operands;
    bool ballot = d->instruction->form.variant == WW_VARIANT_BALLOT;
    u->kind = WW_UOP_VOTE;
    u->c = ww_decode_predicate(d, &o[1]);
    u->flags |= o[1].negated ? WW_UOP_NEGATE_C : 0;
    u->d = ballot ? ww_decode_result(d, &o[0]) : ww_decode_predicate(d, &o[0]);
    if (d->instruction->operand_count > 2)
        return ww_decode_source(d, &o[2], &u->b);
    u->b = ww_decode_constant(d, WW_CONSTANT_VALUE, UINT32_MAX, 0, false, false);
    return true;
}

static bool decode_match(ww_decoder *d, ww_uop *u)
{
    const ww_instruction *i = d->instruction;
    const ww_operand *o = &i->operands[i->result_count];
    u->kind = WW_UOP_MATCH;
    u->d = ww_decode_result(d, &i->operands[0]);
    u->e = i->result_count > 1 ? ww_decode_predicate(d, &i->operands[1]) : WW_PREDICATE_SINK;
    u->flags = i->form.type == WW_TYPE_B64 ? WW_UOP_WIDE : 0;
    return ww_decode_source(d, &o[0], &u->a) && ww_decode_source(d, &o[1], &u->b);
}

/* Whether it is defined for warps of 32 lanes alone: all but group barriers, fences and what is of
 * a sub-group. */
static bool needs_warp_width(const ww_form *form)
{
    if (form->flags & WW_FLAG_SUBGROUP)
        return false;
    switch (form->op) {
    case WW_OP_BAR:
    case WW_OP_BARRIER: return form->flags & WW_FLAG_WARP;
    case WW_OP_MEMBAR:
    case WW_OP_FENCE: return false;
    default: return true;
    }
}

bool ww_decode_across(ww_decoder *d, ww_uop *u)
{
    const ww_instruction *i = d->instruction;
    const ww_operand *o = i->operands;
    u->category = WW_CATEGORY_SYNCHRONISATION;
    u->variant = i->form.variant;
    u->combine = i->form.combine;
    u->type = i->form.type;
    u->flags |= i->form.flags & WW_FLAG_SUBGROUP ? WW_UOP_SUBGROUP : 0;
    if (needs_warp_width(&i->form) && !d->kernel->first_across) {
        d->kernel->uses_warp_width = true;
        d->kernel->first_across = i;
    }
    switch (i->form.op) {
    case WW_OP_BAR:
    case WW_OP_BARRIER: return decode_barrier(d, u);
    case WW_OP_SHFL: return decode_shuffle(d, u);
    case WW_OP_VOTE: return decode_vote(d, u);
    case WW_OP_MATCH: return decode_match(d, u);
    case WW_OP_ACTIVEMASK:
        u->kind = WW_UOP_ACTIVE_MASK;
        u->d = ww_decode_result(d, &o[0]);
        return true;
    case WW_OP_REDUX:
        u->kind = WW_UOP_REDUCE;
        u->d = ww_decode_result(d, &o[0]);
        return ww_decode_source(d, &o[1], &u->a) && ww_decode_source(d, &o[2], &u->b);
    case WW_OP_ELECT:
        u->kind = WW_UOP_ELECT;
        u->d = ww_decode_result(d, &o[0]);
        u->e = ww_decode_predicate(d, &o[1]);
        return ww_decode_source(d, &o[2], &u->b);
    default: u->kind = WW_UOP_NOTHING; return true; /* membar, fence */
    }
}
