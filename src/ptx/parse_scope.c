/* Names: nested scopes, and register ranges whose members are created when first named. */
#include "ptx/parse.h"

#include <ctype.h>
#include <string.h>

#define MOST_REGISTERS 1000000

void ww_parse_enter(ww_parser *p)
{
    ww_scope *scope = ww_arena_alloc(p->module->arena, 1, sizeof(*scope));
    scope->parent = p->scope;
    scope->symbols = ww_map_create();
    ww_vec_push(&p->scopes, scope);
    p->scope = scope;
}

void ww_parse_leave(ww_parser *p)
{
    p->scope = p->scope->parent;
}

static ww_symbol *add_symbol(ww_parser *p, ww_scope *scope, const char *name, ww_symbol_kind kind)
{
    ww_symbol *symbol = ww_arena_alloc(p->module->arena, 1, sizeof(*symbol));
    symbol->kind = kind;
    return ww_map_add(scope->symbols, name, strlen(name), symbol) ? symbol : NULL;
}

ww_symbol *ww_parse_declare(ww_parser *p, const char *name, ww_symbol_kind kind)
{
    ww_symbol *symbol = add_symbol(p, p->scope, name, kind);
    if (!symbol)
        ww_parse_error(p, "'%s' is declared twice in this scope", name);
    return symbol;
}

int32_t ww_parse_add_register(ww_parser *p, const char *name, ww_type type)
{
    if (p->registers.count >= MOST_REGISTERS) {
        ww_parse_error(p, "more than %d registers in one function", MOST_REGISTERS);
        return -1;
    }
    ww_register r = {name, (uint8_t)type};
    ww_vec_push(&p->registers, r);
    return (int32_t)p->registers.count - 1;
}

/* "%r12" when "%r" is a range of more than 12: declares it in the range's scope. */
static ww_symbol *find_in_range(ww_parser *p, ww_scope *scope, const char *name)
{
    size_t length = strlen(name), stem = length;
    while (stem > 0 && isdigit((unsigned char)name[stem - 1]))
        stem--;
    if (stem == length || length - stem > 9 || (name[stem] == '0' && length - stem > 1))
        return NULL;
    ww_symbol *range = ww_map_get(scope->symbols, name, stem);
    if (!range || range->kind != WW_SYMBOL_REGISTERS ||
        strtoul(name + stem, NULL, 10) >= range->count)
        return NULL;
    const char *kept = ww_arena_strdup(p->module->arena, name);
    int32_t reg = scope->parent ? ww_parse_add_register(p, kept, (ww_type)range->type) : -1;
    if (reg < 0 && scope->parent)
        return NULL;
    ww_symbol *symbol = add_symbol(p, scope, kept, WW_SYMBOL_REGISTER);
    symbol->type = range->type;
    symbol->reg = reg;
    return symbol;
}

static bool is_of_a_lane(const ww_symbol *symbol)
{
    return symbol->kind == WW_SYMBOL_REGISTER ||
           (symbol->kind == WW_SYMBOL_VARIABLE && symbol->variable->space == WW_SPACE_LOCAL);
}

/* A register or .local variable of the module becomes one of the function that names it. Kernels
 * can each have their own; functions that call each other would have to share it. */
static ww_symbol *adopt(ww_parser *p, ww_symbol *outer, const char *name)
{
    ww_scope *scope = p->scope;
    while (scope->parent->parent)
        scope = scope->parent;
    if (outer->user && !(outer->user->is_entry && p->function->is_entry))
        ww_parse_error(p,
                       "'%s' of the module is used by '%s' and by '%s' (declare it inside the "
                       "functions)",
                       name, outer->user->name, p->function->name);
    outer->user = p->function;
    ww_symbol *own = add_symbol(p, scope, ww_arena_strdup(p->module->arena, name), outer->kind);
    if (outer->kind == WW_SYMBOL_REGISTER) {
        own->reg =
            ww_parse_add_register(p, ww_arena_strdup(p->module->arena, name), (ww_type)outer->type);
        return own->reg >= 0 ? own : NULL;
    }
    own->variable = ww_arena_alloc(p->module->arena, 1, sizeof(ww_variable));
    *own->variable = *outer->variable;
    ww_parse_allocate_variable(p, own->variable);
    return own;
}

ww_symbol *ww_parse_lookup(ww_parser *p, ww_scope *scope, const char *name)
{
    for (; scope; scope = scope->parent) {
        ww_symbol *symbol = ww_map_find(scope->symbols, name);
        if (!symbol)
            symbol = find_in_range(p, scope, name);
        if (symbol && !scope->parent && p->function && is_of_a_lane(symbol))
            return adopt(p, symbol, name);
        if (symbol)
            return symbol;
    }
    return NULL;
}
