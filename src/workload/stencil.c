#include "workload/stencil.h"

#include "base/memory.h"

#include <string.h>

typedef struct run {
    const ww_stencil *stencil;
    float *rows; /* [step][row % 3][column] */
} run;

static float *row_of(const run *r, uint64_t step, uint64_t row)
{
    return r->rows + (step * 3 + row % 3) * r->stencil->columns;
}

/* Computes a row one step on; the rows above and below are known. */
static void make_row(const run *r, uint64_t step, uint64_t row)
{
    const ww_stencil *s = r->stencil;
    const float *here = row_of(r, step - 1, row);
    float *made = row_of(r, step, row);
    memcpy(made, here, s->columns * sizeof(*made));
    if (row == 0 || row + 1 == s->rows)
        return;
    const float *above = row_of(r, step - 1, row - 1);
    const float *below = row_of(r, step - 1, row + 1);
    s->rule(above, here, below, made, s->columns);
}

/* A row is known, so one more row of the next step can be computed, and two at the end of the
 * grid. */
static void have_row(const run *r, uint64_t step, uint64_t row)
{
    const ww_stencil *s = r->stencil;
    if (step > 0)
        s->made(s->context, step, row, row_of(r, step, row));
    if (step == s->steps)
        return;
    uint64_t end = row + 1 == s->rows ? s->rows : row;
    for (uint64_t next = row > 0 ? row - 1 : 0; next < end; next++) {
        make_row(r, step + 1, next);
        have_row(r, step + 1, next);
    }
}

void ww_stencil_run(const ww_stencil *stencil)
{
    run r = {.stencil = stencil};
    r.rows = ww_calloc((stencil->steps + 1) * 3 * stencil->columns, sizeof(*r.rows));
    for (uint64_t row = 0; row < stencil->rows; row++) {
        stencil->initial(stencil->context, row, row_of(&r, 0, row));
        have_row(&r, 0, row);
    }
    free(r.rows);
}
