/* Every published number beside ours: what docs/published.md and docs/published.html show.
 *
 * row      one published number, of studies/published.tsv, under an id that begins with its paper
 * ours     the cell of a committed table of figures (docs/studies/NAME-figures.csv) whose reference
 *          in studies/NAME.yaml has the row's id, or what the row's own column `ours` says:
 *            STUDY / FIGURE / ROW / COLUMN   a cell; "min of SET" and "max of SET" are rows, too
 *            CELL > CELL; CELL < NUMBER      a claim: all of it must hold
 *            catalogue / WORKLOAD / SIZE     the footprint in docs/studies/catalogue.csv
 *            input: CELL                     the same as a cell, of what was chosen as the paper has it
 * missing  why there is no value of ours */
#ifndef WW_DOCS_PUBLISHED_H
#define WW_DOCS_PUBLISHED_H

#include "study/verdict.h"
#include "text_table.h"

typedef struct published_study {
    const char *name;
    ww_study *study;
    bool has_table; /* of figures */
    text_table table;
    bool has_page, explains; /* docs/NAME.md, and whether it says what differs */
} published_study;

typedef enum published_kind { PUBLISHED_MISSING, PUBLISHED_VALUE, PUBLISHED_CLAIM } published_kind;

typedef struct published_row {
    const char *id, *where, *metric, *set, *text, *note, *ours, *missing;
    ww_where at;
    ww_reference published; /* the text's number, range or bound; all NAN: words only */
    published_kind kind;
    double value;     /* ours */
    bool ratio;       /* of a metric that is one */
    bool is_input;    /* chosen as the paper has it, so that it counts for nothing */
    const char *says; /* ours as text: of a claim its numbers */
    bool holds;       /* of a claim */
    ww_reference_verdict verdict;
    const published_study *study; /* NULL: of no study */
    const char *commit;           /* of the table */
} published_row;

typedef struct published {
    ww_arena *arena;
    const char *tree;
    published_study *studies;
    size_t study_count;
    published_row *rows;
    size_t count;
} published;

/* From the tree of sources. Tells all that does not fit together: ids that are not there, values
 * that are not the same. */
int published_read(const char *tree, ww_arena *arena, published *p, ww_errors *errors);
void published_free(published *p);

/* The metric that a column shows. */
const ww_metric *published_metric(const ww_figure *figure, const char *column);
/* The value of a cell in a committed table; NAN: none. `row` is filled in with where it is from. */
double published_cell(const published_study *study, const ww_figure *figure, const char *row,
                      const char *column, published_row *into, ww_errors *errors);
/* Fills in ours from the row's own column `ours`. */
int published_evaluate(const published *p, published_row *row, ww_errors *errors);

void published_write_markdown(const published *p, FILE *out);
void published_write_html(const published *p, FILE *out);

#endif
