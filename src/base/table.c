#include "base/table.h"

#include "base/fold.h"
#include "base/memory.h"

#include <stdbool.h>
#include <string.h>

#define GAP 2          /* spaces between columns */
#define LEAST_COLUMN 8 /* characters of a folded column */

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

/* ---- widths ---- */

static size_t column_width(const ww_table *table, size_t column)
{
    size_t width = 0;
    for (size_t i = 0; i < table->rows.count; i++) {
        size_t length = ww_fold_characters(table->rows.items[i][column]);
        width = length > width ? length : width;
    }
    return width;
}

static size_t *column_widths(const ww_table *table)
{
    size_t *widths = ww_calloc(table->columns, sizeof(*widths));
    for (size_t c = 0; c < table->columns; c++)
        widths[c] = column_width(table, c);
    return widths;
}

static size_t sum_of(const size_t *widths, size_t columns)
{
    size_t sum = columns ? (columns - 1) * GAP : 0;
    for (size_t c = 0; c < columns; c++)
        sum += widths[c];
    return sum;
}

size_t ww_table_width(const ww_table *table)
{
    size_t *widths = column_widths(table);
    size_t width = sum_of(widths, table->columns);
    free(widths);
    return width;
}

/* Takes characters from the widest column, one after the other, until all fit. */
static void shrink(size_t *widths, size_t columns, size_t width)
{
    for (size_t sum = sum_of(widths, columns); sum > width; sum--) {
        size_t widest = 0;
        for (size_t c = 1; c < columns; c++)
            if (widths[c] >= widths[widest])
                widest = c;
        if (widths[widest] <= LEAST_COLUMN)
            return;
        widths[widest]--;
    }
}

/* ---- rows ---- */

/* Writes the part of the text that fits and advances *text. *spaces counts the spaces up to the
 * next column; they are written when text follows. */
static void write_part(const char **text, size_t width, size_t *spaces, FILE *out)
{
    size_t count = ww_fold_at(*text, width), shown = 0;
    fprintf(out, "%*s", count ? (int)*spaces : 0, "");
    *spaces = count ? 0 : *spaces;
    for (size_t i = 0; i < count; i++)
        shown += ((unsigned char)(*text)[i] & 0xc0) != 0x80;
    fwrite(*text, 1, count, out);
    *text += count + strspn(*text + count, " ");
    *spaces += width - shown + GAP;
}

/* A row, of as many lines as its longest cell needs. Columns: the first one and [from, to). */
static void write_row(char *const *row, const size_t *widths, size_t from, size_t to, FILE *out)
{
    const char **texts = ww_calloc(to, sizeof(*texts));
    bool more = true;
    for (size_t c = 0; c < to; c++)
        texts[c] = row[c];
    while (more) {
        size_t spaces = 0;
        more = false;
        for (size_t c = 0; c < to; c = c + 1 < from ? from : c + 1) {
            write_part(&texts[c], widths[c], &spaces, out);
            more |= texts[c][0] != 0;
        }
        fputc('\n', out);
    }
    free(texts);
}

void ww_table_write(const ww_table *table, size_t width, FILE *out)
{
    size_t *widths = column_widths(table);
    shrink(widths, table->columns, width);
    for (size_t i = 0; i < table->rows.count; i++)
        write_row(table->rows.items[i], widths, 0, table->columns, out);
    free(widths);
}

/* The end of the columns [from, end) that fit beside the first one: at least one column. */
static size_t block_end(const ww_table *table, const size_t *widths, size_t from, size_t width)
{
    size_t sum = widths[0], to = from;
    while (to < table->columns && (to == from || sum + GAP + widths[to] <= width))
        sum += GAP + widths[to++];
    return to;
}

void ww_table_write_blocks(const ww_table *table, size_t width, FILE *out)
{
    size_t *widths = column_widths(table);
    for (size_t from = 1, to; from < table->columns; from = to) {
        to = block_end(table, widths, from, width);
        fputs(from > 1 ? "\n" : "", out);
        for (size_t i = 0; i < table->rows.count; i++)
            write_row(table->rows.items[i], widths, from, to, out);
    }
    free(widths);
}
