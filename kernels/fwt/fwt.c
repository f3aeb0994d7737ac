/* FWT: the fast Walsh transform of n values, in place. */
#include "workload/workload.h"

#include <inttypes.h>

/* Inputs are whole numbers from -LARGEST to LARGEST. */
#define LARGEST 127

typedef struct fwt {
    uint64_t n, group;
    ww_array *values;
} fwt;

static int32_t initial(const fwt *s, uint64_t i)
{
    return (int32_t)ww_random_below(s->values, i, 2 * LARGEST + 1) - LARGEST;
}

static void allocate(ww_host *host, void *state)
{
    fwt *s = state;
    s->n = ww_host_number(host, "n");
    s->group = ww_host_number(host, "group");
    if (s->n & (s->n - 1))
        ww_host_refuse(host, "n is %" PRIu64 " (a power of two is needed)", s->n);
    s->values = ww_host_array(host, "values", WW_INOUT, sizeof(float), s->n);
}

static void fill(ww_host *host, void *state)
{
    fwt *s = state;
    float *values = s->values->host;
    (void)host;
    for (uint64_t i = 0; i < s->n; i++)
        values[i] = (float)initial(s, i);
}

static void run(ww_host *host, void *state)
{
    fwt *s = state;
    for (uint64_t step = 1; step < s->n; step *= 2)
        ww_host_launch(host, "fwt_step", ww_range1(s->n / 2, s->group), ww_mem(s->values),
                       ww_u32(s->n / 2), ww_u32(step));
}

/* The sums are whole numbers below 2^24, which single precision holds exactly. */
static void verify(ww_host *host, void *state)
{
    fwt *s = state;
    int32_t *want = ww_host_alloc(host, s->n, sizeof(*want));
    for (uint64_t i = 0; i < s->n; i++)
        want[i] = initial(s, i);
    for (uint64_t step = 1; step < s->n; step *= 2)
        for (uint64_t start = 0; start < s->n; start += 2 * step)
            for (uint64_t i = start; i < start + step; i++) {
                int32_t a = want[i], b = want[i + step];
                want[i] = a + b;
                want[i + step] = a - b;
            }
    for (uint64_t i = 0; i < s->n; i++)
        ww_expect_f32(s->values, i, want[i], 0);
}

static const ww_parameter parameters[] = {
    WW_NUMBER_PARAMETER("n", "1048576", 2, 1 << 28, "values, a power of two"),
    WW_GROUP_PARAMETER("256"),
};

static const ww_named_size sizes[] = {
    {"tiny", "n=4096,group=64", 12, 0},
    {"small", "n=262144", 18, 0},
    {"cuptw", "n=67108864", 26, 256},
    {"ctrlc", "n=32768", 15, 0},
};

WW_WORKLOAD(fwt) = {
    .name = "fwt",
    .suite = "AMD APP SDK",
    .doc = "fast Walsh transform in place, one launch for each distance of partners",
    .papers = "cuptw ctrlc",
    .irregular = false,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(fwt),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
