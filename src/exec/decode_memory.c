/* Loads, stores, atomics and hints. */
#include "exec/decode.h"

/* The address part: base row or none, displacement, space. */
static bool decode_address(ww_decoder *d, ww_uop *u, const ww_operand *m, ww_space space)
{
    u->space = (uint8_t)space;
    u->imm = m->offset;
    if (m->variable) {
        u->space = m->variable->space;
        u->imm += (int64_t)ww_decode_address(d, m->variable);
        u->flags |= WW_UOP_NO_BASE;
        if (u->space == WW_SPACE_LOCAL)
            u->flags |= WW_UOP_FRAME;
        return true;
    }
    if (space == WW_SPACE_PARAM && !d->code->function->is_entry)
        u->space = WW_SPACE_LOCAL;
    if (m->reg < 0) {
        u->flags |= WW_UOP_NO_BASE;
        return true;
    }
    u->a = (ww_slot)d->code->rows[m->reg].offset;
    if (ww_type_bits((ww_type)d->code->function->registers[m->reg].type) == 64)
        u->flags |= WW_UOP_WIDE_BASE;
    return true;
}

/* The registers of a load or store: one slot, or a list for vectors. */
static bool decode_elements(ww_decoder *d, ww_uop *u, const ww_operand *o, ww_slot *slot)
{
    bool store = u->kind == WW_UOP_STORE;
    const ww_operand *elements = o->kind == WW_OPERAND_VECTOR ? o->elements : o;
    bool wide = false;
    for (unsigned e = 0; e < u->count; e++)
        if (elements[e].kind == WW_OPERAND_REGISTER)
            wide |= ww_decode_is_wide(d, &elements[e]);
    wide |= u->bytes == 8;
    u->flags |= wide ? WW_UOP_WIDE : 0;
    if (u->count > 1)
        *slot = (ww_slot)d->lists.count;
    for (unsigned e = 0; e < u->count; e++) {
        ww_slot at;
        ww_operand element = elements[e];
        if (element.kind == WW_OPERAND_REGISTER && ww_decode_is_wide(d, &element) != wide)
            return ww_decode_error(d, "vector elements of different widths");
        if (element.kind != WW_OPERAND_REGISTER)
            element.type = wide ? WW_TYPE_B64 : WW_TYPE_B32;
        if (!store)
            at = ww_decode_result(d, &element);
        else if (!ww_decode_source(d, &element, &at))
            return false;
        if (u->count > 1)
            ww_vec_push(&d->lists, at);
        else
            *slot = at;
    }
    return true;
}

/* ld.param of a kernel's parameter at a fixed offset. */
static bool is_parameter(const ww_operand *m, const ww_instruction *i)
{
    return m->variable && m->variable->space == WW_SPACE_PARAM && i->form.vector == 1;
}

static bool check_parameter(ww_decoder *d)
{
    const ww_instruction *i = d->instruction;
    const ww_operand *m = &i->operands[1];
    uint64_t at = m->variable->offset + (uint64_t)m->offset;
    unsigned bytes = ww_type_bits((ww_type)i->form.type) / 8;
    if (at > d->kernel->entry->param_bytes || d->kernel->entry->param_bytes - at < bytes)
        return ww_decode_error(d, "'%s' reads past the parameters", i->text);
    return true;
}

/* Likewise, as a constant of the launch. */
static bool decode_parameter(ww_decoder *d, ww_uop *u)
{
    const ww_instruction *i = d->instruction;
    const ww_operand *m = &i->operands[1];
    uint64_t at = m->variable->offset + (uint64_t)m->offset;
    unsigned bytes = ww_type_bits((ww_type)i->form.type) / 8;
    bool wide = ww_decode_is_wide(d, &i->operands[0]);
    u->kind = wide ? WW_UOP_COPY64 : WW_UOP_COPY32;
    u->d = ww_decode_result(d, &i->operands[0]);
    u->a = ww_decode_constant(d, WW_CONSTANT_PARAM, at, bytes, wide,
                              ww_type_is_signed((ww_type)i->form.type));
    return true;
}

static bool decode_load(ww_decoder *d, ww_uop *u)
{
    const ww_instruction *i = d->instruction;
    const ww_operand *m = &i->operands[1];
    if (is_parameter(m, i) && !check_parameter(d))
        return false;
    if (is_parameter(m, i) && !d->loads_arguments)
        return decode_parameter(d, u);
    u->kind = WW_UOP_LOAD;
    u->bytes = (uint8_t)(ww_type_bits((ww_type)i->form.type) / 8);
    u->count = i->form.vector;
    u->flags = ww_type_is_signed((ww_type)i->form.type) ? WW_UOP_SIGNED : 0;
    return decode_elements(d, u, &i->operands[0], &u->d) &&
           decode_address(d, u, m, (ww_space)i->form.space);
}

static bool decode_store(ww_decoder *d, ww_uop *u)
{
    const ww_instruction *i = d->instruction;
    u->kind = WW_UOP_STORE;
    u->bytes = (uint8_t)(ww_type_bits((ww_type)i->form.type) / 8);
    u->count = i->form.vector;
    if (!decode_elements(d, u, &i->operands[1], &u->b) ||
        !decode_address(d, u, &i->operands[0], (ww_space)i->form.space))
        return false;
    if (u->space == WW_SPACE_PARAM || u->space == WW_SPACE_CONST)
        return ww_decode_error(d, "'%s': this memory cannot be written", i->text);
    return true;
}

static bool decode_atomic(ww_decoder *d, ww_uop *u)
{
    const ww_instruction *i = d->instruction;
    unsigned n = i->result_count;
    u->kind = WW_UOP_ATOMIC;
    u->type = i->form.type;
    u->combine = i->form.combine;
    u->bytes = (uint8_t)(ww_type_bits((ww_type)i->form.type) / 8);
    u->count = 1;
    u->flags = u->bytes == 8 ? WW_UOP_WIDE : 0;
    if (i->form.combine == WW_COMBINE_ADD && ww_type_is_float((ww_type)i->form.type)) {
        /* f32 sums in global memory flush subnormals, those in shared memory do not (PTX ISA,
         * atom). */
        bool flush = i->form.type == WW_TYPE_F32 && i->form.space != WW_SPACE_SHARED;
        ww_form add = {.op = WW_OP_ADD,
                       .type = i->form.type,
                       .round = WW_ROUND_RN,
                       .vector = 1,
                       .flags = flush ? WW_FLAG_FTZ : 0};
        u->fn = ww_lane_find(d->level, &add);
        if (!u->fn)
            return ww_decode_error(d, "'%s' is not supported", i->text);
    }
    ww_operand discarded = {.type = i->form.type};
    u->d = ww_decode_result(d, n ? &i->operands[0] : &discarded);
    if (!decode_address(d, u, &i->operands[n], (ww_space)i->form.space) ||
        !ww_decode_source(d, &i->operands[n + 1], &u->b))
        return false;
    return i->form.combine != WW_COMBINE_CAS || ww_decode_source(d, &i->operands[n + 2], &u->c);
}

static bool decode_async_copy(ww_decoder *d, ww_uop *u)
{
    const ww_instruction *i = d->instruction;
    u->kind = WW_UOP_NOTHING;
    if (i->operand_count < 3)
        return true;
    ww_uop to = {0};
    uint64_t bytes = i->operands[2].bits;
    if (bytes != 4 && bytes != 8 && bytes != 16)
        return ww_decode_error(d, "cp.async copies 4, 8 or 16 bytes");
    if (!decode_address(d, &to, &i->operands[0], WW_SPACE_SHARED) ||
        !decode_address(d, u, &i->operands[1], WW_SPACE_GLOBAL))
        return false;
    u->kind = WW_UOP_ASYNC_COPY;
    u->bytes = (uint8_t)bytes;
    u->count = 1;
    u->b = to.a;
    u->target = (uint32_t)to.imm;
    u->variant = (uint8_t)to.flags;
    u->c = ww_decode_constant(d, WW_CONSTANT_VALUE, bytes, 0, false, false);
    return i->operands[3].kind == WW_OPERAND_NONE || ww_decode_source(d, &i->operands[3], &u->c);
}

bool ww_decode_memory(ww_decoder *d, ww_uop *u)
{
    u->category = WW_CATEGORY_MEMORY;
    switch (d->instruction->form.op) {
    case WW_OP_LD:
    case WW_OP_LDU: return decode_load(d, u);
    case WW_OP_ST: return decode_store(d, u);
    case WW_OP_ATOM:
    case WW_OP_RED: return decode_atomic(d, u);
    case WW_OP_CP_ASYNC: return decode_async_copy(d, u);
    default: u->kind = WW_UOP_NOTHING; return true;
    }
}
