/* Operands: parsed first, then converted to the type that the opcode needs. */
#include "ptx/parse.h"

#include <string.h>

bool ww_parse_integer(ww_parser *p, int64_t *value)
{
    bool negative = ww_parse_accept(p, "-");
    if (p->token.kind != WW_TOKEN_INTEGER)
        return ww_parse_error(p, "expected an integer");
    *value = (int64_t)(negative ? 0 - p->token.bits : p->token.bits);
    ww_parse_next(p);
    return true;
}

static bool parse_number(ww_parser *p, ww_operand *operand)
{
    bool negative = ww_parse_accept(p, "-");
    bool inverted = !negative && ww_parse_accept(p, "~");
    ww_token t = p->token;
    operand->kind = WW_OPERAND_VALUE;
    operand->bits = t.bits;
    if (t.kind == WW_TOKEN_INTEGER) {
        operand->special = WW_LITERAL_INTEGER;
        operand->bits = negative ? 0 - t.bits : inverted ? ~t.bits : t.bits;
    } else if (t.kind == WW_TOKEN_FLOAT && !inverted) {
        operand->special = WW_LITERAL_DOUBLE;
        operand->bits ^= (uint64_t)negative << 63;
    } else if (t.kind == WW_TOKEN_FLOAT32 && !inverted) {
        operand->special = WW_LITERAL_FLOAT;
        operand->bits ^= (uint64_t)negative << 31;
    } else if (t.kind == WW_TOKEN_BAD && t.length && t.text[0] >= '0' && t.text[0] <= '9') {
        return ww_parse_error(p, "'%.*s' is not a number of at most 64 bits", (int)t.length,
                              t.text);
    } else {
        return ww_parse_error(p, "expected an operand, found '%.*s'", (int)t.length, t.text);
    }
    ww_parse_next(p);
    return true;
}

static bool find_special(ww_parser *p, const char *name, ww_operand *operand)
{
    char full[64];
    if (p->token.kind == WW_TOKEN_DOTWORD && p->token.glued)
        snprintf(full, sizeof(full), "%s.%.*s", name, (int)p->token.length, p->token.text);
    else
        snprintf(full, sizeof(full), "%s", name);
    for (unsigned i = 0; i < WW_SPECIAL_COUNT; i++)
        if (strcmp(full, ww_special_name((ww_special)i)) == 0) {
            operand->kind = WW_OPERAND_SPECIAL;
            operand->special = (uint8_t)i;
            if (p->token.kind == WW_TOKEN_DOTWORD && p->token.glued)
                ww_parse_next(p);
            return true;
        }
    return false;
}

static bool parse_offset(ww_parser *p, int64_t *offset)
{
    *offset = 0;
    while (ww_parse_at(p, "+") || ww_parse_at(p, "-")) {
        int64_t part = 0;
        ww_parse_accept(p, "+");
        if (!ww_parse_integer(p, &part))
            return false;
        *offset = (int64_t)((uint64_t)*offset + (uint64_t)part);
    }
    return true;
}

static bool take_symbol(ww_parser *p, const ww_symbol *symbol, const char *name,
                        ww_operand *operand)
{
    switch (symbol->kind) {
    case WW_SYMBOL_REGISTER:
        operand->kind = WW_OPERAND_REGISTER;
        operand->reg = symbol->reg;
        return true;
    case WW_SYMBOL_VARIABLE:
    case WW_SYMBOL_FUNCTION:
        operand->kind = WW_OPERAND_ADDRESS;
        operand->variable = symbol->variable;
        operand->function = symbol->function;
        return parse_offset(p, &operand->offset);
    case WW_SYMBOL_LABEL:
    case WW_SYMBOL_TARGETS: return true; /* resolved with the other labels at the end of the body */
    default: return ww_parse_error(p, "'%s' cannot be an operand", name);
    }
}

/* A name that is not declared yet can only be a label that follows. */
static void leave_pending(ww_parser *p, const char *name, ww_token at, ww_operand *operand)
{
    operand->kind = WW_OPERAND_LABEL;
    ww_pending pending = {.name = name,
                          .scope = p->scope,
                          .operand = operand,
                          .at = {p->module->path, at.line, at.col}};
    ww_vec_push(&p->pending, pending);
}

static bool parse_word(ww_parser *p, ww_operand *operand)
{
    ww_token at = p->token;
    const char *name = ww_parse_name(p);
    ww_parse_next(p);
    if (strcmp(name, "_") == 0)
        return true;
    ww_symbol *symbol = ww_parse_lookup(p, p->scope, name);
    if (!symbol && find_special(p, name, operand))
        return true;
    if (!symbol && name[0] == '%')
        return ww_parse_error_at(p, at.line, at.col, "register '%s' is not declared", name);
    if (!symbol || symbol->kind == WW_SYMBOL_LABEL || symbol->kind == WW_SYMBOL_TARGETS) {
        leave_pending(p, name, at, operand);
        return true;
    }
    if (symbol->kind == WW_SYMBOL_REGISTER && p->token.kind == WW_TOKEN_DOTWORD && p->token.glued)
        return ww_parse_error(p, "'%s.%.*s': parts of registers are not supported", name,
                              (int)p->token.length, p->token.text);
    return take_symbol(p, symbol, name, operand);
}

static bool parse_memory(ww_parser *p, ww_operand *operand)
{
    ww_operand base = {.reg = -1};
    if (!ww_parse_operand(p, &base))
        return false;
    operand->kind = WW_OPERAND_MEMORY;
    operand->reg = -1;
    if (base.kind == WW_OPERAND_REGISTER) {
        operand->reg = base.reg;
        if (!parse_offset(p, &operand->offset))
            return false;
    } else if (base.kind == WW_OPERAND_ADDRESS && base.variable) {
        operand->variable = base.variable;
        operand->offset = base.offset;
    } else if (base.kind == WW_OPERAND_VALUE && base.special == WW_LITERAL_INTEGER) {
        operand->offset = (int64_t)base.bits;
        if (ww_parse_at(p, "+") || ww_parse_at(p, "-")) {
            int64_t more;
            if (!parse_offset(p, &more))
                return false;
            operand->offset = (int64_t)((uint64_t)operand->offset + (uint64_t)more);
        }
    } else {
        if (base.kind == WW_OPERAND_LABEL)
            p->pending.count--;
        return ww_parse_error(p, "expected an address: a register, a variable or a number");
    }
    return ww_parse_expect(p, "]");
}

static bool parse_vector(ww_parser *p, ww_operand *operand)
{
    operand->kind = WW_OPERAND_VECTOR;
    operand->elements = ww_arena_alloc(p->module->arena, 8, sizeof(ww_operand));
    do {
        if (operand->count == 8)
            return ww_parse_error(p, "a vector of more than 8 elements");
        ww_operand *element = &operand->elements[operand->count++];
        element->reg = -1;
        if (ww_parse_at(p, "{") || ww_parse_at(p, "["))
            return ww_parse_error(p, "expected a register or a number in a vector");
        if (!ww_parse_operand(p, element))
            return false;
        if (element->kind == WW_OPERAND_LABEL)
            return ww_parse_error(p, "expected a register or a number in a vector");
    } while (ww_parse_accept(p, ","));
    return ww_parse_expect(p, "}");
}

bool ww_parse_operand(ww_parser *p, ww_operand *operand)
{
    if (ww_parse_accept(p, "[")) {
        return parse_memory(p, operand);
    } else if (ww_parse_accept(p, "{")) {
        return parse_vector(p, operand);
    } else if (ww_parse_accept(p, "!")) {
        if (p->token.kind != WW_TOKEN_WORD || !parse_word(p, operand))
            return ww_parse_error(p, "expected a predicate after '!'");
        if (operand->kind != WW_OPERAND_REGISTER)
            return ww_parse_error(p, "expected a predicate after '!'");
        operand->negated = true;
        return true;
    } else if (p->token.kind == WW_TOKEN_WORD) {
        return parse_word(p, operand);
    }
    return parse_number(p, operand);
}

/* What an opcode needs as an operand. */
typedef struct want {
    ww_type type;
    bool result;
    bool wider_register; /* ld, st and cvt: the register may be wider than the type */
} want;

static ww_type twice(ww_type type)
{
    switch (type) {
    case WW_TYPE_U16: return WW_TYPE_U32;
    case WW_TYPE_S16: return WW_TYPE_S32;
    case WW_TYPE_U32: return WW_TYPE_U64;
    default: return WW_TYPE_S64;
    }
}

static want wanted(const ww_form *form, char letter)
{
    bool loose = form->op == WW_OP_CVT || form->op == WW_OP_LD || form->op == WW_OP_LDU ||
                 form->op == WW_OP_ST;
    ww_type type = form->type == WW_TYPE_NONE && form->op == WW_OP_ISSPACEP ? WW_TYPE_U64
                                                                            : (ww_type)form->type;
    switch (letter) {
    case 'D':
    case 'V':
    case 'U': return (want){type, true, loose};
    case 'W': return (want){twice(type), true, false};
    case 'K': return (want){WW_TYPE_B32, true, false};
    case 'P': return (want){WW_TYPE_PRED, true, false};
    case 'w': return (want){twice(type), false, false};
    case 'S': return (want){(ww_type)form->type2, false, loose};
    case 'B': return (want){WW_TYPE_B32, false, false};
    case 'p': return (want){WW_TYPE_PRED, false, false};
    default: return (want){type, false, loose};
    }
}

static uint64_t narrow_double(uint64_t bits)
{
    double wide;
    memcpy(&wide, &bits, sizeof(wide));
    float narrow = (float)wide;
    uint32_t result;
    memcpy(&result, &narrow, sizeof(narrow));
    return result;
}

bool ww_parse_fit_value(ww_parser *p, ww_operand *operand, ww_type type, ww_token at)
{
    unsigned bits = ww_type_bits(type);
    if (ww_type_is_float(type) && operand->special == WW_LITERAL_INTEGER && bits >= 32)
        return ww_parse_error_at(p, at.line, at.col,
                                 "an integer where .%s is needed (write 1.0 or 0f3F800000)",
                                 ww_type_name(type));
    if (operand->special == WW_LITERAL_DOUBLE && bits == 32)
        operand->bits = narrow_double(operand->bits);
    if (operand->special == WW_LITERAL_FLOAT && type == WW_TYPE_F64) {
        uint32_t narrow_bits = (uint32_t)operand->bits;
        float narrow;
        memcpy(&narrow, &narrow_bits, sizeof(narrow));
        double wide = narrow;
        memcpy(&operand->bits, &wide, sizeof(wide));
    }
    if (type == WW_TYPE_PRED)
        operand->bits = operand->bits != 0;
    else if (bits < 64)
        operand->bits &= (1ull << bits) - 1;
    operand->special = 0;
    return true;
}

static bool fit_register(ww_parser *p, const ww_operand *operand, want w, ww_token at)
{
    const ww_register *r = &p->registers.items[operand->reg];
    unsigned have = ww_type_bits((ww_type)r->type), need = ww_type_bits(w.type);
    bool predicate = r->type == WW_TYPE_PRED;
    bool fits =
        predicate == (w.type == WW_TYPE_PRED) && (w.wider_register ? have >= need : have == need);
    if (!fits)
        return ww_parse_error_at(p, at.line, at.col, "register '%s' is .%s where .%s is needed",
                                 r->name, ww_type_name((ww_type)r->type), ww_type_name(w.type));
    if (operand->negated && (w.result || !predicate))
        return ww_parse_error_at(p, at.line, at.col, "'!' stands only before a predicate source");
    return true;
}

static bool fit_vector(ww_parser *p, ww_instruction *i, char letter, ww_operand *operand,
                       ww_token at)
{
    want w = wanted(&i->form, letter);
    if (i->form.op == WW_OP_MOV) {
        static const ww_type by_bytes[9] = {
            [1] = WW_TYPE_B8, [2] = WW_TYPE_B16, [4] = WW_TYPE_B32, [8] = WW_TYPE_B64};
        unsigned bytes = ww_type_bits(w.type) / 8 / operand->count;
        if (bytes * operand->count * 8 != ww_type_bits(w.type) || !by_bytes[bytes])
            return ww_parse_error_at(p, at.line, at.col, "%u elements do not make a .%s",
                                     operand->count, ww_type_name(w.type));
        w.type = by_bytes[bytes];
    } else if (operand->count != i->form.vector) {
        return ww_parse_error_at(p, at.line, at.col, "%u elements where %u are needed",
                                 operand->count, i->form.vector);
    }
    for (unsigned e = 0; e < operand->count; e++) {
        ww_operand *element = &operand->elements[e];
        element->type = (uint8_t)w.type;
        if (element->kind == WW_OPERAND_REGISTER) {
            if (!fit_register(p, element, w, at))
                return false;
        } else if (element->kind == WW_OPERAND_VALUE && !w.result) {
            if (!ww_parse_fit_value(p, element, w.type, at))
                return false;
        } else if (element->kind != WW_OPERAND_NONE || !w.result) {
            return ww_parse_error_at(p, at.line, at.col, "expected a register in a vector");
        }
    }
    return true;
}

static bool fit_source(ww_parser *p, ww_instruction *i, ww_operand *operand, want w, ww_token at)
{
    switch (operand->kind) {
    case WW_OPERAND_VALUE: return ww_parse_fit_value(p, operand, w.type, at);
    case WW_OPERAND_SPECIAL: {
        bool wide = operand->special == WW_SPECIAL_CLOCK64 ||
                    operand->special == WW_SPECIAL_GLOBALTIMER ||
                    operand->special == WW_SPECIAL_GRIDID;
        unsigned bits = ww_type_bits(w.type);
        if (bits == 16 || bits == 32 || (bits == 64 && wide))
            return true;
        break;
    }
    case WW_OPERAND_ADDRESS:
        if (ww_type_bits(w.type) >= 32 && w.type != WW_TYPE_PRED)
            return true;
        break;
    case WW_OPERAND_LABEL:
        p->pending.count -= p->pending.items[p->pending.count - 1].operand == operand;
        return ww_parse_error_at(p, at.line, at.col, "unknown name '%.*s'", (int)at.length,
                                 at.text);
    default: break;
    }
    return ww_parse_error_at(p, at.line, at.col, "this operand of '%s' must be a .%s",
                             ww_op_name((ww_op)i->form.op), ww_type_name(w.type));
}

bool ww_parse_fit(ww_parser *p, ww_instruction *i, char letter, ww_operand *operand, ww_token at)
{
    want w = wanted(&i->form, letter);
    if (letter == 'M' && operand->kind == WW_OPERAND_MEMORY) {
        ww_type type =
            operand->reg >= 0 ? (ww_type)p->registers.items[operand->reg].type : WW_TYPE_U64;
        if (ww_type_bits(type) < 32 || type == WW_TYPE_PRED)
            return ww_parse_error_at(p, at.line, at.col,
                                     "an address register must have 32 or 64 bits");
        if (ww_type_bits(type) == 64 || i->form.space == WW_SPACE_SHARED || p->has_address_size)
            return true;
        return ww_parse_error_at(p, at.line, at.col,
                                 "an address of 32 bits in PTX without .address_size (only 64-bit "
                                 "addresses are supported; compile with -m64)");
    }
    if (letter == 'M')
        return ww_parse_error_at(p, at.line, at.col, "expected an address in [ ]");
    if (letter == 'L' && operand->kind == WW_OPERAND_LABEL)
        return true;
    if (letter == 'L')
        return ww_parse_error_at(p, at.line, at.col, "expected a label");
    if (letter == 'X' && operand->kind == WW_OPERAND_VALUE &&
        operand->special == WW_LITERAL_INTEGER)
        return true;
    if (letter == 'X')
        return ww_parse_error_at(p, at.line, at.col, "expected a constant");
    if (operand->kind == WW_OPERAND_VECTOR && strchr("VvUu", letter))
        return fit_vector(p, i, letter, operand, at);
    operand->type = (uint8_t)w.type;
    if (i->form.vector > 1 && strchr("Vv", letter))
        return ww_parse_error_at(p, at.line, at.col, "expected %u elements in { }", i->form.vector);
    if (operand->kind == WW_OPERAND_REGISTER)
        return fit_register(p, operand, w, at);
    if (w.result && operand->kind == WW_OPERAND_NONE)
        return true;
    if (w.result)
        return ww_parse_error_at(p, at.line, at.col, "a result must go to a register");
    return fit_source(p, i, operand, w, at);
}
