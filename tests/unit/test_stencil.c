/* The stencil that works row by row, against one that keeps the whole grid. */
#include "base/memory.h"
#include "workload/stencil.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MOST_STEPS 7

typedef struct grids {
    uint64_t rows, columns;
    float *after[MOST_STEPS + 1];      /* so many steps */
    uint64_t next_row[MOST_STEPS + 1]; /* that has to come */
} grids;

/* All numbers are whole: at most 3 at first and 9 times as large after each step, which single
 * precision holds exactly for MOST_STEPS steps. No direction is like another one's opposite. */
static float weighted(const float *at, const grids *g)
{
    uint64_t c = g->columns;
    float above = *(at - c - 1) + *(at - c) - *(at - c + 1);
    float below = at[c - 1] - at[c] - at[c + 1];
    return above + at[-1] + at[0] - at[1] + below;
}

static void make_grids(grids *g)
{
    for (uint64_t step = 0; step <= MOST_STEPS; step++)
        g->after[step] = ww_calloc(g->rows * g->columns, sizeof(float));
    for (uint64_t i = 0; i < g->rows * g->columns; i++)
        g->after[0][i] = (float)(i * 7919 / 8 % 4);
    for (uint64_t step = 1; step <= MOST_STEPS; step++)
        for (uint64_t i = 0; i < g->rows * g->columns; i++) {
            uint64_t row = i / g->columns, column = i % g->columns;
            bool border = row == 0 || column == 0 || row + 1 == g->rows || column + 1 == g->columns;
            const float *before = g->after[step - 1] + i;
            g->after[step][i] = border ? *before : weighted(before, g);
        }
}

static void rule(const float *above, const float *here, const float *below, float *to,
                 uint64_t columns)
{
    for (uint64_t j = 1; j + 1 < columns; j++)
        to[j] = above[j - 1] + above[j] - above[j + 1] + here[j - 1] + here[j] - here[j + 1] +
                below[j - 1] - below[j] - below[j + 1];
}

static void initial(void *context, uint64_t row, float *values)
{
    const grids *g = context;
    memcpy(values, g->after[0] + row * g->columns, g->columns * sizeof(*values));
}

static void made(void *context, uint64_t step, uint64_t row, const float *values)
{
    grids *g = context;
    assert_in_range(step, 1, MOST_STEPS);
    assert_int_equal(row, g->next_row[step]++);
    assert_memory_equal(values, g->after[step] + row * g->columns, g->columns * sizeof(*values));
}

static void check(uint64_t rows, uint64_t columns)
{
    grids g = {.rows = rows, .columns = columns};
    make_grids(&g);
    for (uint64_t steps = 1; steps <= MOST_STEPS; steps++) {
        ww_stencil stencil = {rows, columns, steps, rule, initial, made, &g};
        memset(g.next_row, 0, sizeof(g.next_row));
        ww_stencil_run(&stencil);
        for (uint64_t step = 1; step <= MOST_STEPS; step++)
            assert_int_equal(g.next_row[step], step <= steps ? rows : 0);
    }
    for (uint64_t step = 0; step <= MOST_STEPS; step++)
        free(g.after[step]);
}

static void every_row_of_every_step_is_right_and_comes_once(void **state)
{
    (void)state;
    check(40, 23);
    check(3, 3);
    check(4, 50);
}

static void a_grid_without_an_inside_stays_as_it_is(void **state)
{
    (void)state;
    check(1, 1);
    check(2, 9);
    check(9, 2);
    check(1, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_of_every_step_is_right_and_comes_once),
        cmocka_unit_test(a_grid_without_an_inside_stays_as_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
