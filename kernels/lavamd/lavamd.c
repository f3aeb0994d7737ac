/* Forces between particles in boxes: of the own box and of those around it. */
#include "workload/workload.h"

#include <stdlib.h>

#define ALPHA 0.5
#define MOST_NEIGHBOURS 26

/* Structures as the kernel has them. */
typedef struct vector {
    double v, x, y, z;
} vector;

typedef struct neighbour {
    int32_t x, y, z, number;
    int64_t first;
} neighbour;

typedef struct box {
    int32_t x, y, z, number;
    int64_t first;
    int32_t neighbours;
    neighbour neighbour[MOST_NEIGHBOURS];
} box;

typedef struct lavamd {
    uint64_t boxes, particles, group;
    uint64_t box_count, particle_count;
    ww_array *box, *positions, *charges, *forces;
} lavamd;

static void allocate(ww_host *host, void *state)
{
    lavamd *s = state;
    s->boxes = ww_host_number(host, "boxes");
    s->particles = ww_host_number(host, "particles");
    s->group = ww_host_number(host, "group");
    s->box_count = s->boxes * s->boxes * s->boxes;
    s->particle_count = s->box_count * s->particles;
    s->box = ww_host_array(host, "box", WW_INPUT, sizeof(box), s->box_count);
    s->positions = ww_host_array(host, "positions", WW_INPUT, sizeof(vector), s->particle_count);
    s->charges = ww_host_array(host, "charges", WW_INPUT, sizeof(double), s->particle_count);
    s->forces = ww_host_array(host, "forces", WW_INOUT, sizeof(vector), s->particle_count);
}

static neighbour box_at(const lavamd *s, int32_t x, int32_t y, int32_t z)
{
    int32_t edge = (int32_t)s->boxes, number = (z * edge + y) * edge + x;
    return (neighbour){x, y, z, number, (int64_t)number * (int64_t)s->particles};
}

/* Neighbours along x first, then y, then z. */
static void fill_box(const lavamd *s, box *b, int32_t number)
{
    int32_t edge = (int32_t)s->boxes;
    int32_t x = number % edge, y = number / edge % edge, z = number / edge / edge;
    neighbour own = box_at(s, x, y, z);
    b->x = x;
    b->y = y;
    b->z = z;
    b->number = own.number;
    b->first = own.first;
    for (int32_t i = 0; i < 27; i++) {
        int32_t nx = x + i % 3 - 1, ny = y + i / 3 % 3 - 1, nz = z + i / 9 - 1;
        bool inside = nx >= 0 && nx < edge && ny >= 0 && ny < edge && nz >= 0 && nz < edge;
        if (inside && i != 13)
            b->neighbour[b->neighbours++] = box_at(s, nx, ny, nz);
    }
}

/* 0.1, 0.2 .. 1.0, as the original draws all values. */
static double tenths(const ww_array *array, uint64_t index)
{
    return (double)(ww_random_below(array, index, 10) + 1) / 10;
}

static void fill(ww_host *host, void *state)
{
    lavamd *s = state;
    double *positions = s->positions->host, *charges = s->charges->host;
    (void)host;
    for (uint64_t i = 0; i < s->box_count; i++)
        fill_box(s, (box *)s->box->host + i, (int32_t)i);
    for (uint64_t i = 0; i < s->particle_count; i++)
        charges[i] = tenths(s->charges, i);
    for (uint64_t i = 0; i < 4 * s->particle_count; i++)
        positions[i] = tenths(s->positions, i);
}

static void run(ww_host *host, void *state)
{
    lavamd *s = state;
    ww_host_launch(host, "lavamd", ww_range1(s->box_count * s->group, s->group), ww_mem(s->box),
                   ww_mem(s->positions), ww_mem(s->charges), ww_mem(s->forces),
                   ww_u32(s->particles), ww_f64(ALPHA), ww_local(s->particles * sizeof(vector)),
                   ww_local(s->particles * sizeof(vector)),
                   ww_local(s->particles * sizeof(double)));
}

/* Sums of a particle's terms and of their absolute values: potential and three forces. */
typedef struct sums {
    double value[4], magnitude[4];
} sums;

static void add_box(const lavamd *s, const vector *a, uint64_t first, sums *total)
{
    const vector *positions = s->positions->host;
    const double *charges = s->charges->host;
    for (uint64_t j = first; j < first + s->particles; j++) {
        const vector *b = &positions[j];
        double distance = a->v + b->v - (a->x * b->x + a->y * b->y + a->z * b->z);
        double potential = charges[j] * exp(-2 * ALPHA * ALPHA * distance);
        double terms[] = {potential, 2 * potential * (a->x - b->x), 2 * potential * (a->y - b->y),
                          2 * potential * (a->z - b->z)};
        for (int i = 0; i < 4; i++) {
            total->value[i] += terms[i];
            total->magnitude[i] += fabs(terms[i]);
        }
    }
}

/* From all boxes within one of the particle's, without the list of neighbours. The limit is the
 * rounding of the sum, and 16 of each term. */
static void verify(ww_host *host, void *state)
{
    lavamd *s = state;
    const vector *positions = s->positions->host;
    int64_t edge = (int64_t)s->boxes;
    (void)host;
    for (uint64_t i = 0; i < s->particle_count; i++) {
        sums total = {{0}, {0}};
        int64_t home = (int64_t)(i / s->particles), terms = 27 * (int64_t)s->particles;
        int64_t x = home % edge, y = home / edge % edge, z = home / edge / edge;
        for (int64_t other = 0; other < (int64_t)s->box_count; other++)
            if (llabs(other % edge - x) < 2 && llabs(other / edge % edge - y) < 2 &&
                llabs(other / edge / edge - z) < 2)
                add_box(s, &positions[i], (uint64_t)other * s->particles, &total);
        for (uint64_t j = 0; j < 4; j++)
            ww_expect_f64(s->forces, 4 * i + j, total.value[j],
                          (double)(2 * terms + 16) * 0x1p-53 * total.magnitude[j]);
    }
}

static const ww_parameter parameters[] = {
    WW_NUMBER_PARAMETER("boxes", "10", 1, 64, "boxes in each of three dimensions"),
    WW_NUMBER_PARAMETER("particles", "100", 1, 256, "particles in a box"),
    WW_GROUP_PARAMETER("128"),
};

static const ww_named_size sizes[] = {
    {"tiny", "boxes=2,particles=5,group=4", 1, 0},
    {"small", "boxes=2,particles=96", 1, 0},
    {"latency", "boxes=10,particles=100", 1, 0},
};

WW_WORKLOAD(lavamd) = {
    .name = "lavamd",
    .suite = "Rodinia",
    .doc = "forces between particles in boxes, of the own box and of those around it",
    .papers = "latency",
    .irregular = false,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(lavamd),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
