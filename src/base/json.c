#include "base/json.h"

#include "base/memory.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MOST_WHOLE 1e15 /* whole numbers from here on have an exponent */

/* A program that uses the library may have set a locale with a decimal comma. */
void ww_double_text(double value, char text[WW_DOUBLE_CHARS])
{
    locale_t c_locale = newlocale(LC_ALL_MASK, "C", NULL);
    locale_t before = uselocale(c_locale);
    if (fabs(value) < MOST_WHOLE && value == nearbyint(value)) {
        snprintf(text, WW_DOUBLE_CHARS, "%.0f", value);
    } else {
        /* Of the numbers with up to 15 digits no two are the same double unless it is subnormal:
         * where fewer digits are enough, 15 have zeros behind them, which are not printed. */
        for (int digits = fabs(value) < DBL_MIN ? 1 : DBL_DIG; digits <= 17; digits++) {
            snprintf(text, WW_DOUBLE_CHARS, "%.*g", digits, value);
            if (strtod(text, NULL) == value)
                break;
        }
    }
    uselocale(before);
    freelocale(c_locale);
}

json_t *ww_json_real(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *ww_json_text(const char *text)
{
    json_t *string = json_string(text);
    if (string)
        return string;
    char *plain = ww_strdup(text);
    for (char *c = plain; *c; c++)
        if ((unsigned char)*c > 127)
            *c = '?';
    string = json_string(plain);
    free(plain);
    return string;
}

/* An indent of FOR_SCRIPT: one line, for a script element. Else the number of spaces. */
#define FOR_SCRIPT (-1)

static void write_value(const json_t *value, int indent, FILE *out);

static int deeper(int indent)
{
    return indent == FOR_SCRIPT ? FOR_SCRIPT : indent + 2;
}

static void write_new_line(int indent, FILE *out)
{
    if (indent != FOR_SCRIPT)
        fprintf(out, "\n%*s", indent, "");
}

/* '<' occurs in texts only, where \u003c means the same. */
static void write_without_tags(const char *quoted, FILE *out)
{
    for (size_t plain; *quoted; quoted += plain) {
        plain = strcspn(quoted, "<");
        fwrite(quoted, 1, plain, out);
        if (quoted[plain]) {
            fputs("\\u003c", out);
            plain++;
        }
    }
}

/* Most texts are names: nothing in them to be escaped. */
static bool is_plain(const char *text)
{
    while (*text >= ' ' && *text <= '~' && *text != '"' && *text != '\\' && *text != '<')
        text++;
    return *text == 0;
}

static void write_text(const char *text, int indent, FILE *out)
{
    if (is_plain(text)) {
        fprintf(out, "\"%s\"", text);
        return;
    }
    json_t *string = json_string(text);
    char *quoted = json_dumps(string, JSON_ENCODE_ANY);
    if (!quoted)
        ww_out_of_memory(0);
    if (indent == FOR_SCRIPT)
        write_without_tags(quoted, out);
    else
        fputs(quoted, out);
    free(quoted);
    json_decref(string);
}

static void write_object(const json_t *object, int indent, FILE *out)
{
    bool first = true;
    /* jansson's iteration takes a mutable object but does not change it. */
    json_t *items = (json_t *)(uintptr_t)object;
    fputc('{', out);
    for (void *at = json_object_iter(items); at; at = json_object_iter_next(items, at)) {
        fputs(first ? "" : ",", out);
        write_new_line(deeper(indent), out);
        write_text(json_object_iter_key(at), indent, out);
        fputs(indent == FOR_SCRIPT ? ":" : ": ", out);
        write_value(json_object_iter_value(at), deeper(indent), out);
        first = false;
    }
    if (!first)
        write_new_line(indent, out);
    fputc('}', out);
}

static void write_array(const json_t *array, int indent, FILE *out)
{
    fputc('[', out);
    for (size_t i = 0; i < json_array_size(array); i++) {
        fputs(i == 0 ? "" : ",", out);
        write_new_line(deeper(indent), out);
        write_value(json_array_get(array, i), deeper(indent), out);
    }
    if (json_array_size(array))
        write_new_line(indent, out);
    fputc(']', out);
}

/* A real stays a real for every reader: 1 is written 1.0. */
static void write_real(double value, FILE *out)
{
    char text[WW_DOUBLE_CHARS];
    ww_double_text(value, text);
    fputs(text, out);
    if (!strpbrk(text, ".e"))
        fputs(".0", out);
}

static void write_value(const json_t *value, int indent, FILE *out)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT: write_object(value, indent, out); break;
    case JSON_ARRAY: write_array(value, indent, out); break;
    case JSON_STRING: write_text(json_string_value(value), indent, out); break;
    case JSON_INTEGER: fprintf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(value)); break;
    case JSON_REAL: write_real(json_real_value(value), out); break;
    case JSON_TRUE: fputs("true", out); break;
    case JSON_FALSE: fputs("false", out); break;
    case JSON_NULL: fputs("null", out); break;
    }
}

void ww_json_write(const json_t *value, FILE *out)
{
    write_value(value, 0, out);
    fputc('\n', out);
}

void ww_json_write_script(const json_t *value, FILE *out)
{
    write_value(value, FOR_SCRIPT, out);
}
