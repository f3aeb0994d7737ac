/* Expressions over named numbers: "cycles[rr] / cycles", "4 * ceil(items / 256)".
 *
 * name        what a number is called, with dots and underscores; the caller gives its value
 * elsewhere   coordinates in brackets after a name: its number at another point. [rr] is short for
 *             [variant=rr]
 * Operators are + - * / and the minus sign; functions min(a, b), max(a, b), ceil(a), floor(a) and
 * power_of_two(a), the least power of two that is not below a. A division by zero or by infinity
 * gives no value.
 * whole       an integer that is exact: a double holds those of more than 53 bits only roughly */
#ifndef WW_BASE_EXPRESSION_H
#define WW_BASE_EXPRESSION_H

#include "base/error.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>

__extension__ typedef __int128 ww_whole;

typedef struct ww_elsewhere {
    const char *coordinate;
    const char *label;
    ww_where at;
} ww_elsewhere;

typedef enum ww_expression_kind {
    WW_EXPRESSION_NUMBER,
    WW_EXPRESSION_NAME,
    WW_EXPRESSION_ADD,
    WW_EXPRESSION_SUBTRACT,
    WW_EXPRESSION_MULTIPLY,
    WW_EXPRESSION_DIVIDE,
    WW_EXPRESSION_LEAST,
    WW_EXPRESSION_MOST,
    WW_EXPRESSION_UP,
    WW_EXPRESSION_DOWN,
    WW_EXPRESSION_POWER
} ww_expression_kind;

typedef struct ww_expression {
    ww_expression_kind kind;
    ww_where at;
    double number;
    bool is_real;   /* a number that is not an integer of 64 bits */
    uint64_t whole; /* the number when it is one */
    const char *name;
    const ww_elsewhere *elsewhere; /* of a name */
    size_t elsewhere_count;
    const struct ww_expression *left, *right; /* of an operator; left alone for one operand */
} ww_expression;

/* NULL with an error at the character. `at` is the location of the text. Allocated in the arena. */
const ww_expression *ww_expression_parse(const char *text, ww_where at, ww_arena *arena,
                                         ww_errors *errors);

/* Calls `visit` for each name in it, from left to right. */
void ww_expression_visit(const ww_expression *expression,
                         void (*visit)(void *context, const ww_expression *name), void *context);

/* `read` gives a name's value; NAN where there is none, and then the whole is NAN. */
double ww_expression_evaluate(const ww_expression *expression,
                              double (*read)(void *context, const ww_expression *name),
                              void *context);

/* The same in integers; false when a part of it is not an integer (`read` returns false for such a
 * name) or needs more than 128 bits. */
bool ww_expression_evaluate_whole(const ww_expression *expression,
                                  bool (*read)(void *context, const ww_expression *name,
                                               ww_whole *value),
                                  void *context, ww_whole *value);

#endif
