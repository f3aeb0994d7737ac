/* Product of dense matrices in single precision, C = alpha A B + beta C.
 *
 * Parboil's sgemm, the tiled version with registers: work-groups of 128 work-items, each with 16
 * elements of C. Parboil's medium input is m=1024, n=1056, k=992; its small one is m=128, n=160,
 * k=96. hpca16 is the medium one. alpha and beta are 1 and 0 there; here they are not, so that a
 * mistake with them or with C shows. */
#include "workload/fused.h"
#include "workload/workload.h"

#include <inttypes.h>

#define COLUMNS 16u /* of a work-group's tile of C, as in kernel.cl */
#define DEPTH 8u
#define ROWS (COLUMNS * DEPTH)
#define ALPHA 1.5f
#define BETA 0.5f

typedef struct sgemm {
    uint64_t m, n, k;
    ww_array *a, *bt, *c;
} sgemm;

static uint64_t multiple(ww_host *host, const char *name, uint64_t of)
{
    uint64_t value = ww_host_number(host, name);
    if (value % of)
        ww_host_refuse(host, "%s is %" PRIu64 " (a multiple of %" PRIu64 " is needed)", name, value,
                       of);
    return value;
}

static void allocate(ww_host *host, void *state)
{
    sgemm *s = state;
    s->m = multiple(host, "m", ROWS);
    s->n = multiple(host, "n", COLUMNS);
    s->k = multiple(host, "k", DEPTH);
    if (s->m * s->k > INT32_MAX || s->n * s->k > INT32_MAX || s->m * s->n > INT32_MAX)
        ww_host_refuse(host, "a matrix has more than %d elements", INT32_MAX);
    s->a = ww_host_array(host, "A", WW_INPUT, sizeof(float), s->m * s->k);
    s->bt = ww_host_array(host, "BT", WW_INPUT, sizeof(float), s->n * s->k);
    s->c = ww_host_array(host, "C", WW_INOUT, sizeof(float), s->m * s->n);
}

static void fill(ww_host *host, void *state)
{
    sgemm *s = state;
    (void)host;
    ww_host_fill_f32(s->a, -1, 1);
    ww_host_fill_f32(s->bt, -1, 1);
    ww_host_fill_f32(s->c, -1, 1);
}

static void run(ww_host *host, void *state)
{
    sgemm *s = state;
    ww_host_launch(host, "sgemm", ww_range2(s->m / DEPTH, s->n / COLUMNS * DEPTH, COLUMNS, DEPTH),
                   ww_mem(s->a), ww_mem(s->bt), ww_mem(s->c), ww_u32(s->m), ww_u32(s->n),
                   ww_u32(s->k), ww_f32(ALPHA), ww_f32(BETA));
}

/* A column of A B: the products in the kernel's order, each added with one rounding. */
WW_FUSED static void multiply_column(const sgemm *s, uint64_t column, float *sums)
{
    const float *a = s->a->host, *bt = s->bt->host;
    memset(sums, 0, s->m * sizeof(*sums));
    for (uint64_t i = 0; i < s->k; i++)
        for (uint64_t row = 0; row < s->m; row++)
            sums[row] = fmaf(a[i * s->m + row], bt[i * s->n + column], sums[row]);
}

static void verify(ww_host *host, void *state)
{
    sgemm *s = state;
    float *sums = ww_host_alloc(host, s->m, sizeof(*sums));
    for (uint64_t column = 0; column < s->n; column++) {
        multiply_column(s, column, sums);
        for (uint64_t row = 0; row < s->m; row++) {
            uint64_t index = column * s->m + row;
            double product = (double)ALPHA * sums[row];
            double rest = (double)BETA * ww_random_f32(s->c, index, -1, 1);
            ww_expect_f32(s->c, index, product + rest, ww_sum_slack(2, fabs(product) + fabs(rest)));
        }
    }
}

static const ww_parameter parameters[] = {
    WW_NUMBER_PARAMETER("m", "4096", 128, 1 << 20, "rows of A and C"),
    WW_NUMBER_PARAMETER("n", "16", 16, 1 << 20, "columns of B and C"),
    WW_NUMBER_PARAMETER("k", "512", 8, 1 << 20, "columns of A, rows of B"),
};

static const ww_named_size sizes[] = {
    {"tiny", "m=256,n=48,k=96", 1, 0},
    {"small", "m=4096,n=16,k=512", 1, 0},
    {"hpca16", "m=1024,n=1056,k=992", 1, 0},
};

WW_WORKLOAD(sgemm) = {
    .name = "sgemm",
    .suite = "Parboil",
    .doc = "product of dense matrices, C = alpha A B + beta C, in tiles",
    .papers = "hpca16",
    .irregular = false,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(sgemm),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
