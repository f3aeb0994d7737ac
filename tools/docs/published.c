#include "published.h"

#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- numbers ---- */

/* "1.30", "37%" */
static bool parse_amount(const char *text, size_t length, double *value)
{
    char *copy = ww_format("%.*s", (int)length, text);
    bool percent = length && copy[length - 1] == '%';
    if (percent)
        copy[length - 1] = '\0';
    bool good = ww_parse_double(copy, value);
    *value = percent ? *value / 100 : *value;
    free(copy);
    return good;
}

/* "1.30", "0.27-0.61", ">1.2", "<49%"; "-": words only. */
static bool parse_published(const char *text, ww_reference *r)
{
    *r = (ww_reference){.value = NAN, .low = NAN, .high = NAN};
    const char *dash = text[0] ? strchr(text + 1, '-') : NULL;
    if (strcmp(text, "-") == 0)
        return true;
    if (text[0] == '>' || text[0] == '<')
        return parse_amount(text + 1, strlen(text + 1), text[0] == '>' ? &r->low : &r->high);
    if (dash)
        return parse_amount(text, (size_t)(dash - text), &r->low) &&
               parse_amount(dash + 1, strlen(dash + 1), &r->high);
    return parse_amount(text, strlen(text), &r->value);
}

/* ---- the table ---- */

static int read_row(const text_table *table, size_t i, const size_t *columns, published_row *row,
                    ww_errors *errors)
{
    const char **texts[] = {&row->id,   &row->where, &row->metric, &row->set,
                            &row->text, &row->note,  &row->ours,   &row->missing};
    *row = (published_row){.at = {table->file, table->lines[i], 1},
                           .value = NAN,
                           .commit = "",
                           .verdict = {.without = NAN}};
    for (size_t c = 0; c < 8; c++)
        *texts[c] = text_table_at(table, i, columns[c]);
    if (!strchr(row->id, '.'))
        return ww_fail(errors, WW_BAD_INPUT, row->at, "id '%.60s' (PAPER.NAME is needed)", row->id);
    if (!parse_published(row->text, &row->published))
        return ww_fail(errors, WW_BAD_INPUT, row->at,
                       "value '%.60s' (a number, low-high, >low, <high or - is needed)", row->text);
    return WW_OK;
}

static published_row *find_row(const published *p, const char *id)
{
    for (size_t i = 0; i < p->count; i++)
        if (strcmp(p->rows[i].id, id) == 0)
            return &p->rows[i];
    return NULL;
}

static int read_rows(published *p, ww_errors *errors)
{
    static const char *const names[] = {"id",    "where", "metric", "set",
                                        "value", "note",  "ours",   "missing"};
    size_t columns[8];
    text_table table;
    int status = text_table_read(ww_arena_printf(p->arena, "%s/studies/published.tsv", p->tree),
                                 '\t', p->arena, &table, errors);
    for (size_t i = 0; i < 8 && !status; i++)
        status = text_table_column(&table, names[i], &columns[i], errors);
    if (status)
        return status;
    p->rows = ww_arena_alloc(p->arena, table.row_count + 1, sizeof(*p->rows));
    for (size_t i = 0; i < table.row_count; i++) {
        status |= read_row(&table, i, columns, &p->rows[i], errors);
        if (find_row(p, p->rows[i].id))
            status |=
                ww_fail(errors, WW_BAD_INPUT, p->rows[i].at, "a second row '%.60s'", p->rows[i].id);
        p->count++;
    }
    return status;
}

/* ---- studies ---- */

static bool file_has(const char *path, const char *text, ww_errors *errors)
{
    char *bytes;
    size_t count;
    if (ww_read_file(path, WW_NOWHERE, &bytes, &count, errors))
        return false;
    bool has = strstr(bytes, text) != NULL;
    free(bytes);
    return has;
}

static int read_study(const published *p, const char *name, published_study *s, ww_errors *errors)
{
    ww_arena *arena = p->arena;
    const char *table = ww_arena_printf(arena, "%s/docs/studies/%s-figures.csv", p->tree, name);
    const char *page = ww_arena_printf(arena, "%s/docs/%s.md", p->tree, name);
    *s = (published_study){.name = name};
    s->study = ww_study_load(ww_arena_printf(arena, "%s/studies/%s.yaml", p->tree, name), errors);
    s->has_table = access(table, R_OK) == 0;
    s->has_page = access(page, R_OK) == 0;
    s->explains = s->has_page && file_has(page, "\n## What differs", errors);
    if (s->has_table)
        text_table_read(table, ',', arena, &s->table, errors);
    return ww_errors_status(errors);
}

static int read_studies(published *p, ww_errors *errors)
{
    const char **names;
    p->study_count = ww_study_presets(p->arena, &names);
    p->studies = ww_arena_alloc(p->arena, p->study_count + 1, sizeof(*p->studies));
    for (size_t i = 0; i < p->study_count; i++)
        read_study(p, names[i], &p->studies[i], errors);
    return ww_errors_status(errors);
}

/* ---- references of studies ---- */

static bool is_same(double a, double b)
{
    return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-12 * fabs(a);
}

static void take_reference(const published_study *s, const ww_figure *figure,
                           const ww_reference *reference, published_row *row, ww_errors *errors)
{
    row->study = s;
    row->ratio = ww_metric_is_ratio(published_metric(figure, reference->column));
    row->value = published_cell(s, figure, reference->row, reference->column, row, errors);
    row->kind = isnan(row->value) ? PUBLISHED_MISSING : PUBLISHED_VALUE;
}

/* Several figures may show the same published value: the first one is the row's. */
static int link_reference(published *p, const published_study *s, const ww_figure *figure,
                          const ww_reference *reference, ww_errors *errors)
{
    if (!reference->id[0])
        return WW_OK;
    published_row *row = find_row(p, reference->id);
    if (!row)
        return ww_fail(errors, WW_BAD_INPUT, reference->at,
                       "unknown id '%.80s' (studies/published.tsv has the ids)", reference->id);
    const ww_reference *said = &row->published;
    if (!is_same(said->value, reference->value) || !is_same(said->low, reference->low) ||
        !is_same(said->high, reference->high))
        return ww_fail(errors, WW_BAD_INPUT, reference->at,
                       "another value of '%s' than studies/published.tsv has (%s)", reference->id,
                       row->text);
    if (!row->study)
        take_reference(s, figure, reference, row, errors);
    return ww_errors_status(errors);
}

static int link_study(published *p, const published_study *s, ww_errors *errors)
{
    int status = WW_OK;
    for (size_t i = 0; i < s->study->figure_count; i++) {
        const ww_figure *figure = &s->study->figures[i];
        for (size_t k = 0; k < figure->reference_count; k++)
            status |= link_reference(p, s, figure, &figure->references[k], errors);
    }
    return status;
}

/* ---- all of it ---- */

static int finish_row(const published *p, published_row *row, ww_errors *errors)
{
    int status = row->study || !row->ours[0] ? WW_OK : published_evaluate(p, row, errors);
    bool linked = row->study || row->ours[0];
    if (!linked && !row->missing[0])
        return ww_fail(errors, WW_BAD_INPUT, row->at,
                       "'%s' has no value of ours and no reason (a reference of a study with this "
                       "id, 'ours' or 'missing')",
                       row->id);
    if (row->kind == PUBLISHED_MISSING && linked)
        row->missing = ww_arena_printf(p->arena, "no table of %s has it yet",
                                       row->study ? row->study->name : "the catalogue");
    if (row->kind == PUBLISHED_VALUE) {
        const char *rests_on = row->verdict.rests_on;
        row->verdict.agreement = ww_agreement_of(row->value, &row->published, row->ratio);
        row->verdict.difference = ww_difference(row->value, &row->published);
        row->verdict.rests_on = rests_on && rests_on[0] ? rests_on : NULL;
    }
    return status;
}

int published_read(const char *tree, ww_arena *arena, published *p, ww_errors *errors)
{
    *p = (published){.arena = arena, .tree = tree};
    if (read_rows(p, errors) || read_studies(p, errors))
        return ww_errors_status(errors);
    for (size_t i = 0; i < p->study_count; i++)
        link_study(p, &p->studies[i], errors);
    for (size_t i = 0; i < p->count; i++)
        finish_row(p, &p->rows[i], errors);
    return ww_errors_status(errors);
}

void published_free(published *p)
{
    for (size_t i = 0; i < p->study_count; i++)
        ww_study_destroy(p->studies[i].study);
}
