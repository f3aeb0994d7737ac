/* SYR2K: the rank-2k update of a symmetric matrix, C = alpha A B^T + alpha B A^T + beta C. */
#include "workload/fused.h"
#include "workload/workload.h"

#include <inttypes.h>

#define ALPHA 1.5f
#define BETA 1.2f

typedef struct syr2k {
    uint64_t rows, columns, group, group_width;
    ww_array *a, *b, *c;
} syr2k;

static void allocate(ww_host *host, void *state)
{
    syr2k *s = state;
    s->rows = ww_host_number(host, "rows");
    s->columns = ww_host_number(host, "columns");
    s->group = ww_host_number(host, "group");
    s->group_width = ww_host_number(host, "group_width");
    if (s->group % s->group_width != 0)
        ww_host_refuse(host, "group is %" PRIu64 " (a multiple of group_width, %" PRIu64
                       ", is needed)", s->group, s->group_width);
    s->a = ww_host_array(host, "A", WW_INPUT, sizeof(float), s->rows * s->columns);
    s->b = ww_host_array(host, "B", WW_INPUT, sizeof(float), s->rows * s->columns);
    s->c = ww_host_array(host, "C", WW_INOUT, sizeof(float), s->rows * s->rows);
}

static void fill(ww_host *host, void *state)
{
    syr2k *s = state;
    (void)host;
    ww_host_fill_f32(s->a, 0, 1);
    ww_host_fill_f32(s->b, 0, 1);
    ww_host_fill_f32(s->c, 0, 1);
}

static void run(ww_host *host, void *state)
{
    syr2k *s = state;
    ww_host_launch(host, "syr2k",
                   ww_range2(s->rows, s->rows, s->group_width, s->group / s->group_width),
                   ww_mem(s->a), ww_mem(s->b), ww_mem(s->c), ww_f32(ALPHA), ww_f32(BETA),
                   ww_u32(s->rows), ww_u32(s->columns));
}

/* Adds to `c` the products of row i of A with row j of B and the other way round. */
WW_FUSED static float add_products(const syr2k *s, float c, uint64_t i, uint64_t j)
{
    const float *ai = (const float *)s->a->host + i * s->columns;
    const float *aj = (const float *)s->a->host + j * s->columns;
    const float *bi = (const float *)s->b->host + i * s->columns;
    const float *bj = (const float *)s->b->host + j * s->columns;
    for (uint64_t k = 0; k < s->columns; k++) {
        c = fmaf(ALPHA * ai[k], bj[k], c);
        c = fmaf(ALPHA * bi[k], aj[k], c);
    }
    return c;
}

static void verify(ww_host *host, void *state)
{
    syr2k *s = state;
    (void)host;
    for (uint64_t i = 0; i < s->rows; i++)
        for (uint64_t j = 0; j < s->rows; j++) {
            uint64_t index = i * s->rows + j;
            float start = ww_random_f32(s->c, index, 0, 1) * BETA;
            ww_expect_f32(s->c, index, (double)add_products(s, start, i, j), 0);
        }
}

static const ww_parameter parameters[] = {
    WW_NUMBER_PARAMETER("rows", "1024", 1, 65536, "rows of A and B, and both sides of C"),
    WW_NUMBER_PARAMETER("columns", "1024", 1, 65536, "columns of A and B"),
    WW_GROUP_PARAMETER("256"),
    WW_NUMBER_PARAMETER("group_width", "32", 1, 1024, "of them, work-items along a row of C"),
};

static const ww_named_size sizes[] = {
    {"tiny", "rows=48,columns=40,group=64", 1, 0},
    {"small", "rows=64,columns=1024,group=64", 1, 0},
    {"cuptw", "rows=4096,columns=4096,group=64", 1, 192},
};

WW_WORKLOAD(syr2k) = {
    .name = "syr2k",
    .suite = "Polybench",
    .doc = "rank-2k update of a symmetric matrix, C = alpha A B^T + alpha B A^T + beta C",
    .papers = "cuptw",
    .irregular = true,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(syr2k),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
