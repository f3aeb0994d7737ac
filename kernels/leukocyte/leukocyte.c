/* Leukocyte: cells in a frame of video are followed by a diffusion of the edges around each. */
#include "workload/fused.h"
#include "workload/workload.h"

#define GROUP 320u
#define TREE 256u
#define SHARPNESS 1e10f /* of the smooth step: the inverse of the original's e */

typedef struct box {
    uint32_t top, left, rows, columns, first;
} box;

typedef struct leukocyte {
    uint64_t cells, width, height, radius, iterations;
    float cutoff;
    box *boxes;
    ww_array *fields, *edges, *first, *heights, *widths;
} leukocyte;

static uint32_t least(uint64_t a, uint64_t b)
{
    return (uint32_t)(a < b ? a : b);
}

/* Four radii to both sides of a cell and two above and below, as far as the frame goes. Boxes lie
 * one after another in memory. */
static uint64_t place_cells(leukocyte *s, const ww_array *random)
{
    uint64_t pixels = 0;
    for (uint64_t i = 0; i < s->cells; i++) {
        uint64_t x = ww_random_below(random, 2 * i, s->width);
        uint64_t y = ww_random_below(random, 2 * i + 1, s->height);
        box *b = &s->boxes[i];
        b->left = (uint32_t)(x > 4 * s->radius ? x - 4 * s->radius : 0);
        b->top = (uint32_t)(y > 2 * s->radius ? y - 2 * s->radius : 0);
        b->columns = least(x + 4 * s->radius + 1, s->width) - b->left;
        b->rows = least(y + 2 * s->radius + 1, s->height) - b->top;
        b->first = (uint32_t)pixels;
        pixels += (uint64_t)b->rows * b->columns;
    }
    return pixels;
}

static void allocate(ww_host *host, void *state)
{
    leukocyte *s = state;
    s->cells = ww_host_number(host, "cells");
    s->width = ww_host_number(host, "width");
    s->height = ww_host_number(host, "height");
    s->radius = ww_host_number(host, "radius");
    s->iterations = ww_host_number(host, "iterations");
    s->cutoff = (float)((double)ww_host_number(host, "cutoff") * 1e-6);
    s->boxes = ww_host_alloc(host, s->cells, sizeof(*s->boxes));
    s->first = ww_host_array(host, "first", WW_INPUT, sizeof(int32_t), s->cells);
    s->heights = ww_host_array(host, "heights", WW_INPUT, sizeof(int32_t), s->cells);
    s->widths = ww_host_array(host, "widths", WW_INPUT, sizeof(int32_t), s->cells);
    uint64_t pixels = place_cells(s, s->first);
    s->fields = ww_host_array(host, "fields", WW_INOUT, sizeof(float), pixels);
    s->edges = ww_host_array(host, "edges", WW_INPUT, sizeof(float), pixels);
}

/* The strength of the edges, 0..1: a bright ring, the cell's rim, in noise that is stronger for
 * some cells than for others. */
static float edge_strength(const leukocyte *s, uint64_t cell, uint64_t pixel)
{
    const box *b = &s->boxes[cell];
    double dy = (double)(pixel / b->columns) - (double)b->rows / 2;
    double dx = (double)(pixel % b->columns) - (double)b->columns / 2;
    double off = (sqrt(dx * dx + dy * dy) - (double)s->radius) / 2;
    float noise = ww_random_f32(s->edges, b->first + pixel, 0, 0.3f);
    return (float)(0.7 / (1 + off * off)) + noise * ww_random_f32(s->fields, cell, 0, 1);
}

static void fill(ww_host *host, void *state)
{
    leukocyte *s = state;
    float *fields = s->fields->host, *edges = s->edges->host;
    int32_t *first = s->first->host, *heights = s->heights->host, *widths = s->widths->host;
    (void)host;
    for (uint64_t i = 0; i < s->cells; i++) {
        const box *b = &s->boxes[i];
        first[i] = (int32_t)b->first;
        heights[i] = (int32_t)b->rows;
        widths[i] = (int32_t)b->columns;
        for (uint64_t j = 0; j < (uint64_t)b->rows * b->columns; j++)
            fields[b->first + j] = edges[b->first + j] = edge_strength(s, i, j);
    }
}

static void run(ww_host *host, void *state)
{
    leukocyte *s = state;
    ww_host_launch(host, "leukocyte_track", ww_range1(s->cells * GROUP, GROUP), ww_mem(s->fields),
                   ww_mem(s->edges), ww_mem(s->first), ww_mem(s->heights), ww_mem(s->widths),
                   ww_f32(1), ww_f32(1), ww_f32(SHARPNESS), ww_u32(s->iterations),
                   ww_f32(s->cutoff));
}

/* ---- the reference: the same operations in the same order ---- */

static float arctangent(float x)
{
    static const float factors[] = {-0.0161657367f, 0.0429096138f, -0.0752896400f, 0.1065626393f,
                                    -0.1420889944f, 0.1999355085f, -0.3333314528f};
    float size = fabsf(x), z = size > 1 ? 1 / size : size, sum = 0.0028662257f;
    for (size_t i = 0; i < WW_COUNT_OF(factors); i++)
        sum = fmaf(sum, z * z, factors[i]);
    sum = fmaf(sum * (z * z), z, z);
    return copysignf(size > 1 ? 1.57079633f - sum : sum, x);
}

/* The eight neighbours in the kernel's order: up, down, left, right, and the corners. */
static const struct {
    int down, right;
} neighbours[] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}, {-1, 1}, {1, 1}, {-1, -1}, {1, -1}};

static uint32_t shifted(uint32_t at, int by, uint32_t count)
{
    if (by < 0)
        return at ? at - 1 : 0;
    return by && at + 1 < count ? at + 1 : at;
}

static float next_value(const box *b, const float *field, float edge, uint32_t pixel)
{
    uint32_t row = pixel / b->columns, column = pixel % b->columns;
    float here = field[pixel], sum = 0;
    for (size_t i = 0; i < WW_COUNT_OF(neighbours); i++) {
        uint32_t y = shifted(row, neighbours[i].down, b->rows);
        uint32_t x = shifted(column, neighbours[i].right, b->columns);
        float d = field[y * b->columns + x] - here;
        float direction = (float)(neighbours[i].down + neighbours[i].right);
        float flow = (arctangent(d * direction * SHARPNESS) * 0.318309886f + 0.5f) * d;
        sum = i ? sum + flow : flow;
    }
    float value = here + 0.1f * sum;
    return value - 0.2f * edge * (value - edge);
}

/* The mean change of a pixel, added up as the work-group does. */
static float mean_change(const float *before, const float *after, uint32_t pixels)
{
    float changes[GROUP] = {0};
    for (uint32_t i = 0; i < pixels; i++)
        changes[i % GROUP] += fabsf(after[i] - before[i]);
    for (uint32_t i = TREE; i < GROUP; i++)
        changes[i - TREE] += changes[i];
    for (uint32_t half = TREE / 2; half; half /= 2)
        for (uint32_t i = 0; i < half; i++)
            changes[i] += changes[i + half];
    return changes[0] / (float)pixels;
}

static void verify(ww_host *host, void *state)
{
    leukocyte *s = state;
    const float *edges = s->edges->host;
    uint64_t most = (4 * s->radius + 1) * (8 * s->radius + 1);
    float *now = ww_host_alloc(host, most, sizeof(*now));
    float *next = ww_host_alloc(host, most, sizeof(*next));
    for (uint64_t i = 0; i < s->cells; i++) {
        const box *b = &s->boxes[i];
        uint32_t pixels = b->rows * b->columns;
        bool converged = false;
        memcpy(now, edges + b->first, pixels * sizeof(*now));
        for (uint64_t n = 0; n < s->iterations && !converged; n++) {
            for (uint32_t j = 0; j < pixels; j++)
                next[j] = next_value(b, now, edges[b->first + j], j);
            converged = mean_change(now, next, pixels) < s->cutoff;
            float *swap = now;
            now = next;
            next = swap;
        }
        for (uint32_t j = 0; j < pixels; j++)
            ww_expect_f32(s->fields, b->first + j, (double)now[j], 0);
    }
}

static const ww_parameter parameters[] = {
    WW_NUMBER_PARAMETER("cells", "36", 1, 100000, "cells, a work-group each"),
    WW_NUMBER_PARAMETER("width", "640", 1, 65536, "columns of the frame"),
    WW_NUMBER_PARAMETER("height", "480", 1, 65536, "rows of the frame"),
    WW_NUMBER_PARAMETER("radius", "10", 1, 10, "of a cell; its image is 4 x 8 times as large"),
    WW_NUMBER_PARAMETER("iterations", "500", 1, 100000, "at most, of the diffusion"),
    WW_NUMBER_PARAMETER("cutoff", "10", 0, 1000000, "mean change that ends it, in millionths"),
};

/* latency: as many iterations as make 16 million warp instructions; few cells converge before 100. */
static const ww_named_size sizes[] = {
    {"tiny", "cells=4,width=200,height=150,radius=4,iterations=4,cutoff=12000", 1, 0},
    {"small", "iterations=2", 1, 0},
    {"latency", "iterations=14", 1, 0},
};

WW_WORKLOAD(leukocyte) = {
    .name = "leukocyte",
    .suite = "Rodinia",
    .doc = "cells in video: diffusion of edges in a small image each, in local memory",
    .papers = "latency",
    .irregular = false,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(leukocyte),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
