/* PathFinder: the cheapest ways through a grid, row by row.
 *
 * Rodinia's pathfinder: work-groups of 256 columns that make several rows in local memory.
 * Rodinia's own script has 100000 columns, 100 rows and a pyramid of 20 rows; hpca16 is that. */
#include "workload/workload.h"

#include <inttypes.h>

#define BLOCK 256u /* as in kernel.cl */
#define MOST_COST 10u

typedef struct pathfinder {
    uint64_t rows, columns, pyramid, launches;
    ww_array *wall, *cost[2];
} pathfinder;

static void allocate(ww_host *host, void *state)
{
    pathfinder *s = state;
    s->rows = ww_host_number(host, "rows");
    s->columns = ww_host_number(host, "columns");
    s->pyramid = ww_host_number(host, "pyramid");
    s->launches = (s->rows - 1 + s->pyramid - 1) / s->pyramid;
    if (s->rows * s->columns > INT32_MAX)
        ww_host_refuse(host, "rows * columns is %" PRIu64 " (at most %d)", s->rows * s->columns,
                       INT32_MAX);
    s->wall = ww_host_array(host, "wall", WW_INPUT, sizeof(int32_t), (s->rows - 1) * s->columns);
    s->cost[0] = ww_host_array(host, "cost", WW_INOUT, sizeof(int32_t), s->columns);
    s->cost[1] = ww_host_array(host, "cost_next", WW_OUTPUT, sizeof(int32_t), s->columns);
}

static int32_t initial(const pathfinder *s, uint64_t column)
{
    return (int32_t)ww_random_below(s->cost[0], column, MOST_COST);
}

static void fill(ww_host *host, void *state)
{
    pathfinder *s = state;
    int32_t *wall = s->wall->host, *cost = s->cost[0]->host;
    (void)host;
    for (uint64_t i = 0; i < (s->rows - 1) * s->columns; i++)
        wall[i] = (int32_t)ww_random_below(s->wall, i, MOST_COST);
    for (uint64_t i = 0; i < s->columns; i++)
        cost[i] = initial(s, i);
}

static uint64_t steps_of(const pathfinder *s, uint64_t launch)
{
    uint64_t left = s->rows - 1 - launch * s->pyramid;
    return left < s->pyramid ? left : s->pyramid;
}

/* The last launch may make fewer rows; its groups then keep more columns. */
static void run(ww_host *host, void *state)
{
    pathfinder *s = state;
    for (uint64_t i = 0; i < s->launches; i++) {
        uint64_t steps = steps_of(s, i), kept = BLOCK - 2 * steps;
        ww_host_launch(host, "pathfinder", ww_range1((s->columns + kept - 1) / kept * BLOCK, BLOCK),
                       ww_mem(s->wall), ww_mem(s->cost[i % 2]), ww_mem(s->cost[(i + 1) % 2]),
                       ww_u32(s->columns), ww_u32(i * s->pyramid), ww_u32(steps));
    }
}

static void step_row(const pathfinder *s, uint64_t row, const int32_t *now, int32_t *next)
{
    const int32_t *wall = (const int32_t *)s->wall->host + row * s->columns;
    uint64_t last = s->columns - 1;
    for (uint64_t x = 0; x <= last; x++) {
        int32_t least = now[x], west = now[x ? x - 1 : 0], east = now[x < last ? x + 1 : last];
        least = west < least ? west : least;
        least = east < least ? east : least;
        next[x] = least + wall[x];
    }
}

static void expect_row(const pathfinder *s, ww_array *array, const int32_t *want)
{
    for (uint64_t i = 0; i < s->columns; i++)
        ww_expect_i32(array, i, want[i]);
}

/* The array that the last launch read has the costs after the launches before it. */
static void verify(ww_host *host, void *state)
{
    pathfinder *s = state;
    int32_t *now = ww_host_alloc(host, s->columns, sizeof(*now));
    int32_t *next = ww_host_alloc(host, s->columns, sizeof(*next));
    for (uint64_t i = 0; i < s->columns; i++)
        now[i] = initial(s, i);
    for (uint64_t i = 0; i < s->launches; i++) {
        if (i + 1 == s->launches)
            expect_row(s, s->cost[i % 2], now);
        for (uint64_t step = 0; step < steps_of(s, i); step++) {
            step_row(s, i * s->pyramid + step, now, next);
            int32_t *swap = now;
            now = next;
            next = swap;
        }
    }
    expect_row(s, s->cost[s->launches % 2], now);
}

static const ww_parameter parameters[] = {
    WW_NUMBER_PARAMETER("rows", "100", 2, 1 << 20, "rows of the grid"),
    WW_NUMBER_PARAMETER("columns", "24000", 1, 1 << 28, "columns of the grid"),
    WW_NUMBER_PARAMETER("pyramid", "20", 1, 127, "rows in one launch"),
};

static const ww_named_size sizes[] = {
    {"tiny", "rows=20,columns=1000,pyramid=4", 5, 0},
    {"small", "rows=100,columns=24000,pyramid=20", 5, 0},
    {"hpca16", "rows=100,columns=100000,pyramid=20", 5, 0},
    {"latency", "rows=100,columns=100000,pyramid=20", 5, 0},
    {"cawa", "rows=100,columns=100000,pyramid=20", 5, 0},
    {"ctrlc", "rows=100,columns=100000,pyramid=20", 5, 0},
};

WW_WORKLOAD(pathfinder) = {
    .name = "pathfinder",
    .suite = "Rodinia",
    .doc = "cheapest ways through a grid: dynamic programming, several rows a launch",
    .papers = "hpca16 latency cawa ctrlc",
    .irregular = false,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(pathfinder),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
