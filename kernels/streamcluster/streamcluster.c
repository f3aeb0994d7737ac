/* Clustering of a stream: local search for the centres of the points of one chunk. The device says
 * what each point would gain from a new centre; the host decides. */
#include "workload/workload.h"

typedef struct point { /* as the kernel has it */
    float weight;
    uint64_t coordinates;
    int64_t centre;
    float cost;
} point;

/* The state of a search. */
typedef struct search {
    point *points;
    int32_t *number_of_centre;
    uint8_t *is_centre;
    uint64_t centres;
    float price;     /* of a centre */
    float low, high; /* between which it is sought */
    float *changes;  /* that the last question brought */
    uint8_t *goes;
} search;

typedef struct streamcluster {
    uint64_t n, dimensions, kmin, kmax, questions, group;
    uint64_t most_centres, round; /* round: questions with one price */
    uint64_t asked;               /* of a run */
    float *costs;                 /* of opening each candidate */
    ww_array *points, *coordinates, *number_of_centre, *changes, *goes;
    ww_host *host;
} streamcluster;

static void allocate(ww_host *host, void *state)
{
    streamcluster *s = state;
    s->host = host;
    s->n = ww_host_number(host, "n");
    s->dimensions = ww_host_number(host, "dimensions");
    s->kmin = ww_host_number(host, "kmin");
    s->kmax = ww_host_number(host, "kmax");
    s->questions = ww_host_number(host, "questions");
    s->group = ww_host_number(host, "group");
    if (s->kmin > s->kmax || s->kmax > s->n)
        ww_host_refuse(host, "kmin, kmax and n are %u, %u and %u (must not descend)",
                       (unsigned)s->kmin, (unsigned)s->kmax, (unsigned)s->n);
    s->most_centres = 2 * s->kmax;
    s->round = (uint64_t)ceil(3 * (double)s->kmin * log2((double)s->kmin + 1));
    s->costs = ww_host_alloc(host, s->questions, sizeof(float));
    s->points = ww_host_array(host, "points", WW_SCRATCH, sizeof(point), s->n);
    s->coordinates =
        ww_host_array(host, "coordinates", WW_INPUT, sizeof(float), s->dimensions * s->n);
    s->number_of_centre =
        ww_host_array(host, "number_of_centre", WW_SCRATCH, sizeof(int32_t), s->n);
    s->changes =
        ww_host_array(host, "changes", WW_INOUT, sizeof(float), s->n * (s->most_centres + 1));
    s->goes = ww_host_array(host, "goes", WW_INOUT, sizeof(uint8_t), s->n);
}

/* Uniform in a cube, as the original's generator makes them. */
static void fill(ww_host *host, void *state)
{
    streamcluster *s = state;
    (void)host;
    ww_host_fill_f32(s->coordinates, 0, 1);
}

static float distance(const streamcluster *s, uint64_t a, uint64_t b)
{
    const float *coordinates = s->coordinates->host;
    float sum = 0;
    for (uint64_t d = 0; d < s->dimensions; d++) {
        float difference = coordinates[d * s->n + a] - coordinates[d * s->n + b];
        sum += difference * difference;
    }
    return sum;
}

/* ---- the search; `ask` fills changes and goes for a candidate ---- */

typedef void (*question)(const streamcluster *s, search *q, uint64_t candidate);

static void open_centre(search *q, uint64_t i)
{
    q->is_centre[i] = 1;
    q->centres++;
}

/* Opens a centre at a point with the probability that its distance has to the price. */
static void first_centres(const streamcluster *s, search *q)
{
    memset(q->is_centre, 0, s->n);
    q->centres = 0;
    for (uint64_t i = 0; i < s->n; i++) {
        point *p = &q->points[i];
        p->weight = 1;
        p->centre = (int64_t)i;
        p->cost = 0;
        float nearest = INFINITY;
        for (uint64_t j = 0; j < i; j++) {
            float cost = q->is_centre[j] ? distance(s, i, j) : INFINITY;
            if (cost < nearest) {
                nearest = cost;
                p->centre = (int64_t)j;
            }
        }
        bool opens = ww_random_f32(s->goes, i, 0, 1) < nearest / q->price;
        if (i == 0 || (opens && q->centres < s->most_centres))
            open_centre(q, i);
        p->centre = q->is_centre[i] ? (int64_t)i : p->centre;
        p->cost = q->is_centre[i] ? 0 : nearest;
    }
}

static void number_centres(const streamcluster *s, search *q)
{
    int32_t number = 0;
    for (uint64_t i = 0; i < s->n; i++)
        q->number_of_centre[i] = q->is_centre[i] ? number++ : 0;
}

/* What opening the candidate costs, a gain if negative: its price, what points save, and for each
 * centre that is then not worth its price (a positive `spared`) what closing it saves. */
static float cost_of_opening(const streamcluster *s, search *q, float *spared)
{
    uint64_t stride = q->centres + 1;
    float cost = q->price;
    for (uint64_t i = 0; i < q->centres; i++)
        spared[i] = q->price;
    for (uint64_t j = 0; j < s->n; j++) {
        for (uint64_t i = 0; i < q->centres; i++)
            spared[i] += q->changes[j * stride + i];
        cost += q->changes[j * stride + q->centres];
    }
    for (uint64_t i = 0; i < q->centres; i++)
        cost -= spared[i] > 0 ? spared[i] : 0;
    return cost;
}

/* Points that gain, and those whose centre closes, go to the candidate. */
static void open_candidate(const streamcluster *s, search *q, uint64_t candidate,
                           const float *spared)
{
    for (uint64_t i = 0; i < s->n; i++) {
        point *p = &q->points[i];
        if (q->goes[i] || spared[q->number_of_centre[p->centre]] > 0) {
            p->cost = distance(s, i, candidate) * p->weight;
            p->centre = (int64_t)candidate;
        }
    }
    for (uint64_t i = 0; i < s->n; i++)
        if (q->is_centre[i] && spared[q->number_of_centre[i]] > 0) {
            q->is_centre[i] = 0;
            q->centres--;
        }
    open_centre(q, candidate);
}

/* Every round has another price, by bisection for a number of centres within the limits. */
static void change_price(const streamcluster *s, search *q)
{
    if (q->centres > s->kmax)
        q->low = q->price;
    else if (q->centres < s->kmin)
        q->high = q->price;
    q->price = (q->low + q->high) / 2;
}

/* Costs of the candidates; ends early only when the host has failed. */
static uint64_t do_search(const streamcluster *s, search *q, question ask, float *costs)
{
    float *spared = ww_host_alloc(s->host, s->most_centres, sizeof(float));
    q->low = q->high = 0;
    for (uint64_t i = 0; i < s->n; i++)
        q->high += distance(s, i, 0);
    q->price = q->high / 2;
    for (first_centres(s, q); q->centres < s->kmin && q->price > 0; first_centres(s, q))
        q->price = q->high = q->price / 2;
    for (uint64_t i = 0; i < s->questions; i++) {
        uint64_t candidate = ww_random_below(s->points, i, s->n);
        if (i && i % s->round == 0)
            change_price(s, q);
        number_centres(s, q);
        ask(s, q, candidate);
        costs[i] = cost_of_opening(s, q, spared);
        if (!ww_host_ok(s->host))
            return i;
        if (costs[i] < 0 && q->centres < s->most_centres && !q->is_centre[candidate])
            open_candidate(s, q, candidate, spared);
    }
    return s->questions;
}

static search start_search(const streamcluster *s)
{
    ww_host *host = s->host;
    return (search){.points = ww_host_alloc(host, s->n, sizeof(point)),
                    .number_of_centre = ww_host_alloc(host, s->n, sizeof(int32_t)),
                    .is_centre = ww_host_alloc(host, s->n, 1),
                    .changes = ww_host_alloc(host, s->n * (s->most_centres + 1), sizeof(float)),
                    .goes = ww_host_alloc(host, s->n, 1)};
}

static void ask_device(const streamcluster *s, search *q, uint64_t candidate)
{
    uint64_t count = s->n * (s->most_centres + 1);
    memset(q->changes, 0, count * sizeof(float));
    memset(q->goes, 0, s->n);
    ww_host_write(s->host, s->points, 0, s->n, sizeof(point), q->points);
    ww_host_write(s->host, s->number_of_centre, 0, s->n, sizeof(int32_t), q->number_of_centre);
    ww_host_write(s->host, s->changes, 0, count, sizeof(float), q->changes);
    ww_host_write(s->host, s->goes, 0, s->n, 1, q->goes);
    ww_host_launch(s->host, "streamcluster", ww_range1(s->n, s->group), ww_mem(s->points),
                   ww_mem(s->coordinates), ww_mem(s->number_of_centre), ww_mem(s->changes),
                   ww_mem(s->goes), ww_u32(s->n), ww_u32(s->dimensions), ww_u64(candidate),
                   ww_u32(q->centres + 1));
    ww_host_read(s->host, s->changes, 0, count, sizeof(float), q->changes);
    ww_host_read(s->host, s->goes, 0, s->n, 1, q->goes);
}

static void run(ww_host *host, void *state)
{
    streamcluster *s = state;
    search q = start_search(s);
    (void)host;
    s->asked = do_search(s, &q, ask_device, s->costs);
}

static void ask_reference(const streamcluster *s, search *q, uint64_t candidate)
{
    uint64_t stride = q->centres + 1;
    memset(q->changes, 0, s->n * (s->most_centres + 1) * sizeof(float));
    for (uint64_t i = 0; i < s->n; i++) {
        const point *p = &q->points[i];
        float cost = distance(s, i, candidate) * p->weight;
        q->goes[i] = cost < p->cost;
        if (q->goes[i])
            q->changes[i * stride + q->centres] = cost - p->cost;
        else
            q->changes[i * stride + (uint64_t)q->number_of_centre[p->centre]] = p->cost - cost;
    }
}

/* The same search without the device: all costs, and the last answer. */
static void verify(ww_host *host, void *state)
{
    streamcluster *s = state;
    search q = start_search(s);
    float *costs = ww_host_alloc(host, s->questions, sizeof(float));
    do_search(s, &q, ask_reference, costs);
    for (uint64_t i = 0; i < s->questions; i++)
        ww_expect(host, s->costs[i] == costs[i], "cost of candidate %u: %g instead of %g",
                  (unsigned)i, (double)s->costs[i], (double)costs[i]);
    for (uint64_t i = 0; i < s->n * (s->most_centres + 1); i++)
        ww_expect_f32(s->changes, i, (double)q.changes[i], 0);
    for (uint64_t i = 0; i < s->n; i++)
        ww_expect_u8(s->goes, i, q.goes[i]);
}

static const ww_parameter parameters[] = {
    WW_NUMBER_PARAMETER("n", "4096", 1, 1 << 24, "points"),
    WW_NUMBER_PARAMETER("dimensions", "32", 1, 1 << 12, "of a point"),
    WW_NUMBER_PARAMETER("kmin", "10", 1, 1024, "least number of centres"),
    WW_NUMBER_PARAMETER("kmax", "20", 1, 1024, "largest number of centres"),
    WW_NUMBER_PARAMETER("questions", "300", 1, 100000, "launches: candidates for a centre"),
    WW_GROUP_PARAMETER("512"),
};

static const ww_named_size sizes[] = {
    {"tiny", "n=500,dimensions=8,kmin=3,kmax=6,questions=20,group=64", 20, 0},
    {"small", "n=8704,dimensions=200,questions=4", 4, 0},
    {"latency", "n=4096,dimensions=32,questions=300", 300, 0},
    {"cawa", "n=4096,dimensions=32,questions=300", 300, 0},
    {"ctrlc", "n=4096,dimensions=32,questions=300", 300, 0},
    {"latency_mid", "n=8192,dimensions=64,questions=80", 80, 0},
    {"cawa_mid", "n=8192,dimensions=64,questions=80", 80, 0},
};

WW_WORKLOAD(streamcluster) = {
    .name = "streamcluster",
    .suite = "Rodinia",
    .doc = "clustering of a stream: what a new centre would change, for every point",
    .papers = "latency cawa ctrlc",
    .irregular = false,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(streamcluster),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
