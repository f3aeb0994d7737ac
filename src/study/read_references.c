/* Published values of a study's figures. */
#include "study/read.h"

#include <math.h>
#include <string.h>

static int read_range(const ww_yaml *item, ww_reference *reference, ww_errors *errors)
{
    const char *const names[] = {"value", "low", "high"};
    double *const numbers[] = {&reference->value, &reference->low, &reference->high};
    int status = WW_OK;
    for (size_t i = 0; i < 3; i++) {
        const ww_yaml *node = ww_yaml_get(item, names[i]);
        *numbers[i] = NAN;
        if (node)
            status |= ww_yaml_double(node, names[i], numbers[i], errors);
        if (node && !status && !isfinite(*numbers[i]))
            status = ww_fail(errors, WW_BAD_INPUT, node->at, "'%s' is '%.60s' (a number is needed)",
                             names[i], node->text);
    }
    if (!status && isnan(reference->value) && isnan(reference->low) && isnan(reference->high))
        status = ww_fail(errors, WW_BAD_INPUT, item->at,
                         "a reference without a value ('value', 'low' or 'high')");
    if (!status && reference->low > reference->high)
        status = ww_fail(errors, WW_BAD_INPUT, item->at, "'low' is more than 'high'");
    return status;
}

static bool is_set_row(const ww_figure *figure, const char *label)
{
    for (size_t i = 0; i < figure->set_count; i++)
        if (strcmp(figure->sets[i]->name, label) == 0)
            return true;
    return false;
}

static int check_column(ww_study *study, const ww_figure *figure, const char *label, ww_where at,
                        ww_errors *errors)
{
    if (figure->metric_count == 1)
        return ww_study_check_label(study, figure->sweep, figure->columns, label, at, errors);
    const char **names = ww_arena_alloc(study->arena, figure->metric_count, sizeof(*names));
    for (size_t i = 0; i < figure->metric_count; i++) {
        names[i] = figure->metrics[i]->name;
        if (strcmp(names[i], label) == 0)
            return WW_OK;
    }
    return ww_fail_unknown(errors, at, "metric of this figure", label, names, figure->metric_count);
}

static int read_reference(ww_study *study, const ww_figure *figure, const ww_yaml *item,
                          ww_reference *reference, ww_errors *errors)
{
    static const char *const names[] = {"row",  "column", "value", "low",
                                        "high", "source", "note",  "id"};
    const ww_yaml *row = NULL, *column = NULL, *source = NULL;
    *reference = (ww_reference){.note = "", .id = "", .at = item->at};
    if (ww_yaml_expect(item, WW_YAML_MAPPING, "a reference", errors))
        return WW_BAD_INPUT;
    int status = ww_yaml_expect_keys(item, names, WW_COUNT_OF_NAMES(names), errors);
    status |= read_range(item, reference, errors);
    status |=
        ww_yaml_need(item, "row", &row, errors) | ww_yaml_need(item, "column", &column, errors);
    status |= ww_yaml_need(item, "source", &source, errors);
    status |= ww_read_text(item, "row", &reference->row, errors);
    status |= ww_read_text(item, "column", &reference->column, errors);
    status |= ww_read_text(item, "source", &reference->source, errors);
    status |= ww_read_text(item, "note", &reference->note, errors);
    status |= ww_read_text(item, "id", &reference->id, errors);
    if (status)
        return WW_BAD_INPUT;
    if (!is_set_row(figure, reference->row))
        status |= ww_study_check_label(study, figure->sweep, figure->rows, reference->row, row->at,
                                       errors);
    return status | check_column(study, figure, reference->column, column->at, errors);
}

int ww_study_read_references(ww_study *study, const ww_yaml *item, ww_figure *figure,
                             ww_errors *errors)
{
    const ww_yaml *list = ww_yaml_get(item, "references");
    if (!list)
        return WW_OK;
    if (ww_yaml_expect(list, WW_YAML_SEQUENCE, "'references'", errors))
        return WW_BAD_INPUT;
    int status = WW_OK;
    figure->references = ww_arena_alloc(study->arena, list->count + 1, sizeof(ww_reference));
    figure->reference_count = list->count;
    for (size_t i = 0; i < list->count; i++) {
        const ww_reference *one = &figure->references[i], *other = figure->references;
        status |= read_reference(study, figure, list->items[i], &figure->references[i], errors);
        for (; !status && other < one; other++)
            if (strcmp(one->row, other->row) == 0 && strcmp(one->column, other->column) == 0)
                status =
                    ww_fail(errors, WW_BAD_INPUT, list->items[i]->at,
                            "a second reference for '%.60s' and '%.60s'", one->row, one->column);
    }
    return status;
}
