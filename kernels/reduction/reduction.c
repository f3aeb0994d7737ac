/* Reduction: the sum of an array, by groups and then of the groups' sums. */
#include "workload/workload.h"

#include <inttypes.h>

/* Inputs are whole numbers from -LARGEST to LARGEST. */
#define LARGEST 15

typedef struct reduction {
    uint64_t n, groups, group;
    ww_array *values, *sums, *total;
} reduction;

static void allocate(ww_host *host, void *state)
{
    reduction *s = state;
    s->n = ww_host_number(host, "n");
    s->groups = ww_host_number(host, "groups");
    s->group = ww_host_number(host, "group");
    if (s->group & (s->group - 1))
        ww_host_refuse(host, "group is %" PRIu64 " (a power of two is needed)", s->group);
    s->values = ww_host_array(host, "values", WW_INPUT, sizeof(float), s->n);
    s->sums = ww_host_array(host, "sums", WW_OUTPUT, sizeof(float), s->groups);
    s->total = ww_host_array(host, "total", WW_OUTPUT, sizeof(float), 1);
}

static void fill(ww_host *host, void *state)
{
    reduction *s = state;
    float *values = s->values->host;
    (void)host;
    for (uint64_t i = 0; i < s->n; i++)
        values[i] = (float)((int)ww_random_below(s->values, i, 2 * LARGEST + 1) - LARGEST);
}

static void run(ww_host *host, void *state)
{
    reduction *s = state;
    ww_host_launch(host, "reduce", ww_range1(s->groups * s->group, s->group), ww_mem(s->values),
                   ww_mem(s->sums), ww_local(s->group * sizeof(float)), ww_u32(s->n));
    ww_host_launch(host, "reduce", ww_range1(s->group, s->group), ww_mem(s->sums),
                   ww_mem(s->total), ww_local(s->group * sizeof(float)), ww_u32(s->groups));
}

/* All sums are whole numbers below 2^24, which single precision holds exactly in any order. */
static void verify(ww_host *host, void *state)
{
    reduction *s = state;
    const float *values = s->values->host;
    int64_t *sums = ww_host_alloc(host, s->groups, sizeof(*sums));
    int64_t total = 0;
    uint64_t block = 2 * s->group, group = 0;
    for (uint64_t start = 0; start < s->n; start += block) {
        uint64_t end = start + block < s->n ? start + block : s->n;
        int64_t sum = 0;
        for (uint64_t i = start; i < end; i++)
            sum += (int64_t)values[i];
        sums[group] += sum;
        total += sum;
        group = group + 1 < s->groups ? group + 1 : 0;
    }
    for (uint64_t i = 0; i < s->groups; i++)
        ww_expect_f32(s->sums, i, (double)sums[i], 0);
    ww_expect_f32(s->total, 0, (double)total, 0);
}

static const ww_parameter parameters[] = {
    WW_NUMBER_PARAMETER("n", "1048576", 1, 1 << 30, "values"),
    WW_NUMBER_PARAMETER("groups", "64", 1, 65536, "work-groups of the first pass"),
    WW_NUMBER_PARAMETER("group", "256", 1, 1024, "work-items in a work-group, a power of two"),
};

static const ww_named_size sizes[] = {
    {"tiny", "n=65536,groups=16,group=64", 2, 0},
    {"small", "n=8388608", 2, 0},
    {"cuptw", "n=536870912", 2, 2048},
};

WW_WORKLOAD(reduction) = {
    .name = "reduction",
    .suite = "SHOC",
    .doc = "sum of an array: loads a grid apart, trees in local memory, a second pass",
    .papers = "cuptw",
    .irregular = false,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(reduction),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
