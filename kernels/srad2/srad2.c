/* SRAD (version 2): speckle-reducing anisotropic diffusion of an image, in tiles. */
#include "workload/workload.h"

#define TILE 16u
#define RATE 0.5f
#define REGION 128u /* rows and columns of the corner whose speckle is measured, at most */

enum { EAST, WEST, NORTH, SOUTH, SIDES };

typedef struct srad2 {
    uint64_t rows, columns, pixels, iterations;
    float *copy; /* of the image, on the host */
    ww_array *image, *coefficient, *difference[SIDES];
} srad2;

static void allocate(ww_host *host, void *state)
{
    srad2 *s = state;
    static const char *const differences[] = {"to_east", "to_west", "to_north", "to_south"};
    s->rows = ww_host_number(host, "rows");
    s->columns = ww_host_number(host, "columns");
    s->iterations = ww_host_number(host, "iterations");
    s->pixels = s->rows * s->columns;
    if (s->rows % TILE || s->columns % TILE)
        ww_host_refuse(host, "the image is %u x %u (multiples of %u are needed)", (unsigned)s->rows,
                       (unsigned)s->columns, TILE);
    s->copy = ww_host_alloc(host, s->pixels, sizeof(float));
    s->image = ww_host_array(host, "image", WW_INOUT, sizeof(float), s->pixels);
    s->coefficient = ww_host_array(host, "coefficient", WW_OUTPUT, sizeof(float), s->pixels);
    for (int i = 0; i < SIDES; i++)
        s->difference[i] =
            ww_host_array(host, differences[i], WW_SCRATCH, sizeof(float), s->pixels);
}

/* The exponential of a random brightness from 0 to 1. */
static float initial(const srad2 *s, uint64_t pixel)
{
    return (float)exp((double)ww_random_f32(s->image, pixel, 0, 1));
}

static void fill(ww_host *host, void *state)
{
    srad2 *s = state;
    float *image = s->image->host;
    (void)host;
    for (uint64_t i = 0; i < s->pixels; i++)
        image[i] = initial(s, i);
}

/* The squared coefficient of variation of the image's first corner. */
static float speckle_of(const srad2 *s, const float *image)
{
    uint64_t rows = s->rows < REGION ? s->rows : REGION;
    uint64_t columns = s->columns < REGION ? s->columns : REGION;
    float sum = 0, squares = 0, count = (float)(rows * columns);
    for (uint64_t i = 0; i < rows; i++)
        for (uint64_t j = 0; j < columns; j++) {
            float value = image[i * s->columns + j];
            sum += value;
            squares += value * value;
        }
    float mean = sum / count;
    return (squares / count - mean * mean) / (mean * mean);
}

static void run(ww_host *host, void *state)
{
    srad2 *s = state;
    ww_array *const *to = s->difference;
    ww_range range = ww_range2(s->columns, s->rows, TILE, TILE);
    for (uint64_t i = 0; i < s->iterations && ww_host_ok(host); i++) {
        ww_host_read(host, s->image, 0, s->pixels, sizeof(float), s->copy);
        float speckle = speckle_of(s, s->copy);
        ww_host_launch(host, "srad2_coefficients", range, ww_mem(to[EAST]), ww_mem(to[WEST]),
                       ww_mem(to[NORTH]), ww_mem(to[SOUTH]), ww_mem(s->image),
                       ww_mem(s->coefficient), ww_u32(s->columns), ww_u32(s->rows),
                       ww_f32(speckle));
        ww_host_launch(host, "srad2_update", range, ww_mem(to[EAST]), ww_mem(to[WEST]),
                       ww_mem(to[NORTH]), ww_mem(to[SOUTH]), ww_mem(s->image),
                       ww_mem(s->coefficient), ww_u32(s->columns), ww_u32(s->rows), ww_f32(RATE));
    }
}

/* ---- the reference: the same operations in the same order, without contraction ---- */

/* Where the neighbours of a pixel are; an edge pixel is its own neighbour. */
static void neighbours_of(const srad2 *s, uint64_t i, uint64_t at[SIDES])
{
    uint64_t row = i / s->columns, column = i % s->columns;
    at[NORTH] = row ? i - s->columns : i;
    at[SOUTH] = row + 1 < s->rows ? i + s->columns : i;
    at[WEST] = column ? i - 1 : i;
    at[EAST] = column + 1 < s->columns ? i + 1 : i;
}

static float reference_coefficient(const srad2 *s, const float *image, uint64_t i, float speckle)
{
    uint64_t at[SIDES];
    neighbours_of(s, i, at);
    float here = image[i];
    float n = image[at[NORTH]] - here, south = image[at[SOUTH]] - here;
    float w = image[at[WEST]] - here, e = image[at[EAST]] - here;
    float gradient = (n * n + south * south + w * w + e * e) / (here * here);
    float laplacian = (n + south + w + e) / here;
    float numerator = 0.5f * gradient - 1.0f / 16.0f * (laplacian * laplacian);
    float denominator = 1.0f + 0.25f * laplacian;
    float variation = numerator / (denominator * denominator);
    float c = 1.0f / (1.0f + (variation - speckle) / (speckle * (1.0f + speckle)));
    return c < 0 ? 0 : c > 1 ? 1 : c;
}

static float reference_pixel(const srad2 *s, const float *image, const float *c, uint64_t i)
{
    uint64_t at[SIDES];
    neighbours_of(s, i, at);
    float here = image[i];
    float divergence = c[i] * (image[at[NORTH]] - here) + c[at[SOUTH]] * (image[at[SOUTH]] - here) +
                       c[i] * (image[at[WEST]] - here) + c[at[EAST]] * (image[at[EAST]] - here);
    return here + 0.25f * RATE * divergence;
}

static void verify(ww_host *host, void *state)
{
    srad2 *s = state;
    float *image = ww_host_alloc(host, s->pixels, sizeof(*image));
    float *next = ww_host_alloc(host, s->pixels, sizeof(*next));
    float *coefficient = ww_host_alloc(host, s->pixels, sizeof(*coefficient));
    for (uint64_t i = 0; i < s->pixels; i++)
        image[i] = initial(s, i);
    for (uint64_t step = 0; step < s->iterations; step++) {
        float speckle = speckle_of(s, image);
        for (uint64_t i = 0; i < s->pixels; i++)
            coefficient[i] = reference_coefficient(s, image, i, speckle);
        for (uint64_t i = 0; i < s->pixels; i++)
            next[i] = reference_pixel(s, image, coefficient, i);
        float *swap = image;
        image = next;
        next = swap;
    }
    for (uint64_t i = 0; i < s->pixels; i++) {
        ww_expect_f32(s->image, i, (double)image[i], 0);
        ww_expect_f32(s->coefficient, i, (double)coefficient[i], 0);
    }
}

static const ww_parameter parameters[] = {
    WW_NUMBER_PARAMETER("rows", "592", 16, 32768, "rows of the image"),
    WW_NUMBER_PARAMETER("columns", "608", 16, 32768, "columns of the image"),
    WW_NUMBER_PARAMETER("iterations", "1", 1, 10000, "steps of diffusion"),
};

/* latency, ctrlc: one of the 2 steps of Rodinia's own script. */
static const ww_named_size sizes[] = {
    {"tiny", "rows=48,columns=64,iterations=2", 4, 0},
    {"small", "rows=592,columns=608", 2, 0},
    {"latency", "rows=2048,columns=2048", 2, 0},
    {"ctrlc", "rows=2048,columns=2048", 2, 0},
};

WW_WORKLOAD(srad2) = {
    .name = "srad2",
    .suite = "Rodinia",
    .doc = "speckle-reducing anisotropic diffusion in tiles of local memory (version 2)",
    .papers = "latency ctrlc",
    .irregular = false,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(srad2),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
