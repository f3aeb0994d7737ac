/* Any bytes as a study: refused with an error, or every point has coordinates and labels, and every
 * figure can be computed. */
#include "study/figure.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* A plan may be large, so only some points are checked. */
static void check_points(const ww_study *study, const ww_sweep *sweep)
{
    size_t step = sweep->count / 16 + 1;
    for (size_t i = 0; i < sweep->count; i += step) {
        ww_coordinates point = ww_sweep_point(sweep, i);
        if (ww_sweep_index(sweep, &point) != i)
            abort();
        size_t value;
        const char *label = ww_coordinate_label(study, sweep, "workload", point.workload);
        if (!ww_coordinate_find(study, sweep, "workload", label, &value) || value != point.workload)
            abort();
    }
}

static void check_figure(const ww_study *study, const ww_figure *figure)
{
    bool several = figure->metric_count > 1;
    if (!ww_coordinate_count(figure->sweep, figure->rows) ||
        !figure->metric_count == !figure->series_count ||
        (!several && !ww_coordinate_count(figure->sweep, figure->columns)))
        abort();
    for (size_t i = 0; i < figure->metric_count; i++)
        if (!ww_figure_metric(figure, i)->expression)
            abort();
    for (size_t i = 0; i < figure->reference_count; i++)
        if (!figure->references[i].source)
            abort();
    for (size_t i = 0; i < figure->where_count; i++) {
        size_t value;
        if (!ww_coordinate_find(study, figure->sweep, figure->where_coordinates[i],
                                figure->where_labels[i], &value))
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    ww_errors *errors = ww_errors_create();
    ww_study *study = ww_study_parse("fuzz.yaml", (const char *)bytes, size, errors);
    if ((study == NULL) != (ww_errors_status(errors) != WW_OK))
        abort();
    for (size_t i = 0; study && i < study->sweep_count; i++)
        check_points(study, &study->sweeps[i]);
    for (size_t i = 0; study && i < study->figure_count; i++)
        check_figure(study, &study->figures[i]);
    ww_study_destroy(study);
    ww_errors_destroy(errors);
    return 0;
}
