/* MVT: x1 += A y1 and x2 += A^T y2, in single or double precision. */
#include "workload/fused.h"
#include "workload/workload.h"

typedef struct mvt {
    uint64_t rows, columns, group;
    bool wide; /* elements are doubles */
    ww_array *a, *x1, *x2, *y1, *y2;
} mvt;

static void allocate(ww_host *host, void *state)
{
    mvt *s = state;
    s->rows = ww_host_number(host, "rows");
    s->columns = ww_host_number(host, "columns");
    s->group = ww_host_number(host, "group");
    s->wide = strcmp(ww_host_word(host, "type"), "double") == 0;
    size_t size = s->wide ? sizeof(double) : sizeof(float);
    s->a = ww_host_array(host, "A", WW_INPUT, size, s->rows * s->columns);
    s->x1 = ww_host_array(host, "x1", WW_INOUT, size, s->rows);
    s->x2 = ww_host_array(host, "x2", WW_INOUT, size, s->columns);
    s->y1 = ww_host_array(host, "y1", WW_INPUT, size, s->columns);
    s->y2 = ww_host_array(host, "y2", WW_INPUT, size, s->rows);
}

/* The value that the array started with. */
static double initial(const mvt *s, const ww_array *array, uint64_t index)
{
    return s->wide ? ww_random_f64(array, index, 0, 1) : (double)ww_random_f32(array, index, 0, 1);
}

static void fill_array(const mvt *s, ww_array *array, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        if (s->wide)
            ((double *)array->host)[i] = initial(s, array, i);
        else
            ((float *)array->host)[i] = (float)initial(s, array, i);
    }
}

static void fill(ww_host *host, void *state)
{
    mvt *s = state;
    (void)host;
    fill_array(s, s->a, s->rows * s->columns);
    fill_array(s, s->x1, s->rows);
    fill_array(s, s->x2, s->columns);
    fill_array(s, s->y1, s->columns);
    fill_array(s, s->y2, s->rows);
}

static void run(ww_host *host, void *state)
{
    mvt *s = state;
    ww_host_launch(host, s->wide ? "mvt_rows_double" : "mvt_rows_float",
                   ww_range1(s->rows, s->group), ww_mem(s->a), ww_mem(s->x1), ww_mem(s->y1),
                   ww_u32(s->rows), ww_u32(s->columns));
    ww_host_launch(host, s->wide ? "mvt_columns_double" : "mvt_columns_float",
                   ww_range1(s->columns, s->group), ww_mem(s->a), ww_mem(s->x2), ww_mem(s->y2),
                   ww_u32(s->rows), ww_u32(s->columns));
}

/* One element of x1 from a row of A, and what the row and an element of y2 add to x2. */
#define MULTIPLY_ROW(real, fused)                                                                 \
    WW_FUSED static real multiply_row_##real(const real *a, const real *y1, real x1, real y2,     \
                                             real *x2, uint64_t columns)                          \
    {                                                                                             \
        for (uint64_t j = 0; j < columns; j++)                                                    \
            x1 = fused(a[j], y1[j], x1);                                                          \
        for (uint64_t j = 0; j < columns; j++)                                                    \
            x2[j] = fused(a[j], y2, x2[j]);                                                       \
        return x1;                                                                                \
    }
MULTIPLY_ROW(float, fmaf)
MULTIPLY_ROW(double, fma)

static void verify_float(ww_host *host, const mvt *s)
{
    const float *a = s->a->host, *y2 = s->y2->host;
    float *x2 = ww_host_alloc(host, s->columns, sizeof(*x2));
    for (uint64_t j = 0; j < s->columns; j++)
        x2[j] = (float)initial(s, s->x2, j);
    for (uint64_t i = 0; i < s->rows; i++) {
        float x1 = multiply_row_float(a + i * s->columns, s->y1->host, (float)initial(s, s->x1, i),
                                      y2[i], x2, s->columns);
        ww_expect_f32(s->x1, i, (double)x1, 0);
    }
    for (uint64_t j = 0; j < s->columns; j++)
        ww_expect_f32(s->x2, j, (double)x2[j], 0);
}

static void verify_double(ww_host *host, const mvt *s)
{
    const double *a = s->a->host, *y2 = s->y2->host;
    double *x2 = ww_host_alloc(host, s->columns, sizeof(*x2));
    for (uint64_t j = 0; j < s->columns; j++)
        x2[j] = initial(s, s->x2, j);
    for (uint64_t i = 0; i < s->rows; i++) {
        double x1 = multiply_row_double(a + i * s->columns, s->y1->host, initial(s, s->x1, i),
                                        y2[i], x2, s->columns);
        ww_expect_f64(s->x1, i, x1, 0);
    }
    for (uint64_t j = 0; j < s->columns; j++)
        ww_expect_f64(s->x2, j, x2[j], 0);
}

static void verify(ww_host *host, void *state)
{
    const mvt *s = state;
    if (s->wide)
        verify_double(host, s);
    else
        verify_float(host, s);
}

static const ww_parameter parameters[] = {
    WW_NUMBER_PARAMETER("rows", "4096", 1, 65536, "rows of the matrix"),
    WW_NUMBER_PARAMETER("columns", "4096", 1, 65536, "columns of the matrix"),
    WW_CHOICE_PARAMETER("type", "double", "float|double", "of all elements"),
    WW_GROUP_PARAMETER("256"),
};

static const ww_named_size sizes[] = {
    {"tiny", "rows=256,columns=256,type=float,group=64", 2, 0},
    {"small", "rows=4096,columns=1024,group=64", 2, 0},
    {"isca18", "rows=4096,columns=4096,group=256", 2, 128.14},
};

WW_WORKLOAD(mvt) = {
    .name = "mvt",
    .suite = "Polybench",
    .doc = "matrix-vector product and transpose, x1 += A y1 and x2 += A^T y2",
    .papers = "isca18 micro18",
    .irregular = true,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(mvt),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
