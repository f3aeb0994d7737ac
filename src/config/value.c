#include "config/value.h"

#include "base/json.h"
#include "base/memory.h"
#include "base/text.h"
#include "config/policy.h"
#include "config/units.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool measure_of(ww_key_type type, ww_measure *measure)
{
    switch (type) {
    case WW_KEY_BYTES: *measure = WW_MEASURE_BYTES; return true;
    case WW_KEY_TIME: *measure = WW_MEASURE_TIME; return true;
    case WW_KEY_FREQUENCY: *measure = WW_MEASURE_FREQUENCY; return true;
    case WW_KEY_BANDWIDTH: *measure = WW_MEASURE_BANDWIDTH; return true;
    default: return false;
    }
}

static size_t choice_count(const ww_key *key)
{
    size_t count = 0;
    if (key->family)
        return key->family->count;
    while (key->choices && key->choices[count])
        count++;
    return count;
}

static const char *choice_name(const ww_key *key, size_t index)
{
    return key->family ? key->family->members[index]->name : key->choices[index];
}

static bool parse_choice(const ww_key *key, const char *text, ww_value *value)
{
    for (size_t i = 0; i < choice_count(key); i++)
        if (strcmp(choice_name(key, i), text) == 0) {
            *value = (ww_value){.number = i, .text = choice_name(key, i)};
            return true;
        }
    return false;
}

static bool parse_bool(const char *text, uint64_t *number)
{
    *number = strcmp(text, "true") == 0;
    return *number || strcmp(text, "false") == 0;
}

/* Checks the syntax only; the caller checks ranges. */
static bool parse_syntax(const ww_key *key, const char *text, ww_value *value)
{
    ww_measure measure;
    *value = (ww_value){0};
    if (key->infinite && strcmp(text, "infinite") == 0) {
        value->number = WW_INFINITE;
        return true;
    }
    if (measure_of(key->type, &measure))
        return ww_amount_parse(measure, text, &value->number);
    switch (key->type) {
    case WW_KEY_BOOL: return parse_bool(text, &value->number);
    case WW_KEY_U64: return ww_parse_u64(text, &value->number) && value->number <= INT64_MAX;
    case WW_KEY_DOUBLE: return ww_parse_double(text, &value->real) && isfinite(value->real);
    case WW_KEY_TEXT: value->text = text; return true;
    default: return parse_choice(key, text, value);
    }
}

static bool is_below(const ww_key *key, const ww_value *a, const ww_value *b)
{
    return key->type == WW_KEY_DOUBLE ? a->real < b->real : a->number < b->number;
}

static bool in_range(const ww_key *key, const ww_value *value)
{
    ww_value bound;
    if (key->infinite && value->number == WW_INFINITE)
        return true;
    if (key->min && parse_syntax(key, key->min, &bound) && is_below(key, value, &bound))
        return false;
    return !(key->max && parse_syntax(key, key->max, &bound) && is_below(key, &bound, value));
}

static bool is_right(const ww_key *key, const char *text)
{
    ww_value value;
    return parse_syntax(key, text, &value) && in_range(key, &value);
}

/* The choice that is near in spelling; NULL when none is, or for an amount such as 8KiB: then the
 * error lists all choices. */
static const char *nearest_choice(const ww_key *key, const char *text)
{
    size_t count = choice_count(key);
    const char **names = ww_calloc(count + 1, sizeof(*names));
    for (size_t i = 0; i < count; i++)
        names[i] = choice_name(key, i);
    const char *near =
        isdigit((unsigned char)text[0]) ? NULL : ww_nearest_within(text, 2, names, count);
    free(names);
    return near;
}

static int fail_value(const ww_key *key, const char *text, ww_where at, ww_errors *errors)
{
    char amount[WW_AMOUNT_CHARS];
    ww_measure measure;
    const char *near = nearest_choice(key, text);
    if (!near && measure_of(key->type, &measure) && ww_amount_near(measure, text, amount) &&
        is_right(key, amount))
        near = amount;
    if (near)
        return ww_fail(errors, WW_BAD_INPUT, at, "%s is '%.60s' (did you mean '%s'?)", key->key,
                       text, near);
    char *needs = ww_key_needs(key);
    ww_fail(errors, WW_BAD_INPUT, at, "%s is '%.60s' (%s is needed)", key->key, text, needs);
    free(needs);
    return WW_BAD_INPUT;
}

int ww_value_parse(const ww_key *key, const char *text, ww_where at, ww_value *value,
                   ww_errors *errors)
{
    ww_value parsed;
    if (!parse_syntax(key, text, &parsed) || !in_range(key, &parsed))
        return fail_value(key, text, at, errors);
    *value = parsed;
    return WW_OK;
}

char *ww_value_text(const ww_key *key, const ww_value *value)
{
    char text[WW_AMOUNT_CHARS > WW_DOUBLE_CHARS ? WW_AMOUNT_CHARS : WW_DOUBLE_CHARS];
    ww_measure measure;
    if (value->text)
        return ww_strdup(value->text);
    if (key->infinite && value->number == WW_INFINITE)
        return ww_strdup("infinite");
    if (measure_of(key->type, &measure))
        ww_amount_text(measure, value->number, text);
    else if (key->type == WW_KEY_DOUBLE)
        ww_double_text(value->real, text);
    else if (key->type == WW_KEY_BOOL)
        return ww_strdup(value->number ? "true" : "false");
    else
        snprintf(text, sizeof(text), "%" PRIu64, value->number);
    return ww_strdup(text);
}

json_t *ww_value_json(const ww_key *key, const ww_value *value)
{
    if (key->type == WW_KEY_BOOL)
        return json_boolean(value->number);
    if (key->type == WW_KEY_DOUBLE)
        return ww_json_real(value->real);
    if (key->type == WW_KEY_U64 && !(key->infinite && value->number == WW_INFINITE))
        return json_integer((json_int_t)value->number);
    char *text = ww_value_text(key, value);
    json_t *string = ww_json_text(text);
    free(text);
    return string;
}

static const char *noun_of(ww_key_type type)
{
    switch (type) {
    case WW_KEY_BOOL: return "true or false";
    case WW_KEY_U64: return "a whole number";
    case WW_KEY_DOUBLE: return "a number";
    case WW_KEY_BYTES: return "a size";
    case WW_KEY_TIME: return "a time";
    case WW_KEY_FREQUENCY: return "a frequency";
    case WW_KEY_BANDWIDTH: return "a bandwidth";
    case WW_KEY_TEXT: return "a text";
    default: return "one of ";
    }
}

/* Shown when a key has no range that would show how its unit is written. */
static const char *example_of(ww_key_type type)
{
    switch (type) {
    case WW_KEY_BYTES: return " such as 64KiB";
    case WW_KEY_TIME: return " such as 20us";
    case WW_KEY_FREQUENCY: return " such as 1.4GHz";
    case WW_KEY_BANDWIDTH: return " such as 16GB/s";
    default: return "";
    }
}

char *ww_key_needs(const ww_key *key)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        ww_out_of_memory(sizeof(FILE));
    fputs(noun_of(key->type), out);
    if (key->unit)
        fprintf(out, " of %s", key->unit);
    for (size_t i = 0; i < choice_count(key); i++)
        fprintf(out, "%s%s", i ? ", " : "", choice_name(key, i));
    if (key->min)
        fprintf(out, " from %s", key->min);
    if (key->max)
        fprintf(out, "%s%s", key->min ? " to " : " up to ", key->max);
    if (!key->min && !key->max)
        fputs(example_of(key->type), out);
    if (key->infinite)
        fputs(" or infinite", out);
    fclose(out);
    return text;
}

bool ww_key_is_number(const ww_key *key)
{
    return key->type != WW_KEY_CHOICE && key->type != WW_KEY_POLICY && key->type != WW_KEY_TEXT;
}

double ww_value_number(const ww_key *key, const ww_value *value)
{
    if (key->type == WW_KEY_DOUBLE)
        return value->real;
    if (key->infinite && value->number == WW_INFINITE)
        return INFINITY;
    return key->type == WW_KEY_TIME ? (double)value->number * 1e-12 : (double)value->number;
}
