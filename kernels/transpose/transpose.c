/* Transpose of a square matrix through tiles in local memory. */
#include "workload/workload.h"

#include <inttypes.h>

typedef struct transpose {
    uint64_t n, side;
    uint64_t square; /* elements along each side of what one work-item moves */
    ww_array *in, *out;
} transpose;

static void allocate(ww_host *host, void *state)
{
    transpose *s = state;
    s->n = ww_host_number(host, "n");
    s->side = ww_host_number(host, "side");
    s->square = ww_host_number(host, "square") ? 2 : 4;
    if (s->n % (s->square * s->side))
        ww_host_refuse(host, "n is %" PRIu64 " (a multiple of %" PRIu64 " is needed)", s->n,
                       s->square * s->side);
    s->in = ww_host_array(host, "in", WW_INPUT, sizeof(float), s->n * s->n);
    s->out = ww_host_array(host, "out", WW_OUTPUT, sizeof(float), s->n * s->n);
}

static void fill(ww_host *host, void *state)
{
    transpose *s = state;
    (void)host;
    ww_host_fill_f32(s->in, 0, 1);
}

static void run(ww_host *host, void *state)
{
    transpose *s = state;
    uint64_t items = s->n / s->square, tile = s->square * s->side;
    ww_host_launch(host, s->square == 4 ? "transpose" : "transpose2",
                   ww_range2(items, items, s->side, s->side), ww_mem(s->in), ww_mem(s->out),
                   ww_local(tile * tile * sizeof(float)));
}

/* In squares that fit the host's caches. */
static void verify(ww_host *host, void *state)
{
    transpose *s = state;
    const float *in = s->in->host;
    const uint64_t n = s->n, block = 32;
    (void)host;
    for (uint64_t y = 0; y < n; y += block)
        for (uint64_t x = 0; x < n; x += block)
            for (uint64_t i = y; i < n && i < y + block; i++)
                for (uint64_t j = x; j < n && j < x + block; j++)
                    ww_expect_f32(s->out, i * n + j, in[j * n + i], 0);
}

static const ww_parameter parameters[] = {
    WW_NUMBER_PARAMETER("n", "2048", 4, 32768, "rows and columns of the matrix"),
    WW_NUMBER_PARAMETER("side", "16", 1, 32, "work-items along each side of a work-group"),
    WW_CHOICE_PARAMETER("square", "4", "4|2", "elements along each side of a work-item's part"),
};

static const ww_named_size sizes[] = {
    {"tiny", "n=256,side=8", 1, 0},
    {"small", "n=2048", 1, 0},
    {"cuptw", "n=8192,square=2", 1, 512},
};

WW_WORKLOAD(transpose) = {
    .name = "transpose",
    .suite = "AMD APP SDK",
    .doc = "matrix transpose through tiles in local memory",
    .papers = "cuptw",
    .irregular = false,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(transpose),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
