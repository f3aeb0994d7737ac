/* A file of rows and columns: comma-separated values, quoted where need be, or fields between tabs.
 * The first line names the columns; lines that begin with '#' are comments. */
#ifndef WW_DOCS_TEXT_TABLE_H
#define WW_DOCS_TEXT_TABLE_H

#include "base/error.h"
#include "base/memory.h"

typedef struct text_table {
    const char *file;
    size_t column_count, row_count;
    const char **names;
    const char **fields; /* row after row */
    int *lines;          /* of the rows */
} text_table;

/* The separator is ',' or '\t'. All in the arena. */
int text_table_read(const char *path, char separator, ww_arena *arena, text_table *table,
                    ww_errors *errors);
/* The index of a column; an error when there is none. */
int text_table_column(const text_table *table, const char *name, size_t *column, ww_errors *errors);
const char *text_table_at(const text_table *table, size_t row, size_t column);

#endif
