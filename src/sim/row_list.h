/* Lists of rows in a result, beside its statistics. Studies keep them and show them as figures.
 *
 * list    an array in the result's JSON, of objects: the rows
 * part    a number of a row that a figure has a column for */
#ifndef WW_SIM_ROW_LIST_H
#define WW_SIM_ROW_LIST_H

#include <stddef.h>

typedef struct ww_row_part {
    const char *name;
    const char *of;   /* the number of the row that it is shown as a share of; NULL: as it is */
    const char *unit; /* of what is shown */
    const char *doc;  /* likewise */
} ww_row_part;

#define WW_ROW_NAMES 3

typedef struct ww_row_list {
    const char *name;  /* in the result */
    const char *plot;  /* `plot` of a figure in a study */
    const char *what;  /* a row is */
    const char *drawn; /* how the page draws it: "bars", "stacked" or "table" */
    struct {
        const char *before, *key;
    } names[WW_ROW_NAMES]; /* values of a row that name it, and the text before each */
    const ww_row_part *parts;
    size_t part_count;
} ww_row_list;

extern const ww_row_list *const ww_row_lists[];
extern const size_t ww_row_list_count;

#endif
