/* Gaussian elimination without pivoting, column by column. */
#include "workload/fused.h"
#include "workload/workload.h"

typedef struct gaussian {
    uint64_t n, columns, side, group;
    ww_array *matrix, *right, *multipliers;
} gaussian;

static void allocate(ww_host *host, void *state)
{
    gaussian *s = state;
    s->n = ww_host_number(host, "n");
    s->columns = ww_host_number(host, "columns");
    s->side = ww_host_number(host, "side");
    s->group = ww_host_number(host, "group");
    if (s->columns >= s->n)
        ww_host_refuse(host, "columns is %u (at most %u of %u can be eliminated)",
                       (unsigned)s->columns, (unsigned)s->n - 1, (unsigned)s->n);
    if (!s->columns)
        s->columns = s->n - 1;
    s->matrix = ww_host_array(host, "matrix", WW_INOUT, sizeof(float), s->n * s->n);
    s->right = ww_host_array(host, "right", WW_INOUT, sizeof(float), s->n);
    s->multipliers = ww_host_array(host, "multipliers", WW_OUTPUT, sizeof(float), s->n * s->n);
}

/* The diagonal dominates, so that no pivoting is needed. */
static float initial(const gaussian *s, uint64_t row, uint64_t column)
{
    float value = ww_random_f32(s->matrix, row * s->n + column, 0, 1);
    return row == column ? value + (float)s->n : value;
}

static float initial_right(const gaussian *s, uint64_t row)
{
    return ww_random_f32(s->right, row, -1, 1);
}

static void fill(ww_host *host, void *state)
{
    gaussian *s = state;
    float *matrix = s->matrix->host, *right = s->right->host;
    (void)host;
    for (uint64_t i = 0; i < s->n; i++) {
        for (uint64_t j = 0; j < s->n; j++)
            matrix[i * s->n + j] = initial(s, i, j);
        right[i] = initial_right(s, i);
    }
}

/* As in the original, every launch has as many work-items as the whole matrix. */
static void run(ww_host *host, void *state)
{
    gaussian *s = state;
    ww_range square = ww_range2(s->n, s->n, s->side, s->side);
    for (uint64_t column = 0; column < s->columns; column++) {
        ww_host_launch(host, "gaussian_multipliers", ww_range1(s->n, s->group),
                       ww_mem(s->multipliers), ww_mem(s->matrix), ww_u32(s->n), ww_u32(column));
        ww_host_launch(host, "gaussian_subtract", square, ww_mem(s->multipliers), ww_mem(s->matrix),
                       ww_mem(s->right), ww_u32(s->n), ww_u32(column));
    }
}

WW_FUSED static void subtract_row(float *row, const float *above, float multiplier, uint64_t first,
                                  uint64_t end)
{
    for (uint64_t j = first; j < end; j++)
        row[j] = fmaf(-multiplier, above[j], row[j]);
}

/* One row after another. The rows above it are taken from the result: they have been compared
 * before. */
static void verify(ww_host *host, void *state)
{
    gaussian *s = state;
    const float *matrix = s->matrix->host, *right = s->right->host;
    float *row = ww_host_alloc(host, s->n, sizeof(*row));
    for (uint64_t i = 0; i < s->n; i++) {
        uint64_t eliminated = i < s->columns ? i : s->columns;
        float value = initial_right(s, i);
        for (uint64_t j = 0; j < s->n; j++)
            row[j] = initial(s, i, j);
        for (uint64_t column = 0; column < eliminated; column++) {
            const float *above = matrix + column * s->n;
            float multiplier = row[column] / above[column];
            subtract_row(row, above, multiplier, column, s->n);
            value = fmaf(-multiplier, right[column], value);
            ww_expect_f32(s->multipliers, i * s->n + column, (double)multiplier, 0);
        }
        for (uint64_t j = 0; j < s->n; j++)
            ww_expect_f32(s->matrix, i * s->n + j, (double)row[j], 0);
        for (uint64_t j = eliminated; j < s->n; j++)
            ww_expect_f32(s->multipliers, i * s->n + j, 0, 0);
        ww_expect_f32(s->right, i, (double)value, 0);
    }
}

static const ww_parameter parameters[] = {
    WW_NUMBER_PARAMETER("n", "1040", 2, 16384, "rows and columns of the matrix"),
    WW_NUMBER_PARAMETER("columns", "0", 0, 16383, "columns to eliminate; 0: all"),
    WW_NUMBER_PARAMETER("side", "4", 1, 32, "rows and columns of a work-group's square"),
    WW_NUMBER_PARAMETER("group", "512", 1, 1024, "work-items in a work-group of multipliers"),
};

/* latency: the first 8 of 1023 columns: all are over a billion warp instructions. */
static const ww_named_size sizes[] = {
    {"tiny", "n=32,columns=20", 40, 0},
    {"small", "n=1040,columns=1", 2, 0},
    {"latency", "n=1024,columns=8", 16, 0},
};

WW_WORKLOAD(gaussian) = {
    .name = "gaussian",
    .suite = "Rodinia",
    .doc = "Gaussian elimination without pivoting, two launches for each column",
    .papers = "latency",
    .irregular = true,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(gaussian),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
