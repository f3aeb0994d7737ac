/* LU decomposition of a dense matrix, without pivoting, in tiles. */
#include "workload/fused.h"
#include "workload/workload.h"

#define TILE 16u

typedef struct lud {
    uint64_t n;
    ww_array *matrix;
} lud;

static void allocate(ww_host *host, void *state)
{
    lud *s = state;
    s->n = ww_host_number(host, "n");
    if (s->n % TILE)
        ww_host_refuse(host, "n is %u (a multiple of %u is needed)", (unsigned)s->n, TILE);
    s->matrix = ww_host_array(host, "matrix", WW_INOUT, sizeof(float), s->n * s->n);
}

/* The diagonal dominates, so that no pivoting is needed. */
static float initial(const lud *s, uint64_t i, uint64_t j)
{
    return ww_random_f32(s->matrix, i * s->n + j, 0, 1) + (i == j ? (float)s->n : 0);
}

static void fill(ww_host *host, void *state)
{
    lud *s = state;
    float *matrix = s->matrix->host;
    (void)host;
    for (uint64_t i = 0; i < s->n; i++)
        for (uint64_t j = 0; j < s->n; j++)
            matrix[i * s->n + j] = initial(s, i, j);
}

static void run(ww_host *host, void *state)
{
    lud *s = state;
    for (uint64_t offset = 0; offset < s->n; offset += TILE) {
        uint64_t tiles = (s->n - offset) / TILE - 1;
        ww_host_launch(host, "lud_diagonal", ww_range1(TILE, TILE), ww_mem(s->matrix),
                       ww_u32(s->n), ww_u32(offset));
        if (!tiles)
            break;
        ww_host_launch(host, "lud_perimeter", ww_range1(2 * TILE * tiles, 2 * TILE),
                       ww_mem(s->matrix), ww_u32(s->n), ww_u32(offset));
        ww_host_launch(host, "lud_internal", ww_range2(TILE * tiles, TILE * tiles, TILE, TILE),
                       ww_mem(s->matrix), ww_u32(s->n), ww_u32(offset));
    }
}

/* ---- the reference: one row after another, from the rows of U above it ---- */

/* Elements of L left of `end` in the tile that begins at `first`; `row` has what earlier tiles left
 * of it. */
static void solve_lower(const lud *s, float *row, uint64_t first, uint64_t end)
{
    const float *upper = s->matrix->host;
    for (uint64_t j = first; j < end; j++) {
        for (uint64_t k = first; k < j; k++)
            row[j] = fmaf(-row[k], upper[k * s->n + j], row[j]);
        row[j] /= upper[j * s->n + j];
    }
}

/* What a tile of L takes from the elements right of it: a sum of its own, as in lud_internal. */
WW_FUSED static void subtract_tile(const lud *s, float *row, uint64_t first, float *sums)
{
    const float *upper = s->matrix->host;
    memset(sums, 0, s->n * sizeof(*sums));
    for (uint64_t k = first; k < first + TILE; k++)
        for (uint64_t j = first + TILE; j < s->n; j++)
            sums[j] = fmaf(row[k], upper[k * s->n + j], sums[j]);
    for (uint64_t j = first + TILE; j < s->n; j++)
        row[j] -= sums[j];
}

/* Elements of U from column i on, one product after another, as in lud_perimeter. */
WW_FUSED static void solve_upper(const lud *s, float *row, uint64_t first, uint64_t i)
{
    const float *upper = s->matrix->host;
    for (uint64_t k = first; k < i; k++)
        for (uint64_t j = i; j < s->n; j++)
            row[j] = fmaf(-row[k], upper[k * s->n + j], row[j]);
}

/* The rows of U are taken from the result: those above row i have been compared before. */
static void verify(ww_host *host, void *state)
{
    lud *s = state;
    float *row = ww_host_alloc(host, s->n, sizeof(*row));
    float *sums = ww_host_alloc(host, s->n, sizeof(*sums));
    for (uint64_t i = 0; i < s->n; i++) {
        uint64_t own = i / TILE * TILE;
        for (uint64_t j = 0; j < s->n; j++)
            row[j] = initial(s, i, j);
        for (uint64_t first = 0; first < own; first += TILE) {
            solve_lower(s, row, first, first + TILE);
            subtract_tile(s, row, first, sums);
        }
        solve_lower(s, row, own, i);
        solve_upper(s, row, own, i);
        for (uint64_t j = 0; j < s->n; j++)
            ww_expect_f32(s->matrix, i * s->n + j, (double)row[j], 0);
    }
}

static const ww_parameter parameters[] = {
    WW_NUMBER_PARAMETER("n", "320", 16, 16384, "rows and columns of the matrix"),
};

static const ww_named_size sizes[] = {
    {"tiny", "n=64", 10, 0},
    {"small", "n=320", 58, 0},
    {"micro18", "n=2048", 382, 0},
    {"latency", "n=2048", 382, 0},
};

WW_WORKLOAD(lud) = {
    .name = "lud",
    .suite = "Rodinia",
    .doc = "LU decomposition of a dense matrix in tiles",
    .papers = "micro18 latency",
    .irregular = false,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(lud),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
