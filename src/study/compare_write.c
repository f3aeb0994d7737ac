/* A comparison for people, and as JSON. */
#include "base/fold.h"
#include "base/json.h"
#include "base/table.h"
#include "study/compare.h"

#include <math.h>
#include <string.h>

#define CELL_CHARS 64
#define SHOWN 30 /* of each list, unless all are wanted */
#define LARGE_RATIO 10

/* ---- texts ---- */

/* 1234567 as "1,234,567". */
static void whole_text(json_int_t value, char text[CELL_CHARS])
{
    char digits[32];
    int count = snprintf(digits, sizeof(digits), "%" JSON_INTEGER_FORMAT, value);
    int sign = digits[0] == '-';
    for (int i = 0; i < count; i++) {
        if (i > sign && (count - i) % 3 == 0)
            *text++ = ',';
        *text++ = digits[i];
    }
    *text = 0;
}

static void value_text(const json_t *value, char text[CELL_CHARS])
{
    if (json_is_integer(value))
        whole_text(json_integer_value(value), text);
    else if (json_is_real(value))
        snprintf(text, CELL_CHARS, "%.6g", json_real_value(value));
    else if (json_is_string(value))
        snprintf(text, CELL_CHARS, "%s", json_string_value(value));
    else if (json_is_boolean(value))
        snprintf(text, CELL_CHARS, "%s", json_is_true(value) ? "true" : "false");
    else
        snprintf(text, CELL_CHARS, "-");
}

/* "+12.3%", or "x 31.0" and "/ 31.0" when it is more. */
static void change_text(const ww_difference *d, char text[CELL_CHARS])
{
    double ratio = ww_difference_ratio(d);
    snprintf(text, CELL_CHARS, "changed");
    if (!d->values[0] || !d->values[1])
        snprintf(text, CELL_CHARS, "only in %s", d->values[0] ? "A" : "B");
    else if (json_is_number(d->values[0]) && json_number_value(d->values[0]) == 0)
        snprintf(text, CELL_CHARS, d->extent > 0 ? "from 0" : "=");
    else if (isnan(ratio))
        return; /* no number: it changed */
    else if (ratio == 0)
        snprintf(text, CELL_CHARS, "to 0");
    else if (fabs(ratio) >= LARGE_RATIO)
        snprintf(text, CELL_CHARS, "x %.1f", ratio);
    else if (ratio > 0 && 1 / ratio >= LARGE_RATIO)
        snprintf(text, CELL_CHARS, "/ %.1f", 1 / ratio);
    else if (!ww_difference_exists(d))
        snprintf(text, CELL_CHARS, "=");
    else
        snprintf(text, CELL_CHARS, "%+.*f%%", fabs(ratio - 1) < 0.0005 ? 4 : 1, 100 * (ratio - 1));
}

/* ---- lists ---- */

static void write_list(const ww_differences *list, const char *heading, bool with_change, bool all,
                       const ww_view *view)
{
    FILE *out = view->out;
    size_t shown = all || list->count <= SHOWN ? list->count : SHOWN;
    ww_table *table = ww_table_create(with_change ? 4 : 3);
    const char *const titles[] = {heading, "A", "B", "change"};
    ww_table_add(table, titles);
    for (size_t i = 0; i < shown; i++) {
        const ww_difference *d = &list->items[i];
        char a[CELL_CHARS], b[CELL_CHARS], change[CELL_CHARS];
        value_text(d->values[0], a);
        value_text(d->values[1], b);
        change_text(d, change);
        char *name = ww_format("  %s", d->name);
        const char *const cells[] = {name, a, b, change};
        ww_table_add(table, cells);
        free(name);
    }
    ww_table_write(table, view->width, out);
    ww_table_destroy(table);
    if (shown < list->count)
        fprintf(out, "  ... %zu more (--all shows them)\n", list->count - shown);
}

/* ---- the heading ---- */

static const char *text_of(const json_t *result, const char *name)
{
    const char *text = json_string_value(json_object_get(result, name));
    return text ? text : "";
}

static void write_run(const ww_comparison *c, size_t side, const ww_view *view)
{
    const json_t *result = c->results[side];
    const char *size = text_of(result, "size");
    bool region = json_is_object(json_object_get(result, "region"));
    bool incomplete = json_is_false(json_object_get(result, "complete"));
    bool wrong = json_is_false(json_object_get(result, "verified"));
    ww_fold_line(view->out, view->width, 3,
                 "%c  %s: %s%s%s on %s, seed %" JSON_INTEGER_FORMAT ", warpwalk %s%s%s%s",
                 "AB"[side], c -> files[side], text_of(result, "workload"), size[0] ? " " : "",
                 size, text_of(result, "machine"),
                 json_integer_value(json_object_get(result, "seed")), text_of(result, "version"),
                 region ? ", a region" : "", incomplete ? ", INCOMPLETE" : "",
                 wrong ? ", WRONG" : "");
}

static void write_warnings(const ww_comparison *c, FILE *out)
{
    static const struct {
        const char *name, *text;
    } parts[] = {{"workload", "workloads"}, {"parameters", "sizes"}, {"region", "regions"}};
    for (size_t i = 0; i < 3; i++) {
        const json_t *a = json_object_get(c->results[0], parts[i].name);
        const json_t *b = json_object_get(c->results[1], parts[i].name);
        if (a && b && !json_equal(a, b)) {
            fprintf(out, "The %s differ: these runs did not do the same work.\n", parts[i].text);
            return;
        }
    }
    const json_t *a = json_object_get(c->results[0], "hints");
    const json_t *b = json_object_get(c->results[1], "hints");
    if (a != b && !(a && b && json_equal(a, b)))
        fprintf(out, "The hints about buffers differ.\n");
}

static void write_speed(const ww_comparison *c, FILE *out)
{
    double cycles[2];
    for (size_t i = 0; i < 2; i++)
        cycles[i] = json_number_value(json_object_get(c->results[i], "cycles"));
    if (cycles[0] > 0 && cycles[1] > 0 && ww_comparison_same_work(c))
        fprintf(out, "speedup of B over A: %.4f\n", cycles[0] / cycles[1]);
}

/* ---- the whole ---- */

static void write_stats(const ww_comparison *c, const ww_view *view)
{
    FILE *out = view->out;
    fprintf(out, "\n%zu of %zu statistics differ", c->stats.count, c->stat_count);
    for (size_t i = 0; i < 2; i++)
        if (c->only[i])
            fprintf(out, ", %zu of them only in %c", c->only[i], "AB"[i]);
    fputs(c->stats.count ? "; largest change first\n" : "\n", out);
    if (c->stats.count)
        write_list(&c->stats, "statistic", true, view->all, view);
}

static void write_launches(const ww_comparison *c, const ww_view *view)
{
    FILE *out = view->out;
    size_t counts[2];
    for (size_t i = 0; i < 2; i++)
        counts[i] = json_array_size(json_object_get(c->results[i], "kernels"));
    if (!c->launches_match) {
        fprintf(out, "\nThe launches are not the same (%zu in A, %zu in B).\n", counts[0],
                counts[1]);
        return;
    }
    fprintf(out, "\n%zu of %zu launches differ in %s", c->launches.count, counts[0],
            c->launches_measure);
    fputs(c->launches.count ? "; largest difference first\n" : "\n", out);
    if (c->launches.count)
        write_list(&c->launches, "launch", true, view->all, view);
}

void ww_comparison_write(const ww_comparison *c, const ww_view *view)
{
    FILE *out = view->out;
    for (size_t i = 0; i < 2; i++)
        write_run(c, i, view);
    write_warnings(c, out);
    if (ww_comparison_equal(c)) {
        fputs("no difference\n", out);
    } else {
        fprintf(out, "\n%zu of %zu keys of the configuration differ\n", c->keys.count,
                c->key_count);
        if (c->keys.count)
            write_list(&c->keys, "key", false, view->all, view);
        fputc('\n', out);
        write_list(&c->numbers, "result", true, true, view);
        write_speed(c, out);
        write_stats(c, view);
        write_launches(c, view);
    }
    if (view->host) {
        fputc('\n', out);
        write_list(&c->host, "host", true, true, view);
    }
}

/* ---- JSON ---- */

static json_t *copy(const json_t *value)
{
    return value ? json_deep_copy(value) : json_null();
}

static json_t *list_json(const ww_differences *list)
{
    json_t *array = json_array();
    for (size_t i = 0; i < list->count; i++) {
        const ww_difference *d = &list->items[i];
        json_array_append_new(array,
                              json_pack("{s:o, s:o, s:o, s:o}", "name", ww_json_text(d->name), "a",
                                        copy(d->values[0]), "b", copy(d->values[1]), "ratio",
                                        ww_json_real(ww_difference_ratio(d))));
    }
    return array;
}

static json_t *run_json(const ww_comparison *c, size_t side)
{
    static const char *const names[] = {"machine", "workload", "size",     "parameters", "seed",
                                        "version", "region",   "verified", "complete"};
    json_t *object = json_object();
    json_object_set_new(object, "file", ww_json_text(c->files[side]));
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        json_object_set_new(object, names[i], copy(json_object_get(c->results[side], names[i])));
    return object;
}

json_t *ww_comparison_json(const ww_comparison *c, bool host)
{
    json_t *object = json_pack(
        "{s:o, s:o, s:b, s:b, s:b, s:o, s:o, s:o, s:s, s:o}", "a", run_json(c, 0), "b",
        run_json(c, 1), "equal", ww_comparison_equal(c), "same_work", ww_comparison_same_work(c),
        "same_launches", c->launches_match, "config", list_json(&c->keys), "result",
        list_json(&c->numbers), "stats", list_json(&c->stats), "launches_measure",
        c->launches_measure, "launches", list_json(&c->launches));
    if (host)
        json_object_set_new(object, "host", list_json(&c->host));
    return object;
}
