/* Figures of a study. */
#include "study/read.h"

#include <math.h>
#include <string.h>

/* ---- coordinates of a figure ---- */

static const char **coordinates_of(ww_study *study, const ww_sweep *sweep, size_t *count)
{
    const char **names = ww_arena_alloc(study->arena, sweep->axis_count + 3, sizeof(*names));
    names[0] = "workload";
    names[1] = "variant";
    names[2] = "seed";
    for (size_t i = 0; i < sweep->axis_count; i++)
        names[3 + i] = sweep->axes[i].name;
    *count = sweep->axis_count + 3;
    return names;
}

static int check_coordinate(ww_study *study, const ww_sweep *sweep, const char *name, ww_where at,
                            ww_errors *errors)
{
    size_t count;
    if (ww_coordinate_count(sweep, name))
        return WW_OK;
    const char **names = coordinates_of(study, sweep, &count);
    return ww_fail_unknown(errors, at, "coordinate", name, names, count);
}

int ww_study_check_label(ww_study *study, const ww_sweep *sweep, const char *coordinate,
                         const char *label, ww_where at, ww_errors *errors)
{
    size_t value, count = ww_coordinate_count(sweep, coordinate);
    if (ww_coordinate_find(study, sweep, coordinate, label, &value))
        return WW_OK;
    const char **labels = ww_arena_alloc(study->arena, count + 1, sizeof(*labels));
    for (size_t i = 0; i < count; i++)
        labels[i] = ww_coordinate_label(study, sweep, coordinate, i);
    char *what = ww_format("value of '%s' in this sweep:", coordinate);
    ww_fail_unknown(errors, at, what, label, labels, count);
    free(what);
    return WW_BAD_INPUT;
}

/* `where: {tlb: 512}`; the arrays have one spare entry. */
static int read_where(ww_study *study, const ww_yaml *item, ww_figure *figure, ww_errors *errors)
{
    const ww_yaml *where = ww_yaml_get(item, "where");
    int status = where ? ww_yaml_expect(where, WW_YAML_MAPPING, "'where'", errors) : WW_OK;
    size_t count = where && !status ? where->count : 0;
    figure->where_coordinates = ww_arena_alloc(study->arena, count + 1, sizeof(char *));
    figure->where_labels = ww_arena_alloc(study->arena, count + 1, sizeof(char *));
    for (size_t i = 0; i < count; i++) {
        const ww_yaml *key = where->keys[i];
        const char *label;
        if (check_coordinate(study, figure->sweep, key->text, key->at, errors) ||
            ww_yaml_text(where->items[i], "a value", &label, errors) ||
            ww_study_check_label(study, figure->sweep, key->text, label, where->items[i]->at,
                                 errors)) {
            status = WW_BAD_INPUT;
            continue;
        }
        figure->where_coordinates[figure->where_count] = key->text;
        figure->where_labels[figure->where_count++] = label;
    }
    return status;
}

static bool is_fixed(const ww_figure *figure, const char *coordinate)
{
    for (size_t i = 0; i < figure->where_count; i++)
        if (strcmp(figure->where_coordinates[i], coordinate) == 0)
            return true;
    return strcmp(figure->rows, coordinate) == 0 || strcmp(figure->columns, coordinate) == 0;
}

/* A figure averages over workloads and seeds, unless it is of single runs; of any other coordinate
 * it shows every value or one. */
static int check_all_fixed(ww_study *study, const ww_figure *figure, ww_where at, ww_errors *errors)
{
    size_t count;
    const char **names = coordinates_of(study, figure->sweep, &count);
    int status = WW_OK;
    for (size_t i = 0; i < count; i++)
        if ((figure->series || figure->list || (i != 0 && i != 2)) &&
            ww_coordinate_count(figure->sweep, names[i]) > 1 && !is_fixed(figure, names[i]))
            status = ww_fail(
                errors, WW_BAD_INPUT, at,
                "the figure does not select a value of '%s', which has %zu values (make it rows "
                "or columns, or choose one with 'where')",
                names[i], ww_coordinate_count(figure->sweep, names[i]));
    return status;
}

/* ---- measures elsewhere ---- */

typedef struct elsewhere_check {
    ww_study *study;
    const ww_sweep *sweep;
    const ww_metric *metric; /* the one whose names are checked */
    bool *seen;              /* metrics */
    ww_errors *errors;
    int status;
} elsewhere_check;

static void check_elsewhere(void *context, const ww_expression *name);

/* Checks the brackets in a metric, and in those that it uses. */
static void check_brackets_of(elsewhere_check *check, const ww_metric *metric)
{
    const ww_metric *from = check->metric;
    bool *seen = &check->seen[metric - check->study->metrics];
    if (*seen)
        return;
    *seen = true;
    check->metric = metric;
    ww_metric_visit(check->study, metric, check_elsewhere, check);
    check->metric = from;
}

static void check_elsewhere(void *context, const ww_expression *name)
{
    elsewhere_check *check = context;
    const ww_metric *metric = ww_metric_of_name(check->study, check->metric, name->name);
    if (metric)
        check_brackets_of(check, metric);
    for (size_t i = 0; i < name->elsewhere_count; i++) {
        const ww_elsewhere *e = &name->elsewhere[i];
        if (check_coordinate(check->study, check->sweep, e->coordinate, e->at, check->errors) ||
            ww_study_check_label(check->study, check->sweep, e->coordinate, e->label, e->at,
                                 check->errors))
            check->status = WW_BAD_INPUT;
    }
}

/* ---- figures ---- */

static int read_set_rows(ww_study *study, const ww_yaml *item, ww_figure *figure, ww_errors *errors)
{
    const char **names = ww_study_set_names(study);
    const ww_yaml *over = NULL, *sets = ww_yaml_get(item, "sets");
    size_t index;
    int status = ww_read_scalar(item, "over", &over, errors);
    if (over && !(status |= ww_read_name(over, "set", names, study->set_count, &index, errors)))
        figure->over = &study->sets[index];
    if (!sets)
        return status;
    if (ww_yaml_expect(sets, WW_YAML_SEQUENCE, "'sets'", errors))
        return WW_BAD_INPUT;
    if (strcmp(figure->rows, "workload") != 0)
        return ww_fail(errors, WW_BAD_INPUT, sets->at,
                       "'sets' is for rows of workloads (write 'over: SET')");
    figure->sets = ww_arena_alloc(study->arena, sets->count + 1, sizeof(*figure->sets));
    for (size_t i = 0; i < sets->count; i++)
        if (ww_read_name(sets->items[i], "set", names, study->set_count, &index, errors))
            status = WW_BAD_INPUT;
        else
            figure->sets[figure->set_count++] = &study->sets[index];
    return status;
}

static int find_sweep(ww_study *study, const ww_yaml *item, ww_figure *figure, ww_errors *errors)
{
    const ww_yaml *name = NULL;
    size_t index = 0;
    int status = ww_read_scalar(item, "sweep", &name, errors);
    const char **names = ww_arena_alloc(study->arena, study->sweep_count + 1, sizeof(*names));
    for (size_t i = 0; i < study->sweep_count; i++)
        names[i] = study->sweeps[i].name;
    if (name)
        status |= ww_read_name(name, "sweep", names, study->sweep_count, &index, errors);
    else if (!status && study->sweep_count > 1)
        status =
            ww_fail(errors, WW_BAD_INPUT, item->at, "'sweep' is missing (the study has several)");
    if (!status)
        figure->sweep = &study->sweeps[index];
    return status;
}

static int add_metric(ww_study *study, const ww_yaml *name, const char *const *names,
                      ww_figure *figure, ww_errors *errors)
{
    size_t index = 0;
    if (ww_read_name(name, "metric", names, study->metric_count, &index, errors))
        return WW_BAD_INPUT;
    const ww_metric *metric = &study->metrics[index];
    for (size_t i = 0; i < figure->metric_count; i++)
        if (figure->metrics[i] == metric)
            return ww_fail(errors, WW_BAD_INPUT, name->at, "metric '%.60s' is listed twice",
                           metric->name);
    figure->metrics[figure->metric_count++] = metric;
    elsewhere_check check = {
        .study = study,
        .sweep = figure->sweep,
        .seen = ww_arena_alloc(study->arena, study->metric_count, sizeof(bool)),
        .errors = errors,
    };
    check_brackets_of(&check, metric);
    return check.status;
}

/* `metric: NAME`, or `metric: [NAME, NAME]`: a column for each. */
static int find_metrics(ww_study *study, const ww_yaml *item, ww_figure *figure, ww_errors *errors)
{
    const ww_yaml *node = NULL;
    const char **names = ww_arena_alloc(study->arena, study->metric_count + 1, sizeof(*names));
    for (size_t i = 0; i < study->metric_count; i++)
        names[i] = study->metrics[i].name;
    if (ww_yaml_need(item, "metric", &node, errors))
        return WW_BAD_INPUT;
    bool several = node->kind == WW_YAML_SEQUENCE;
    if (several && node->count == 0)
        return ww_fail(errors, WW_BAD_INPUT, node->at, "no metrics (at least one is needed)");
    size_t count = several ? node->count : 1;
    int status = WW_OK;
    figure->metrics = ww_arena_alloc(study->arena, count, sizeof(*figure->metrics));
    for (size_t i = 0; i < count; i++)
        status |= add_metric(study, several ? node->items[i] : node, names, figure, errors);
    if (figure->metric_count > 1)
        figure->columns = "metric";
    return status;
}

/* How it is drawn says what it shows: metrics, series, or rows of results. */
static int read_content(ww_study *study, const ww_yaml *item, ww_figure *figure, ww_errors *errors)
{
    enum { BARS, LINES, STACKED, SERIES, LISTS };
    const char **plots = ww_arena_alloc(study->arena, LISTS + ww_row_list_count, sizeof(*plots));
    const ww_yaml *plot = NULL, *series = ww_yaml_get(item, "series");
    size_t index = BARS;
    plots[BARS] = "bars";
    plots[LINES] = "lines";
    plots[STACKED] = "stacked";
    plots[SERIES] = "series";
    for (size_t i = 0; i < ww_row_list_count; i++)
        plots[LISTS + i] = ww_row_lists[i]->plot;
    if (ww_read_scalar(item, "plot", &plot, errors) ||
        (plot && ww_yaml_choice(plot, "'plot'", plots, LISTS + ww_row_list_count, &index, errors)))
        return WW_BAD_INPUT;
    figure->plot = plots[index];
    if (index == SERIES)
        return ww_study_read_series(study, item, figure, errors);
    if (index >= LISTS)
        figure->list = ww_row_lists[index - LISTS];
    if (series)
        return ww_fail(errors, WW_BAD_INPUT, series->at,
                       "'series' is for figures with 'plot: series'");
    if (figure->list)
        return ww_study_refuse_others(item, figure, errors);
    return find_metrics(study, item, figure, errors);
}

static int read_shape(ww_study *study, const ww_yaml *item, ww_figure *figure, ww_errors *errors)
{
    const ww_yaml *rows = NULL, *columns = NULL;
    int status = ww_read_scalar(item, "rows", &rows, errors);
    status |= ww_read_scalar(item, "columns", &columns, errors);
    bool several = figure->metric_count > 1;
    if (rows)
        figure->rows = rows->text;
    if (columns && several)
        return ww_fail(errors, WW_BAD_INPUT, columns->at,
                       "'columns' with several metrics (the metrics are the columns)");
    if (columns)
        figure->columns = columns->text;
    status |=
        check_coordinate(study, figure->sweep, figure->rows, rows ? rows->at : item->at, errors);
    if (!several)
        status |= check_coordinate(study, figure->sweep, figure->columns,
                                   columns ? columns->at : item->at, errors);
    if (!status && strcmp(figure->rows, figure->columns) == 0)
        status =
            ww_fail(errors, WW_BAD_INPUT, item->at, "rows and columns are both '%s'", figure->rows);
    return status;
}

static int read_figure(ww_study *study, const ww_yaml *key, const ww_yaml *item, ww_figure *figure,
                       ww_errors *errors)
{
    static const char *const names[] = {"title",   "sweep",      "metric",   "rows",
                                        "columns", "over",       "sets",     "where",
                                        "plot",    "references", "headline", "series"};
    *figure = (ww_figure){.name = key->text,
                          .title = key->text,
                          .plot = "bars",
                          .section = "",
                          .rows = "workload",
                          .columns = "variant"};
    if (ww_yaml_expect(item, WW_YAML_MAPPING, "a figure", errors))
        return WW_BAD_INPUT;
    const ww_yaml *headline = ww_yaml_get(item, "headline");
    int status = ww_yaml_expect_keys(item, names, WW_COUNT_OF_NAMES(names), errors);
    status |= ww_read_text(item, "title", &figure->title, errors);
    if (headline)
        status |= ww_yaml_bool(headline, "'headline'", &figure->headline, errors);
    if (find_sweep(study, item, figure, errors))
        return WW_BAD_INPUT;
    if (read_content(study, item, figure, errors))
        return WW_BAD_INPUT;
    if (read_shape(study, item, figure, errors))
        return WW_BAD_INPUT;
    status |= read_where(study, item, figure, errors);
    status |= read_set_rows(study, item, figure, errors);
    status |= ww_study_read_references(study, item, figure, errors);
    return status ? status : check_all_fixed(study, figure, item->at, errors);
}

/* ---- sections of the page ---- */

/* A figure's name, or how several begin: "open_*". */
static int add_to_section(ww_study *study, const char *section, const ww_yaml *item,
                          ww_errors *errors)
{
    const char *text,
        **names = ww_arena_alloc(study->arena, study->figure_count + 1, sizeof(*names));
    bool found = false;
    if (ww_yaml_text(item, "a figure", &text, errors))
        return WW_BAD_INPUT;
    size_t length = strlen(text);
    bool prefix = length && text[length - 1] == '*';
    for (size_t i = 0; i < study->figure_count; i++) {
        ww_figure *figure = &study->figures[i];
        names[i] = figure->name;
        if (prefix ? strncmp(figure->name, text, length - 1) : strcmp(figure->name, text))
            continue;
        found = true;
        if (figure->headline || figure->section[0])
            return ww_fail(
                errors, WW_BAD_INPUT, item->at,
                "figure '%.60s' is in another section, or a headline (a figure is in one only)",
                figure->name);
        figure->section = section;
    }
    return found ? WW_OK
                 : ww_fail_unknown(errors, item->at, "figure", text, names, study->figure_count);
}

/* `sections: {NAME: [FIGURE, ...]}` */
static int read_sections(ww_study *study, const ww_yaml *root, ww_errors *errors)
{
    const ww_yaml *sections = ww_yaml_get(root, "sections");
    int status = WW_OK;
    if (!sections)
        return WW_OK;
    if (ww_yaml_expect(sections, WW_YAML_MAPPING, "'sections'", errors))
        return WW_BAD_INPUT;
    for (size_t i = 0; i < sections->count; i++) {
        const ww_yaml *list = sections->items[i];
        if (ww_check_name(sections->keys[i]->text, sections->keys[i]->at, "section", errors) ||
            ww_yaml_expect(list, WW_YAML_SEQUENCE, "a section's figures", errors)) {
            status = WW_BAD_INPUT;
            continue;
        }
        for (size_t k = 0; k < list->count; k++)
            status |= add_to_section(study, sections->keys[i]->text, list->items[k], errors);
    }
    return status;
}

int ww_study_read_figures(ww_study *study, const ww_yaml *root, ww_errors *errors)
{
    const ww_yaml *figures = ww_yaml_get(root, "figures");
    int status = ww_study_read_metrics(study, root, errors);
    if (ww_errors_status(errors)) /* figures refer to everything above them */
        return status;
    if (!figures)
        return read_sections(study, root, errors);
    if (ww_yaml_expect(figures, WW_YAML_MAPPING, "'figures'", errors))
        return WW_BAD_INPUT;
    study->figures = ww_arena_alloc(study->arena, figures->count + 1, sizeof(*study->figures));
    study->figure_count = figures->count;
    for (size_t i = 0; i < figures->count; i++)
        status |=
            read_figure(study, figures->keys[i], figures->items[i], &study->figures[i], errors);
    return status | read_sections(study, root, errors);
}
