/* Jacobi 1-D: the mean of three points of a line, several times. */
#include "workload/workload.h"

#define TILE 65536 /* points that are verified at once */

typedef struct jacobi1d {
    uint64_t n, steps, group;
    ww_array *a, *b;
} jacobi1d;

static void allocate(ww_host *host, void *state)
{
    jacobi1d *s = state;
    s->n = ww_host_number(host, "n");
    s->steps = ww_host_number(host, "steps");
    s->group = ww_host_number(host, "group");
    s->a = ww_host_array(host, "A", WW_INOUT, sizeof(float), s->n);
    s->b = ww_host_array(host, "B", WW_INOUT, sizeof(float), s->n);
}

static void fill(ww_host *host, void *state)
{
    jacobi1d *s = state;
    (void)host;
    ww_host_fill_f32(s->a, 0, 1);
    ww_host_fill_f32(s->b, 0, 1);
}

static void run(ww_host *host, void *state)
{
    jacobi1d *s = state;
    ww_range points = ww_range1(s->n, s->group);
    for (uint64_t step = 0; step < s->steps; step++) {
        ww_host_launch(host, "jacobi1d_step", points, ww_mem(s->a), ww_mem(s->b), ww_u32(s->n));
        ww_host_launch(host, "jacobi1d_copy", points, ww_mem(s->a), ww_mem(s->b), ww_u32(s->n));
    }
}

/* What the points from `first` to before `end` become, in `now`; wrong within `steps` points of an
 * end that is not the line's. */
static void compute(const jacobi1d *s, uint64_t first, uint64_t end, float *now, float *next)
{
    uint64_t count = end - first;
    for (uint64_t i = 0; i < count; i++)
        now[i] = ww_random_f32(s->a, first + i, 0, 1);
    for (uint64_t step = 0; step < s->steps; step++) {
        for (uint64_t i = 1; i + 1 < count; i++)
            next[i] = 0.33333f * (now[i - 1] + now[i] + now[i + 1]);
        if (count > 2)
            memcpy(now + 1, next + 1, (count - 2) * sizeof(*now));
    }
}

/* B keeps its own ends. */
static void expect(const jacobi1d *s, uint64_t i, float want)
{
    bool inside = i > 0 && i + 1 < s->n;
    ww_expect_f32(s->a, i, (double)want, 0);
    ww_expect_f32(s->b, i, (double)(inside ? want : ww_random_f32(s->b, i, 0, 1)), 0);
}

/* Tiles with as many points more on either side as values move in all steps. */
static void verify(ww_host *host, void *state)
{
    jacobi1d *s = state;
    float *now = ww_host_alloc(host, TILE + 2 * s->steps, sizeof(*now));
    float *next = ww_host_alloc(host, TILE + 2 * s->steps, sizeof(*next));
    for (uint64_t tile = 0; tile < s->n; tile += TILE) {
        uint64_t end = s->n - tile > TILE ? tile + TILE : s->n;
        uint64_t before = tile > s->steps ? s->steps : tile;
        uint64_t after = s->n - end > s->steps ? s->steps : s->n - end;
        compute(s, tile - before, end + after, now, next);
        for (uint64_t i = tile; i < end; i++)
            expect(s, i, now[before + i - tile]);
    }
}

static const ww_parameter parameters[] = {
    WW_NUMBER_PARAMETER("n", "1048576", 1, 1u << 30, "points"),
    WW_NUMBER_PARAMETER("steps", "2", 1, 10000, "time steps"),
    WW_GROUP_PARAMETER("256"),
};

static const ww_named_size sizes[] = {
    {"tiny", "n=16000,steps=3,group=64", 6, 0},
    {"small", "n=1200000,steps=1,group=64", 2, 0},
    {"cuptw", "n=268435456,steps=2,group=256", 4, 2048},
};

WW_WORKLOAD(jacobi1d) = {
    .name = "jacobi1d",
    .suite = "Polybench",
    .doc = "Jacobi solver on a line: means of 3 points, and a copy back",
    .papers = "cuptw",
    .irregular = false,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(jacobi1d),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
