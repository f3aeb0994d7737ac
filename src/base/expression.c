#include "base/expression.h"

#include "base/text.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#define MOST_DEPTH 64
#define MOST_CHARACTERS 2000

typedef struct parser {
    const char *text;
    size_t next;
    ww_where at; /* of the text */
    ww_arena *arena;
    ww_errors *errors;
    int depth;
} parser;

static const ww_expression *parse_sum(parser *p);
static const ww_expression *parse_part(parser *p);

static ww_where here(const parser *p)
{
    ww_where at = p->at;
    at.col += (int)p->next;
    return at;
}

static char peek(parser *p)
{
    while (isspace((unsigned char)p->text[p->next]))
        p->next++;
    return p->text[p->next];
}

static bool take(parser *p, char c)
{
    if (peek(p) != c)
        return false;
    p->next++;
    return true;
}

static const ww_expression *refuse(parser *p, const char *needed)
{
    char c = peek(p);
    if (c)
        ww_fail(p->errors, WW_BAD_INPUT, here(p), "'%c' in an expression (%s is needed)", c,
                needed);
    else
        ww_fail(p->errors, WW_BAD_INPUT, here(p), "the expression ends here (%s is needed)",
                needed);
    return NULL;
}

static ww_expression *new_node(parser *p, ww_expression_kind kind)
{
    ww_expression *node = ww_arena_alloc(p->arena, 1, sizeof(*node));
    node->kind = kind;
    node->at = here(p);
    return node;
}

static const ww_expression *binary(parser *p, ww_expression_kind kind, const ww_expression *left,
                                   const ww_expression *right)
{
    if (!left || !right)
        return NULL;
    ww_expression *node = new_node(p, kind);
    node->left = left;
    node->right = right;
    return node;
}

/* The characters up to one of `ends`, without blanks around them. */
static const char *take_until(parser *p, const char *ends)
{
    peek(p);
    size_t start = p->next, length = strcspn(p->text + start, ends);
    p->next += length;
    while (length && isspace((unsigned char)p->text[start + length - 1]))
        length--;
    return ww_arena_strndup(p->arena, p->text + start, length);
}

/* variant=rr, tlb=512] */
static bool parse_elsewhere(parser *p, ww_expression *name)
{
    WW_VEC(ww_elsewhere) all = {0};
    bool good = true;
    do {
        peek(p);
        ww_elsewhere one = {.coordinate = "variant", .at = here(p)};
        one.label = take_until(p, "=,]");
        if (take(p, '=')) {
            one.coordinate = one.label;
            one.label = take_until(p, ",]");
        }
        good = one.coordinate[0] && one.label[0];
        ww_vec_push(&all, one);
    } while (good && take(p, ','));
    ww_elsewhere *kept = ww_arena_alloc(p->arena, all.count, sizeof(*kept));
    memcpy(kept, all.items, all.count * sizeof(*kept));
    name->elsewhere = kept;
    name->elsewhere_count = all.count;
    ww_vec_free(&all);
    if (!good || !take(p, ']'))
        return refuse(p, "a variant or COORDINATE=VALUE, and ']'") != NULL;
    return true;
}

static const struct function {
    const char *name;
    ww_expression_kind kind;
    bool pair;
} functions[] = {
    {"min", WW_EXPRESSION_LEAST, true},
    {"max", WW_EXPRESSION_MOST, true},
    {"ceil", WW_EXPRESSION_UP, false},
    {"floor", WW_EXPRESSION_DOWN, false},
    {"power_of_two", WW_EXPRESSION_POWER, false},
};

/* What follows "min(". */
static const ww_expression *parse_call(parser *p, const struct function *function)
{
    const ww_expression *left = parse_sum(p), *right = NULL;
    if (left && function->pair) {
        if (!take(p, ','))
            return refuse(p, "','");
        right = parse_sum(p);
    }
    if (!left || (function->pair && !right))
        return NULL;
    if (!take(p, ')'))
        return refuse(p, "')'");
    ww_expression *node = new_node(p, function->kind);
    node->left = left;
    node->right = right;
    return node;
}

static const ww_expression *parse_name(parser *p)
{
    ww_expression *node = new_node(p, WW_EXPRESSION_NAME);
    size_t start = p->next;
    while (isalnum((unsigned char)p->text[p->next]) || p->text[p->next] == '_' ||
           p->text[p->next] == '.')
        p->next++;
    node->name = ww_arena_strndup(p->arena, p->text + start, p->next - start);
    if (take(p, '(')) {
        for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
            if (strcmp(functions[i].name, node->name) == 0)
                return parse_call(p, &functions[i]);
        ww_fail(p->errors, WW_BAD_INPUT, node->at,
                "unknown function '%.60s' (min, max, ceil, floor or power_of_two)", node->name);
        return NULL;
    }
    if (take(p, '[') && !parse_elsewhere(p, node))
        return NULL;
    return node;
}

static const ww_expression *parse_number(parser *p)
{
    ww_expression *node = new_node(p, WW_EXPRESSION_NUMBER);
    size_t length = strspn(p->text + p->next, "0123456789.");
    if (strchr("eE", p->text[p->next + length]) && p->text[p->next + length]) {
        length++;
        length += strspn(p->text + p->next + length, "+-") != 0;
        length += strspn(p->text + p->next + length, "0123456789");
    }
    char *digits = ww_arena_strndup(p->arena, p->text + p->next, length);
    if (!ww_parse_double(digits, &node->number))
        return refuse(p, "a number");
    node->is_real = !ww_parse_u64(digits, &node->whole);
    p->next += length;
    return node;
}

static const ww_expression *parse_operand(parser *p)
{
    char c = peek(p);
    if (isdigit((unsigned char)c) || c == '.')
        return parse_number(p);
    if (isalpha((unsigned char)c) || c == '_')
        return parse_name(p);
    if (take(p, '-'))
        return binary(p, WW_EXPRESSION_SUBTRACT, new_node(p, WW_EXPRESSION_NUMBER), parse_part(p));
    if (!take(p, '('))
        return refuse(p, "a name, a number or '('");
    const ww_expression *inner = parse_sum(p);
    if (inner && !take(p, ')'))
        return refuse(p, "')'");
    return inner;
}

static const ww_expression *parse_part(parser *p)
{
    if (p->depth == MOST_DEPTH)
        return refuse(p, "an expression that is nested less deeply");
    p->depth++;
    const ww_expression *operand = parse_operand(p);
    p->depth--;
    return operand;
}

static const ww_expression *parse_product(parser *p)
{
    const ww_expression *left = parse_part(p);
    while (left && (peek(p) == '*' || peek(p) == '/')) {
        bool times = take(p, '*');
        if (!times)
            take(p, '/');
        left =
            binary(p, times ? WW_EXPRESSION_MULTIPLY : WW_EXPRESSION_DIVIDE, left, parse_part(p));
    }
    return left;
}

static const ww_expression *parse_sum(parser *p)
{
    const ww_expression *left = parse_product(p);
    while (left && (peek(p) == '+' || peek(p) == '-')) {
        bool plus = take(p, '+');
        if (!plus)
            take(p, '-');
        left = binary(p, plus ? WW_EXPRESSION_ADD : WW_EXPRESSION_SUBTRACT, left, parse_product(p));
    }
    return left;
}

const ww_expression *ww_expression_parse(const char *text, ww_where at, ww_arena *arena,
                                         ww_errors *errors)
{
    if (strlen(text) > MOST_CHARACTERS) {
        ww_fail(errors, WW_BAD_INPUT, at, "the expression has more than %d characters",
                MOST_CHARACTERS);
        return NULL;
    }
    parser p = {.text = text, .at = at, .arena = arena, .errors = errors};
    const ww_expression *expression = parse_sum(&p);
    if (expression && peek(&p))
        return refuse(&p, "an operator");
    return expression;
}

void ww_expression_visit(const ww_expression *e,
                         void (*visit)(void *context, const ww_expression *name), void *context)
{
    if (e->kind == WW_EXPRESSION_NAME)
        visit(context, e);
    if (e->left)
        ww_expression_visit(e->left, visit, context);
    if (e->right)
        ww_expression_visit(e->right, visit, context);
}

static double power_of_two(double least)
{
    double power = 1;
    while (power < least && isfinite(least))
        power *= 2;
    return isfinite(least) ? power : NAN;
}

double ww_expression_evaluate(const ww_expression *e,
                              double (*read)(void *context, const ww_expression *name),
                              void *context)
{
    double left = e->left ? ww_expression_evaluate(e->left, read, context) : 0;
    double right = e->right ? ww_expression_evaluate(e->right, read, context) : 0;
    if (isnan(left) || isnan(right))
        return NAN;
    switch (e->kind) {
    case WW_EXPRESSION_NUMBER: return e->number;
    case WW_EXPRESSION_NAME: return read(context, e);
    case WW_EXPRESSION_ADD: return left + right;
    case WW_EXPRESSION_SUBTRACT: return left - right;
    case WW_EXPRESSION_MULTIPLY: return left * right;
    case WW_EXPRESSION_DIVIDE: return right == 0 || isinf(right) ? NAN : left / right;
    case WW_EXPRESSION_LEAST: return left < right ? left : right;
    case WW_EXPRESSION_MOST: return left > right ? left : right;
    case WW_EXPRESSION_UP: return ceil(left);
    case WW_EXPRESSION_DOWN: return floor(left);
    case WW_EXPRESSION_POWER: return power_of_two(left);
    }
    return NAN;
}

static bool whole_power_of_two(ww_whole least, ww_whole *power)
{
    for (*power = 1; *power < least;)
        if (__builtin_mul_overflow(*power, 2, power))
            return false;
    return true;
}

static bool combine_whole(ww_expression_kind kind, ww_whole left, ww_whole right, ww_whole *value)
{
    switch (kind) {
    case WW_EXPRESSION_ADD: return !__builtin_add_overflow(left, right, value);
    case WW_EXPRESSION_SUBTRACT: return !__builtin_sub_overflow(left, right, value);
    case WW_EXPRESSION_MULTIPLY: return !__builtin_mul_overflow(left, right, value);
    case WW_EXPRESSION_DIVIDE:
        *value = right > 0 ? left / right : 0;
        return right > 0 && left % right == 0;
    case WW_EXPRESSION_LEAST: *value = left < right ? left : right; return true;
    case WW_EXPRESSION_MOST: *value = left > right ? left : right; return true;
    case WW_EXPRESSION_UP:
    case WW_EXPRESSION_DOWN: *value = left; return true;
    case WW_EXPRESSION_POWER: return whole_power_of_two(left, value);
    default: return false;
    }
}

bool ww_expression_evaluate_whole(const ww_expression *e,
                                  bool (*read)(void *context, const ww_expression *name,
                                               ww_whole *value),
                                  void *context, ww_whole *value)
{
    ww_whole left = 0, right = 0;
    if (e->kind == WW_EXPRESSION_NUMBER) {
        *value = e->whole;
        return !e->is_real;
    }
    if (e->kind == WW_EXPRESSION_NAME)
        return read(context, e, value);
    return ww_expression_evaluate_whole(e->left, read, context, &left) &&
           (!e->right || ww_expression_evaluate_whole(e->right, read, context, &right)) &&
           combine_whole(e->kind, left, right, value);
}
