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

/* Of UTF-8: bytes that go on a character are not counted. */
static size_t characters_of(const char *text)
{
    size_t count = 0;
    for (; *text; text++)
        count += ((unsigned char)*text & 0xc0) != 0x80;
    return count;
}

static size_t width_of(const ww_table *table, size_t column)
{
    size_t width = 0;
    for (size_t i = 0; i < table->rows.count; i++) {
        size_t length = characters_of(table->rows.items[i][column]);
        width = length > width ? length : width;
    }
    return width;
}

static void write_cell(const char *text, size_t width, FILE *out)
{
    size_t length = characters_of(text);
    fprintf(out, "%s%*s", text, length < width ? (int)(width - length) : 0, "");
}

void ww_table_write(const ww_table *table, FILE *out)
{
    size_t *widths = ww_calloc(table->columns, sizeof(*widths));
    for (size_t c = 0; c + 1 < table->columns; c++)
        widths[c] = width_of(table, c);
    for (size_t i = 0; i < table->rows.count; i++)
        for (size_t c = 0; c < table->columns; c++) {
            write_cell(table->rows.items[i][c], widths[c], out);
            fputs(c + 1 < table->columns ? "  " : "\n", out);
        }
    free(widths);
}
