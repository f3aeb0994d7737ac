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
/* Columns are two spaces apart; the last one is not padded. Every character counts as one column. */
void ww_table_write(const ww_table *table, FILE *out);

#endif
