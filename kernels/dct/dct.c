/* The discrete cosine transform of an image in blocks of 8 x 8 pixels, and back. */
#include "workload/fused.h"
#include "workload/workload.h"

#define BLOCK 8u

typedef struct dct {
    uint64_t rows, columns, iterations;
    ww_array *image, *quanta, *coefficients, *result;
} dct;

static void allocate(ww_host *host, void *state)
{
    dct *s = state;
    s->rows = ww_host_number(host, "rows");
    s->columns = ww_host_number(host, "columns");
    s->iterations = ww_host_number(host, "iterations");
    if (s->rows % BLOCK || s->columns % BLOCK)
        ww_host_refuse(host, "the image is %u x %u (multiples of %u are needed)", (unsigned)s->rows,
                       (unsigned)s->columns, BLOCK);
    uint64_t pixels = s->rows * s->columns;
    s->image = ww_host_array(host, "image", WW_INPUT, sizeof(float), pixels);
    s->coefficients = ww_host_array(host, "coefficients", WW_OUTPUT, sizeof(float), pixels);
    s->result = ww_host_array(host, "result", WW_OUTPUT, sizeof(float), pixels);
    s->quanta = ww_host_array(host, "quanta", WW_INPUT, sizeof(int32_t), BLOCK * BLOCK);
}

/* Brightness from -128 to 127: patches of 32 x 32, and some noise. */
static void fill(ww_host *host, void *state)
{
    dct *s = state;
    float *image = s->image->host;
    int32_t *quanta = s->quanta->host;
    (void)host;
    for (uint64_t i = 0; i < s->rows * s->columns; i++) {
        uint64_t patch = i / s->columns / 32 * s->columns + i % s->columns / 32;
        uint32_t value = ww_random_below(s->result, patch, 224) + ww_random_below(s->image, i, 32);
        image[i] = (float)value - 128;
    }
    for (int32_t i = 0; i < (int32_t)(BLOCK * BLOCK); i++)
        quanta[i] = 8 + 6 * (i % 8 + i / 8);
}

static void run(ww_host *host, void *state)
{
    dct *s = state;
    ww_range range = ww_range2(s->columns, s->rows, BLOCK, BLOCK);
    for (uint64_t i = 0; i < s->iterations; i++)
        ww_host_launch(host, "dct_forward", range, ww_mem(s->coefficients), ww_mem(s->image),
                       ww_u32(s->columns));
    ww_host_launch(host, "dct_quantize", range, ww_mem(s->coefficients), ww_mem(s->quanta),
                   ww_u32(s->columns));
    ww_host_launch(host, "dct_inverse", range, ww_mem(s->result), ww_mem(s->coefficients),
                   ww_u32(s->columns));
}

/* ---- the reference: the same fused multiply-adds, with cosines that it computes ---- */

typedef struct matrix {
    float at[BLOCK][BLOCK];
} matrix;

/* Rounded to as many digits as the kernel's are written with. */
static matrix make_cosines(bool transposed)
{
    matrix m;
    for (unsigned u = 0; u < BLOCK; u++)
        for (unsigned x = 0; x < BLOCK; x++) {
            double size = u ? 0.5 : sqrt(0.125);
            double value = size * cos((2 * x + 1) * u * 3.14159265358979323846 / 16);
            m.at[transposed ? x : u][transposed ? u : x] = (float)(round(value * 1e11) / 1e11);
        }
    return m;
}

/* left * block * left transposed */
WW_FUSED static matrix from_both_sides(const matrix *left, const matrix *block)
{
    matrix half, whole;
    for (unsigned y = 0; y < BLOCK; y++)
        for (unsigned x = 0; x < BLOCK; x++) {
            float sum = 0;
            for (unsigned i = 0; i < BLOCK; i++)
                sum = fmaf(left->at[y][i], block->at[i][x], sum);
            half.at[y][x] = sum;
        }
    for (unsigned y = 0; y < BLOCK; y++)
        for (unsigned x = 0; x < BLOCK; x++) {
            float sum = 0;
            for (unsigned i = 0; i < BLOCK; i++)
                sum = fmaf(half.at[y][i], left->at[x][i], sum);
            whole.at[y][x] = sum;
        }
    return whole;
}

static void expect_block(const dct *s, ww_array *array, uint64_t first, const matrix *want)
{
    for (uint64_t y = 0; y < BLOCK; y++)
        for (uint64_t x = 0; x < BLOCK; x++)
            ww_expect_f32(array, first + y * s->columns + x, (double)want->at[y][x], 0);
}

static void verify(ww_host *host, void *state)
{
    dct *s = state;
    const float *image = s->image->host;
    const int32_t *quanta = s->quanta->host;
    matrix cosines = make_cosines(false), transposed = make_cosines(true);
    (void)host;
    for (uint64_t n = 0; n < s->rows / BLOCK * (s->columns / BLOCK); n++) {
        uint64_t across = s->columns / BLOCK;
        uint64_t first = n / across * BLOCK * s->columns + n % across * BLOCK;
        matrix block;
        for (uint64_t i = 0; i < BLOCK * BLOCK; i++)
            block.at[i / BLOCK][i % BLOCK] = image[first + i / BLOCK * s->columns + i % BLOCK];
        block = from_both_sides(&cosines, &block);
        for (uint64_t i = 0; i < BLOCK * BLOCK; i++) {
            float *value = &block.at[i / BLOCK][i % BLOCK];
            *value = rintf(*value / (float)quanta[i]) * (float)quanta[i];
        }
        expect_block(s, s->coefficients, first, &block);
        block = from_both_sides(&transposed, &block);
        expect_block(s, s->result, first, &block);
    }
}

static const ww_parameter parameters[] = {
    WW_NUMBER_PARAMETER("rows", "448", 8, 32768, "rows of the image"),
    WW_NUMBER_PARAMETER("columns", "1024", 8, 32768, "columns of the image"),
    WW_NUMBER_PARAMETER("iterations", "1", 1, 1000, "times that the image is transformed"),
};

static const ww_named_size sizes[] = {
    {"tiny", "rows=64,columns=128", 3, 0},
    {"small", "rows=448,columns=1024", 3, 0},
    {"ctrlc", "rows=512,columns=512,iterations=10", 12, 0},
};

WW_WORKLOAD(dct) = {
    .name = "dct",
    .suite = "CUDA SDK",
    .doc = "discrete cosine transform of an image in blocks of 8 x 8, and back",
    .papers = "ctrlc",
    .irregular = false,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(dct),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
