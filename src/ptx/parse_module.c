/* The module level: directives, variables, functions. */
#include "ptx/parse.h"

#include <string.h>

static void *keep(ww_parser *p, const void *items, size_t count, size_t size)
{
    void *kept = ww_arena_alloc(p->module->arena, count + 1, size);
    if (count)
        memcpy(kept, items, count * size);
    return kept;
}

static void reset_body(ww_parser *p)
{
    p->registers.count = 0;
    p->instructions.count = 0;
    p->body_variables.count = 0;
    p->pending.count = 0;
    p->source_file = -1;
    p->source_line = 0;
}

/* Parameters of a kernel form its parameter block; those of a function are memory of each lane. */
static bool declare_parameters(ww_parser *p, ww_function *f, ww_variable *list, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        ww_variable *v = &list[i];
        if (strcmp(v->name, "_") == 0)
            continue;
        if (f->is_entry && (v->in_register || !v->size))
            return ww_parse_error(p, "parameter '%s' of a kernel must be sized memory", v->name);
        if (!f->is_entry && !v->in_register) {
            v->space = WW_SPACE_LOCAL;
            v->offset = ww_parse_allocate(&f->local_bytes, v);
        }
        ww_symbol *symbol =
            ww_parse_declare(p, v->name, v->in_register ? WW_SYMBOL_REGISTER : WW_SYMBOL_VARIABLE);
        if (!symbol)
            return false;
        if (v->in_register)
            symbol->reg = v->reg = ww_parse_add_register(p, v->name, (ww_type)v->type);
        else
            symbol->variable = v;
    }
    return true;
}

static void allocate_parameters(ww_function *f)
{
    for (unsigned i = 0; i < f->param_count; i++)
        f->params[i].offset = ww_parse_allocate(&f->param_bytes, &f->params[i]);
}

static bool parse_function_body(ww_parser *p, ww_function *f)
{
    if (f->has_body)
        return ww_parse_error(p, "'%s' is defined twice", f->name);
    p->function = f;
    reset_body(p);
    f->local_bytes = 0;
    ww_parse_enter(p);
    if (!declare_parameters(p, f, f->returns, f->return_count) ||
        !declare_parameters(p, f, f->params, f->param_count))
        return false;
    ww_parse_next(p); /* the brace */
    bool ok = ww_parse_body(p);
    ww_parse_leave(p);
    f->has_body = true;
    f->registers = keep(p, p->registers.items, p->registers.count, sizeof(ww_register));
    f->register_count = (uint32_t)p->registers.count;
    f->instructions = keep(p, p->instructions.items, p->instructions.count, sizeof(ww_instruction));
    f->instruction_count = (uint32_t)p->instructions.count;
    f->variables = keep(p, p->body_variables.items, p->body_variables.count, sizeof(ww_variable *));
    f->variable_count = (uint32_t)p->body_variables.count;
    p->function = NULL;
    return ok;
}

static bool parse_dimensions(ww_parser *p, uint32_t *size)
{
    for (int d = 0; d < 3; d++) {
        int64_t value = 1;
        if ((d == 0 || ww_parse_accept(p, ",")) && !ww_parse_integer(p, &value))
            return false;
        if (value < 1 || value > UINT32_MAX)
            return ww_parse_error(p, "a group size of %lld", (long long)value);
        size[d] = (uint32_t)value;
    }
    return true;
}

/* A directive that starts something at module level: old compilers end the declaration of a
 * function before it without a semicolon. */
static bool starts_item(const ww_parser *p)
{
    static const char *const starts[] = {"visible", "extern",      "weak",   "common",  "hidden",
                                         "entry",   "func",        "global", "const",   "shared",
                                         "local",   "reg",         "file",   "section", "version",
                                         "target",  "address_size"};
    for (unsigned i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
        if (ww_parse_at_dot(p, starts[i]))
            return true;
    return false;
}

/* .maxntid, .reqntid and hints between the parameter list and the body. */
static bool parse_performance(ww_parser *p, ww_function *f)
{
    while (p->token.kind == WW_TOKEN_DOTWORD && !starts_item(p)) {
        if (ww_parse_accept_dot(p, "maxntid")) {
            if (!parse_dimensions(p, f->most_group))
                return false;
        } else if (ww_parse_accept_dot(p, "reqntid")) {
            if (!parse_dimensions(p, f->required_group))
                return false;
        } else if (ww_parse_accept_dot(p, "reqsubgroup")) {
            uint32_t size[3];
            if (!parse_dimensions(p, size))
                return false;
            f->required_subgroup = size[0];
        } else if (ww_parse_accept_dot(p, "pragma")) {
            while (!ww_parse_at(p, ";") && p->token.kind != WW_TOKEN_END)
                ww_parse_next(p);
            ww_parse_next(p);
        } else { /* .minnctapersm, .maxnreg, .noreturn, ...: hints with or without numbers */
            ww_parse_next(p);
            while (p->token.kind == WW_TOKEN_INTEGER || ww_parse_at(p, ","))
                ww_parse_next(p);
        }
    }
    return true;
}

static ww_function *find_or_add_function(ww_parser *p, const char *name, bool is_entry)
{
    ww_symbol *symbol = ww_map_find(p->scope->symbols, name);
    if (symbol && symbol->kind == WW_SYMBOL_FUNCTION)
        return symbol->function;
    symbol = ww_parse_declare(p, name, WW_SYMBOL_FUNCTION);
    if (!symbol)
        return NULL;
    ww_function *f = symbol->function = ww_arena_alloc(p->module->arena, 1, sizeof(*f));
    f->name = name;
    f->module = p->module;
    f->is_entry = is_entry;
    f->index = (uint32_t)p->functions.count;
    f->line = p->token.line;
    ww_vec_push(&p->functions, f);
    return f;
}

/* The current token is the one after the kernel's name. */
static void remember_kernel(ww_parser *p, ww_function *kernel)
{
    ww_kernel_text text = {.kernel = kernel, .lexer = p->lexer, .token = p->token};
    for (size_t i = 0; i < p->kernels.count; i++)
        if (p->kernels.items[i].kernel == kernel) {
            text.callable = p->kernels.items[i].callable;
            p->kernels.items[i] = text;
            return;
        }
    ww_vec_push(&p->kernels, text);
}

static bool parse_function(ww_parser *p, bool is_entry)
{
    ww_variable *returns = NULL, *params = NULL;
    uint16_t return_count = 0, param_count = 0;
    while (ww_parse_accept_dot(p, "attribute"))
        while (p->token.kind != WW_TOKEN_END && !ww_parse_accept(p, ")"))
            ww_parse_next(p);
    if (!is_entry && ww_parse_at(p, "(") && !ww_parse_parameters(p, &returns, &return_count))
        return false;
    if (p->token.kind != WW_TOKEN_WORD)
        return ww_parse_error(p, "expected a function's name");
    ww_function *f = find_or_add_function(p, ww_parse_name(p), is_entry);
    if (!f)
        return false;
    ww_parse_next(p);
    if (f->is_entry)
        remember_kernel(p, f);
    if (ww_parse_at(p, "(") && !ww_parse_parameters(p, &params, &param_count))
        return false;
    if (!f->has_body) {
        f->returns = returns;
        f->return_count = return_count;
        f->params = params;
        f->param_count = param_count;
        f->param_bytes = 0;
        allocate_parameters(f);
    }
    if (!parse_performance(p, f))
        return false;
    if (ww_parse_accept(p, ";") || (!f->is_entry && starts_item(p)))
        return true;
    if (!ww_parse_at(p, "{"))
        return ww_parse_error(p, "expected the body of '%s'", f->name);
    return parse_function_body(p, f);
}

/* .section .debug_info { ... }: debug data that execution does not need. */
static bool skip_section(ww_parser *p)
{
    while (p->token.kind != WW_TOKEN_END && !ww_parse_at(p, "{"))
        ww_parse_next(p);
    while (p->token.kind != WW_TOKEN_END && !ww_parse_at(p, "}"))
        ww_parse_next(p);
    return ww_parse_expect(p, "}");
}

static bool parse_version(ww_parser *p)
{
    double version = 0;
    char text[16];
    snprintf(text, sizeof(text), "%.*s", (int)(p->token.length < 15 ? p->token.length : 15),
             p->token.text);
    char *end;
    version = strtod(text, &end);
    if (p->token.kind != WW_TOKEN_FLOAT || version < 1 || version > 99)
        return ww_parse_error(p, "expected a version such as 7.8");
    p->module->version = (uint32_t)(version * 10 + 0.5);
    ww_parse_next(p);
    return true;
}

static bool parse_target(ww_parser *p)
{
    p->module->target = ww_parse_name(p);
    do
        ww_parse_next(p);
    while (ww_parse_accept(p, ","));
    return true;
}

static bool parse_address_size(ww_parser *p)
{
    int64_t bits;
    ww_token at = p->token;
    if (!ww_parse_integer(p, &bits))
        return false;
    if (bits != 64)
        return ww_parse_error_at(p, at.line, at.col, ".address_size %lld (only 64 is supported)",
                                 (long long)bits);
    p->has_address_size = true;
    return true;
}

static bool parse_linkage(ww_parser *p, bool *external)
{
    *external = false;
    for (;;) {
        if (ww_parse_accept_dot(p, "extern"))
            *external = true;
        else if (!ww_parse_accept_dot(p, "visible") && !ww_parse_accept_dot(p, "weak") &&
                 !ww_parse_accept_dot(p, "common") && !ww_parse_accept_dot(p, "hidden"))
            return true;
    }
}

static bool parse_item(ww_parser *p)
{
    bool external;
    parse_linkage(p, &external);
    if (ww_parse_accept_dot(p, "entry"))
        return parse_function(p, true);
    if (ww_parse_accept_dot(p, "func"))
        return parse_function(p, false);
    if (ww_parse_accept_dot(p, "global"))
        return ww_parse_variables(p, WW_SPACE_GLOBAL, external);
    if (ww_parse_accept_dot(p, "const"))
        return ww_parse_variables(p, WW_SPACE_CONST, external);
    if (ww_parse_accept_dot(p, "shared"))
        return ww_parse_variables(p, WW_SPACE_SHARED, external);
    if (ww_parse_accept_dot(p, "local"))
        return ww_parse_variables(p, WW_SPACE_LOCAL, external);
    if (ww_parse_accept_dot(p, "reg"))
        return ww_parse_reg(p);
    if (ww_parse_accept_dot(p, "version"))
        return parse_version(p);
    if (ww_parse_accept_dot(p, "target"))
        return parse_target(p);
    if (ww_parse_accept_dot(p, "address_size"))
        return parse_address_size(p);
    if (ww_parse_accept_dot(p, "file"))
        return ww_parse_file(p);
    if (ww_parse_accept_dot(p, "section"))
        return skip_section(p);
    if (ww_parse_at_dot(p, "tex") || ww_parse_at_dot(p, "surf") || ww_parse_at_dot(p, "sampler"))
        return ww_parse_error(p, "images, textures and samplers are not supported");
    if (p->token.kind == WW_TOKEN_BAD && p->token.length && p->token.text[0] == '/')
        return ww_parse_error(p, "this comment has no end");
    return ww_parse_error(p, "expected a directive such as .version, .entry or .global");
}

/* After an error at module level: skips to the next item. */
static void skip_item(ww_parser *p)
{
    static const char *const starts[] = {"visible", "extern", "weak", "entry", "func", "section"};
    while (p->token.kind != WW_TOKEN_END) {
        ww_parse_next(p);
        for (unsigned i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
            if (ww_parse_at_dot(p, starts[i]))
                return;
    }
}

/* Parses a kernel again, as the function that other kernels call. */
static void parse_callable(ww_parser *p, const ww_kernel_text *text)
{
    ww_function *f = text->callable;
    p->lexer = text->lexer;
    p->token = text->token;
    if (ww_parse_at(p, "(") && !ww_parse_parameters(p, &f->params, &f->param_count))
        return;
    allocate_parameters(f);
    if (parse_performance(p, f) && ww_parse_at(p, "{"))
        parse_function_body(p, f);
    memset(f->required_group, 0, sizeof(f->required_group));
    f->required_subgroup = 0;
    memset(f->most_group, 0, sizeof(f->most_group));
}

/* Parsing one kernel can find calls of another one. */
static void parse_callables(ww_parser *p)
{
    size_t i = 0;
    while (i < p->kernels.count && !p->error_count) {
        ww_kernel_text text = p->kernels.items[i];
        if (text.callable && !text.callable->has_body && text.kernel->has_body) {
            parse_callable(p, &text);
            i = 0;
        } else {
            i++;
        }
    }
}

static void parse_items(ww_parser *p)
{
    while (p->token.kind != WW_TOKEN_END && p->error_count < WW_MOST_PARSE_ERRORS) {
        if (ww_parse_accept(p, ";"))
            continue;
        ww_scope *outermost = p->scopes.items[0];
        if (!parse_item(p))
            skip_item(p);
        p->scope = outermost;
        p->function = NULL;
    }
    if (!p->error_count && !p->module->version)
        ww_parse_error(p, "no .version directive: this is not PTX");
    parse_callables(p);
}

static void free_parser(ww_parser *p)
{
    for (size_t i = 0; i < p->scopes.count; i++)
        ww_map_destroy(p->scopes.items[i]->symbols);
    ww_vec_free(&p->scopes);
    ww_vec_free(&p->functions);
    ww_vec_free(&p->variables);
    ww_vec_free(&p->body_variables);
    ww_vec_free(&p->registers);
    ww_vec_free(&p->instructions);
    ww_vec_free(&p->pending);
    ww_vec_free(&p->kernels);
}

ww_module *ww_module_parse(const char *path, const char *text, size_t length, ww_errors *errors)
{
    ww_arena *arena = ww_arena_create();
    ww_module *module = ww_arena_alloc(arena, 1, sizeof(*module));
    module->arena = arena;
    module->path = ww_arena_strdup(arena, path);
    module->target = "";
    ww_parser parser = {.module = module, .errors = errors};
    ww_lexer_start(&parser.lexer, text, length);
    ww_parse_enter(&parser);
    ww_parse_next(&parser);
    parse_items(&parser);
    module->functions =
        keep(&parser, parser.functions.items, parser.functions.count, sizeof(ww_function *));
    module->function_count = (uint32_t)parser.functions.count;
    module->variables =
        keep(&parser, parser.variables.items, parser.variables.count, sizeof(ww_variable *));
    module->variable_count = (uint32_t)parser.variables.count;
    for (uint32_t i = 0; i < module->variable_count; i++)
        module->variables[i]->index = i;
    bool failed = parser.error_count > 0;
    free_parser(&parser);
    if (!failed)
        return module;
    ww_module_destroy(module);
    return NULL;
}
