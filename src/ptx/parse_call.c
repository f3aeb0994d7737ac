/* call (results), target, (arguments), prototype; */
#include "ptx/parse.h"

#include <string.h>

/* A call statement may contain debug labels. */
static void skip_labels(ww_parser *p)
{
    while (p->token.kind == WW_TOKEN_WORD) {
        ww_token after = ww_parse_peek(p);
        if (!ww_token_is(&after, ":"))
            return;
        ww_parse_next(p);
        ww_parse_next(p);
    }
}

static bool parse_list(ww_parser *p, ww_operand **list, uint16_t *count)
{
    WW_VEC(ww_operand) found = {0};
    bool ok = ww_parse_expect(p, "(");
    skip_labels(p);
    while (ok && !ww_parse_at(p, ")")) {
        ww_operand operand = {.reg = -1};
        skip_labels(p);
        size_t pending = p->pending.count;
        ok = ww_parse_operand(p, &operand);
        if (ok && p->pending.count > pending) {
            p->pending.count = pending;
            ok = ww_parse_error(p, "unknown name in a call's arguments");
        }
        if (ok && operand.kind != WW_OPERAND_REGISTER && operand.kind != WW_OPERAND_VALUE &&
            !(operand.kind == WW_OPERAND_ADDRESS && operand.variable &&
              operand.variable->space == WW_SPACE_LOCAL))
            ok = ww_parse_error(p, "a call passes registers, numbers and .param variables");
        if (ok && found.count == 4096)
            ok = ww_parse_error(p, "more than 4096 arguments");
        ww_vec_push(&found, operand);
        skip_labels(p);
        if (!ww_parse_accept(p, ","))
            break;
    }
    ok = ok && ww_parse_expect(p, ")");
    *count = (uint16_t)found.count;
    *list = ww_arena_alloc(p->module->arena, found.count + 1, sizeof(ww_operand));
    if (found.count)
        memcpy(*list, found.items, found.count * sizeof(ww_operand));
    ww_vec_free(&found);
    return ok;
}

static bool parse_target(ww_parser *p, ww_operand *target)
{
    skip_labels(p);
    if (p->token.kind != WW_TOKEN_WORD)
        return ww_parse_error(p, "expected the function to call");
    const char *name = ww_parse_name(p);
    ww_symbol *symbol = ww_parse_lookup(p, p->scope, name);
    if (!symbol)
        return ww_parse_error(p, "call of '%s', which is not declared", name);
    if (symbol->kind == WW_SYMBOL_FUNCTION) {
        target->kind = WW_OPERAND_FUNCTION;
        target->function = symbol->function;
    } else if (symbol->kind == WW_SYMBOL_REGISTER &&
               ww_type_bits((ww_type)p->registers.items[symbol->reg].type) == 64) {
        target->kind = WW_OPERAND_REGISTER;
        target->reg = symbol->reg;
    } else {
        return ww_parse_error(p, "'%s' cannot be called", name);
    }
    ww_parse_next(p);
    return true;
}

static bool parse_prototype_name(ww_parser *p, ww_call *call)
{
    if (p->token.kind != WW_TOKEN_WORD)
        return ww_parse_error(p, "expected the prototype of an indirect call");
    const char *name = ww_parse_name(p);
    ww_symbol *symbol = ww_parse_lookup(p, p->scope, name);
    if (!symbol || symbol->kind != WW_SYMBOL_PROTOTYPE)
        return ww_parse_error(p, "'%s' is not a .callprototype declared before", name);
    call->prototype = symbol->prototype;
    ww_parse_next(p);
    return true;
}

/* Converts a number to its parameter's type. A number as a result is an error. */
static bool fit_number(ww_parser *p, ww_operand *given, const ww_variable *wanted, bool result)
{
    ww_type type = (ww_type)wanted->type;
    if (result)
        return ww_parse_error(p, "a result of the call must go to a register or .param variable");
    if (wanted->size * 8 != ww_type_bits(type))
        return ww_parse_error(p, "a number cannot be passed as '%s'", wanted->name);
    return ww_parse_fit_value(p, given, type, p->token);
}

static uint64_t argument_bytes(const ww_parser *p, const ww_operand *operand, uint64_t otherwise)
{
    if (operand->kind == WW_OPERAND_ADDRESS)
        return operand->variable->size;
    if (operand->kind == WW_OPERAND_REGISTER)
        return (ww_type_bits((ww_type)p->registers.items[operand->reg].type) + 7) / 8;
    return otherwise;
}

static bool check_list(ww_parser *p, const char *what, ww_operand *given, unsigned count,
                       const ww_variable *wanted, unsigned wanted_count)
{
    if (count != wanted_count)
        return ww_parse_error(p, "the call has %u %s%s where %u %s needed", count, what,
                              count == 1 ? "" : "s", wanted_count,
                              wanted_count == 1 ? "is" : "are");
    for (unsigned i = 0; i < count; i++) {
        if (argument_bytes(p, &given[i], wanted[i].size) != wanted[i].size)
            return ww_parse_error(p, "%s %u of the call has another size than declared", what,
                                  i + 1);
        if (given[i].kind == WW_OPERAND_VALUE &&
            !fit_number(p, &given[i], &wanted[i], what[0] == 'r'))
            return false;
    }
    return true;
}

/* The function that calls of a kernel call; its body is parsed after everything else. */
static ww_function *callable_of(ww_parser *p, const ww_function *kernel)
{
    ww_kernel_text *text = p->kernels.items;
    while (text->kernel != kernel)
        text++;
    if (!text->callable) {
        ww_function *f = text->callable = ww_arena_alloc(p->module->arena, 1, sizeof(*f));
        f->name = ww_arena_printf(p->module->arena, "%s.called", kernel->name);
        f->module = p->module;
        f->index = (uint32_t)p->functions.count;
        f->line = kernel->line;
        ww_vec_push(&p->functions, f);
    }
    return text->callable;
}

static bool check_call(ww_parser *p, const ww_call *call)
{
    if (call->target.kind == WW_OPERAND_FUNCTION) {
        const ww_function *f = call->target.function;
        return check_list(p, "argument", call->args, call->arg_count, f->params, f->param_count) &&
               check_list(p, "result", call->returns, call->return_count, f->returns,
                          f->return_count);
    }
    if (!call->prototype)
        return ww_parse_error(p, "an indirect call needs a prototype");
    const ww_prototype *t = call->prototype;
    return check_list(p, "argument", call->args, call->arg_count, t->params, t->param_count) &&
           check_list(p, "result", call->returns, call->return_count, t->returns, t->return_count);
}

bool ww_parse_call(ww_parser *p, ww_instruction *i)
{
    ww_call *call = i->call = ww_arena_alloc(p->module->arena, 1, sizeof(*call));
    skip_labels(p);
    if (ww_parse_at(p, "(")) {
        if (!parse_list(p, &call->returns, &call->return_count))
            return false;
        skip_labels(p);
        if (!ww_parse_expect(p, ","))
            return false;
    }
    if (!parse_target(p, &call->target))
        return false;
    skip_labels(p);
    if (ww_parse_accept(p, ",")) {
        skip_labels(p);
        if (ww_parse_at(p, "(")) {
            if (!parse_list(p, &call->args, &call->arg_count))
                return false;
            skip_labels(p);
            if (ww_parse_accept(p, ",") && !parse_prototype_name(p, call))
                return false;
        } else if (!parse_prototype_name(p, call)) {
            return false;
        }
    }
    skip_labels(p);
    if (!check_call(p, call))
        return false;
    if (call->target.kind == WW_OPERAND_FUNCTION && call->target.function->is_entry)
        call->target.function = callable_of(p, call->target.function);
    return true;
}
