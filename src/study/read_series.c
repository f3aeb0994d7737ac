/* Figures of numbers over time: `plot: series`. */
#include "study/read.h"

static int add_series(const ww_yaml *name, const char *const *names, ww_figure *figure,
                      ww_errors *errors)
{
    size_t index = 0;
    if (ww_read_name(name, "series", names, ww_series_count, &index, errors))
        return WW_BAD_INPUT;
    const ww_series *series = &ww_all_series[index];
    for (size_t i = 0; i < figure->series_count; i++)
        if (figure->series[i] == series)
            return ww_fail(errors, WW_BAD_INPUT, name->at, "series '%s' is listed twice",
                           series->name);
    figure->series[figure->series_count++] = series;
    return WW_OK;
}

int ww_study_refuse_others(const ww_yaml *item, const ww_figure *figure, ww_errors *errors)
{
    static const char *const others[] = {"metric", "sets", "references"};
    int status = WW_OK;
    for (size_t i = 0; i < WW_COUNT_OF_NAMES(others); i++) {
        const ww_yaml *other = ww_yaml_get(item, others[i]);
        if (other)
            status = ww_fail(errors, WW_BAD_INPUT, other->at,
                             "'%s' in a figure with 'plot: %s', which has none", others[i],
                             figure->plot);
    }
    return status;
}

int ww_study_read_series(ww_study *study, const ww_yaml *item, ww_figure *figure, ww_errors *errors)
{
    const ww_yaml *list = NULL;
    int status = ww_study_refuse_others(item, figure, errors);
    if (ww_yaml_need(item, "series", &list, errors) ||
        ww_yaml_expect(list, WW_YAML_SEQUENCE, "'series'", errors))
        return WW_BAD_INPUT;
    if (list->count == 0)
        return ww_fail(errors, WW_BAD_INPUT, list->at, "no series (at least one is needed)");
    const char **names = ww_arena_alloc(study->arena, ww_series_count, sizeof(*names));
    for (size_t i = 0; i < ww_series_count; i++)
        names[i] = ww_all_series[i].name;
    figure->series = ww_arena_alloc(study->arena, list->count, sizeof(*figure->series));
    for (size_t i = 0; i < list->count; i++)
        status |= add_series(list->items[i], names, figure, errors);
    return status;
}
