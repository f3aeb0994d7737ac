/* Parameters of a launch file. Expressions are replaced by their values before the rest of the file
 * is read. */
#include "host/launch_internal.h"

#include "base/expression.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define KEY_PREFIX "config."

/* While values are computed. */
typedef struct evaluation {
    ww_launch_file *file;
    const ww_config *config;
    ww_errors *errors;
    bool failed; /* in the current expression; the error is reported */
} evaluation;

static const ww_launch_parameter *find(const ww_launch_file *file, const char *name)
{
    for (size_t i = 0; i < file->parameters.count; i++)
        if (strcmp(file->parameters.items[i].name, name) == 0)
            return &file->parameters.items[i];
    return NULL;
}

/* The names of the parameters that are known so far, to be freed. */
static const char **names_of(const ww_launch_file *file)
{
    const char **names = ww_calloc(file->parameters.count + 1, sizeof(*names));
    for (size_t i = 0; i < file->parameters.count; i++)
        names[i] = file->parameters.items[i].name;
    return names;
}

/* ---- expressions ---- */

/* A value: whole numbers are exact, which doubles of more than 53 bits are not. */
typedef struct number {
    double value;
    bool is_whole;
    ww_whole whole; /* from INT64_MIN to UINT64_MAX */
} number;

static double read_key(evaluation *e, const ww_expression *name, const char *key)
{
    double value = NAN;
    if (e->config && ww_config_number(e->config, key, &value))
        return value;
    e->failed = true;
    if (e->config && ww_config_find(e->config, key))
        ww_fail(e->errors, WW_BAD_INPUT, name->at, "key '%.60s' is not a number", key);
    else
        ww_fail(e->errors, WW_BAD_INPUT, name->at,
                "unknown key '%.60s' ('warpwalk list keys' shows them)", key);
    return NAN;
}

static double read_name(void *context, const ww_expression *name)
{
    evaluation *e = context;
    const ww_launch_parameter *parameter = find(e->file, name->name);
    if (name->elsewhere_count) {
        e->failed = true;
        ww_fail(e->errors, WW_BAD_INPUT, name->elsewhere[0].at,
                "brackets in a launch file (it describes one run)");
        return NAN;
    }
    if (parameter)
        return parameter->value;
    if (strncmp(name->name, KEY_PREFIX, strlen(KEY_PREFIX)) == 0)
        return read_key(e, name, name->name + strlen(KEY_PREFIX));
    const char **names = names_of(e->file);
    const char *near = ww_nearest(name->name, names, e->file->parameters.count);
    e->failed = true;
    ww_fail(e->errors, WW_BAD_INPUT, name->at, "unknown parameter '%.60s' (%s%s%s)", name->name,
            near ? "did you mean '" : "one from above, or config.KEY", near ? near : "",
            near ? "'?" : "");
    free(names);
    return NAN;
}

/* After read_name, which has found it. */
static bool read_whole(void *context, const ww_expression *name, ww_whole *value)
{
    const evaluation *e = context;
    const ww_launch_parameter *parameter = find(e->file, name->name);
    uint64_t count = 0;
    if (parameter) {
        *value = parameter->whole;
        return parameter->is_whole;
    }
    bool whole = ww_config_whole(e->config, name->name + strlen(KEY_PREFIX), &count);
    *value = count;
    return whole;
}

static bool is_expression(const ww_yaml *node)
{
    return node->kind == WW_YAML_SCALAR && node->text[0] == '=';
}

/* What follows the '=' of a scalar. */
static int evaluate(evaluation *e, const ww_yaml *node, number *result)
{
    ww_where at = node->at;
    at.col += node->quoted + 1;
    const ww_expression *expression =
        ww_expression_parse(node->text + 1, at, e->file->arena, e->errors);
    if (!expression)
        return WW_BAD_INPUT;
    e->failed = false;
    result->value = ww_expression_evaluate(expression, read_name, e);
    if (e->failed)
        return WW_BAD_INPUT;
    if (!isfinite(result->value))
        return ww_fail(e->errors, WW_BAD_INPUT, at, "the expression has no value");
    result->is_whole = ww_expression_evaluate_whole(expression, read_whole, e, &result->whole) &&
                       result->whole >= INT64_MIN && result->whole <= UINT64_MAX;
    return WW_OK;
}

/* ---- parameters ---- */

/* The result shows it in JSON, which has signed 64-bit integers here. */
static int set_parameter(ww_launch_parameter *parameter, const number *n, ww_where at,
                         ww_errors *errors)
{
    if (n->is_whole && n->whole > INT64_MAX)
        return ww_fail(errors, WW_BAD_INPUT, at,
                       "parameter '%s' is %" PRIu64 " (at most %" PRId64
                       "; an argument such as {u64: ...} can have more)",
                       parameter->name, (uint64_t)n->whole, INT64_MAX);
    parameter->value = n->value;
    parameter->is_whole = n->is_whole;
    parameter->whole = n->is_whole ? (int64_t)n->whole : 0;
    return WW_OK;
}

/* "rounds=4" of --size. */
static int set_given(ww_launch_file *file, char *item, ww_errors *errors)
{
    char *equals = strchr(item, '=');
    uint64_t value;
    if (!equals)
        return ww_fail(
            errors, WW_BAD_INPUT, WW_NOWHERE,
            "--size: '%.60s' (a launch file has no named sizes: PARAMETER=VALUE is needed)", item);
    *equals = 0;
    const ww_launch_parameter *found = find(file, item);
    if (!found) {
        const char **names = names_of(file);
        const char *near = ww_nearest(item, names, file->parameters.count);
        ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                "--size: the launch file has no parameter '%.60s'%s%s%s", item,
                near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
        free(names);
        return WW_BAD_INPUT;
    }
    ww_launch_parameter *parameter = &file->parameters.items[found - file->parameters.items];
    if (!ww_parse_u64(equals + 1, &value))
        return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                       "--size: %s is '%.60s' (a whole number is needed)", item, equals + 1);
    if (parameter->given)
        return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE, "--size: %s is given twice", item);
    parameter->given = true;
    number n = {.value = (double)value, .is_whole = true, .whole = value};
    return set_parameter(parameter, &n, (ww_where){"--size", 0, 0}, errors);
}

static int read_given(ww_launch_file *file, const char *size, ww_errors *errors)
{
    int status = WW_OK;
    char *text = ww_arena_strdup(file->arena, size), *rest = text, *item;
    while ((item = strsep(&rest, ",")))
        status |= set_given(file, item, errors);
    return status;
}

/* A plain number. If it consists of digits only, it must be exact. */
static int read_plain(const ww_yaml *item, number *n, ww_errors *errors)
{
    int64_t negative;
    uint64_t positive;
    int status = ww_yaml_double(item, "a parameter", &n->value, errors);
    if (status)
        return status;
    n->is_whole = true;
    if (ww_parse_u64(item->text, &positive))
        n->whole = positive;
    else if (ww_parse_i64(item->text, &negative))
        n->whole = negative;
    else
        n->is_whole = false;
    const char *digits = item->text + (item->text[0] == '-');
    if (!n->is_whole && digits[strspn(digits, "0123456789")] == 0)
        return ww_fail(
            errors, WW_BAD_INPUT, item->at,
            "a parameter is '%.60s' (a whole number of 64 bits, or such as 1e20, is needed)",
            item->text);
    return WW_OK;
}

/* In the order of the file: an expression may use what is above it. */
static int compute_parameter(evaluation *e, const ww_yaml *item, ww_launch_parameter *parameter)
{
    number n = {0};
    int status = is_expression(item) ? evaluate(e, item, &n) : read_plain(item, &n, e->errors);
    if (!status && !parameter->given)
        status = set_parameter(parameter, &n, item->at, e->errors);
    return status;
}

static int read_parameters(evaluation *e, const ww_yaml *root, const char *size)
{
    const ww_yaml *node = ww_yaml_get(root, "parameters");
    ww_launch_file *file = e->file;
    if (node && ww_yaml_expect(node, WW_YAML_MAPPING, "'parameters'", e->errors))
        return WW_BAD_INPUT;
    size_t count = node ? node->count : 0;
    for (size_t i = 0; i < count; i++)
        ww_vec_push(&file->parameters, ((ww_launch_parameter){.name = node->keys[i]->text}));
    int status = size ? read_given(file, size, e->errors) : WW_OK;
    for (size_t i = 0; i < count; i++) {
        file->parameters.count = i; /* those below are not known yet */
        status |= compute_parameter(e, node->items[i], &file->parameters.items[i]);
    }
    file->parameters.count = count;
    return status;
}

/* ---- replacing expressions ---- */

static bool has_expression(const ww_yaml *node)
{
    for (size_t i = 0; node->kind != WW_YAML_SCALAR && i < node->count; i++)
        if (has_expression(node->items[i]))
            return true;
    return is_expression(node);
}

static const ww_yaml *replace(evaluation *e, const ww_yaml *node, int *status);

/* A large number that may have been rounded is written with an exponent, so that it is refused
 * where a whole number is needed. */
static const char *text_of(const number *n, ww_arena *arena)
{
    bool is_large = fabs(n->value) >= 0x1p53;
    if (n->is_whole && n->whole < 0)
        return ww_arena_printf(arena, "%" PRId64, (int64_t)n->whole);
    if (n->is_whole)
        return ww_arena_printf(arena, "%" PRIu64, (uint64_t)n->whole);
    return ww_arena_printf(arena,
                           is_large                      ? "%.16e"
                           : n->value == floor(n->value) ? "%.0f"
                                                         : "%.17g",
                           n->value);
}

static const ww_yaml *replace_scalar(evaluation *e, const ww_yaml *node, int *status)
{
    number n = {0};
    ww_yaml *scalar = ww_arena_alloc(e->file->arena, 1, sizeof(*scalar));
    *status |= evaluate(e, node, &n);
    *scalar = (ww_yaml){.kind = WW_YAML_SCALAR, .at = node->at};
    scalar->text = text_of(&n, e->file->arena);
    return scalar;
}

static const ww_yaml *replace(evaluation *e, const ww_yaml *node, int *status)
{
    if (is_expression(node))
        return replace_scalar(e, node, status);
    if (node->kind == WW_YAML_SCALAR || !has_expression(node))
        return node;
    ww_yaml *copy = ww_arena_alloc(e->file->arena, 1, sizeof(*copy));
    const ww_yaml **items = ww_arena_alloc(e->file->arena, node->count, sizeof(*items));
    *copy = *node;
    copy->items = items;
    for (size_t i = 0; i < node->count; i++)
        items[i] = replace(e, node->items[i], status);
    return copy;
}

int ww_launch_evaluate(ww_launch_file *file, const ww_yaml **root, const char *size,
                       const ww_config *config, ww_errors *errors)
{
    evaluation e = {.file = file, .config = config, .errors = errors};
    int status = read_parameters(&e, *root, size);
    file->has_expressions = has_expression(*root);
    if (!status && file->has_expressions)
        *root = replace(&e, *root, &status);
    return status;
}
