#include "base/memory.h"
#include "base/text.h"
#include "config/yaml.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char *const kind_names[] = {"a single value", "a sequence", "a mapping"};

const ww_yaml *ww_yaml_get(const ww_yaml *mapping, const char *key)
{
    if (mapping->kind != WW_YAML_MAPPING)
        return NULL;
    for (size_t i = 0; i < mapping->count; i++)
        if (strcmp(mapping->keys[i]->text, key) == 0)
            return mapping->items[i];
    return NULL;
}

int ww_yaml_need(const ww_yaml *mapping, const char *key, const ww_yaml **item, ww_errors *errors)
{
    const ww_yaml *found = ww_yaml_get(mapping, key);
    if (!found)
        return ww_fail(errors, WW_BAD_INPUT, mapping->at, "'%s' is missing", key);
    *item = found;
    return WW_OK;
}

int ww_yaml_expect(const ww_yaml *node, ww_yaml_kind kind, const char *what, ww_errors *errors)
{
    if (node->kind == kind)
        return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT, node->at, "%s is %s (%s is needed)", what,
                   kind_names[node->kind], kind_names[kind]);
}

/* "a, b, c" in new memory, at most about 400 characters. */
static char *join_names(const char *const *names, size_t count)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        ww_out_of_memory(sizeof(FILE));
    for (size_t i = 0; i < count && ftell(out) < 400; i++)
        fprintf(out, "%s%s", i ? ", " : "", names[i]);
    fclose(out);
    return text;
}

/* Ends a message that began with "unknown key 'x'" or "'fill' is 'x'". */
static int fail_unknown(const ww_yaml *node, const char *start, const char *const *names,
                        size_t count, ww_errors *errors)
{
    const char *near = ww_errors_full(errors) ? "" : ww_nearest(node->text, names, count);
    if (near)
        return ww_fail(errors, WW_BAD_INPUT, node->at, "%s '%.60s' (did you mean '%s'?)", start,
                       node->text, near);
    char *choices = join_names(names, count);
    ww_fail(errors, WW_BAD_INPUT, node->at, "%s '%.60s' (one of: %s)", start, node->text, choices);
    free(choices);
    return WW_BAD_INPUT;
}

static bool find_name(const char *word, const char *const *names, size_t count, size_t *index)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(word, names[i]) == 0) {
            *index = i;
            return true;
        }
    return false;
}

int ww_yaml_expect_keys(const ww_yaml *mapping, const char *const *names, size_t count,
                        ww_errors *errors)
{
    int status = WW_OK;
    size_t index;
    for (size_t i = 0; i < mapping->count; i++)
        if (!find_name(mapping->keys[i]->text, names, count, &index))
            status |= fail_unknown(mapping->keys[i], "unknown key", names, count, errors);
    return status;
}

int ww_yaml_text(const ww_yaml *node, const char *what, const char **value, ww_errors *errors)
{
    int status = ww_yaml_expect(node, WW_YAML_SCALAR, what, errors);
    if (!status)
        *value = node->text;
    return status;
}

static bool is_plain(const ww_yaml *node)
{
    return node->kind == WW_YAML_SCALAR && !node->quoted;
}

/* "'count' is 'ten' (a whole number is needed)"; quotes are shown when the file has them. */
static int fail_type(const ww_yaml *node, const char *what, const char *needed, ww_errors *errors)
{
    if (node->kind != WW_YAML_SCALAR)
        return ww_fail(errors, WW_BAD_INPUT, node->at, "%s is %s (%s is needed)", what,
                       kind_names[node->kind], needed);
    return ww_fail(errors, WW_BAD_INPUT, node->at, "%s is %s'%.60s' (%s is needed)", what,
                   node->quoted ? "the text " : "", node->text, needed);
}

int ww_yaml_bool(const ww_yaml *node, const char *what, bool *value, ww_errors *errors)
{
    if (is_plain(node) && strcmp(node->text, "true") == 0)
        *value = true;
    else if (is_plain(node) && strcmp(node->text, "false") == 0)
        *value = false;
    else
        return fail_type(node, what, "true or false", errors);
    return WW_OK;
}

int ww_yaml_u64(const ww_yaml *node, const char *what, uint64_t min, uint64_t max, uint64_t *value,
                ww_errors *errors)
{
    uint64_t number;
    char needed[80];
    bool parsed = is_plain(node) && ww_parse_u64(node->text, &number);
    if (parsed && number >= min && number <= max) {
        *value = number;
        return WW_OK;
    }
    if (max == UINT64_MAX)
        snprintf(needed, sizeof(needed), "a whole number from %" PRIu64, min);
    else
        snprintf(needed, sizeof(needed), "a whole number from %" PRIu64 " to %" PRIu64, min, max);
    return fail_type(node, what, needed, errors);
}

int ww_yaml_i64(const ww_yaml *node, const char *what, int64_t min, int64_t max, int64_t *value,
                ww_errors *errors)
{
    int64_t number;
    char needed[80];
    bool parsed = is_plain(node) && ww_parse_i64(node->text, &number);
    if (parsed && number >= min && number <= max) {
        *value = number;
        return WW_OK;
    }
    snprintf(needed, sizeof(needed), "a whole number from %" PRId64 " to %" PRId64, min, max);
    return fail_type(node, what, needed, errors);
}

/* YAML writes the values that have no digits as .inf, -.inf and .nan; C's spellings pass too. */
static bool parse_yaml_double(const char *text, double *value)
{
    const char *unsigned_text = text + (text[0] == '-' || text[0] == '+');
    if (strcmp(unsigned_text, ".inf") == 0)
        *value = text[0] == '-' ? -INFINITY : INFINITY;
    else if (strcmp(text, ".nan") == 0)
        *value = NAN;
    else
        return ww_parse_double(text, value);
    return true;
}

int ww_yaml_double(const ww_yaml *node, const char *what, double *value, ww_errors *errors)
{
    double number;
    if (!is_plain(node) || !parse_yaml_double(node->text, &number))
        return fail_type(node, what, "a number", errors);
    *value = number;
    return WW_OK;
}

int ww_yaml_choice(const ww_yaml *node, const char *what, const char *const *names, size_t count,
                   size_t *index, ww_errors *errors)
{
    int status = ww_yaml_expect(node, WW_YAML_SCALAR, what, errors);
    if (status)
        return status;
    if (find_name(node->text, names, count, index))
        return WW_OK;
    char start[80];
    snprintf(start, sizeof(start), "%s is", what);
    return fail_unknown(node, start, names, count, errors);
}
