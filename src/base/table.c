#include "base/table.h"

#include "base/memory.h"

#include <string.h>

struct ww_table {
    ww_arena *arena;
    size_t columns;
    WW_VEC(char **) rows;
};

ww_table *ww_table_create(size_t columns)
{
    ww_table *table = ww_calloc(1, sizeof(*table));
    table->arena = ww_arena_create();
    table->columns = columns;
    return table;
}

void ww_table_destroy(ww_table *table)
{
    ww_vec_free(&table->rows);
    ww_arena_destroy(table->arena);
    free(table);
}

void ww_table_add(ww_table *table, const char *const *cells)
{
    char **row = ww_arena_alloc(table->arena, table->columns, sizeof(*row));
    for (size_t i = 0; i < table->columns; i++)
        row[i] = ww_arena_strdup(table->arena, cells[i]);
    ww_vec_push(&table->rows, row);
}

static int width_of(const ww_table *table, size_t column)
{
    size_t width = 0;
    for (size_t i = 0; i < table->rows.count; i++) {
        size_t length = strlen(table->rows.items[i][column]);
        width = length > width ? length : width;
    }
    return (int)width;
}

void ww_table_write(const ww_table *table, FILE *out)
{
    int *widths = ww_calloc(table->columns, sizeof(*widths));
    for (size_t c = 0; c + 1 < table->columns; c++)
        widths[c] = width_of(table, c);
    for (size_t i = 0; i < table->rows.count; i++)
        for (size_t c = 0; c < table->columns; c++)
            fprintf(out, "%-*s%s", widths[c], table->rows.items[i][c],
                    c + 1 < table->columns ? "  " : "\n");
    free(widths);
}
