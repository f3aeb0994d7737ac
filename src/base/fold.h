/* Folding lines to the width of the terminal.
 *
 * width   the most characters of a line; WW_ANY_WIDTH: lines are never folded
 * Every character of UTF-8 counts as one. */
#ifndef WW_BASE_FOLD_H
#define WW_BASE_FOLD_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define WW_ANY_WIDTH SIZE_MAX

/* What $COLUMNS says, else the width of the terminal, else (a file, a pipe) 100. */
size_t ww_fold_width(FILE *out);

/* Characters of a text. */
size_t ww_fold_characters(const char *text);
/* The number of bytes before the fold of a text into lines of `most` characters: at the last space
 * that fits, else within a word; all bytes when the text fits. */
size_t ww_fold_at(const char *text, size_t most);

/* Writes the text to a line that has `column` characters already. Further lines start with `indent`
 * spaces. */
void ww_fold_write(const char *text, size_t column, size_t indent, size_t width, FILE *out);
/* Writes a formatted line and a newline. Further lines of it start with `indent` spaces. */
void ww_fold_line(FILE *out, size_t width, size_t indent, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
