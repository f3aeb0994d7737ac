#include "host/host_code.h"

#include "base/memory.h"

#include <ctype.h>
#include <string.h>

typedef struct token {
    size_t start, end;
    ptrdiff_t around; /* the innermost open bracket, or NONE */
    ptrdiff_t match;  /* of a bracket: the other one, or NONE */
    char first;       /* character, also when it was blanked */
} token;

enum { NONE = -1 };

struct ww_host_code {
    char *text;
    WW_VEC(token) tokens;
};

/* ---- tokens ---- */

static size_t end_of_literal(const char *text, size_t at)
{
    char quote = text[at++];
    while (text[at] && text[at] != quote && text[at] != '\n')
        at += text[at] == '\\' && text[at + 1] ? 2 : 1;
    return text[at] == quote ? at + 1 : at;
}

/* R"mark( ... )mark" : `at` is the quote. */
static size_t end_of_raw(const char *text, size_t at)
{
    char mark[20] = ")";
    size_t length = 0;
    while (length <= 16 && text[at + 1 + length] && !strchr("(\n", text[at + 1 + length]))
        length++;
    if (length > 16 || text[at + 1 + length] != '(')
        return end_of_literal(text, at);
    memcpy(mark + 1, text + at + 1, length);
    mark[length + 1] = '"';
    const char *end = strstr(text + at, mark);
    return end ? (size_t)(end - text) + length + 2 : at + strlen(text + at);
}

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static size_t end_of_token(const char *text, size_t at)
{
    size_t end = at;
    if (text[at] == '"' || text[at] == '\'')
        return end_of_literal(text, at);
    if (!is_name(text[at]))
        return at + 1;
    while (is_name(text[end]) || (isdigit((unsigned char)text[at]) && text[end] == '\''))
        end++;
    return text[end] == '"' && text[end - 1] == 'R' ? end_of_raw(text, end) : end;
}

/* Whether the line from `at` on is a preprocessor line. */
static bool is_directive(const char *text, size_t at)
{
    while (text[at] == ' ' || text[at] == '\t')
        at++;
    return text[at] == '#';
}

static size_t skip_blanks(const char *text, size_t at)
{
    for (;;) {
        bool fresh = at == 0 || text[at - 1] == '\n';
        if (fresh && is_directive(text, at))
            at += ww_line_length(text + at);
        else if (text[at] && strchr(" \t\r\n\f\v", text[at]))
            at++;
        else
            return at;
    }
}

static char first(const ww_host_code *c, ptrdiff_t t)
{
    return c->tokens.items[t].first;
}

static void match_brackets(ww_host_code *c)
{
    ptrdiff_t open = NONE;
    for (ptrdiff_t t = 0; t < (ptrdiff_t)c->tokens.count; t++) {
        token *it = &c->tokens.items[t];
        if (open != NONE && strchr(")]}", first(c, t))) {
            it->match = open;
            c->tokens.items[open].match = t;
            open = c->tokens.items[open].around;
        }
        it->around = open;
        if (strchr("([{", first(c, t)))
            open = t;
    }
}

ww_host_code *ww_host_code_read(char *text)
{
    ww_host_code *c = ww_calloc(1, sizeof(*c));
    c->text = text;
    for (size_t at = skip_blanks(text, 0); text[at];) {
        token it = {at, end_of_token(text, at), NONE, NONE, text[at]};
        ww_vec_push(&c->tokens, it);
        at = skip_blanks(text, it.end);
    }
    match_brackets(c);
    return c;
}

void ww_host_code_destroy(ww_host_code *c)
{
    ww_vec_free(&c->tokens);
    free(c);
}

static bool is_word(const ww_host_code *c, ptrdiff_t t, const char *word)
{
    const token *it = &c->tokens.items[t];
    return strlen(word) == it->end - it->start &&
           memcmp(c->text + it->start, word, it->end - it->start) == 0;
}

static bool is_one_of(const ww_host_code *c, ptrdiff_t t, const char *const *words)
{
    for (; *words; words++)
        if (is_word(c, t, *words))
            return true;
    return false;
}

static const char *const class_keys[] = {"struct", "class", "union", "enum", NULL};
static const char *const attribute_keys[] = {"__attribute__", "__declspec", "alignas", NULL};

/* ---- statements: what stands between semicolons and braces at one depth ---- */

/* The token that stands for t directly inside of bracket `in`. */
static ptrdiff_t at_depth(const ww_host_code *c, ptrdiff_t t, ptrdiff_t in)
{
    while (c->tokens.items[t].around != in)
        t = c->tokens.items[t].around;
    return t;
}

static bool ends_before(const ww_host_code *c, ptrdiff_t t)
{
    static const char *const access[] = {"public", "private", "protected", NULL};
    return first(c, t - 1) == ';' || first(c, t - 1) == '}' ||
           (t > 1 && first(c, t - 1) == ':' && is_one_of(c, t - 2, access));
}

static ptrdiff_t first_of_statement(const ww_host_code *c, ptrdiff_t t)
{
    ptrdiff_t in = c->tokens.items[t].around;
    while (t - 1 > in && !ends_before(c, t)) {
        t--;
        if (strchr(")]", first(c, t)) && c->tokens.items[t].match != NONE)
            t = c->tokens.items[t].match;
    }
    return t;
}

static bool has_class_key(const ww_host_code *c, ptrdiff_t from, ptrdiff_t to)
{
    for (; from < to; from++)
        if (is_one_of(c, from, class_keys))
            return true;
    return false;
}

/* Whether a statement continues after the closing brace `t`: a class up to its semicolon, an
 * initialiser up to the end of its declaration. */
static bool continues(const ww_host_code *c, ptrdiff_t start, ptrdiff_t open, ptrdiff_t t)
{
    if (t + 1 >= (ptrdiff_t)c->tokens.count || first(c, t + 1) == '}')
        return false;
    if (strchr(";,=.)(", first(c, t + 1)) || first(c, open - 1) == '=')
        return true;
    return has_class_key(c, start, open) && first(c, open - 1) != ')';
}

static ptrdiff_t last_of_statement(const ww_host_code *c, ptrdiff_t start)
{
    ptrdiff_t count = (ptrdiff_t)c->tokens.count;
    for (ptrdiff_t t = start; t < count; t++) {
        ptrdiff_t open = t;
        if (first(c, t) == ';')
            return t;
        if (strchr(")]}", first(c, t)))
            return t > start ? t - 1 : t;
        if (strchr("([{", first(c, t)))
            t = c->tokens.items[t].match == NONE ? count - 1 : c->tokens.items[t].match;
        if (first(c, open) == '{' && !continues(c, start, open, t))
            return t;
    }
    return count - 1;
}

/* ---- what encloses an offset ---- */

typedef enum kind { SCOPE, CLASS, HOST_FUNCTION, DEVICE, OTHER } kind;

static bool is_device_attribute(const ww_host_code *c, ptrdiff_t t)
{
    static const char *const marks[] = {"device",     "global",     "constant", "shared",
                                        "__device__", "__global__", NULL};
    if (!is_word(c, t, "__attribute__") || t + 1 >= (ptrdiff_t)c->tokens.count)
        return false;
    ptrdiff_t end = c->tokens.items[t + 1].match;
    for (ptrdiff_t i = t + 2; i < end; i++)
        if (is_one_of(c, i, marks))
            return true;
    return false;
}

/* The tokens before a brace, or all of a declaration. */
static kind kind_of(const ww_host_code *c, ptrdiff_t from, ptrdiff_t to)
{
    bool call = false, class_key = false;
    for (ptrdiff_t t = from; t < to; t++) {
        if (is_device_attribute(c, t))
            return DEVICE;
        class_key |= is_one_of(c, t, class_keys);
        if (is_one_of(c, t, attribute_keys) && t + 1 < to && first(c, t + 1) == '(')
            t++;
        else
            call |= first(c, t) == '(';
        if (strchr("([{", first(c, t)) && c->tokens.items[t].match != NONE)
            t = c->tokens.items[t].match;
    }
    bool linkage = to - from == 2 && is_word(c, from, "extern") && first(c, from + 1) == '"';
    if (linkage || (from < to && is_word(c, from, "namespace")) ||
        (to - from > 1 && is_word(c, from, "inline") && is_word(c, from + 1, "namespace")))
        return SCOPE;
    return call ? HOST_FUNCTION : class_key ? CLASS : OTHER;
}

typedef struct surroundings {
    kind kind;       /* DEVICE, HOST_FUNCTION, or OTHER: a declaration */
    ptrdiff_t in;    /* the brace of the scope or class that it is in, or NONE */
    ptrdiff_t start; /* of the function or declaration */
    ptrdiff_t body;  /* the brace of a function whose body holds the offset, or NONE */
    bool in_class;
} surroundings;

/* Whether the innermost braces around t, up to `body`, have a lambda for the device among them. */
static bool is_in_device_lambda(const ww_host_code *c, ptrdiff_t t, ptrdiff_t body)
{
    for (t = c->tokens.items[t].around; t != body; t = c->tokens.items[t].around)
        if (first(c, t) == '{' && kind_of(c, first_of_statement(c, t), t) == DEVICE)
            return true;
    return false;
}

static surroundings surroundings_of(const ww_host_code *c, ptrdiff_t t)
{
    surroundings s = {.kind = OTHER, .in = NONE, .body = NONE};
    for (;;) {
        ptrdiff_t top = at_depth(c, t, s.in);
        s.start = first_of_statement(c, top);
        bool braced = top != t && first(c, top) == '{';
        kind found = kind_of(c, s.start, braced ? top : last_of_statement(c, s.start) + 1);
        if (braced && (found == SCOPE || found == CLASS)) {
            s.in_class = found == CLASS;
            s.in = top;
            continue;
        }
        s.kind = found;
        s.body = braced && found == HOST_FUNCTION ? top : NONE;
        if (s.body != NONE && is_in_device_lambda(c, t, s.body))
            s.kind = DEVICE;
        return s;
    }
}

/* The last token that starts at or before an offset; for a closing bracket the opening one. */
static ptrdiff_t token_at(const ww_host_code *c, size_t offset)
{
    ptrdiff_t low = 0, high = (ptrdiff_t)c->tokens.count;
    while (low < high) {
        ptrdiff_t middle = (low + high) / 2;
        if (c->tokens.items[middle].start <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    bool closing = low > 0 && strchr(")]}", first(c, low - 1));
    return closing && c->tokens.items[low - 1].match != NONE ? c->tokens.items[low - 1].match
                                                             : low - 1;
}

bool ww_host_code_is_device(const ww_host_code *c, size_t offset)
{
    ptrdiff_t t = token_at(c, offset);
    return t >= 0 && surroundings_of(c, t).kind == DEVICE;
}

/* ---- removal ---- */

static bool blank(ww_host_code *c, ptrdiff_t from, ptrdiff_t to)
{
    for (size_t at = c->tokens.items[from].start; at < c->tokens.items[to].end; at++)
        if (c->text[at] == '#' && (at == 0 || c->text[at - 1] == '\n'))
            at += ww_line_length(c->text + at);
        else if (c->text[at] != '\n')
            c->text[at] = ' ';
    return true;
}

static bool remove_item(ww_host_code *c, ptrdiff_t start)
{
    return blank(c, start, last_of_statement(c, start));
}

/* The statement around t in the innermost braces. */
static bool remove_statement(ww_host_code *c, ptrdiff_t t, const surroundings *s)
{
    ptrdiff_t in = c->tokens.items[t].around;
    while (in != s->body && first(c, in) != '{')
        in = c->tokens.items[in].around;
    return remove_item(c, first_of_statement(c, at_depth(c, t, in)));
}

bool ww_host_code_remove(ww_host_code *c, size_t offset, bool whole)
{
    ptrdiff_t t = token_at(c, offset);
    if (t < 0)
        return false;
    if (c->text[c->tokens.items[t].start] == ' ')
        return true; /* already blanked */
    surroundings s = surroundings_of(c, t);
    if (s.kind == DEVICE)
        return false;
    if (s.kind == HOST_FUNCTION && s.body != NONE && !whole)
        return remove_statement(c, t, &s);
    bool removable = s.kind == HOST_FUNCTION && !is_word(c, s.start, "virtual");
    if (s.in_class && !removable)
        return remove_item(c, first_of_statement(c, s.in));
    return remove_item(c, s.start);
}
