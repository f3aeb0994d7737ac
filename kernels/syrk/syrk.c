/* SYRK: the rank-k update of a symmetric matrix, C = alpha A A^T + beta C. */
#include "workload/fused.h"
#include "workload/workload.h"

#include <inttypes.h>

#define ALPHA 1.5f
#define BETA 1.2f

typedef struct syrk {
    uint64_t rows, columns, group, group_width;
    ww_array *a, *c;
} syrk;

static void allocate(ww_host *host, void *state)
{
    syrk *s = state;
    s->rows = ww_host_number(host, "rows");
    s->columns = ww_host_number(host, "columns");
    s->group = ww_host_number(host, "group");
    s->group_width = ww_host_number(host, "group_width");
    if (s->group % s->group_width != 0)
        ww_host_refuse(host, "group is %" PRIu64 " (a multiple of group_width, %" PRIu64
                       ", is needed)", s->group, s->group_width);
    s->a = ww_host_array(host, "A", WW_INPUT, sizeof(float), s->rows * s->columns);
    s->c = ww_host_array(host, "C", WW_INOUT, sizeof(float), s->rows * s->rows);
}

static void fill(ww_host *host, void *state)
{
    syrk *s = state;
    (void)host;
    ww_host_fill_f32(s->a, 0, 1);
    ww_host_fill_f32(s->c, 0, 1);
}

static void run(ww_host *host, void *state)
{
    syrk *s = state;
    ww_host_launch(host, "syrk",
                   ww_range2(s->rows, s->rows, s->group_width, s->group / s->group_width),
                   ww_mem(s->a), ww_mem(s->c), ww_f32(ALPHA), ww_f32(BETA), ww_u32(s->rows),
                   ww_u32(s->columns));
}

/* Adds to `c` the products of row i, which alpha has multiplied, with row j. */
WW_FUSED static float add_products(float c, const float *scaled_i, const float *row_j,
                                   uint64_t columns)
{
    for (uint64_t k = 0; k < columns; k++)
        c = fmaf(scaled_i[k], row_j[k], c);
    return c;
}

static void verify(ww_host *host, void *state)
{
    syrk *s = state;
    const float *a = s->a->host;
    float *scaled = ww_host_alloc(host, s->columns, sizeof(*scaled));
    for (uint64_t i = 0; i < s->rows; i++) {
        for (uint64_t k = 0; k < s->columns; k++)
            scaled[k] = ALPHA * a[i * s->columns + k];
        for (uint64_t j = 0; j < s->rows; j++) {
            uint64_t index = i * s->rows + j;
            float start = ww_random_f32(s->c, index, 0, 1) * BETA;
            float want = add_products(start, scaled, a + j * s->columns, s->columns);
            ww_expect_f32(s->c, index, (double)want, 0);
        }
    }
}

static const ww_parameter parameters[] = {
    WW_NUMBER_PARAMETER("rows", "1024", 1, 65536, "rows of A, and both sides of C"),
    WW_NUMBER_PARAMETER("columns", "1024", 1, 65536, "columns of A"),
    WW_GROUP_PARAMETER("256"),
    WW_NUMBER_PARAMETER("group_width", "32", 1, 1024, "of them, work-items along a row of C"),
};

static const ww_named_size sizes[] = {
    {"tiny", "rows=48,columns=96,group=64", 1, 0},
    {"small", "rows=96,columns=1024,group=64", 1, 0},
    {"cuptw", "rows=8192,columns=8192,group=64", 1, 512},
};

WW_WORKLOAD(syrk) = {
    .name = "syrk",
    .suite = "Polybench",
    .doc = "rank-k update of a symmetric matrix, C = alpha A A^T + beta C",
    .papers = "cuptw",
    .irregular = true,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(syrk),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
