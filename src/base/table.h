/* Text in aligned columns, for people. */
#ifndef WW_BASE_TABLE_H
#define WW_BASE_TABLE_H

#include <stddef.h>
#include <stdio.h>

typedef struct ww_table ww_table;

ww_table *ww_table_create(size_t columns);
void ww_table_destroy(ww_table *table);
/* One text for each column; they are copied. The first row is the heading. */
void ww_table_add(ww_table *table, const char *const *cells);
/* Characters of the longest line when nothing is folded. */
size_t ww_table_width(const ww_table *table);
/* Columns are two spaces apart; the last one is not padded. When a table is wider than `width`
 * (fold.h), the texts of its widest columns are folded. */
void ww_table_write(const ww_table *table, size_t width, FILE *out);
/* The same for a table of numbers: one that is too wide is written as several, one below the other,
 * each with the first column. */
void ww_table_write_blocks(const ww_table *table, size_t width, FILE *out);

#endif
