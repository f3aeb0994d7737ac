/* K-means: points to the nearest of a few centres, centres to the middle of their points, again. */
#include "workload/fused.h"
#include "workload/workload.h"

#include <float.h>

enum { ROW, COLUMN }; /* in the order of the parameter's choices */

typedef struct kmeans {
    uint64_t n, features, clusters, iterations, layout, group;
    uint64_t rounds; /* of assignment, that the run made */
    ww_array *points, *swapped, *centres, *membership;
} kmeans;

static void allocate(ww_host *host, void *state)
{
    kmeans *s = state;
    s->n = ww_host_number(host, "n");
    s->features = ww_host_number(host, "features");
    s->clusters = ww_host_number(host, "clusters");
    s->iterations = ww_host_number(host, "iterations");
    s->layout = ww_host_number(host, "layout");
    s->group = ww_host_number(host, "group");
    if (s->clusters > s->n)
        ww_host_refuse(host, "%u clusters of %u points (at most as many as points)",
                       (unsigned)s->clusters, (unsigned)s->n);
    uint64_t count = s->n * s->features;
    s->points = ww_host_array(host, "points", WW_INPUT, sizeof(float), count);
    if (s->layout == COLUMN)
        s->swapped = ww_host_array(host, "swapped", WW_OUTPUT, sizeof(float), count);
    s->centres = ww_host_array(host, "centres", WW_INOUT, sizeof(float), s->clusters * s->features);
    s->membership = ww_host_array(host, "membership", WW_INOUT, sizeof(int32_t), s->n);
}

/* Points lie around hidden centres, in clusters that overlap. */
static float coordinate(const kmeans *s, uint64_t point, uint64_t j)
{
    uint64_t home = point < s->clusters ? point : ww_random_below(s->membership, point, s->clusters);
    float middle = ww_random_f32(s->centres, home * s->features + j, 0, 1);
    return middle + ww_random_f32(s->points, point * s->features + j, -1, 1);
}

/* The first points, one of each cluster, which are the first centres. They are multiples of 1/1024,
 * so that the point halfway between two of them is at exactly the same distance from both. */
static float first_centre(const kmeans *s, uint64_t cluster, uint64_t j)
{
    return rintf(coordinate(s, cluster, j) * 1024) / 1024;
}

/* After the first centres comes a point halfway between each of them and the next. */
static float point_coordinate(const kmeans *s, uint64_t point, uint64_t j)
{
    if (point < s->clusters)
        return first_centre(s, point, j);
    uint64_t before = point - s->clusters;
    if (before + 1 < s->clusters)
        return (first_centre(s, before, j) + first_centre(s, before + 1, j)) / 2;
    return coordinate(s, point, j);
}

static void fill(ww_host *host, void *state)
{
    kmeans *s = state;
    float *points = s->points->host;
    int32_t *membership = s->membership->host;
    (void)host;
    for (uint64_t i = 0; i < s->n; i++) {
        for (uint64_t j = 0; j < s->features; j++)
            points[i * s->features + j] = point_coordinate(s, i, j);
        membership[i] = -1;
    }
    memcpy(s->centres->host, points, s->centres->buffer->size);
}

/* What one round of the host does, on memory of its own. */
typedef struct clustering {
    int32_t *before, *now; /* membership of each point */
    float *centres;
    double *sums;
    uint64_t *counts;
} clustering;

static clustering start_clustering(ww_host *host, const kmeans *s)
{
    uint64_t count = s->clusters * s->features;
    clustering c = {.before = ww_host_alloc(host, s->n, sizeof(int32_t)),
                    .now = ww_host_alloc(host, s->n, sizeof(int32_t)),
                    .centres = ww_host_alloc(host, count, sizeof(float)),
                    .sums = ww_host_alloc(host, count, sizeof(double)),
                    .counts = ww_host_alloc(host, s->clusters, sizeof(uint64_t))};
    memset(c.before, -1, s->n * sizeof(int32_t));
    memcpy(c.centres, s->points->host, count * sizeof(float));
    return c;
}

static void add_points(const kmeans *s, clustering *c)
{
    const float *points = s->points->host;
    memset(c->sums, 0, s->clusters * s->features * sizeof(double));
    memset(c->counts, 0, s->clusters * sizeof(uint64_t));
    for (uint64_t i = 0; i < s->n; i++) {
        uint64_t cluster = (uint32_t)c->now[i];
        if (cluster >= s->clusters)
            continue; /* a wrong answer, which verification will find */
        c->counts[cluster]++;
        for (uint64_t j = 0; j < s->features; j++)
            c->sums[cluster * s->features + j] += (double)points[i * s->features + j];
    }
}

/* Moves the centres, except those of empty clusters; false when no point changed its cluster. */
static bool move_centres(const kmeans *s, clustering *c)
{
    bool changed = memcmp(c->before, c->now, s->n * sizeof(int32_t)) != 0;
    add_points(s, c);
    for (uint64_t i = 0; i < s->clusters; i++)
        for (uint64_t j = 0; c->counts[i] && j < s->features; j++) {
            uint64_t index = i * s->features + j;
            c->centres[index] = (float)(c->sums[index] / (double)c->counts[i]);
        }
    memcpy(c->before, c->now, s->n * sizeof(int32_t));
    return changed;
}

static void run(ww_host *host, void *state)
{
    kmeans *s = state;
    clustering c = start_clustering(host, s);
    ww_range range = ww_range1(s->n, s->group);
    bool changed = true;
    if (s->layout == COLUMN)
        ww_host_launch(host, "kmeans_swap", range, ww_mem(s->points), ww_mem(s->swapped),
                       ww_u32(s->n), ww_u32(s->features));
    for (; changed && s->rounds < s->iterations && ww_host_ok(host); s->rounds++) {
        ww_host_launch(host, s->layout == COLUMN ? "kmeans_assign_column" : "kmeans_assign_row",
                       range, ww_mem(s->layout == COLUMN ? s->swapped : s->points),
                       ww_mem(s->centres), ww_mem(s->membership), ww_u32(s->n),
                       ww_u32(s->clusters), ww_u32(s->features));
        ww_host_read(host, s->membership, 0, s->n, sizeof(int32_t), c.now);
        changed = move_centres(s, &c);
        ww_host_write(host, s->centres, 0, s->clusters * s->features, sizeof(float), c.centres);
    }
}

WW_FUSED static int32_t nearest(const kmeans *s, const float *point, const float *centres)
{
    float least = FLT_MAX;
    int32_t best = 0;
    for (uint64_t i = 0; i < s->clusters; i++) {
        float distance = 0;
        for (uint64_t j = 0; j < s->features; j++) {
            float difference = point[j] - centres[i * s->features + j];
            distance = fmaf(difference, difference, distance);
        }
        if (distance < least) {
            least = distance;
            best = (int32_t)i;
        }
    }
    return best;
}

/* The whole clustering again: distances are computed in the kernel's order, so that not even a tie
 * can be decided otherwise. */
static void verify(ww_host *host, void *state)
{
    kmeans *s = state;
    const float *points = s->points->host;
    clustering c = start_clustering(host, s);
    bool changed = true;
    uint64_t rounds = 0;
    for (; changed && rounds < s->iterations; rounds++) {
        for (uint64_t i = 0; i < s->n; i++)
            c.now[i] = nearest(s, points + i * s->features, c.centres);
        changed = move_centres(s, &c);
    }
    ww_expect(host, rounds == s->rounds, "%u rounds were made (want %u)", (unsigned)s->rounds,
              (unsigned)rounds);
    for (uint64_t i = 0; i < s->n; i++)
        ww_expect_i32(s->membership, i, c.now[i]);
    for (uint64_t i = 0; i < s->clusters * s->features; i++)
        ww_expect_f32(s->centres, i, (double)c.centres[i], 0);
    for (uint64_t j = 0; s->swapped && j < s->features; j++)
        for (uint64_t i = 0; i < s->n; i++)
            ww_expect_f32(s->swapped, j * s->n + i, (double)points[i * s->features + j], 0);
}

static const ww_parameter parameters[] = {
    WW_NUMBER_PARAMETER("n", "16384", 1, 16777216, "points"),
    WW_NUMBER_PARAMETER("features", "34", 1, 1024, "coordinates of a point"),
    WW_NUMBER_PARAMETER("clusters", "5", 1, 1024, "clusters to find"),
    WW_NUMBER_PARAMETER("iterations", "500", 1, 10000, "rounds at most"),
    WW_CHOICE_PARAMETER("layout", "column", "row|column", "how a work-item's point lies in memory"),
    WW_GROUP_PARAMETER("256"),
};

/* hpca16: as many points as one of Rodinia's files. Three rounds: each reads the same pages. */
static const ww_named_size sizes[] = {
    {"tiny", "n=512,iterations=3,group=64", 4, 0},
    {"small", "n=16384,iterations=3,group=64", 4, 0},
    {"isca18", "n=16384", 11, 4.33},
    {"cawa", "n=494020,layout=row", 14, 0},
    {"ctrlc", "n=494020,layout=row", 14, 0},
    {"hpca16", "n=204800,iterations=3", 4, 0},
    {"latency", "n=494020,layout=row,iterations=1", 1, 0},
    {"latency_column", "n=494020,iterations=1", 2, 0},
};

WW_WORKLOAD(kmeans) = {
    .name = "kmeans",
    .suite = "Rodinia",
    .doc = "k-means clustering: points to the nearest centre, until none changes",
    .papers = "isca18 hpca16 latency cawa ctrlc",
    .irregular = false,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(kmeans),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
