#include "study/compare.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/* ---- reading ---- */

static int check_result(const json_t *result, const char *file, ww_errors *errors)
{
    static const char *const objects[] = {"config", "stats"};
    ww_where at = {file, 0, 0};
    for (size_t i = 0; i < 2; i++)
        if (!json_is_object(json_object_get(result, objects[i])))
            return ww_fail(errors, WW_BAD_INPUT, at,
                           "JSON, but not the result of a run: it has no object '%s' ('warpwalk "
                           "run ... --json FILE' writes one)",
                           objects[i]);
    if (!json_is_array(json_object_get(result, "kernels")) ||
        !json_is_string(json_object_get(result, "workload")))
        return ww_fail(errors, WW_BAD_INPUT, at,
                       "JSON, but not the result of a run: it has no workload or no kernels");
    return WW_OK;
}

static int parse_result(FILE *in, const char *file, json_t **result, ww_errors *errors)
{
    json_error_t wrong;
    *result = json_loadf(in, JSON_REJECT_DUPLICATES, &wrong);
    if (*result)
        return check_result(*result, file, errors);
    if (ferror(in))
        return ww_fail(errors, WW_BAD_INPUT, (ww_where){file, 0, 0}, "cannot be read: %s",
                       strerror(errno));
    return ww_fail(
        errors, WW_BAD_INPUT,
        (ww_where){file, wrong.line > 0 ? wrong.line : 0, wrong.column > 0 ? wrong.column : 0},
        "not JSON: %s", wrong.text);
}

static int read_result(const char *path, const char *file, json_t **result, ww_errors *errors)
{
    bool standard = strcmp(path, "-") == 0;
    FILE *in = standard ? stdin : fopen(path, "re");
    if (!in)
        return ww_fail(errors, WW_BAD_INPUT, (ww_where){file, 0, 0}, "cannot be read: %s",
                       strerror(errno));
    int status = parse_result(in, file, result, errors);
    if (!standard)
        fclose(in);
    return status;
}

/* ---- differences ---- */

bool ww_difference_exists(const ww_difference *d)
{
    return !d->values[0] || !d->values[1] || !json_equal(d->values[0], d->values[1]);
}

double ww_difference_ratio(const ww_difference *d)
{
    if (!json_is_number(d->values[0]) || !json_is_number(d->values[1]) ||
        json_number_value(d->values[0]) == 0)
        return NAN;
    return json_number_value(d->values[1]) / json_number_value(d->values[0]);
}

/* The logarithm of the factor between two numbers. Small counts and tiny shares are damped, so that
 * a change from 0 to 3 events does not rank above one from 1000 to 1900, and the factor to zero is
 * finite. */
#define FEW_EVENTS 16
#define TINY_SHARE 0.01
static double extent_of(const json_t *a, const json_t *b)
{
    if (!json_is_number(a) || !json_is_number(b))
        return -1;
    double damping = json_is_integer(a) && json_is_integer(b) ? FEW_EVENTS : TINY_SHARE;
    double x = json_number_value(a), y = json_number_value(b);
    double least = fmin(fabs(x), fabs(y)) + damping;
    return log2((fabs(y - x) + least) / least);
}

static void add(ww_differences *list, const char *name, const json_t *a, const json_t *b)
{
    ww_difference d = {
        .name = name, .values = {a, b}, .extent = extent_of(a, b), .order = list->count};
    ww_vec_push(list, d);
}

/* All members that differ; returns how many there are in either. */
static size_t compare_objects(json_t *a, json_t *b, ww_differences *list)
{
    size_t count = json_object_size(a);
    for (void *at = json_object_iter(a); at; at = json_object_iter_next(a, at)) {
        const char *name = json_object_iter_key(at);
        const json_t *other = json_object_get(b, name);
        if (!other || !json_equal(json_object_iter_value(at), other))
            add(list, name, json_object_iter_value(at), other);
    }
    for (void *at = json_object_iter(b); at; at = json_object_iter_next(b, at))
        if (!json_object_get(a, json_object_iter_key(at))) {
            add(list, json_object_iter_key(at), NULL, json_object_iter_value(at));
            count++;
        }
    return count;
}

static int larger_first(const void *left, const void *right)
{
    const ww_difference *a = left, *b = right;
    if (a->extent != b->extent)
        return a->extent < b->extent ? 1 : -1;
    return a->order < b->order ? -1 : 1;
}

static void sort(ww_differences *list)
{
    if (list->count)
        qsort(list->items, list->count, sizeof(*list->items), larger_first);
}

static void compare_numbers(const ww_comparison *c, const char *const *names, ww_differences *list)
{
    for (size_t i = 0; names[i]; i++) {
        const json_t *a = json_object_get(c->results[0], names[i]);
        const json_t *b = json_object_get(c->results[1], names[i]);
        if (json_is_number(a) || json_is_number(b))
            add(list, names[i], json_is_number(a) ? a : NULL, json_is_number(b) ? b : NULL);
    }
}

/* ---- launches ---- */

static json_t *launch_at(const ww_comparison *c, size_t side, size_t index)
{
    return json_array_get(json_object_get(c->results[side], "kernels"), index);
}

static size_t launch_count(const ww_comparison *c, size_t side)
{
    return json_array_size(json_object_get(c->results[side], "kernels"));
}

static const char *entry_at(const ww_comparison *c, size_t side, size_t index)
{
    const char *entry = json_string_value(json_object_get(launch_at(c, side, index), "entry"));
    return entry ? entry : "";
}

static bool launches_match(const ww_comparison *c)
{
    size_t count = launch_count(c, 0);
    if (launch_count(c, 1) != count)
        return false;
    for (size_t i = 0; i < count; i++)
        if (strcmp(entry_at(c, 0, i), entry_at(c, 1, i)) != 0)
            return false;
    return true;
}

/* Ordered by their share of the total difference: the extent is in cycles here. */
static void compare_launches(ww_comparison *c)
{
    bool timed = json_is_number(json_object_get(launch_at(c, 0, 0), "cycles")) &&
                 json_is_number(json_object_get(launch_at(c, 1, 0), "cycles"));
    c->launches_match = launches_match(c);
    c->launches_measure = timed ? "cycles" : "warp_instructions";
    for (size_t i = 0; c->launches_match && i < launch_count(c, 0); i++) {
        const json_t *a = json_object_get(launch_at(c, 0, i), c->launches_measure);
        const json_t *b = json_object_get(launch_at(c, 1, i), c->launches_measure);
        if (json_equal(a, b))
            continue;
        add(&c->launches, ww_arena_printf(c->arena, "%zu %s", i + 1, entry_at(c, 0, i)), a, b);
        c->launches.items[c->launches.count - 1].extent =
            fabs(json_number_value(b) - json_number_value(a));
    }
    sort(&c->launches);
}

/* ---- the whole ---- */

static void compare(ww_comparison *c)
{
    static const char *const numbers[] = {"cycles", "warp_instructions", "thread_instructions",
                                          "footprint", NULL};
    static const char *const host[] = {"host_seconds", "host_peak_bytes",
                                       "warp_instructions_per_host_second", NULL};
    c->key_count = compare_objects(json_object_get(c->results[0], "config"),
                                   json_object_get(c->results[1], "config"), &c->keys);
    compare_numbers(c, numbers, &c->numbers);
    compare_numbers(c, host, &c->host);
    c->stat_count = compare_objects(json_object_get(c->results[0], "stats"),
                                    json_object_get(c->results[1], "stats"), &c->stats);
    for (size_t i = 0; i < c->stats.count; i++) {
        c->only[0] += !c->stats.items[i].values[1];
        c->only[1] += !c->stats.items[i].values[0];
    }
    sort(&c->stats);
    compare_launches(c);
}

static bool same(const ww_comparison *c, const char *name)
{
    const json_t *a = json_object_get(c->results[0], name);
    const json_t *b = json_object_get(c->results[1], name);
    return a == b || (a && b && json_equal(a, b));
}

bool ww_comparison_same_work(const ww_comparison *c)
{
    return same(c, "workload") && same(c, "parameters") && same(c, "region");
}

bool ww_comparison_equal(const ww_comparison *c)
{
    bool equal = ww_comparison_same_work(c) && same(c, "seed") && same(c, "verified") &&
                 same(c, "complete") && same(c, "first_pass") && same(c, "hints") &&
                 c->launches_match;
    for (size_t i = 0; i < c->numbers.count; i++)
        equal &= !ww_difference_exists(&c->numbers.items[i]);
    return equal && !c->keys.count && !c->stats.count && !c->launches.count;
}

ww_comparison *ww_comparison_read(const char *a, const char *b, ww_errors *errors)
{
    const char *const paths[2] = {a, b};
    ww_comparison *c = ww_calloc(1, sizeof(*c));
    c->arena = ww_arena_create();
    int status = WW_OK;
    if (strcmp(a, "-") == 0 && strcmp(b, "-") == 0)
        status = ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                         "both results from standard input (one of them can be '-')");
    for (size_t i = 0; i < 2 && !status; i++)
        c->files[i] =
            strcmp(paths[i], "-") == 0 ? "(standard input)" : ww_arena_strdup(c->arena, paths[i]);
    for (size_t i = 0; i < 2 && c->files[1]; i++)
        status |= read_result(paths[i], c->files[i], &c->results[i], errors);
    if (!status) {
        compare(c);
        return c;
    }
    ww_comparison_destroy(c);
    return NULL;
}

void ww_comparison_destroy(ww_comparison *c)
{
    if (!c)
        return;
    ww_vec_free(&c->keys);
    ww_vec_free(&c->numbers);
    ww_vec_free(&c->host);
    ww_vec_free(&c->stats);
    ww_vec_free(&c->launches);
    for (size_t i = 0; i < 2; i++)
        json_decref(c->results[i]);
    ww_arena_destroy(c->arena);
    free(c);
}
