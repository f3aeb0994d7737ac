/* SRAD (version 1): speckle-reducing anisotropic diffusion of an image. */
#include "workload/workload.h"

#define RATE 0.5f
#define BLOCK 32u /* rows and columns of a patch of one brightness in the image */

enum { NORTH, SOUTH, WEST, EAST, SIDES };

typedef struct totals {
    float sum, squares;
} totals;

typedef struct srad {
    uint64_t rows, columns, pixels, iterations, group;
    uint64_t steps;    /* that the run made */
    totals *statistics; /* of the image, for each of them */
    ww_array *image, *sums, *squares, *coefficient;
    ww_array *neighbour[SIDES], *difference[SIDES];
} srad;

static void allocate(ww_host *host, void *state)
{
    srad *s = state;
    static const char *const neighbours[] = {"north", "south", "west", "east"};
    static const char *const differences[] = {"to_north", "to_south", "to_west", "to_east"};
    s->rows = ww_host_number(host, "rows");
    s->columns = ww_host_number(host, "columns");
    s->pixels = s->rows * s->columns;
    s->iterations = ww_host_number(host, "iterations");
    s->group = ww_host_number(host, "group");
    if (s->group < 2 || s->group & (s->group - 1))
        ww_host_refuse(host, "group is %u (a power of two from 2 on is needed)",
                       (unsigned)s->group);
    s->statistics = ww_host_alloc(host, s->iterations, sizeof(*s->statistics));
    s->image = ww_host_array(host, "image", WW_INOUT, sizeof(float), s->pixels);
    for (int i = 0; i < SIDES; i++) {
        s->neighbour[i] = ww_host_array(host, neighbours[i], WW_INPUT, sizeof(int32_t),
                                        i < WEST ? s->rows : s->columns);
        s->difference[i] =
            ww_host_array(host, differences[i], WW_SCRATCH, sizeof(float), s->pixels);
    }
    s->coefficient = ww_host_array(host, "coefficient", WW_SCRATCH, sizeof(float), s->pixels);
    s->sums = ww_host_array(host, "sums", WW_SCRATCH, sizeof(float), s->pixels);
    s->squares = ww_host_array(host, "squares", WW_SCRATCH, sizeof(float), s->pixels);
}

/* 0..255: patches, bright and dark in turn, under speckle. */
static float brightness(const srad *s, uint64_t pixel)
{
    uint64_t row = pixel % s->rows / BLOCK, column = pixel / s->rows / BLOCK;
    uint32_t patch = (row + column) % 2 ? 64 : 160;
    patch += ww_random_below(s->sums, column * s->rows + row, 64);
    return (float)(patch + ww_random_below(s->image, pixel, 32));
}

static void fill_neighbours(ww_array *before, ww_array *after, uint64_t count)
{
    int32_t *previous = before->host, *next = after->host;
    for (uint64_t i = 0; i < count; i++) {
        previous[i] = (int32_t)(i ? i - 1 : 0);
        next[i] = (int32_t)(i + 1 < count ? i + 1 : i);
    }
}

static void fill(ww_host *host, void *state)
{
    srad *s = state;
    float *image = s->image->host;
    (void)host;
    for (uint64_t i = 0; i < s->pixels; i++)
        image[i] = brightness(s, i);
    fill_neighbours(s->neighbour[NORTH], s->neighbour[SOUTH], s->rows);
    fill_neighbours(s->neighbour[WEST], s->neighbour[EAST], s->columns);
}

static totals add_up(ww_host *host, const srad *s)
{
    uint64_t stride = 1;
    ww_host_launch(host, "srad_prepare", ww_range1(s->pixels, s->group), ww_mem(s->image),
                   ww_mem(s->sums), ww_mem(s->squares), ww_u32(s->pixels));
    for (uint64_t count = s->pixels; count > 1; count = (count + s->group - 1) / s->group) {
        ww_host_launch(host, "srad_reduce", ww_range1(count, s->group), ww_mem(s->sums),
                       ww_mem(s->squares), ww_u32(count), ww_u32(stride),
                       ww_local(s->group * sizeof(float)), ww_local(s->group * sizeof(float)));
        stride *= s->group;
    }
    return (totals){ww_host_read_f32(host, s->sums, 0), ww_host_read_f32(host, s->squares, 0)};
}

/* The squared coefficient of variation of the whole image. */
static float speckle_of(const srad *s, totals total)
{
    float mean = total.sum / (float)s->pixels;
    float variance = total.squares / (float)s->pixels - mean * mean;
    return variance / (mean * mean);
}

static void diffuse(ww_host *host, const srad *s, float speckle)
{
    ww_array *const *side = s->neighbour, *const *to = s->difference;
    ww_range range = ww_range1(s->pixels, s->group);
    ww_host_launch(host, "srad_coefficients", range, ww_mem(s->image), ww_mem(side[NORTH]),
                   ww_mem(side[SOUTH]), ww_mem(side[WEST]), ww_mem(side[EAST]), ww_mem(to[NORTH]),
                   ww_mem(to[SOUTH]), ww_mem(to[WEST]), ww_mem(to[EAST]), ww_mem(s->coefficient),
                   ww_u32(s->rows), ww_u32(s->pixels), ww_f32(speckle));
    ww_host_launch(host, "srad_update", range, ww_mem(s->image), ww_mem(side[SOUTH]),
                   ww_mem(side[EAST]), ww_mem(to[NORTH]), ww_mem(to[SOUTH]), ww_mem(to[WEST]),
                   ww_mem(to[EAST]), ww_mem(s->coefficient), ww_u32(s->rows), ww_u32(s->pixels),
                   ww_f32(RATE));
}

/* An image without any variation left ends the loop. */
static void run(ww_host *host, void *state)
{
    srad *s = state;
    ww_range range = ww_range1(s->pixels, s->group);
    ww_host_launch(host, "srad_extract", range, ww_mem(s->image), ww_u32(s->pixels));
    while (s->steps < s->iterations && ww_host_ok(host)) {
        totals total = add_up(host, s);
        float speckle = speckle_of(s, total);
        s->statistics[s->steps++] = total;
        if (!(speckle > 0))
            break;
        diffuse(host, s, speckle);
    }
    ww_host_launch(host, "srad_compress", range, ww_mem(s->image), ww_u32(s->pixels));
}

/* ---- the reference: the kernels' operations in their order, so that rounding is the same ---- */

typedef struct reference {
    float *image, *coefficient, *work;
} reference;

/* By trees of `group` values, then trees of their sums, and so on. */
static float tree_sum(const srad *s, float *values)
{
    for (uint64_t count = s->pixels; count > 1; count = (count + s->group - 1) / s->group)
        for (uint64_t first = 0; first < count; first += s->group) {
            uint64_t used = count - first < s->group ? count - first : s->group;
            for (uint64_t step = 1; step < s->group; step *= 2)
                for (uint64_t i = 0; i + step < used; i += 2 * step)
                    values[first + i] += values[first + i + step];
            values[first / s->group] = values[first];
        }
    return values[0];
}

static totals reference_totals(const srad *s, reference *r)
{
    totals total;
    memcpy(r->work, r->image, s->pixels * sizeof(float));
    total.sum = tree_sum(s, r->work);
    for (uint64_t i = 0; i < s->pixels; i++)
        r->work[i] = r->image[i] * r->image[i];
    total.squares = tree_sum(s, r->work);
    return total;
}

/* Where the neighbours of a pixel are; an edge pixel is its own neighbour. */
static void neighbours_of(const srad *s, uint64_t i, uint64_t at[SIDES])
{
    uint64_t row = i % s->rows, column = i / s->rows;
    at[NORTH] = row ? i - 1 : i;
    at[SOUTH] = row + 1 < s->rows ? i + 1 : i;
    at[WEST] = column ? i - s->rows : i;
    at[EAST] = column + 1 < s->columns ? i + s->rows : i;
}

static float reference_coefficient(const srad *s, const float *image, uint64_t i, float speckle)
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

static void reference_step(const srad *s, reference *r, float speckle)
{
    float *next = r->work, *image = r->image;
    for (uint64_t i = 0; i < s->pixels; i++)
        r->coefficient[i] = reference_coefficient(s, image, i, speckle);
    for (uint64_t i = 0; i < s->pixels; i++) {
        uint64_t at[SIDES];
        neighbours_of(s, i, at);
        float here = r->coefficient[i], value = image[i];
        float divergence = here * (image[at[NORTH]] - value) +
                           r->coefficient[at[SOUTH]] * (image[at[SOUTH]] - value) +
                           here * (image[at[WEST]] - value) +
                           r->coefficient[at[EAST]] * (image[at[EAST]] - value);
        next[i] = value + 0.25f * RATE * divergence;
    }
    r->work = image;
    r->image = next;
}

static void verify(ww_host *host, void *state)
{
    srad *s = state;
    reference r = {ww_host_alloc(host, s->pixels, sizeof(float)),
                   ww_host_alloc(host, s->pixels, sizeof(float)),
                   ww_host_alloc(host, s->pixels, sizeof(float))};
    for (uint64_t i = 0; i < s->pixels; i++)
        r.image[i] = (float)exp((double)(brightness(s, i) / 255.0f));
    for (uint64_t step = 0; step < s->iterations; step++) {
        totals want = reference_totals(s, &r), got = s->statistics[step];
        ww_expect(host, want.sum == got.sum && want.squares == got.squares,
                  "the image's sums in step %u are %.9g and %.9g (want %.9g and %.9g)",
                  (unsigned)step, (double)got.sum, (double)got.squares, (double)want.sum,
                  (double)want.squares);
        if (!(speckle_of(s, want) > 0))
            break;
        reference_step(s, &r, speckle_of(s, want));
    }
    for (uint64_t i = 0; i < s->pixels; i++) { /* OpenCL allows log 3 ulp; the product adds one */
        double want = log((double)r.image[i]) * 255;
        ww_expect_f32(s->image, i, want, 4 * 0x1p-23 * fabs(want));
    }
}

static const ww_parameter parameters[] = {
    WW_NUMBER_PARAMETER("rows", "310", 48, 32768, "rows of the image"),
    WW_NUMBER_PARAMETER("columns", "300", 48, 32768, "columns of the image"),
    WW_NUMBER_PARAMETER("iterations", "2", 1, 10000, "steps of diffusion"),
    WW_GROUP_PARAMETER("256"),
};

/* hpca16: the image of Rodinia's own script with a tenth of its 100 steps, which are 278 million
 * warp instructions. */
static const ww_named_size sizes[] = {
    {"tiny", "rows=50,columns=48", 12, 0},
    {"small", "rows=310,columns=300", 14, 0},
    {"cawa", "rows=502,columns=458,iterations=100,group=512", 502, 0},
    {"ctrlc", "rows=502,columns=458,iterations=100,group=512", 502, 0},
    {"hpca16", "rows=502,columns=458,iterations=10,group=512", 52, 0},
    {"latency", "rows=502,columns=458,iterations=7,group=512", 37, 0},
};

WW_WORKLOAD(srad) = {
    .name = "srad",
    .suite = "Rodinia",
    .doc = "speckle-reducing anisotropic diffusion of an image (version 1)",
    .papers = "hpca16 latency cawa ctrlc",
    .irregular = false,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(srad),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
