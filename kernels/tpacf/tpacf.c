/* Two-point angular correlation: histograms of the angles between points of the sky. */
#include "workload/workload.h"

#define BINS 20
#define BINS_PER_DECADE 5
#define SHARE 2 /* work-items a histogram, as in the kernel */

typedef struct tpacf {
    uint64_t points, sets, group, groups;
    ww_array *histograms, *x, *y, *z;
} tpacf;

static void allocate(ww_host *host, void *state)
{
    tpacf *s = state;
    s->points = ww_host_number(host, "points");
    s->sets = ww_host_number(host, "sets");
    s->group = ww_host_number(host, "group");
    s->groups = 2 * s->sets + 1;
    if (s->group < 2 * SHARE || s->group & (s->group - 1))
        ww_host_refuse(host, "group is %u (a power of two from %u on is needed)",
                       (unsigned)s->group, 2 * SHARE);
    uint64_t count = s->points * (s->sets + 1);
    s->histograms =
        ww_host_array(host, "histograms", WW_OUTPUT, sizeof(uint64_t), s->groups * BINS);
    s->x = ww_host_array(host, "x", WW_INPUT, sizeof(float), count);
    s->y = ww_host_array(host, "y", WW_INPUT, sizeof(float), count);
    s->z = ww_host_array(host, "z", WW_INPUT, sizeof(float), count);
}

/* Where a point lies in front of the observer, -1..1 up and to the right: anywhere in the random
 * sets; in the observed one, set 0, near one of the places of a few clusters. */
static void place(const tpacf *s, uint64_t point, double at[2])
{
    uint64_t cluster = ww_random_below(s->z, point, s->points / 16 + 1);
    for (uint64_t i = 0; i < 2; i++) {
        at[i] = ww_random_f64(s->x, 2 * point + i, -1, 1);
        if (point < s->points)
            at[i] = ww_random_f64(s->y, 2 * cluster + i, -1, 1) + 0.02 * at[i] * at[i] * at[i];
    }
}

static void fill(ww_host *host, void *state)
{
    tpacf *s = state;
    float *x = s->x->host, *y = s->y->host, *z = s->z->host;
    (void)host;
    for (uint64_t i = 0; i < s->points * (s->sets + 1); i++) {
        double at[2];
        place(s, i, at);
        double length = sqrt(1 + at[0] * at[0] + at[1] * at[1]);
        x[i] = (float)(1 / length);
        y[i] = (float)(at[0] / length);
        z[i] = (float)(at[1] / length);
    }
}

static void run(ww_host *host, void *state)
{
    tpacf *s = state;
    ww_host_launch(host, "tpacf", ww_range1(s->groups * s->group, s->group), ww_mem(s->histograms),
                   ww_mem(s->x), ww_mem(s->y), ww_mem(s->z), ww_u32(s->sets), ww_u32(s->points),
                   ww_local(3 * s->group * sizeof(float)),
                   ww_local(BINS * s->group / SHARE * sizeof(uint32_t)));
}

/* The bin from the limits one after another. */
static int bin_of(const float *limits, float cosine)
{
    int bin = -1;
    while (bin < BINS && cosine < limits[bin + 1])
        bin++;
    return bin < BINS ? bin : -1;
}

static float cosine_of(const tpacf *s, uint64_t a, uint64_t b)
{
    const float *x = s->x->host, *y = s->y->host, *z = s->z->host;
    return x[a] * x[b] + y[a] * y[b] + z[a] * z[b];
}

static void verify(ww_host *host, void *state)
{
    tpacf *s = state;
    float limits[BINS + 2];
    (void)host;
    for (int i = 0; i <= BINS; i++) {
        double minutes = pow(10, (double)i / BINS_PER_DECADE);
        limits[i] = (float)cos(minutes / 60 * 3.1415926535897932 / 180);
    }
    limits[BINS + 1] = -2; /* below all cosines */
    for (uint64_t group = 0; group < s->groups; group++) {
        bool alone = group <= s->sets;
        uint64_t counts[BINS] = {0};
        uint64_t left = alone ? group * s->points : 0;
        uint64_t right = (alone ? group : group - s->sets) * s->points;
        for (uint64_t i = 0; i < s->points; i++)
            for (uint64_t j = alone ? i + 1 : 0; j < s->points; j++) {
                int bin = bin_of(limits, cosine_of(s, left + i, right + j));
                if (bin >= 0)
                    counts[bin]++;
            }
        for (uint64_t bin = 0; bin < BINS; bin++)
            ww_expect_u64(s->histograms, group * BINS + bin, counts[bin]);
    }
}

static const ww_parameter parameters[] = {
    WW_NUMBER_PARAMETER("points", "487", 2, 1 << 20, "points in a set"),
    WW_NUMBER_PARAMETER("sets", "100", 1, 10000, "random sets, beside the observed one"),
    WW_GROUP_PARAMETER("256"),
};

static const ww_named_size sizes[] = {
    {"tiny", "points=50,sets=3,group=32", 1, 0},
    {"small", "points=500,sets=1", 1, 0},
    {"latency", "points=487,sets=100", 1, 0},
    {"cawa", "points=487,sets=100", 1, 0},
};

WW_WORKLOAD(tpacf) = {
    .name = "tpacf",
    .suite = "Parboil",
    .doc = "two-point angular correlation: histograms of angles between points of the sky",
    .papers = "latency cawa",
    .irregular = false,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(tpacf),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
