/* LU decomposition of a dense matrix, without pivoting, in tiles. */
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

/* Row i of L U, and the sums of the absolute values of its terms. */
static void multiply_row(const lud *s, uint64_t i, double *product, double *magnitude)
{
    const float *matrix = s->matrix->host;
    memset(product, 0, s->n * sizeof(*product));
    memset(magnitude, 0, s->n * sizeof(*magnitude));
    for (uint64_t k = 0; k <= i; k++) {
        const float *upper = matrix + k * s->n;
        double lower = k < i ? (double)matrix[i * s->n + k] : 1;
        double size = fabs(lower);
        for (uint64_t j = k; j < s->n; j++) {
            product[j] += lower * (double)upper[j];
            magnitude[j] += size * fabs((double)upper[j]);
        }
    }
}

/* L U is the matrix that was decomposed, which has only one such decomposition. A term is rounded
 * at most 16 times in its tile's sum, once for each tile, 16 times in the last tile, and in the
 * division; a product of L and U then is within that many roundings of the sum of its terms'
 * magnitudes (Higham, Accuracy and Stability of Numerical Algorithms, theorem 9.3). */
static void verify(ww_host *host, void *state)
{
    lud *s = state;
    uint64_t roundings = 2 * TILE + s->n / TILE + 1;
    double *product = ww_host_alloc(host, s->n, sizeof(*product));
    double *magnitude = ww_host_alloc(host, s->n, sizeof(*magnitude));
    for (uint64_t i = 0; i < s->n; i++) {
        multiply_row(s, i, product, magnitude);
        for (uint64_t j = 0; j < s->n; j++) {
            double want = (double)initial(s, i, j);
            if (!(fabs(product[j] - want) <= ww_sum_slack(roundings, magnitude[j])))
                ww_array_wrong(s->matrix, i * s->n + j, product[j], want);
        }
    }
    ww_array_vouch(s->matrix);
}

static const ww_parameter parameters[] = {
    WW_NUMBER_PARAMETER("n", "320", 16, 16384, "rows and columns of the matrix"),
};

static const ww_named_size sizes[] = {
    {"tiny", "n=64", 10, 0},
    {"small", "n=320", 58, 0},
    {"micro18", "n=2048", 382, 0},
};

WW_WORKLOAD(lud) = {
    .name = "lud",
    .suite = "Rodinia",
    .doc = "LU decomposition of a dense matrix in tiles",
    .papers = "micro18",
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
