/* HotSpot: the temperature of a chip over time, from the power of its parts. */
#include "workload/workload.h"

#define TILE 16u
#define AMBIENT 80.0f

typedef struct hotspot {
    uint64_t rows, columns, steps, pyramid, launches;
    float capacity, by_row, by_column, by_air; /* as the kernel wants them */
    ww_array *power, *temperature[2];
} hotspot;

/* Chip of 16 mm x 16 mm x 0.5 mm of silicon; the step is such that the power alone changes no cell
 * by more than the precision asked for (the numbers are HotSpot's), but no longer than what keeps
 * the explicit method stable on a fine grid. */
static void set_coefficients(hotspot *s)
{
    const double side = 0.016, thickness = 0.0005;
    const double heat_capacity = 1.75e6, conductivity = 100, factor = 0.5;
    const double most_power = 3.0e6, precision = 0.001;
    double height = side / (double)s->rows, width = side / (double)s->columns;
    double capacity = factor * heat_capacity * thickness * width * height;
    double step = precision / (most_power / (factor * thickness * heat_capacity));
    double exchange = 4 * conductivity * thickness * (height / width + width / height) +
                      conductivity * height * width / thickness;
    s->capacity = (float)fmin(step / capacity, 0.9 / exchange);
    s->by_row = (float)(2 * conductivity * thickness * height / width);
    s->by_column = (float)(2 * conductivity * thickness * width / height);
    s->by_air = (float)(conductivity * height * width / thickness);
}

static void allocate(ww_host *host, void *state)
{
    hotspot *s = state;
    s->rows = ww_host_number(host, "rows");
    s->columns = ww_host_number(host, "columns");
    s->steps = ww_host_number(host, "steps");
    s->pyramid = ww_host_number(host, "pyramid");
    s->launches = (s->steps + s->pyramid - 1) / s->pyramid;
    set_coefficients(s);
    uint64_t cells = s->rows * s->columns;
    s->power = ww_host_array(host, "power", WW_INPUT, sizeof(float), cells);
    s->temperature[0] = ww_host_array(host, "temperature", WW_INOUT, sizeof(float), cells);
    s->temperature[1] = ww_host_array(host, "temperature_next", WW_OUTPUT, sizeof(float), cells);
}

static float initial(const hotspot *s, uint64_t index)
{
    return ww_random_f32(s->temperature[0], index, 320, 345);
}

static void fill(ww_host *host, void *state)
{
    hotspot *s = state;
    float *temperature = s->temperature[0]->host;
    (void)host;
    ww_host_fill_f32(s->power, 0, 0.01f);
    for (uint64_t i = 0; i < s->rows * s->columns; i++)
        temperature[i] = initial(s, i);
}

static uint64_t steps_of(const hotspot *s, uint64_t launch)
{
    uint64_t left = s->steps - launch * s->pyramid;
    return left < s->pyramid ? left : s->pyramid;
}

/* The last launch may make fewer steps; its tiles then keep more cells. */
static void run(ww_host *host, void *state)
{
    hotspot *s = state;
    for (uint64_t i = 0; i < s->launches; i++) {
        uint64_t steps = steps_of(s, i), kept = TILE - 2 * steps;
        ww_range range = ww_range2((s->columns + kept - 1) / kept * TILE,
                                   (s->rows + kept - 1) / kept * TILE, TILE, TILE);
        ww_host_launch(host, "hotspot_steps", range, ww_mem(s->power),
                       ww_mem(s->temperature[i % 2]), ww_mem(s->temperature[(i + 1) % 2]),
                       ww_u32(s->columns), ww_u32(s->rows), ww_u32(steps), ww_f32(s->capacity),
                       ww_f32(s->by_row), ww_f32(s->by_column), ww_f32(s->by_air));
    }
}

/* One step in the kernel's order of operations, which leaves nothing to rounding. */
static void step_row(const hotspot *s, uint64_t y, const float *now, float *next)
{
    uint64_t last = s->columns - 1;
    const float *row = now + y * s->columns, *power = s->power->host;
    const float *north = y ? row - s->columns : row;
    const float *south = y + 1 < s->rows ? row + s->columns : row;
    for (uint64_t x = 0; x <= last; x++) {
        float cell = row[x], west = row[x ? x - 1 : 0], east = row[x < last ? x + 1 : last];
        float vertical = (south[x] + north[x] - 2.0f * cell) * s->by_column;
        float horizontal = (east + west - 2.0f * cell) * s->by_row;
        float heat = power[y * s->columns + x] + vertical + horizontal;
        next[y * s->columns + x] = cell + s->capacity * (heat + (AMBIENT - cell) * s->by_air);
    }
}

static void expect_grid(const hotspot *s, ww_array *array, const float *want)
{
    for (uint64_t i = 0; i < s->rows * s->columns; i++)
        ww_expect_f32(array, i, (double)want[i], 0);
}

/* The array that the last launch read has the temperatures after the launches before it. */
static void verify(ww_host *host, void *state)
{
    hotspot *s = state;
    uint64_t cells = s->rows * s->columns;
    float *now = ww_host_alloc(host, cells, sizeof(*now));
    float *next = ww_host_alloc(host, cells, sizeof(*next));
    for (uint64_t i = 0; i < cells; i++)
        now[i] = initial(s, i);
    for (uint64_t i = 0; i < s->launches; i++) {
        if (i + 1 == s->launches)
            expect_grid(s, s->temperature[i % 2], now);
        for (uint64_t step = 0; step < steps_of(s, i); step++) {
            for (uint64_t y = 0; y < s->rows; y++)
                step_row(s, y, now, next);
            float *swap = now;
            now = next;
            next = swap;
        }
    }
    expect_grid(s, s->temperature[s->launches % 2], now);
}

static const ww_parameter parameters[] = {
    WW_NUMBER_PARAMETER("rows", "440", 1, 32768, "rows of the grid"),
    WW_NUMBER_PARAMETER("columns", "440", 1, 32768, "columns of the grid"),
    WW_NUMBER_PARAMETER("steps", "3", 1, 100000, "time steps"),
    WW_NUMBER_PARAMETER("pyramid", "2", 1, 7, "time steps in one launch"),
};

/* hpca16: the 2 steps of Rodinia's own script, a grid above 32 MB, as the paper says of this
 * program (the script has 512 x 512). */
static const ww_named_size sizes[] = {
    {"tiny", "rows=64,columns=64,steps=4", 2, 0},
    {"small", "rows=440,columns=440,steps=3", 2, 0},
    {"isca18", "rows=1024,columns=1024,steps=8", 4, 12.02},
    {"ctrlc", "rows=512,columns=512,steps=2", 1, 0},
    {"hpca16", "rows=2048,columns=2048,steps=2", 1, 0},
    {"latency", "rows=512,columns=512,steps=2", 1, 0},
};

WW_WORKLOAD(hotspot) = {
    .name = "hotspot",
    .suite = "Rodinia",
    .doc = "temperature of a chip: 2-D stencil, several time steps to a tile in local memory",
    .papers = "isca18 micro18 hpca16 latency ctrlc",
    .irregular = false,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(hotspot),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
