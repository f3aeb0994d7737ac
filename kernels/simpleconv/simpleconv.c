/* SimpleConvolution: an image and a small square mask. */
#include "workload/workload.h"

#define UNIT 256 /* weights are multiples of 1 / UNIT, below 1 */
#define BRIGHTEST 255

/* A sum of MOST_MASK^2 products, and the half that rounds it, in units of 1 / UNIT. */
#define MOST_MASK 16
_Static_assert(MOST_MASK *MOST_MASK *BRIGHTEST *(UNIT - 1) + UNIT / 2 <= 1 << 24,
               "single precision has to be exact");

typedef struct simpleconv {
    uint64_t rows, columns, mask_size, group;
    uint64_t pitch; /* of the input */
    ww_array *input, *mask, *output;
} simpleconv;

static void allocate(ww_host *host, void *state)
{
    simpleconv *s = state;
    s->rows = ww_host_number(host, "rows");
    s->columns = ww_host_number(host, "columns");
    s->mask_size = ww_host_number(host, "mask");
    s->group = ww_host_number(host, "group");
    s->pitch = s->columns + s->mask_size - 1;
    s->input = ww_host_array(host, "input", WW_INPUT, sizeof(uint32_t),
                             (s->rows + s->mask_size - 1) * s->pitch);
    s->mask = ww_host_array(host, "mask", WW_INPUT, sizeof(float), s->mask_size * s->mask_size);
    s->output = ww_host_array(host, "output", WW_OUTPUT, sizeof(uint32_t), s->rows * s->columns);
}

/* The rows and columns beyond the image stay 0. */
static void fill(ww_host *host, void *state)
{
    simpleconv *s = state;
    uint32_t *input = s->input->host;
    float *mask = s->mask->host;
    (void)host;
    for (uint64_t y = 0; y < s->rows; y++)
        for (uint64_t x = 0; x < s->columns; x++)
            input[y * s->pitch + x] =
                ww_random_below(s->input, y * s->columns + x, BRIGHTEST + 1);
    for (uint64_t i = 0; i < s->mask_size * s->mask_size; i++)
        mask[i] = (float)ww_random_below(s->mask, i, UNIT) / UNIT;
}

/* The original has as many work-items as the input has pixels. */
static void run(ww_host *host, void *state)
{
    simpleconv *s = state;
    ww_range pixels = ww_range1((s->rows + s->mask_size - 1) * s->pitch, s->group);
    ww_host_launch(host, "simpleconv", pixels, ww_mem(s->input), ww_mem(s->mask),
                   ww_mem(s->output), ww_u32(s->columns), ww_u32(s->rows), ww_u32(s->mask_size));
}

/* A row of the output in units of 1 / UNIT. */
static void convolve_row(const simpleconv *s, uint64_t y, uint32_t *sums)
{
    const float *mask = s->mask->host;
    memset(sums, 0, s->columns * sizeof(*sums));
    for (uint64_t i = 0; i < s->mask_size; i++)
        for (uint64_t j = 0; j < s->mask_size; j++) {
            const uint32_t *input = (const uint32_t *)s->input->host + (y + i) * s->pitch + j;
            uint32_t weight = (uint32_t)(mask[i * s->mask_size + j] * UNIT);
            for (uint64_t x = 0; x < s->columns; x++)
                sums[x] += input[x] * weight;
        }
}

static void verify(ww_host *host, void *state)
{
    simpleconv *s = state;
    uint32_t *sums = ww_host_alloc(host, s->columns, sizeof(*sums));
    for (uint64_t y = 0; y < s->rows; y++) {
        convolve_row(s, y, sums);
        for (uint64_t x = 0; x < s->columns; x++)
            ww_expect_u32(s->output, y * s->columns + x, (sums[x] + UNIT / 2) / UNIT);
    }
}

static const ww_parameter parameters[] = {
    WW_NUMBER_PARAMETER("rows", "1024", 1, 32768, "rows of the output"),
    WW_NUMBER_PARAMETER("columns", "1024", 1, 32768, "columns of the output"),
    WW_NUMBER_PARAMETER("mask", "3", 1, MOST_MASK, "weights on a side of the mask"),
    WW_GROUP_PARAMETER("256"),
};

static const ww_named_size sizes[] = {
    {"tiny", "rows=126,columns=126,group=64", 1, 0},
    {"small", "rows=734,columns=734,group=64", 1, 0},
    {"cuptw", "rows=16382,columns=16382,group=256", 1, 2048},
};

WW_WORKLOAD(simpleconv) = {
    .name = "simpleconv",
    .suite = "AMD APP SDK",
    .doc = "convolution of an image with a small square mask",
    .papers = "cuptw",
    .irregular = false,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(simpleconv),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
