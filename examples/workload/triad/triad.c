/* STREAM's triad, repeated: a = b + 3 c. */
#include "workload/workload.h"

#define FACTOR 3.0f

typedef struct triad {
    uint64_t n, group, iterations;
    ww_array *a, *b, *c;
} triad;

static void allocate(ww_host *host, void *state)
{
    triad *s = state;
    s->n = ww_host_number(host, "n");
    s->group = ww_host_number(host, "group");
    s->iterations = ww_host_number(host, "iterations");
    if (s->n % 4)
        ww_host_refuse(host, "n is %llu (a multiple of 4 is needed)", (unsigned long long)s->n);
    s->a = ww_host_array(host, "a", WW_OUTPUT, sizeof(float), s->n);
    s->b = ww_host_array(host, "b", WW_INPUT, sizeof(float), s->n);
    s->c = ww_host_array(host, "c", WW_INPUT, sizeof(float), s->n);
}

static void fill(ww_host *host, void *state)
{
    triad *s = state;
    (void)host;
    ww_host_fill_f32(s->b, 0, 1);
    ww_host_fill_f32(s->c, -1, 1);
}

static void run(ww_host *host, void *state)
{
    triad *s = state;
    for (uint64_t i = 0; i < s->iterations && ww_host_ok(host); i++)
        ww_host_launch(host, "triad", ww_range1(s->n, s->group), ww_mem(s->a), ww_mem(s->b),
                       ww_mem(s->c), ww_f32(FACTOR), ww_u32(s->n));
}

static void verify(ww_host *host, void *state)
{
    triad *s = state;
    const float *b = s->b->host, *c = s->c->host;
    (void)host;
    for (uint64_t i = 0; i < s->n; i++) {
        double product = (double)FACTOR * c[i];
        ww_expect_f32(s->a, i, b[i] + product, ww_sum_slack(2, b[i] + fabs(product)));
    }
}

static const ww_parameter parameters[] = {
    WW_NUMBER_PARAMETER("n", "4096", 4, 1 << 28, "elements of each array"),
    WW_NUMBER_PARAMETER("iterations", "1", 1, 1000, "launches"),
    WW_GROUP_PARAMETER("256"),
};

static const ww_named_size sizes[] = {
    {"tiny", "", 1, 0},
    {"small", "n=1048576,iterations=2", 2, 0},
};

WW_WORKLOAD(triad) = {
    .name = "triad",
    .suite = "STREAM",
    .doc = "scaled sum of two vectors, a = b + 3 c",
    .papers = "-",
    .irregular = false,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(triad),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
