/* A function's body: declarations, labels, scopes and statements; labels resolved at its end. */
#include "ptx/parse.h"

#include <string.h>

#define MOST_DEPTH 64

/* A brace that ends a vector operand or an initialiser, not a block. */
static bool closes_operand(const ww_parser *p)
{
    ww_token next = ww_parse_peek(p);
    return ww_token_is(&next, ",") || ww_token_is(&next, ";") || ww_token_is(&next, "]");
}

static void skip_statement(ww_parser *p)
{
    while (p->token.kind != WW_TOKEN_END && !ww_parse_at(p, ";") &&
           (!ww_parse_at(p, "}") || closes_operand(p)))
        ww_parse_next(p);
    ww_parse_accept(p, ";");
}

/* .loc file line col [, function_name L, inlined_at f l c] : ends with the line. */
static bool parse_loc(ww_parser *p)
{
    int64_t file = 0, line = 0;
    int at = p->token.line;
    if (!ww_parse_integer(p, &file) || !ww_parse_integer(p, &line))
        return false;
    while (p->token.kind != WW_TOKEN_END && p->token.line == at)
        ww_parse_next(p);
    if (line > 0 && line <= INT32_MAX && file >= 0 && file <= INT32_MAX) {
        p->source_file = (int)file;
        p->source_line = (int)line;
        p->loc_line = at;
    }
    return true;
}

static bool parse_prototype(ww_parser *p, const char *name)
{
    ww_symbol *symbol = ww_parse_declare(p, name, WW_SYMBOL_PROTOTYPE);
    if (!symbol)
        return false;
    ww_prototype *t = symbol->prototype = ww_arena_alloc(p->module->arena, 1, sizeof(*t));
    t->name = name;
    if (ww_parse_at(p, "(") && !ww_parse_parameters(p, &t->returns, &t->return_count))
        return false;
    if (!ww_parse_expect(p, "_") || !ww_parse_parameters(p, &t->params, &t->param_count))
        return false;
    while (p->token.kind == WW_TOKEN_DOTWORD) /* .noreturn, .abi_preserve n */
        ww_parse_next(p);
    return ww_parse_expect(p, ";");
}

static bool parse_targets(ww_parser *p, const char *name)
{
    WW_VEC(ww_pending) found = {0};
    ww_symbol *symbol = ww_parse_declare(p, name, WW_SYMBOL_TARGETS);
    bool ok = symbol != NULL;
    while (ok && p->token.kind == WW_TOKEN_WORD) {
        ww_pending pending = {.name = ww_parse_name(p),
                              .scope = p->scope,
                              .at = {p->module->path, p->token.line, p->token.col}};
        ww_vec_push(&found, pending);
        ww_parse_next(p);
        if (!ww_parse_accept(p, ","))
            break;
    }
    if (ok && found.count > UINT16_MAX)
        ok = ww_parse_error(p, "more than %d branch targets", UINT16_MAX);
    if (ok) {
        ww_operand *list = symbol->targets = ww_arena_alloc(p->module->arena, 1, sizeof(*list));
        list->kind = WW_OPERAND_TARGETS;
        list->count = (uint16_t)found.count;
        list->targets = ww_arena_alloc(p->module->arena, found.count + 1, sizeof(uint32_t));
        for (size_t i = 0; i < found.count; i++) {
            found.items[i].target = &list->targets[i];
            ww_vec_push(&p->pending, found.items[i]);
        }
    }
    ww_vec_free(&found);
    return ok && ww_parse_expect(p, ";");
}

static bool parse_label(ww_parser *p)
{
    const char *name = ww_parse_name(p);
    ww_token at = p->token;
    ww_parse_next(p);
    ww_parse_next(p); /* the colon */
    if (ww_parse_accept_dot(p, "callprototype"))
        return parse_prototype(p, name);
    if (ww_parse_accept_dot(p, "branchtargets"))
        return parse_targets(p, name);
    if (ww_parse_at_dot(p, "calltargets")) {
        skip_statement(p);
        return true;
    }
    ww_symbol *symbol = ww_map_find(p->scope->symbols, name);
    if (symbol)
        return ww_parse_error_at(p, at.line, at.col, "label '%s' is declared twice", name);
    symbol = ww_parse_declare(p, name, WW_SYMBOL_LABEL);
    symbol->target = (uint32_t)p->instructions.count;
    return true;
}

static bool parse_directive(ww_parser *p)
{
    if (ww_parse_accept_dot(p, "reg"))
        return ww_parse_reg(p);
    if (ww_parse_accept_dot(p, "local"))
        return ww_parse_variables(p, WW_SPACE_LOCAL, false);
    if (ww_parse_accept_dot(p, "shared"))
        return ww_parse_variables(p, WW_SPACE_SHARED, false);
    if (ww_parse_accept_dot(p, "param"))
        return ww_parse_variables(p, WW_SPACE_PARAM, false);
    if (ww_parse_accept_dot(p, "const"))
        return ww_parse_variables(p, WW_SPACE_CONST, false);
    if (ww_parse_accept_dot(p, "global"))
        return ww_parse_variables(p, WW_SPACE_GLOBAL, false);
    if (ww_parse_accept_dot(p, "loc"))
        return parse_loc(p);
    if (ww_parse_at_dot(p, "pragma")) {
        skip_statement(p);
        return true;
    }
    if (ww_parse_accept_dot(p, "extern")) {
        if (!ww_parse_accept_dot(p, "shared"))
            return ww_parse_error(p, "expected .shared after .extern");
        return ww_parse_variables(p, WW_SPACE_SHARED, true);
    }
    return ww_parse_error(p, "unknown directive '.%.*s'", (int)p->token.length, p->token.text);
}

static bool parse_statement(ww_parser *p)
{
    ww_token after = ww_parse_peek(p);
    if (p->token.kind == WW_TOKEN_WORD && ww_token_is(&after, ":"))
        return parse_label(p);
    if (p->token.kind == WW_TOKEN_DOTWORD)
        return parse_directive(p);
    return ww_parse_instruction(p);
}

static void resolve_one(ww_parser *p, const ww_pending *pending)
{
    ww_symbol *symbol = ww_parse_lookup(p, pending->scope, pending->name);
    if (symbol && symbol->kind == WW_SYMBOL_LABEL && pending->target) {
        *pending->target = symbol->target;
    } else if (symbol && symbol->kind == WW_SYMBOL_LABEL) {
        pending->operand->target = symbol->target;
    } else if (symbol && symbol->kind == WW_SYMBOL_TARGETS && pending->operand) {
        *pending->operand = *symbol->targets;
    } else {
        ww_parse_error_at(p, pending->at.line, pending->at.col, "unknown label '%s'",
                          pending->name);
    }
}

/* bra goes to a label, brx to a list of them. */
static void check_branches(ww_parser *p)
{
    for (size_t n = 0; n < p->instructions.count; n++) {
        const ww_instruction *i = &p->instructions.items[n];
        bool wrong = (i->form.op == WW_OP_BRA && i->operands[0].kind != WW_OPERAND_LABEL) ||
                     (i->form.op == WW_OP_BRX && i->operands[1].kind != WW_OPERAND_TARGETS);
        if (wrong)
            ww_parse_error_at(p, i->line, 0, "'%s' cannot go there", i->text);
    }
}

/* Nested braces open scopes; the body ends with the brace that closes its own. */
bool ww_parse_body(ww_parser *p)
{
    unsigned depth = 1;
    while (depth > 0) {
        if (p->token.kind == WW_TOKEN_END)
            return ww_parse_error(p, "the body of '%s' has no closing '}'", p->function->name);
        if (ww_parse_accept(p, "{")) {
            if (++depth > MOST_DEPTH)
                return ww_parse_error(p, "braces nested too deeply");
            ww_parse_enter(p);
        } else if (ww_parse_at(p, "}")) {
            if (--depth > 0)
                ww_parse_leave(p);
            ww_parse_next(p);
        } else if (ww_parse_accept(p, ";")) {
            continue;
        } else if (!parse_statement(p)) {
            skip_statement(p);
        }
    }
    if (p->error_count == 0)
        for (size_t n = 0; n < p->pending.count; n++)
            resolve_one(p, &p->pending.items[n]);
    if (p->error_count == 0)
        check_branches(p);
    return true;
}
