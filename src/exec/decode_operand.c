/* Operands: rows of registers, constants and specials. */
#include "exec/decode.h"

#include <string.h>

bool ww_decode_error(ww_decoder *d, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    ww_vfail(d->errors, WW_BAD_INPUT, ww_instruction_location(d->module, d->instruction), format,
             args);
    va_end(args);
    return false;
}

ww_slot ww_decode_new_row(ww_decoder *d, bool wide)
{
    uint32_t at = d->kernel->register_bytes;
    d->kernel->register_bytes += (wide ? 128u : 64u) * d->blocks;
    return (ww_slot)at;
}

ww_slot ww_decode_constant(ww_decoder *d, ww_constant_source source, uint64_t bits, unsigned size,
                           bool wide, bool is_signed)
{
    for (size_t i = 0; i < d->constants.count; i++) {
        const ww_constant *c = &d->constants.items[i];
        if (c->source == source && c->bits == bits && c->wide == wide && c->size == size &&
            c->is_signed == is_signed)
            return ~(ww_slot)c->offset;
    }
    ww_constant c = {(uint8_t)source, wide, (uint8_t)size, is_signed, bits, d->constant_bytes};
    d->constant_bytes += (wide ? 128u : 64u) * d->blocks;
    ww_vec_push(&d->constants, c);
    return ~(ww_slot)c.offset;
}

static ww_slot special_slot(ww_decoder *d, ww_special special, bool wide)
{
    const char *scope = ww_special_scope(special);
    if (strcmp(scope, "launch") == 0)
        return ww_decode_constant(d, WW_CONSTANT_SPECIAL, special, wide ? 8 : 4, wide, false);
    ww_slot *slot = &d->kernel->special_slots[special];
    if (*slot < 0)
        *slot = ww_decode_new_row(d, false);
    return *slot;
}

uint64_t ww_decode_address(const ww_decoder *d, const ww_variable *variable)
{
    switch (variable->space) {
    case WW_SPACE_SHARED:
        for (size_t i = 0; i < d->shared.count; i++)
            if (d->shared.items[i].variable == variable)
                return d->shared.items[i].offset;
        return 0;
    case WW_SPACE_PARAM: return WW_PARAM_WINDOW + variable->offset;
    case WW_SPACE_LOCAL: return variable->offset;
    default: return d->address_of(d->context, variable);
    }
}

static bool address_slot(ww_decoder *d, const ww_operand *operand, bool wide, ww_slot *slot)
{
    if (operand->variable && operand->variable->space == WW_SPACE_LOCAL)
        return ww_decode_error(d, "the address of local '%s' is known only to mov and cvta",
                               operand->variable->name);
    uint64_t address = operand->function ? ww_function_address(operand->function)
                                         : ww_decode_address(d, operand->variable);
    address += (uint64_t)operand->offset;
    *slot = ww_decode_constant(d, WW_CONSTANT_VALUE, wide ? address : (uint32_t)address, 0, wide,
                               false);
    return true;
}

bool ww_decode_source(ww_decoder *d, const ww_operand *operand, ww_slot *slot)
{
    bool wide = ww_type_bits((ww_type)operand->type) == 64;
    switch (operand->kind) {
    case WW_OPERAND_REGISTER: *slot = (ww_slot)d->code->rows[operand->reg].offset; return true;
    case WW_OPERAND_VALUE:
        *slot = ww_decode_constant(d, WW_CONSTANT_VALUE, operand->bits, 0, wide, false);
        return true;
    case WW_OPERAND_ADDRESS: return address_slot(d, operand, wide, slot);
    case WW_OPERAND_SPECIAL:
        if (strcmp(ww_special_scope((ww_special)operand->special), "clock") == 0)
            return ww_decode_error(d, "'%s' can only be read by mov",
                                   ww_special_name((ww_special)operand->special));
        *slot = special_slot(d, (ww_special)operand->special, wide);
        return true;
    default: *slot = 0; return true;
    }
}

ww_slot ww_decode_result(ww_decoder *d, const ww_operand *operand)
{
    bool wide = ww_type_bits((ww_type)operand->type) == 64;
    if (operand->kind == WW_OPERAND_REGISTER)
        return (ww_slot)d->code->rows[operand->reg].offset;
    if (d->sink[wide] < 0)
        d->sink[wide] = ww_decode_new_row(d, wide);
    return d->sink[wide];
}

ww_slot ww_decode_predicate(const ww_decoder *d, const ww_operand *operand)
{
    if (operand->kind == WW_OPERAND_REGISTER)
        return (ww_slot)d->code->rows[operand->reg].offset;
    if (operand->kind == WW_OPERAND_VALUE)
        return operand->bits ? WW_PREDICATE_ALWAYS : WW_PREDICATE_NEVER;
    return WW_PREDICATE_SINK;
}

bool ww_decode_is_wide(const ww_decoder *d, const ww_operand *operand)
{
    if (operand->kind == WW_OPERAND_REGISTER)
        return ww_type_bits((ww_type)d->code->function->registers[operand->reg].type) == 64;
    return ww_type_bits((ww_type)operand->type) == 64;
}
