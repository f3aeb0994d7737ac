/* Parameters of a launch file, and expressions in the place of numbers: the file as it is read when they are known. */
#include "host/launch_parts.h"

#include "base/expression.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

#define KEY_PREFIX "config."

/* While values are computed. */
typedef struct evaluation {
    ww_launch_file *file;
    const ww_config *config;
    ww_errors *errors;
    bool failed; /* in the expression at hand; it was said */
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

static double read_key(evaluation *e, const ww_expression *name, const char *key)
{
    double number = NAN;
    if (e->config && ww_config_number(e->config, key, &number))
        return number;
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
                "brackets in a launch file (it is about one run)");
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

static bool is_expression(const ww_yaml *node)
{
    return node->kind == WW_YAML_SCALAR && node->text[0] == '=';
}

/* What follows the '=' of a scalar. */
static int evaluate(evaluation *e, const ww_yaml *node, double *value)
{
    ww_where at = node->at;
    at.col += node->quoted + 1;
    const ww_expression *expression =
        ww_expression_parse(node->text + 1, at, e->file->arena, e->errors);
    if (!expression)
        return WW_BAD_INPUT;
    e->failed = false;
    *value = ww_expression_evaluate(expression, read_name, e);
    if (e->failed)
        return WW_BAD_INPUT;
    if (!isfinite(*value))
        return ww_fail(e->errors, WW_BAD_INPUT, at, "the expression has no value");
    return WW_OK;
}

/* ---- parameters ---- */

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
    parameter->value = (double)value;
    return WW_OK;
}

static int read_given(ww_launch_file *file, const char *size, ww_errors *errors)
{
    int status = WW_OK;
    char *text = ww_arena_strdup(file->arena, size), *rest = text, *item;
    while ((item = strsep(&rest, ",")))
        status |= set_given(file, item, errors);
    return status;
}

/* In the order of the file: an expression may use what is above it. */
static int compute_parameter(evaluation *e, const ww_yaml *item, ww_launch_parameter *parameter)
{
    double value = 0;
    int status = is_expression(item) ? evaluate(e, item, &value)
                                     : ww_yaml_double(item, "a parameter", &value, e->errors);
    if (!status && !parameter->given)
        parameter->value = value;
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

/* ---- the file with numbers in the place of expressions ---- */

static bool has_expression(const ww_yaml *node)
{
    for (size_t i = 0; node->kind != WW_YAML_SCALAR && i < node->count; i++)
        if (has_expression(node->items[i]))
            return true;
    return is_expression(node);
}

static const ww_yaml *replace(evaluation *e, const ww_yaml *node, int *status);

static const ww_yaml *replace_scalar(evaluation *e, const ww_yaml *node, int *status)
{
    double value = 0;
    ww_yaml *number = ww_arena_alloc(e->file->arena, 1, sizeof(*number));
    *status |= evaluate(e, node, &value);
    *number = (ww_yaml){.kind = WW_YAML_SCALAR, .at = node->at};
    number->text = ww_arena_printf(e->file->arena, value == floor(value) ? "%.0f" : "%.17g", value);
    return number;
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
