/* Values of ours out of committed tables. */
#include "published.h"

#include "base/text.h"
#include "study/numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct figure_columns {
    size_t figure, metric, row, column, value, rests_on, without, commit;
} figure_columns;

static int find_columns(const text_table *table, figure_columns *c, ww_errors *errors)
{
    static const char *const names[] = {"figure", "metric",   "row",     "column",
                                        "value",  "rests_on", "without", "commit"};
    size_t *const indices[] = {&c->figure, &c->metric,   &c->row,     &c->column,
                               &c->value,  &c->rests_on, &c->without, &c->commit};
    int status = WW_OK;
    for (size_t i = 0; i < 8; i++)
        status |= text_table_column(table, names[i], indices[i], errors);
    return status;
}

static double field_number(const text_table *table, size_t row, size_t column)
{
    double value;
    return ww_parse_double(text_table_at(table, row, column), &value) ? value : NAN;
}

/* A table may be older than the study, whose figure shows another metric by now. */
static bool shows_metric(const ww_figure *figure, const char *name)
{
    for (size_t i = 0; i < figure->metric_count; i++)
        if (strcmp(figure->metrics[i]->name, name) == 0)
            return true;
    return false;
}

const ww_metric *published_metric(const ww_figure *figure, const char *column)
{
    for (size_t i = 0; i < figure->metric_count; i++)
        if (strcmp(figure->metrics[i]->name, column) == 0)
            return figure->metrics[i];
    return figure->metrics[0];
}

double published_cell(const published_study *s, const ww_figure *figure, const char *row,
                      const char *column, published_row *into, ww_errors *errors)
{
    figure_columns c;
    const text_table *t = &s->table;
    if (!s->has_table || find_columns(t, &c, errors))
        return NAN;
    for (size_t i = 0; i < t->row_count; i++) {
        if (strcmp(text_table_at(t, i, c.figure), figure->name) != 0 ||
            strcmp(text_table_at(t, i, c.row), row) != 0 ||
            strcmp(text_table_at(t, i, c.column), column) != 0 ||
            !shows_metric(figure, text_table_at(t, i, c.metric)))
            continue;
        into->commit = text_table_at(t, i, c.commit);
        into->verdict.rests_on = text_table_at(t, i, c.rests_on);
        into->verdict.without = field_number(t, i, c.without);
        return field_number(t, i, c.value);
    }
    return NAN;
}

/* ---- the column `ours` ---- */

#define MOST_PARTS 4

/* Splits "a / b / c" in place; returns how many. */
static size_t split(char *text, const char *separator, char **parts, size_t most)
{
    size_t count = 0;
    while (text && count < most) {
        char *next = strstr(text, separator);
        parts[count++] = text;
        if (next)
            *next = '\0';
        text = next ? next + strlen(separator) : NULL;
    }
    return count;
}

static const published_study *find_study(const published *p, const char *name)
{
    for (size_t i = 0; i < p->study_count; i++)
        if (strcmp(p->studies[i].name, name) == 0)
            return &p->studies[i];
    return NULL;
}

static const ww_figure *find_figure(const published_study *s, const char *name)
{
    for (size_t i = 0; s && i < s->study->figure_count; i++)
        if (strcmp(s->study->figures[i].name, name) == 0)
            return &s->study->figures[i];
    return NULL;
}

/* The least or the most of a set's programs. */
static double extreme(const published_study *s, const ww_figure *figure, const char *set_name,
                      bool most, const char *column, published_row *row, ww_errors *errors)
{
    double best = NAN;
    for (size_t i = 0; i < s->study->set_count; i++) {
        const ww_workload_set *set = &s->study->sets[i];
        for (size_t k = 0; strcmp(set->name, set_name) == 0 && k < set->workloads.count; k++) {
            const char *label = s->study->workloads[set->workloads.items[k]].label;
            double value = published_cell(s, figure, label, column, row, errors);
            if (isnan(best) || (most ? value > best : value < best))
                best = value;
        }
    }
    return best;
}

/* "STUDY / FIGURE / ROW / COLUMN"; the text is cut up. */
static int read_cell(const published *p, char *text, published_row *row, double *value,
                     ww_errors *errors)
{
    char *parts[MOST_PARTS] = {text};
    size_t count = split(text, " / ", parts, MOST_PARTS);
    const published_study *s = find_study(p, parts[0]);
    const ww_figure *figure = count == MOST_PARTS ? find_figure(s, parts[1]) : NULL;
    if (!figure)
        return ww_fail(errors, WW_BAD_INPUT, row->at,
                       "'ours' names no figure of a study (STUDY / FIGURE / ROW / COLUMN)");
    row->study = s;
    row->ratio = ww_metric_is_ratio(published_metric(figure, parts[3]));
    bool least = strncmp(parts[2], "min of ", 7) == 0, most = strncmp(parts[2], "max of ", 7) == 0;
    *value = least || most ? extreme(s, figure, parts[2] + 7, most, parts[3], row, errors)
                           : published_cell(s, figure, parts[2], parts[3], row, errors);
    return WW_OK;
}

/* A cell, or a number. */
static int read_side(const published *p, char *text, published_row *row, double *value,
                     ww_errors *errors)
{
    return ww_parse_double(text, value) ? WW_OK : read_cell(p, text, row, value, errors);
}

/* "CELL > CELL" */
static int check_claim(const published *p, char *text, published_row *row, ww_errors *errors)
{
    char *sides[2], a[WW_NUMBER_CHARS], b[WW_NUMBER_CHARS];
    bool more = strstr(text, " > ") != NULL;
    double left, right;
    if (split(text, more ? " > " : " < ", sides, 2) != 2 ||
        read_side(p, sides[0], row, &left, errors) || read_side(p, sides[1], row, &right, errors))
        return WW_BAD_INPUT;
    if (isnan(left) || isnan(right))
        row->kind = PUBLISHED_MISSING;
    row->holds &= more ? left > right : left < right;
    ww_number_text(left, false, a);
    ww_number_text(right, false, b);
    row->says =
        ww_arena_printf(p->arena, "%s%s%s and %s", row->says, row->says[0] ? "; " : "", a, b);
    return WW_OK;
}

static int check_claims(const published *p, char *text, published_row *row, ww_errors *errors)
{
    char *claims[8];
    size_t count = split(text, "; ", claims, 8);
    int status = WW_OK;
    row->kind = PUBLISHED_CLAIM;
    row->holds = true;
    row->says = "";
    for (size_t i = 0; i < count; i++)
        status |= check_claim(p, claims[i], row, errors);
    row->verdict.rests_on = NULL;
    return status;
}

/* "catalogue / WORKLOAD / SIZE": megabytes of 2^20 bytes, as the papers' footprints are. */
static int read_footprint(const published *p, char *text, published_row *row, ww_errors *errors)
{
    char *parts[3];
    size_t workload, size, footprint;
    text_table table;
    if (split(text, " / ", parts, 3) != 3)
        return ww_fail(errors, WW_BAD_INPUT, row->at, "'ours' is not catalogue / WORKLOAD / SIZE");
    int status =
        text_table_read(ww_arena_printf(p->arena, "%s/docs/studies/catalogue.csv", p->tree), ',',
                        p->arena, &table, errors);
    if (status || text_table_column(&table, "workload", &workload, errors) ||
        text_table_column(&table, "size", &size, errors) ||
        text_table_column(&table, "footprint_mib", &footprint, errors))
        return WW_BAD_INPUT;
    for (size_t i = 0; i < table.row_count; i++)
        if (strcmp(text_table_at(&table, i, workload), parts[1]) == 0 &&
            strcmp(text_table_at(&table, i, size), parts[2]) == 0)
            row->value = field_number(&table, i, footprint);
    row->kind = isnan(row->value) ? PUBLISHED_MISSING : PUBLISHED_VALUE;
    row->is_input = true;
    return WW_OK;
}

int published_evaluate(const published *p, published_row *row, ww_errors *errors)
{
    char *text = ww_arena_strdup(p->arena, row->ours);
    row->is_input = strncmp(text, "input: ", 7) == 0;
    text += row->is_input ? 7 : 0;
    if (strncmp(text, "catalogue / ", 12) == 0)
        return read_footprint(p, text, row, errors);
    if (strstr(text, " > ") || strstr(text, " < "))
        return check_claims(p, text, row, errors);
    int status = read_cell(p, text, row, &row->value, errors);
    row->kind = isnan(row->value) ? PUBLISHED_MISSING : PUBLISHED_VALUE;
    row->verdict.rests_on = NULL;
    return status;
}
