/* Tokens one by one, and errors at their locations; .file, which names the sources of PTX. */
#include "ptx/parse.h"

#include <string.h>

bool ww_parse_file(ww_parser *p)
{
    int64_t index;
    if (!ww_parse_integer(p, &index))
        return false;
    if (p->token.kind != WW_TOKEN_STRING || index < 0 || index > 65535)
        return ww_parse_error(p, "expected .file NUMBER \"NAME\"");
    ww_module *m = p->module;
    if ((uint32_t)index >= m->file_count) {
        const char **files = ww_arena_alloc(m->arena, (size_t)index + 1, sizeof(char *));
        if (m->file_count)
            memcpy(files, m->files, m->file_count * sizeof(char *));
        m->files = files;
        m->file_count = (uint32_t)index + 1;
    }
    m->files[index] = ww_parse_name(p);
    ww_parse_next(p);
    if (p->token.kind == WW_TOKEN_STRING) { /* a folder, then the name in it */
        const char *name = ww_parse_name(p);
        if (name[0] != '/' && strcmp(m->files[index], ".") != 0)
            name = ww_arena_printf(m->arena, "%s/%s", m->files[index], name);
        m->files[index] = name;
        ww_parse_next(p);
    }
    if (strncmp(m->files[index], "./", 2) == 0)
        m->files[index] += 2;
    while (ww_parse_accept(p, ",") && p->token.kind == WW_TOKEN_INTEGER)
        ww_parse_next(p);
    return true;
}

/* Whether the module's path names PTX, and not a source that was compiled to it. */
static bool is_ptx_file(const ww_parser *p)
{
    const char *dot = strrchr(p->module->path, '.');
    return !dot || strcmp(dot, ".ptx") == 0;
}

/* Reads the .file directives, which are at the end of compiled PTX, before parsing continues. */
static void read_files(ww_parser *p)
{
    ww_lexer lexer = p->lexer;
    ww_token token = p->token;
    p->files_read = true;
    while (p->token.kind != WW_TOKEN_END) {
        if (ww_parse_accept_dot(p, "file"))
            ww_parse_file(p);
        else
            ww_parse_next(p);
    }
    p->lexer = lexer;
    p->token = token;
}

/* For PTX compiled from a source: the error is at the source line of the last .loc, if there is
 * one, and its text names the PTX line. */
static void add_compiled_error(ww_parser *p, int line, const char *format, va_list args)
{
    char what[1024];
    const ww_module *m = p->module;
    ww_where at = {m->path, 0, 0};
    if (!p->files_read)
        read_files(p);
    vsnprintf(what, sizeof(what), format, args);
    if (p->source_file >= 0 && line >= p->loc_line && (uint32_t)p->source_file < m->file_count &&
        m->files[p->source_file])
        at = (ww_where){m->files[p->source_file], p->source_line, 0};
    ww_fail(p->errors, WW_BAD_INPUT, at, "%s (line %d of its PTX)", what, line);
}

static bool add_error(ww_parser *p, int line, int col, const char *format, va_list args)
{
    if (p->error_count++ >= WW_MOST_PARSE_ERRORS)
        return false;
    if (is_ptx_file(p))
        ww_vfail(p->errors, WW_BAD_INPUT, (ww_where){p->module->path, line, col}, format, args);
    else
        add_compiled_error(p, line, format, args);
    return false;
}

bool ww_parse_error_at(ww_parser *p, int line, int col, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_error(p, line, col, format, args);
    va_end(args);
    return false;
}

bool ww_parse_error(ww_parser *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_error(p, p->token.line, p->token.col, format, args);
    va_end(args);
    return false;
}

void ww_parse_next(ww_parser *p)
{
    p->token = ww_lexer_next(&p->lexer);
}

ww_token ww_parse_peek(const ww_parser *p)
{
    ww_lexer copy = p->lexer;
    return ww_lexer_next(&copy);
}

bool ww_parse_at(const ww_parser *p, const char *text)
{
    return ww_token_is(&p->token, text);
}

bool ww_parse_at_dot(const ww_parser *p, const char *text)
{
    return p->token.kind == WW_TOKEN_DOTWORD && strlen(text) == p->token.length &&
           memcmp(text, p->token.text, p->token.length) == 0;
}

bool ww_parse_accept(ww_parser *p, const char *text)
{
    bool there = ww_parse_at(p, text);
    if (there)
        ww_parse_next(p);
    return there;
}

bool ww_parse_accept_dot(ww_parser *p, const char *text)
{
    bool there = ww_parse_at_dot(p, text);
    if (there)
        ww_parse_next(p);
    return there;
}

bool ww_parse_expect(ww_parser *p, const char *text)
{
    if (ww_parse_accept(p, text))
        return true;
    if (p->token.kind == WW_TOKEN_END)
        return ww_parse_error(p, "expected '%s' before the end of the file", text);
    return ww_parse_error(p, "expected '%s', found '%s%.*s'", text,
                          p->token.kind == WW_TOKEN_DOTWORD ? "." : "", (int)p->token.length,
                          p->token.text);
}

const char *ww_parse_name(ww_parser *p)
{
    return ww_arena_strndup(p->module->arena, p->token.text, p->token.length);
}
