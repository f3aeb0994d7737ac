/* Product of two matrices by Mars: a record for each element. */
#include "workload/fused.h"
#include "workload/mapreduce.h"
#include "workload/workload.h"

#define HIGHEST 100 /* elements are below it */

typedef struct marsmm {
    uint64_t n, rows, columns, elements;
    ww_array *a, *b;
    ww_mapreduce job;
} marsmm;

typedef struct record_key {
    uint64_t a, b;
} record_key;

typedef struct record_value {
    int32_t row, column, rows, columns;
} record_value;

static void allocate(ww_host *host, void *state)
{
    marsmm *s = state;
    s->n = ww_host_number(host, "n");
    s->rows = ww_host_number(host, "rows");
    s->columns = ww_host_number(host, "columns");
    if (s->rows > s->n)
        ww_host_refuse(host, "rows is %u (at most n, which is %u)", (unsigned)s->rows,
                       (unsigned)s->n);
    if (s->columns % 4)
        ww_host_refuse(host, "columns is %u (a multiple of 4 is needed)", (unsigned)s->columns);
    s->elements = s->rows * s->n;
    s->a = ww_host_array(host, "a", WW_INPUT, sizeof(float), s->n * s->columns);
    s->b = ww_host_array(host, "b", WW_INPUT, sizeof(float), s->n * s->columns);
    const ww_mapreduce_shape shape = {.name = "marsmm",
                                      .records = s->elements,
                                      .group = ww_host_number(host, "group"),
                                      .key_size = sizeof(record_key),
                                      .value_size = sizeof(record_value),
                                      .most_records = s->elements,
                                      .most_keys = s->elements,
                                      .most_values = 2 * s->elements,
                                      .key_element = sizeof(float),
                                      .value_element = sizeof(int32_t)};
    ww_mapreduce_allocate(host, &s->job, &shape);
}

static void fill(ww_host *host, void *state)
{
    marsmm *s = state;
    float *a = s->a->host, *b = s->b->host;
    record_key *key = s->job.input.keys->host;
    record_value *value = s->job.input.values->host;
    (void)host;
    for (uint64_t i = 0; i < s->n * s->columns; i++) {
        a[i] = (float)ww_random_below(s->a, i, HIGHEST);
        b[i] = (float)ww_random_below(s->b, i, HIGHEST);
    }
    for (uint64_t i = 0; i < s->rows; i++)
        for (uint64_t j = 0; j < s->n; j++) {
            *key++ = (record_key){s->a->buffer->address, s->b->buffer->address};
            *value++ = (record_value){(int32_t)i, (int32_t)j, (int32_t)s->n, (int32_t)s->columns};
        }
    ww_mapreduce_fill(&s->job);
}

static void run(ww_host *host, void *state)
{
    marsmm *s = state;
    ww_mapreduce_run(host, &s->job);
}

WW_FUSED static float element(const marsmm *s, uint64_t row, uint64_t column)
{
    const float *a = (const float *)s->a->host + row * s->columns;
    const float *b = (const float *)s->b->host + column * s->columns;
    float sum = 0;
    for (uint64_t i = 0; i < s->columns; i++)
        sum = fmaf(a[i], b[i], sum);
    return sum;
}

static void verify(ww_host *host, void *state)
{
    marsmm *s = state;
    ww_records *out = &s->job.emitted;
    (void)host;
    for (uint64_t i = 0; i < s->elements; i++) {
        uint64_t row = i / s->n, column = i % s->n;
        ww_expect_f32(out->keys, i, element(s, row, column), 0);
        ww_expect_i32(out->values, 2 * i, (int32_t)row);
        ww_expect_i32(out->values, 2 * i + 1, (int32_t)column);
        ww_mapreduce_expect_entry(out, i, sizeof(float) * i, sizeof(float), 2 * sizeof(int32_t) * i,
                                  2 * sizeof(int32_t));
    }
}

static const ww_parameter parameters[] = {
    WW_NUMBER_PARAMETER("n", "300", 1, 8192, "rows of the first matrix, columns of the second"),
    WW_NUMBER_PARAMETER("rows", "300", 1, 8192, "rows of the product that are computed"),
    WW_NUMBER_PARAMETER("columns", "64", 4, 65536, "columns of the first, rows of the second"),
    WW_GROUP_PARAMETER("256"),
};

static const ww_named_size sizes[] = {
    {"tiny", "n=32,rows=32,columns=64,group=64", 11, 0},
    {"small", "", 11, 0},
    {"ctrlc", "n=1024,rows=160,columns=1024", 11, 0},
};

WW_WORKLOAD(marsmm) = {
    .name = "marsmm",
    .suite = "Mars",
    .doc = "product of dense matrices by MapReduce: a record for each element",
    .papers = "ctrlc",
    .irregular = true,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(marsmm),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
