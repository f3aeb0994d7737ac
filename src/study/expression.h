/* Expressions over the measures of runs: "cycles[rr] / cycles", "1000 * l1d.misses / warp_instructions".
 *
 * measure     a number that a run leaves behind: a statistic, or one of the result itself (`cycles`)
 * elsewhere   the point in brackets: another value on some coordinates, the same on all others. [rr] is short for
 *             [variant=rr]
 * Operators are + - * / and the minus sign; functions min(a, b) and max(a, b). Division by zero gives no value. */
#ifndef WW_STUDY_EXPRESSION_H
#define WW_STUDY_EXPRESSION_H

#include "base/error.h"
#include "base/memory.h"

#include <stdbool.h>

typedef struct ww_elsewhere {
    const char *coordinate;
    const char *label;
    ww_where at;
} ww_elsewhere;

typedef enum ww_expression_kind {
    WW_EXPRESSION_NUMBER,
    WW_EXPRESSION_MEASURE,
    WW_EXPRESSION_ADD,
    WW_EXPRESSION_SUBTRACT,
    WW_EXPRESSION_MULTIPLY,
    WW_EXPRESSION_DIVIDE,
    WW_EXPRESSION_LEAST,
    WW_EXPRESSION_MOST
} ww_expression_kind;

typedef struct ww_expression {
    ww_expression_kind kind;
    ww_where at;
    double number;
    const char *measure;
    const ww_elsewhere *elsewhere; /* of a measure */
    size_t elsewhere_count;
    const struct ww_expression *left, *right; /* of an operator */
} ww_expression;

/* NULL with an error at the character. `at` is the place of the text. Lives in the arena. */
const ww_expression *ww_expression_parse(const char *text, ww_where at, ww_arena *arena,
                                         ww_errors *errors);

/* Calls `visit` for each measure in it, from left to right. */
void ww_expression_visit(const ww_expression *expression,
                         void (*visit)(void *context, const ww_expression *measure), void *context);

/* `read` gives a measure's value; NAN where there is none, and then the whole is NAN. */
double ww_expression_evaluate(const ww_expression *expression,
                              double (*read)(void *context, const ww_expression *measure),
                              void *context);

#endif
