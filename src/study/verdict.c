#include "study/verdict.h"

#include "base/memory.h"
#include "study/numbers.h"

#include <math.h>
#include <string.h>

#define AGREES_WITHIN 0.10
#define NEAR_WITHIN 0.25
#define NO_SIDE_WITHIN 0.02
#define ROUNDING 1e-9

bool ww_metric_is_ratio(const ww_metric *metric)
{
    return metric->fold == WW_GEOMEAN && !metric->unit[0];
}

/* For a range or a bound: the limit that our value exceeds; NAN when it exceeds none. */
static double bound_beyond(double ours, const ww_reference *published)
{
    if (ours < published->low)
        return published->low;
    return ours > published->high ? published->high : NAN;
}

static bool has_range(const ww_reference *published)
{
    return !isnan(published->low) || !isnan(published->high);
}

double ww_difference(double ours, const ww_reference *published)
{
    double target = published->value;
    if (isnan(ours))
        return NAN;
    if (isnan(target)) {
        target = bound_beyond(ours, published);
        if (isnan(target))
            return 0;
    }
    return target == 0 ? NAN : (ours - target) / fabs(target);
}

int ww_side(double ratio)
{
    if (fabs(ratio - 1) <= NO_SIDE_WITHIN + ROUNDING)
        return 0;
    return ratio > 1 ? 1 : -1;
}

int ww_direction(const ww_reference *published)
{
    if (!isnan(published->value))
        return ww_side(published->value);
    return published->low >= 1 ? 1 : published->high <= 1 ? -1 : 0;
}

ww_agreement ww_agreement_of(double ours, const ww_reference *published, bool ratio)
{
    if (isnan(ours))
        return WW_NO_VALUE;
    double apart = fabs(ww_difference(ours, published));
    bool inside = has_range(published) && isnan(bound_beyond(ours, published));
    bool close = inside || (!isnan(published->value) && apart <= AGREES_WITHIN + ROUNDING) ||
                 ours == published->value;
    int direction = ww_direction(published), side = ww_side(ours);
    if (!ratio)
        return close ? WW_AGREES : apart <= NEAR_WITHIN + ROUNDING ? WW_NEAR : WW_DIFFERS;
    if (side * direction < 0)
        return WW_DIFFERS;
    if (close)
        return WW_AGREES;
    return direction && side == direction ? WW_DIRECTION_ONLY : WW_DIFFERS;
}

const char *ww_agreement_word(ww_agreement agreement)
{
    static const char *const words[] = {"no value", "agrees", "near", "direction only", "differs"};
    return words[agreement];
}

/* ---- what a mean rests on ---- */

/* Whether the workload of a row is in the set. */
static bool is_member(const ww_study *study, const ww_workload_set *set, const char *row)
{
    for (size_t i = 0; i < set->workloads.count; i++)
        if (strcmp(study->workloads[set->workloads.items[i]].label, row) == 0)
            return true;
    return false;
}

typedef struct mean_of_rows {
    double logarithms;
    size_t count;
} mean_of_rows;

static const ww_cell *cell_at(const ww_grid *grid, size_t row, size_t column)
{
    return &grid->cells[row * grid->column_count + column];
}

static mean_of_rows sum_members(const ww_study *study, const ww_grid *grid,
                                const ww_workload_set *set, size_t plain_rows, size_t column)
{
    mean_of_rows sum = {0};
    for (size_t i = 0; i < plain_rows; i++)
        if (is_member(study, set, grid->rows[i])) {
            sum.logarithms += log(cell_at(grid, i, column)->value);
            sum.count++;
        }
    return sum;
}

static bool rests(double mean, double without, const ww_reference *published)
{
    double gain = fabs(mean - 1), left = mean > 1 ? without - 1 : 1 - without;
    return ww_agreement_of(without, published, true) > ww_agreement_of(mean, published, true) ||
           (ww_side(mean) && left < gain / 2);
}

/* The workload without which the mean changes most. Needs at least three. */
static void find_support(const ww_study *study, const ww_grid *grid, const ww_workload_set *set,
                         size_t column, const ww_cell *cell, ww_reference_verdict *verdict)
{
    size_t plain_rows = grid->row_count - grid->figure->set_count;
    mean_of_rows sum = sum_members(study, grid, set, plain_rows, column);
    double farthest = 0;
    for (size_t i = 0; i < plain_rows && sum.count >= 3; i++) {
        if (!is_member(study, set, grid->rows[i]))
            continue;
        double others = sum.logarithms - log(cell_at(grid, i, column)->value);
        double without = exp(others / (double)(sum.count - 1));
        if (!rests(cell->value, without, cell->reference) ||
            fabs(without - cell->value) <= farthest)
            continue;
        farthest = fabs(without - cell->value);
        verdict->rests_on = grid->rows[i];
        verdict->without = without;
    }
}

ww_reference_verdict ww_verdict_of(const ww_study *study, const ww_grid *grid, size_t row,
                                   size_t column)
{
    const ww_cell *cell = cell_at(grid, row, column);
    const ww_figure *figure = grid->figure;
    bool ratio = ww_metric_is_ratio(ww_figure_metric(figure, column));
    ww_reference_verdict verdict = {.agreement =
                                        ww_agreement_of(cell->value, cell->reference, ratio),
                                    .difference = ww_difference(cell->value, cell->reference),
                                    .without = NAN};
    size_t plain_rows = grid->row_count - figure->set_count;
    if (ratio && row >= plain_rows && verdict.agreement != WW_NO_VALUE)
        find_support(study, grid, figure->sets[row - plain_rows], column, cell, &verdict);
    return verdict;
}

static void difference_text(const ww_reference_verdict *verdict, const ww_reference *published,
                            char *text, size_t size)
{
    double percent = nearbyint(100 * verdict->difference);
    text[0] = '\0';
    if (isnan(published->value) && verdict->difference == 0)
        snprintf(text, size, " (inside)");
    else if (!isnan(percent))
        snprintf(text, size, percent == 0 ? " (0%%)" : " (%+.0f%%)", percent);
}

char *ww_verdict_text(const ww_reference_verdict *verdict, double ours,
                      const ww_reference *published, bool whole)
{
    char value[WW_NUMBER_CHARS], without[WW_NUMBER_CHARS], percent[40];
    char *said = ww_published_text(published, whole);
    ww_number_text(ours, whole, value);
    ww_number_text(verdict->without, false, without);
    difference_text(verdict, published, percent, sizeof(percent));
    char *text = verdict->agreement == WW_NO_VALUE
                     ? ww_format("no value yet, published %s", said)
                     : ww_format("%s: %s, published %s%s", ww_agreement_word(verdict->agreement),
                                 value, said, percent);
    free(said);
    if (!verdict->rests_on)
        return text;
    char *longer = ww_format("%s; rests on %s (without it %s)", text, verdict->rests_on, without);
    free(text);
    return longer;
}
