/* Declarations: registers, variables with their initialisers, parameters. */
#include "ptx/parse.h"

#include <string.h>

#define MOST_BYTES (1ull << 40)

static const char *const type_names[] = {
#define NAME(e, n) n,
    WW_TYPES(NAME)};

bool ww_parse_type(ww_parser *p, ww_type *type)
{
    if (p->token.kind != WW_TOKEN_DOTWORD)
        return false;
    for (unsigned i = 1; i < WW_TYPE_COUNT; i++)
        if (ww_parse_at_dot(p, type_names[i])) {
            *type = (ww_type)i;
            ww_parse_next(p);
            return true;
        }
    return false;
}

static bool declare_registers(ww_parser *p, ww_type type)
{
    if (p->token.kind != WW_TOKEN_WORD)
        return ww_parse_error(p, "expected a register's name");
    const char *name = ww_parse_name(p);
    ww_parse_next(p);
    if (!ww_parse_accept(p, "<")) {
        ww_symbol *symbol = ww_parse_declare(p, name, WW_SYMBOL_REGISTER);
        if (!symbol)
            return false;
        symbol->type = (uint8_t)type;
        symbol->reg = p->function ? ww_parse_add_register(p, name, type) : -1;
        return symbol->reg >= 0 || !p->function;
    }
    int64_t count;
    if (!ww_parse_integer(p, &count) || !ww_parse_expect(p, ">"))
        return false;
    if (count < 0 || count > UINT32_MAX)
        return ww_parse_error(p, "a range of %lld registers", (long long)count);
    ww_symbol *symbol = ww_parse_declare(p, name, WW_SYMBOL_REGISTERS);
    if (!symbol)
        return false;
    symbol->type = (uint8_t)type;
    symbol->count = (uint32_t)count;
    return true;
}

bool ww_parse_reg(ww_parser *p)
{
    ww_type type;
    if (ww_parse_at_dot(p, "v2") || ww_parse_at_dot(p, "v4"))
        return ww_parse_error(p, "vector registers are not supported (use scalar ones and {..})");
    ww_token at = p->token;
    if (!ww_parse_type(p, &type))
        return ww_parse_error(p, "expected a register type such as .b32");
    if (type == WW_TYPE_B128)
        return ww_parse_error_at(p, at.line, at.col, "128-bit registers are not supported");
    do
        if (!declare_registers(p, type))
            return false;
    while (ww_parse_accept(p, ","));
    return ww_parse_expect(p, ";");
}

/* [4][5]: the dimensions; an empty [] gives a size of 0. */
static bool parse_dimensions(ww_parser *p, ww_variable *variable, uint64_t *row_bytes)
{
    bool first = true;
    *row_bytes = variable->size;
    while (ww_parse_accept(p, "[")) {
        int64_t count = 0;
        if (!ww_parse_at(p, "]") && !ww_parse_integer(p, &count))
            return false;
        if (count < 0 || (count && variable->size > MOST_BYTES / (uint64_t)count))
            return ww_parse_error(p, "an array of an impossible size");
        if (!first)
            *row_bytes = *row_bytes * (uint64_t)count;
        variable->size *= (uint64_t)count;
        first = false;
        if (!ww_parse_expect(p, "]"))
            return false;
    }
    return true;
}

typedef struct initialiser {
    ww_variable *variable;
    uint64_t at;
    WW_VEC(ww_relocation) relocations;
} initialiser;

static void store_bits(initialiser *init, uint64_t bits, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        init->variable->initial[init->at + i] = (uint8_t)(bits >> (8 * i));
}

static bool init_number(ww_parser *p, initialiser *init, unsigned bytes)
{
    ww_operand value = {0};
    if (!ww_parse_operand(p, &value))
        return false;
    if (value.kind != WW_OPERAND_VALUE)
        return ww_parse_error(p, "expected a number in the initialiser");
    uint64_t bits = value.bits;
    if (value.special == WW_LITERAL_DOUBLE && bytes == 4) {
        double wide;
        memcpy(&wide, &bits, sizeof(wide));
        float narrow = (float)wide;
        uint32_t narrow_bits;
        memcpy(&narrow_bits, &narrow, sizeof(narrow));
        bits = narrow_bits;
    }
    store_bits(init, bits, bytes);
    return true;
}

/* name, name+4, generic(name), generic(name)+4: an address. */
static bool init_address(ww_parser *p, initialiser *init, unsigned bytes)
{
    ww_relocation r = {.at = init->at, .bytes = (uint8_t)bytes};
    if (ww_parse_at(p, "generic")) {
        ww_parse_next(p);
        r.generic = true;
        if (!ww_parse_expect(p, "("))
            return false;
    }
    const char *name = ww_parse_name(p);
    ww_symbol *symbol = ww_parse_lookup(p, p->scope, name);
    if (!symbol || (!symbol->variable && !symbol->function))
        return ww_parse_error(p, "unknown name '%s' in an initialiser", name);
    r.variable = symbol->variable;
    r.function = symbol->function;
    ww_parse_next(p);
    if (r.generic && !ww_parse_expect(p, ")"))
        return false;
    if (ww_parse_at(p, "+") || ww_parse_at(p, "-")) {
        ww_parse_accept(p, "+");
        if (!ww_parse_integer(p, &r.addend))
            return false;
    }
    ww_vec_push(&init->relocations, r);
    return true;
}

static bool parse_initialiser(ww_parser *p, initialiser *init, uint64_t row_bytes, int depth)
{
    unsigned bytes = ww_type_bits((ww_type)init->variable->type) / 8;
    if (depth > 8)
        return ww_parse_error(p, "initialiser nested too deeply");
    if (!ww_parse_accept(p, "{")) {
        if (init->at + bytes > init->variable->size)
            return ww_parse_error(p, "more initial values than '%s' has room for",
                                  init->variable->name);
        bool ok = p->token.kind == WW_TOKEN_WORD ? init_address(p, init, bytes)
                                                 : init_number(p, init, bytes);
        init->at += bytes;
        return ok;
    }
    while (!ww_parse_at(p, "}")) {
        uint64_t start = init->at;
        bool nested = ww_parse_at(p, "{");
        if (!parse_initialiser(p, init, row_bytes, depth + 1))
            return false;
        if (nested && depth == 0)
            init->at = start + row_bytes;
        if (!ww_parse_accept(p, ","))
            break;
    }
    return ww_parse_expect(p, "}");
}

static bool parse_initial_value(ww_parser *p, ww_variable *variable, uint64_t row_bytes)
{
    initialiser init = {.variable = variable};
    if (variable->size > (1u << 30))
        return ww_parse_error(p, "'%s' is too large to be initialised", variable->name);
    variable->initial = ww_arena_alloc(p->module->arena, variable->size, 1);
    bool ok = parse_initialiser(p, &init, row_bytes, 0);
    variable->relocation_count = init.relocations.count;
    variable->relocations =
        ww_arena_alloc(p->module->arena, init.relocations.count + 1, sizeof(ww_relocation));
    if (init.relocations.count)
        memcpy(variable->relocations, init.relocations.items,
               init.relocations.count * sizeof(ww_relocation));
    ww_vec_free(&init.relocations);
    return ok;
}

uint64_t ww_parse_allocate(uint64_t *used, const ww_variable *variable)
{
    uint64_t at = (*used + variable->align - 1) / variable->align * variable->align;
    *used = at + variable->size;
    return at;
}

static bool parse_align(ww_parser *p, uint32_t *align)
{
    int64_t value;
    ww_token at = p->token;
    if (!ww_parse_integer(p, &value))
        return false;
    if (value < 1 || value > 65536 || (value & (value - 1)))
        return ww_parse_error_at(p, at.line, at.col,
                                 "an alignment of %lld (a power of two up to 65536)",
                                 (long long)value);
    *align = (uint32_t)value;
    return true;
}

/* .align N, .v4 and the type: what precedes a variable's name. */
static bool parse_element(ww_parser *p, ww_variable *variable)
{
    ww_type type = WW_TYPE_NONE;
    unsigned lanes = 1;
    variable->align = 0;
    for (;;) {
        if (ww_parse_accept_dot(p, "align")) {
            if (!parse_align(p, &variable->align))
                return false;
        } else if (ww_parse_accept_dot(p, "v2")) {
            lanes = 2;
        } else if (ww_parse_accept_dot(p, "v4")) {
            lanes = 4;
        } else if (ww_parse_accept_dot(p, "attribute")) {
            while (!ww_parse_at(p, ")") && p->token.kind != WW_TOKEN_END)
                ww_parse_next(p);
            if (!ww_parse_expect(p, ")"))
                return false;
        } else if (ww_parse_accept_dot(p, "texref") || ww_parse_accept_dot(p, "samplerref") ||
                   ww_parse_accept_dot(p, "surfref")) {
            type = WW_TYPE_B64; /* may be declared; instructions that use one are refused */
        } else if (!ww_parse_type(p, &type)) {
            break;
        }
    }
    if (type == WW_TYPE_NONE || type == WW_TYPE_PRED)
        return ww_parse_error(p, "expected a type such as .b32");
    variable->type = (uint8_t)type;
    variable->size = (uint64_t)ww_type_bits(type) / 8 * lanes;
    if (!variable->align)
        variable->align = (uint32_t)variable->size;
    return true;
}

void ww_parse_allocate_variable(ww_parser *p, ww_variable *v)
{
    ww_function *f = p->function;
    if (f && v->space == WW_SPACE_PARAM)
        v->space = WW_SPACE_LOCAL; /* scratch of a call: memory of each lane */
    if (f && v->space == WW_SPACE_LOCAL)
        v->offset = ww_parse_allocate(&f->local_bytes, v);
    if (f && v->space == WW_SPACE_SHARED && !v->external)
        v->offset = ww_parse_allocate(&f->shared_bytes, v);
    if (f && v->space != WW_SPACE_GLOBAL && v->space != WW_SPACE_CONST)
        ww_vec_push(&p->body_variables, v);
    else if (v->space != WW_SPACE_LOCAL) /* the module's .local is its user's (parse_scope.c) */
        ww_vec_push(&p->variables, v);
}

static ww_variable *declared_before(ww_parser *p, const char *name)
{
    ww_symbol *symbol = ww_map_find(p->scope->symbols, name);
    return symbol && symbol->kind == WW_SYMBOL_VARIABLE && symbol->variable->external
               ? symbol->variable
               : NULL;
}

static bool parse_declarator(ww_parser *p, ww_variable element)
{
    if (p->token.kind != WW_TOKEN_WORD)
        return ww_parse_error(p, "expected a variable's name");
    const char *name = ww_parse_name(p);
    ww_variable *variable = declared_before(p, name);
    bool again = variable != NULL;
    if (!again) {
        ww_symbol *symbol = ww_parse_declare(p, name, WW_SYMBOL_VARIABLE);
        if (!symbol)
            return false;
        variable = symbol->variable = ww_arena_alloc(p->module->arena, 1, sizeof(*variable));
    }
    *variable = element;
    variable->name = name;
    variable->line = p->token.line;
    ww_parse_next(p);
    uint64_t row_bytes;
    if (!parse_dimensions(p, variable, &row_bytes))
        return false;
    if (ww_parse_accept(p, "=") && !parse_initial_value(p, variable, row_bytes))
        return false;
    if (!again)
        ww_parse_allocate_variable(p, variable);
    return true;
}

bool ww_parse_variables(ww_parser *p, ww_space space, bool external)
{
    ww_variable element = {.space = (uint8_t)space, .external = external, .reg = -1};
    if (!parse_element(p, &element))
        return false;
    do
        if (!parse_declarator(p, element))
            return false;
    while (ww_parse_accept(p, ","));
    return ww_parse_expect(p, ";");
}

static bool parse_pointer_marks(ww_parser *p, ww_variable *v)
{
    if (!ww_parse_accept_dot(p, "ptr"))
        return true;
    v->is_pointer = true;
    static const struct {
        const char *name;
        ww_space space;
    } spaces[] = {{"global", WW_SPACE_GLOBAL},
                  {"shared", WW_SPACE_SHARED},
                  {"local", WW_SPACE_LOCAL},
                  {"const", WW_SPACE_CONST}};
    for (unsigned i = 0; i < 4; i++)
        if (ww_parse_accept_dot(p, spaces[i].name))
            v->pointer_space = (uint8_t)spaces[i].space;
    if (ww_parse_at_dot(p, "texref") || ww_parse_at_dot(p, "samplerref") ||
        ww_parse_at_dot(p, "surfref"))
        return ww_parse_error(p, "images, textures and samplers are not supported");
    uint32_t pointee_align;
    return !ww_parse_accept_dot(p, "align") || parse_align(p, &pointee_align);
}

bool ww_parse_parameter(ww_parser *p, ww_variable *v)
{
    uint64_t row_bytes;
    *v = (ww_variable){.space = WW_SPACE_PARAM, .reg = -1, .line = p->token.line};
    v->in_register = ww_parse_accept_dot(p, "reg");
    if (!v->in_register && !ww_parse_accept_dot(p, "param"))
        return ww_parse_error(p, "expected .param");
    ww_type type;
    if (v->in_register && ww_parse_type(p, &type)) {
        v->type = (uint8_t)type;
        v->size = (ww_type_bits(type) + 7) / 8;
        v->align = (uint32_t)v->size;
    } else if (!parse_element(p, v) || !parse_pointer_marks(p, v)) {
        return false;
    }
    if (p->token.kind != WW_TOKEN_WORD)
        return ww_parse_error(p, "expected a parameter's name");
    v->name = ww_parse_name(p);
    ww_parse_next(p);
    return parse_dimensions(p, v, &row_bytes);
}

bool ww_parse_parameters(ww_parser *p, ww_variable **list, uint16_t *count)
{
    WW_VEC(ww_variable) found = {0};
    bool ok = ww_parse_expect(p, "(");
    while (ok && !ww_parse_at(p, ")")) {
        ww_variable v;
        ok = ww_parse_parameter(p, &v);
        if (ok)
            ww_vec_push(&found, v);
        if (found.count > 4096)
            ok = ww_parse_error(p, "more than 4096 parameters");
        if (!ww_parse_accept(p, ","))
            break;
    }
    ok = ok && ww_parse_expect(p, ")");
    *count = (uint16_t)found.count;
    *list = ww_arena_alloc(p->module->arena, found.count + 1, sizeof(ww_variable));
    if (found.count)
        memcpy(*list, found.items, found.count * sizeof(ww_variable));
    ww_vec_free(&found);
    return ok;
}
