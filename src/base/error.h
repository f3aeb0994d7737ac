/* Errors: one line each, collected, with their location and the exit status they mean.
 *
 * status   0 it worked; 1 the simulated program or the run is at fault; 2 the user's input is wrong
 * where    location of the text at fault: file, line and column; file NULL when there is none, line
 *          or column 0 when unknown
 * A function that can fail takes a ww_errors and returns a status; it adds at least one line when
 * the status is not WW_OK. Callers pass the status on. */
#ifndef WW_BASE_ERROR_H
#define WW_BASE_ERROR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { WW_OK = 0, WW_FAILED = 1, WW_BAD_INPUT = 2 };

typedef struct ww_where {
    const char *file;
    int line;
    int col;
} ww_where;

#define WW_NOWHERE ((ww_where){NULL, 0, 0})

typedef struct ww_errors ww_errors;

ww_errors *ww_errors_create(void);
void ww_errors_destroy(ww_errors *errors);

/* Adds "file:line:col: text" and returns `status`. Control characters in the text become '?', so
 * that an error stays one line whatever the input held. Past 100 lines only a count is kept. */
int ww_fail(ww_errors *errors, int status, ww_where at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
#ifdef __clang_analyzer__ /* the analyzer cannot see that the result is the status */
#define ww_fail(errors, status, ...) (ww_fail(errors, status, __VA_ARGS__), (status))
#endif
int ww_vfail(ww_errors *errors, int status, ww_where at, const char *format, va_list args);

size_t ww_errors_count(const ww_errors *errors);
/* Whether further lines are only counted, so that their text (nearest names) need not be made. */
bool ww_errors_full(const ww_errors *errors);
const char *ww_errors_line(const ww_errors *errors, size_t index);
int ww_errors_status(const ww_errors *errors); /* the highest status added; WW_OK when empty */
void ww_errors_print(const ww_errors *errors, FILE *out);

#endif
