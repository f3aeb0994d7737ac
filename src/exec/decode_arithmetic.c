/* Arithmetic, comparisons and moves. */
#include "exec/decode.h"

#include <string.h>

static bool sources(ww_decoder *d, ww_uop *u, const ww_operand *from, unsigned count)
{
    ww_slot *slots[4] = {&u->a, &u->b, &u->c, &u->e};
    for (unsigned i = 0; i < count; i++)
        if (!ww_decode_source(d, &from[i], slots[i]))
            return false;
    return true;
}

/* The operator of one half compares pairs of them (compute.c). */
static ww_form form_of_operator(const ww_form *form)
{
    ww_form single = *form;
    if (form->op == WW_OP_SETP && form->type == WW_TYPE_F16X2)
        single.type = WW_TYPE_F16;
    else if (form->op == WW_OP_SETP && form->type == WW_TYPE_BF16X2)
        single.type = WW_TYPE_BF16;
    return single;
}

static bool find_operator(ww_decoder *d, ww_uop *u)
{
    ww_form form = form_of_operator(&d->instruction->form);
    u->fn = ww_lane_find(d->level, &form);
    if (form.type != d->instruction->form.type)
        u->flags |= WW_UOP_PAIR;
    if (u->fn)
        return true;
    return ww_decode_error(d, "'%s' is not supported", d->instruction->text);
}

static bool decode_compare(ww_decoder *d, ww_uop *u)
{
    const ww_instruction *i = d->instruction;
    const ww_operand *from = &i->operands[i->result_count];
    bool combined = i->form.combine != WW_COMBINE_NONE;
    u->combine = combined ? i->form.combine : WW_COMBINE_AND;
    u->c = combined ? ww_decode_predicate(d, &from[2]) : WW_PREDICATE_ALWAYS;
    if (combined && from[2].negated)
        u->flags |= WW_UOP_NEGATE_C;
    if (i->form.op == WW_OP_SET) {
        u->kind = WW_UOP_SET;
        u->type = i->form.type;
        u->d = ww_decode_result(d, &i->operands[0]);
    } else {
        u->kind = WW_UOP_COMPARE;
        u->d = ww_decode_predicate(d, &i->operands[0]);
        u->e = ww_decode_predicate(d, &i->operands[1]);
    }
    return find_operator(d, u) && sources(d, u, from, 2);
}

static bool decode_convert(ww_decoder *d, ww_uop *u)
{
    const ww_instruction *i = d->instruction;
    bool narrow =
        ww_type_bits((ww_type)i->form.type2) <= 32 && ww_decode_is_wide(d, &i->operands[1]);
    bool widen = ww_type_bits((ww_type)i->form.type) <= 32 && ww_decode_is_wide(d, &i->operands[0]);
    u->d = ww_decode_result(d, &i->operands[0]);
    if (narrow || widen) {
        u->kind = WW_UOP_LANE_ADAPT;
        u->flags = (uint16_t)((narrow ? WW_UOP_NARROW_A : 0) | (widen ? WW_UOP_WIDEN_D : 0) |
                              (ww_type_is_signed((ww_type)i->form.type) ? WW_UOP_SIGNED : 0));
    }
    return find_operator(d, u) && sources(d, u, &i->operands[1], i->operand_count - 1u);
}

static bool decode_logic_of_predicates(ww_decoder *d, ww_uop *u)
{
    const ww_instruction *i = d->instruction;
    static const uint8_t combines[WW_OP_COUNT] = {
        [WW_OP_AND] = WW_COMBINE_AND, [WW_OP_OR] = WW_COMBINE_OR, [WW_OP_XOR] = WW_COMBINE_XOR};
    for (unsigned n = 1; n < i->operand_count; n++)
        if (i->operands[n].negated)
            return ww_decode_error(d, "'%s' takes no '!' (use not.pred)", i->text);
    u->kind = WW_UOP_PREDICATE;
    u->d = ww_decode_predicate(d, &i->operands[0]);
    u->a = ww_decode_predicate(d, &i->operands[1]);
    u->b = i->operand_count > 2 ? ww_decode_predicate(d, &i->operands[2]) : WW_PREDICATE_ALWAYS;
    u->combine = combines[i->form.op] ? combines[i->form.op] : WW_COMBINE_AND;
    if (i->form.op == WW_OP_NOT)
        u->combine = WW_COMBINE_XOR;
    return true;
}

static bool is_carry(const ww_form *form)
{
    return form->flags & WW_FLAG_CC || form->op == WW_OP_ADDC || form->op == WW_OP_SUBC ||
           form->op == WW_OP_MADC;
}

static bool decode_any(ww_decoder *d, ww_uop *u)
{
    const ww_instruction *i = d->instruction;
    const ww_operand *o = i->operands;
    u->category = WW_CATEGORY_ARITHMETIC;
    u->kind = WW_UOP_LANE;
    switch (i->form.op) {
    case WW_OP_SETP:
    case WW_OP_SET: return decode_compare(d, u);
    case WW_OP_CVT: return decode_convert(d, u);
    case WW_OP_TESTP:
        u->kind = WW_UOP_TEST;
        u->d = ww_decode_predicate(d, &o[0]);
        return find_operator(d, u) && sources(d, u, &o[1], 1);
    case WW_OP_SELP:
        u->kind = WW_UOP_SELECT;
        u->c = ww_decode_predicate(d, &o[3]);
        u->flags = o[3].negated ? WW_UOP_NEGATE_C : 0;
        u->d = ww_decode_result(d, &o[0]);
        return find_operator(d, u) && sources(d, u, &o[1], 2);
    case WW_OP_LOP3:
        u->kind = WW_UOP_LANE_EXTRA;
        u->imm = (int64_t)o[4].bits;
        u->flags = WW_UOP_NO_BASE;
        u->d = ww_decode_result(d, &o[0]);
        return find_operator(d, u) && sources(d, u, &o[1], 3);
    case WW_OP_BFI: u->kind = WW_UOP_LANE_EXTRA; break;
    default:
        if (i->form.type == WW_TYPE_PRED)
            return decode_logic_of_predicates(d, u);
        if (is_carry(&i->form))
            u->kind = WW_UOP_CARRY;
        break;
    }
    u->d = ww_decode_result(d, &o[0]);
    return find_operator(d, u) && sources(d, u, &o[1], i->operand_count - 1u);
}

bool ww_decode_arithmetic(ww_decoder *d, ww_uop *u)
{
    bool ok = decode_any(d, u);
    if (ww_decode_is_wide(d, &d->instruction->operands[0]))
        u->flags |= WW_UOP_WIDE;
    return ok;
}

static bool decode_pack(ww_decoder *d, ww_uop *u, const ww_operand *vector)
{
    u->count = (uint8_t)vector->count;
    u->bytes = (uint8_t)(ww_type_bits((ww_type)d->instruction->form.type) / 8 / vector->count);
    u->e = (ww_slot)d->lists.count;
    for (unsigned e = 0; e < vector->count; e++) {
        ww_slot slot;
        if (u->kind == WW_UOP_UNPACK)
            slot = ww_decode_result(d, &vector->elements[e]);
        else if (!ww_decode_source(d, &vector->elements[e], &slot))
            return false;
        ww_vec_push(&d->lists, slot);
    }
    return true;
}

static bool decode_address_of_local(ww_decoder *d, ww_uop *u, const ww_operand *from,
                                    uint64_t window)
{
    u->kind = WW_UOP_LOCAL_ADDRESS;
    u->d = ww_decode_result(d, &d->instruction->operands[0]);
    u->imm = (int64_t)(from->variable->offset + (uint64_t)from->offset + window);
    u->flags = ww_decode_is_wide(d, &d->instruction->operands[0]) ? WW_UOP_WIDE : 0;
    return true;
}

static bool is_local(const ww_operand *operand)
{
    return operand->kind == WW_OPERAND_ADDRESS && operand->variable &&
           operand->variable->space == WW_SPACE_LOCAL;
}

static bool decode_mov(ww_decoder *d, ww_uop *u)
{
    const ww_operand *to = &d->instruction->operands[0], *from = &d->instruction->operands[1];
    bool wide = ww_type_bits((ww_type)d->instruction->form.type) == 64;
    u->kind = wide ? WW_UOP_COPY64 : WW_UOP_COPY32;
    if (from->kind == WW_OPERAND_VECTOR && to->kind == WW_OPERAND_VECTOR)
        return ww_decode_error(d, "mov between two vectors");
    if (from->kind == WW_OPERAND_VECTOR) {
        u->kind = WW_UOP_PACK;
        u->d = ww_decode_result(d, to);
        return decode_pack(d, u, from);
    }
    if (to->kind == WW_OPERAND_VECTOR) {
        u->kind = WW_UOP_UNPACK;
        return ww_decode_source(d, from, &u->a) && decode_pack(d, u, to);
    }
    u->d = ww_decode_result(d, to);
    if (is_local(from))
        return decode_address_of_local(d, u, from, 0);
    if (from->kind == WW_OPERAND_SPECIAL &&
        strcmp(ww_special_scope((ww_special)from->special), "clock") == 0) {
        u->kind = WW_UOP_CLOCK;
        u->variant = from->special;
        u->flags = wide ? WW_UOP_WIDE : 0;
        return true;
    }
    return ww_decode_source(d, from, &u->a);
}

static bool decode_cvta(ww_decoder *d, ww_uop *u)
{
    const ww_instruction *i = d->instruction;
    const ww_operand *from = &i->operands[1];
    bool to = i->form.flags & WW_FLAG_TO;
    uint64_t window = i->form.space == WW_SPACE_SHARED  ? WW_SHARED_WINDOW
                      : i->form.space == WW_SPACE_LOCAL ? WW_LOCAL_WINDOW
                                                        : 0;
    if (i->form.type != WW_TYPE_U64 && window)
        return ww_decode_error(d, "32-bit generic addresses are not supported (use cvta.u64)");
    u->d = ww_decode_result(d, &i->operands[0]);
    if (is_local(from))
        return decode_address_of_local(d, u, from, to ? 0 : window);
    u->kind = i->form.type == WW_TYPE_U64 ? WW_UOP_COPY64 : WW_UOP_COPY32;
    if (window) {
        ww_form add = {.op = WW_OP_ADD, .type = WW_TYPE_U64, .vector = 1};
        u->kind = WW_UOP_LANE;
        u->flags = WW_UOP_WIDE;
        u->fn = ww_lane_find(d->level, &add);
        u->b = ww_decode_constant(d, WW_CONSTANT_VALUE, to ? 0 - window : window, 0, true, false);
    }
    return ww_decode_source(d, from, &u->a);
}

bool ww_decode_move(ww_decoder *d, ww_uop *u)
{
    const ww_instruction *i = d->instruction;
    u->category = WW_CATEGORY_ARITHMETIC;
    if (i->form.op == WW_OP_MOV && i->form.type == WW_TYPE_PRED)
        return decode_logic_of_predicates(d, u);
    if (i->form.op == WW_OP_MOV)
        return decode_mov(d, u);
    if (i->form.op == WW_OP_CVTA)
        return decode_cvta(d, u);
    u->kind = WW_UOP_SPACE_TEST;
    u->space = i->form.space;
    u->d = ww_decode_predicate(d, &i->operands[0]);
    return ww_decode_source(d, &i->operands[1], &u->a);
}
