/* XSBench: macroscopic cross sections of materials at random energies, from a unionised grid. */
#include "workload/workload.h"

#include <stdlib.h>

#define MATERIALS 12
#define CHANNELS 5
#define COLUMNS (CHANNELS + 1) /* the energy and the cross sections of a row */
#define NUMBERS_PER_LOOKUP (2 * CHANNELS) /* of a history; as in kernel.cl */

/* Nuclides in each material of the Hoogenboom-Martin reactor. Fuel, the first, has all of the
 * problem except the 34 that the other materials are made of. */
#define OTHERS 34
static const int32_t material_sizes[MATERIALS] = {0, 5, 4, 4, 27, 21, 21, 21, 21, 21, 9, 9};
/* A roll below limits[i], and not below those before, is material i + 1; the rest is fuel. */
static const double limits[MATERIALS - 1] = {0.052, 0.327, 0.461, 0.615, 0.679, 0.745,
                                             0.800, 0.808, 0.823, 0.848, 0.861};

typedef struct xsbench {
    uint64_t nuclides, points, particles, lookups, group;
    bool history;
    uint64_t longest; /* nuclides in the largest material */
    uint64_t results_count;
    ww_array *energies, *rows, *grids, *counts, *members, *densities, *results;
} xsbench;

static void allocate(ww_host *host, void *state)
{
    xsbench *s = state;
    s->history = ww_host_number(host, "method") == 0;
    s->nuclides = ww_host_number(host, "nuclides");
    s->points = ww_host_number(host, "points");
    s->particles = ww_host_number(host, "particles");
    s->lookups = ww_host_number(host, "lookups");
    s->group = ww_host_number(host, "group");
    s->longest = s->nuclides - OTHERS > OTHERS ? s->nuclides - OTHERS : OTHERS;
    s->results_count = s->history ? s->particles : s->particles * s->lookups;
    if (s->results_count > UINT32_MAX)
        ww_host_refuse(host, "particles * lookups is above %u", UINT32_MAX);
    uint64_t all = s->nuclides * s->points, places = MATERIALS * s->longest;
    s->energies = ww_host_array(host, "energies", WW_INPUT, sizeof(double), all);
    s->rows = ww_host_array(host, "rows", WW_INPUT, sizeof(int32_t), all * s->nuclides);
    s->grids = ww_host_array(host, "grids", WW_INPUT, sizeof(double), all * COLUMNS);
    s->counts = ww_host_array(host, "counts", WW_INPUT, sizeof(int32_t), MATERIALS);
    s->members = ww_host_array(host, "members", WW_INPUT, sizeof(int32_t), places);
    s->densities = ww_host_array(host, "densities", WW_INPUT, sizeof(double), places);
    s->results = ww_host_array(host, "results", WW_OUTPUT, sizeof(double),
                               s->results_count * CHANNELS);
}

/* ---- random numbers of the work-items, which are made on the device ---- */

static uint64_t first_state(const xsbench *s)
{
    return ww_random_u64(s->results, 0) >> 1;
}

static uint64_t next_state(uint64_t state)
{
    return (2806196910506780709u * state + 1) & INT64_MAX;
}

static double next_number(uint64_t *state)
{
    *state = next_state(*state);
    return (double)*state * 0x1p-63;
}

/* The state with which the work-item after the one that starts with `state` starts. */
static uint64_t start_of_next(const xsbench *s, uint64_t state)
{
    uint64_t apart = s->history ? NUMBERS_PER_LOOKUP * s->lookups : 2;
    for (uint64_t k = 0; k < apart; k++)
        state = next_state(state);
    return state;
}

/* ---- inputs ---- */

static int by_value(const void *a, const void *b)
{
    double one = *(const double *)a, other = *(const double *)b;
    return one < other ? -1 : one > other;
}

/* Each nuclide's table: random energies in order, random cross sections. Each nuclide's
 * cross sections have a step, two rows of one energy, exactly where a work-item's first lookup is.
 * It is not at an end of the table, from where rows are extrapolated. */
static void fill_grids(xsbench *s)
{
    double *grids = s->grids->host, *energies = s->energies->host;
    uint64_t start = first_state(s);
    for (uint64_t n = 0; n < s->nuclides; n++) {
        double *own = energies + n * s->points;
        for (uint64_t p = 0; p < s->points; p++)
            own[p] = ww_random_f64(s->energies, n * s->points + p, 0, 1);
        uint64_t state = start;
        own[0] = own[1] = next_number(&state);
        start = start_of_next(s, start);
        qsort(own, s->points, sizeof(*own), by_value);
        if (own[0] == own[1])
            own[0] = 0;
        if (own[s->points - 2] == own[s->points - 1])
            own[s->points - 1] = 1;
        for (uint64_t p = 0; p < s->points; p++) {
            uint64_t row = (n * s->points + p) * COLUMNS;
            grids[row] = own[p];
            for (uint64_t c = 1; c < COLUMNS; c++)
                grids[row + c] = ww_random_f64(s->grids, row + c, 0, 1);
        }
    }
}

/* The unionised grid: the energies of all tables in order; for each of them and each nuclide the
 * row of its table at or below it that has a row above it. */
static void fill_unionised(ww_host *host, xsbench *s)
{
    double *energies = s->energies->host;
    const double *grids = s->grids->host;
    int32_t *rows = s->rows->host;
    int32_t *at = ww_host_alloc(host, s->nuclides, sizeof(*at));
    uint64_t all = s->nuclides * s->points;
    qsort(energies, all, sizeof(*energies), by_value);
    for (uint64_t u = 0; u < all; u++)
        for (uint64_t n = 0; n < s->nuclides; n++) {
            const double *own = grids + n * s->points * COLUMNS;
            while ((uint64_t)at[n] + 2 < s->points && own[(at[n] + 1) * COLUMNS] <= energies[u])
                at[n]++;
            rows[u * s->nuclides + n] = at[n];
        }
}

/* Fuel has the first nuclides; every other material its number of the last ones, by lot. */
static void fill_materials(xsbench *s)
{
    int32_t *counts = s->counts->host, *members = s->members->host;
    double *densities = s->densities->host;
    int32_t fuel = (int32_t)s->nuclides - OTHERS;
    memcpy(counts, material_sizes, sizeof(material_sizes));
    counts[0] = fuel;
    for (int32_t i = 0; i < fuel; i++)
        members[i] = i;
    for (uint64_t m = 1; m < MATERIALS; m++) {
        int32_t *own = members + m * s->longest;
        for (int32_t i = 0; i < OTHERS; i++)
            own[i] = fuel + i;
        for (int32_t i = 0; i < counts[m]; i++) {
            uint64_t left = (uint64_t)(OTHERS - i);
            uint32_t other = ww_random_below(s->members, m * OTHERS + (uint64_t)i, left);
            int32_t drawn = own[i + (int32_t)other];
            own[i + (int32_t)other] = own[i];
            own[i] = drawn;
        }
    }
    for (uint64_t i = 0; i < MATERIALS * s->longest; i++)
        densities[i] = ww_random_f64(s->densities, i, 0, 1);
}

static void fill(ww_host *host, void *state)
{
    xsbench *s = state;
    fill_grids(s);
    fill_unionised(host, s);
    fill_materials(s);
}

/* ---- the host side ---- */

static void run(ww_host *host, void *state)
{
    xsbench *s = state;
    ww_range range = ww_range1(s->results_count, s->group);
    if (s->history)
        ww_host_launch(host, "xsbench_history", range, ww_mem(s->energies), ww_mem(s->rows),
                       ww_mem(s->grids), ww_mem(s->counts), ww_mem(s->members),
                       ww_mem(s->densities), ww_u32(s->nuclides), ww_u32(s->points),
                       ww_u32(s->longest), ww_mem(s->results), ww_u64(first_state(s)),
                       ww_u32(s->particles), ww_u32(s->lookups));
    else
        ww_host_launch(host, "xsbench_event", range, ww_mem(s->energies), ww_mem(s->rows),
                       ww_mem(s->grids), ww_mem(s->counts), ww_mem(s->members),
                       ww_mem(s->densities), ww_u32(s->nuclides), ww_u32(s->points),
                       ww_u32(s->longest), ww_mem(s->results), ww_u64(first_state(s)),
                       ww_u32(s->results_count));
}

/* ---- what is right: the same operations in the same order, rounded alike ---- */

static uint64_t pick_material(uint64_t *state)
{
    double roll = next_number(state);
    for (uint64_t i = 0; i < MATERIALS - 1; i++)
        if (roll < limits[i])
            return i + 1;
    return 0;
}

/* The unionised grid is not used: a nuclide's row is looked for in its own table. */
static const double *find_row(const xsbench *s, int32_t nuclide, double energy)
{
    const double *grid = (const double *)s->grids->host + (uint64_t)nuclide * s->points * COLUMNS;
    uint64_t low = 0, high = s->points - 1;
    while (high - low > 1) {
        uint64_t middle = (low + high) / 2;
        if (grid[middle * COLUMNS] <= energy)
            low = middle;
        else
            high = middle;
    }
    return grid + low * COLUMNS;
}

static void look_up(const xsbench *s, double energy, uint64_t material, double *sums)
{
    const int32_t *counts = s->counts->host;
    const int32_t *members = (const int32_t *)s->members->host + material * s->longest;
    const double *densities = (const double *)s->densities->host + material * s->longest;
    memset(sums, 0, CHANNELS * sizeof(*sums));
    for (int32_t i = 0; i < counts[material]; i++) {
        const double *low = find_row(s, members[i], energy), *high = low + COLUMNS;
        double part = (high[0] - energy) / (high[0] - low[0]);
        for (int c = 0; c < CHANNELS; c++) {
            double section = fma(-part, high[1 + c] - low[1 + c], high[1 + c]);
            sums[c] = fma(section, densities[i], sums[c]);
        }
    }
}

/* Follows one work-item from `state` over its lookups; adds up what it finds in `totals`. */
static void follow(const xsbench *s, uint64_t state, double *totals)
{
    double sums[CHANNELS];
    memset(totals, 0, CHANNELS * sizeof(*totals));
    for (uint64_t k = 0; k < (s->history ? s->lookups : 1); k++) {
        double energy = next_number(&state);
        look_up(s, energy, pick_material(&state), sums);
        int forward = 0;
        for (int c = 0; c < CHANNELS; c++) {
            totals[c] += sums[c];
            forward += sums[c] > 1;
        }
        for (; forward > 0; forward--)
            state = next_state(state);
    }
}

static void verify(ww_host *host, void *state)
{
    xsbench *s = state;
    double totals[CHANNELS];
    uint64_t start = first_state(s);
    (void)host;
    for (uint64_t i = 0; i < s->results_count; i++) {
        follow(s, start, totals);
        for (uint64_t c = 0; c < CHANNELS; c++)
            ww_expect_f64(s->results, i * CHANNELS + c, totals[c], 0);
        start = start_of_next(s, start);
    }
}

static const ww_parameter parameters[] = {
    WW_CHOICE_PARAMETER("method", "event", "history|event",
                        "a particle or a single lookup a work-item"),
    WW_NUMBER_PARAMETER("nuclides", "68", OTHERS + 1, 512, "of the reactor (68 or 355)"),
    WW_NUMBER_PARAMETER("points", "11303", 2, 1 << 17, "energies in each nuclide's table"),
    WW_NUMBER_PARAMETER("particles", "500000", 1, 1 << 24, "particles"),
    WW_NUMBER_PARAMETER("lookups", "34", 1, 1 << 16, "lookups for each particle"),
    WW_GROUP_PARAMETER("256"),
};

/* hpca16: the original's tables (11303 points) are larger than the paper's largest program, which
 * has 144 MB. Chosen is the number of points with that footprint, and isca18's lookups. */
static const ww_named_size sizes[] = {
    {"tiny", "points=64,particles=32,lookups=8,group=64", 1, 0},
    {"small", "points=2048,particles=600,lookups=34", 1, 0},
    {"isca18", "points=9800,particles=3000,lookups=34", 1, 212.25},
    {"hpca16", "points=6270,particles=3000,lookups=34", 1, 0},
};

WW_WORKLOAD(xsbench) = {
    .name = "xsbench",
    .suite = "XSBench",
    .doc = "Monte Carlo neutron transport: cross sections looked up at random energies",
    .papers = "isca18 hpca16",
    .irregular = true,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(xsbench),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
