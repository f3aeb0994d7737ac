/* Back propagation: one training step of a network with one hidden layer. */
#include "workload/workload.h"

#define HIDDEN 16u
#define HEIGHT 16u
#define ROW (HIDDEN + 1u)
#define RATE 0.3f
#define MOMENTUM 0.3f
#define TARGET 0.1

typedef struct backprop {
    uint64_t n, groups;
    float spread;         /* of the weights, so that the hidden sums do not grow with n */
    float delta[ROW];     /* errors of the hidden units; [0] is the bias, without one */
    uint64_t products;    /* hash of what layer_forward left in the place of the weights */
    ww_array *input, *weights, *moves, *partial_sum, *deltas;
} backprop;

static void allocate(ww_host *host, void *state)
{
    backprop *s = state;
    s->n = ww_host_number(host, "n");
    s->groups = s->n / HEIGHT;
    s->spread = (float)(1 / sqrt((double)s->n));
    if (s->n % HEIGHT)
        ww_host_refuse(host, "n is %u (a multiple of %u is needed)", (unsigned)s->n, HEIGHT);
    uint64_t count = (s->n + 1) * ROW;
    s->input = ww_host_array(host, "input", WW_INPUT, sizeof(float), s->n + 1);
    s->weights = ww_host_array(host, "weights", WW_INOUT, sizeof(float), count);
    s->partial_sum = ww_host_array(host, "partial_sum", WW_OUTPUT, sizeof(float),
                                   s->groups * HIDDEN);
    s->deltas = ww_host_array(host, "delta", WW_SCRATCH, sizeof(float), ROW);
    s->moves = ww_host_array(host, "moves", WW_INOUT, sizeof(float), count);
}

static float initial(const backprop *s, const ww_array *array, uint64_t index)
{
    return ww_random_f32(array, index, -s->spread, s->spread);
}

static void fill(ww_host *host, void *state)
{
    backprop *s = state;
    float *weights = s->weights->host, *moves = s->moves->host;
    (void)host;
    ww_host_fill_f32(s->input, 0, 1);
    for (uint64_t i = 0; i < (s->n + 1) * ROW; i++) {
        weights[i] = initial(s, s->weights, i);
        moves[i] = initial(s, s->moves, i);
    }
}

static double squash(double sum)
{
    return 1 / (1 + exp(-sum));
}

/* The part of the step that the host does: from the hidden units' sums through one output unit,
 * with weights of its own, to the errors of the hidden units. */
static void hidden_errors(backprop *s, const double sums[HIDDEN])
{
    double out_weight[HIDDEN], hidden[HIDDEN], output = 0;
    for (uint32_t j = 0; j < HIDDEN; j++) {
        out_weight[j] = ww_random_f64(s->deltas, j, 0.25, 1);
        hidden[j] = squash(sums[j] + (double)initial(s, s->weights, j + 1));
        output += hidden[j] * out_weight[j];
    }
    output = squash(output / HIDDEN);
    double output_error = output * (1 - output) * (TARGET - output);
    for (uint32_t j = 0; j < HIDDEN; j++)
        s->delta[j + 1] = (float)(hidden[j] * (1 - hidden[j]) * out_weight[j] * output_error);
}

static void add_partial_sums(ww_host *host, const backprop *s, double sums[HIDDEN])
{
    for (uint64_t group = 0; group < s->groups; group++) {
        float part[HIDDEN];
        ww_host_read(host, s->partial_sum, group * HIDDEN, HIDDEN, sizeof(float), part);
        for (uint32_t j = 0; j < HIDDEN; j++)
            sums[j] += (double)part[j];
    }
}

/* The products that are there go into the hash before the weights take their place. */
static void copy_weights_again(ww_host *host, backprop *s)
{
    for (uint64_t i = 0; i <= s->n; i++) {
        float row[ROW];
        ww_host_read(host, s->weights, i * ROW, ROW, sizeof(float), row);
        s->products = ww_hash64(row, sizeof(row), s->products);
        for (uint32_t j = 0; j < ROW; j++)
            row[j] = initial(s, s->weights, i * ROW + j);
        ww_host_write(host, s->weights, i * ROW, ROW, sizeof(float), row);
    }
}

static void run(ww_host *host, void *state)
{
    backprop *s = state;
    ww_range range = ww_range2(HIDDEN, s->n, HIDDEN, HEIGHT);
    double sums[HIDDEN] = {0};
    ww_host_launch(host, "layer_forward", range, ww_mem(s->input), ww_mem(s->weights),
                   ww_mem(s->partial_sum));
    add_partial_sums(host, s, sums);
    hidden_errors(s, sums);
    ww_host_write(host, s->deltas, 0, ROW, sizeof(float), s->delta);
    copy_weights_again(host, s);
    ww_host_launch(host, "adjust_weights", range, ww_mem(s->deltas), ww_mem(s->input),
                   ww_mem(s->weights), ww_mem(s->moves));
}

/* ---- the reference: the kernels' operations in their order, so that rounding is the same ---- */

/* What a group's work-items have in local memory after the tree, in rows like the weights'. */
static void forward_group(const backprop *s, uint64_t group, float rows[HEIGHT][ROW])
{
    const float *input = s->input->host;
    for (uint32_t y = 0; y < HEIGHT; y++) {
        uint64_t unit = group * HEIGHT + y + 1;
        rows[y][0] = initial(s, s->weights, unit * ROW);
        for (uint32_t x = 1; x < ROW; x++)
            rows[y][x] = initial(s, s->weights, unit * ROW + x) * input[unit];
    }
    for (uint32_t step = 2; step <= HEIGHT; step *= 2)
        for (uint32_t y = 0; y < HEIGHT; y += step)
            for (uint32_t x = 1; x < ROW; x++)
                rows[y][x] += rows[y + step / 2][x];
}

static void verify_forward(ww_host *host, const backprop *s)
{
    float rows[HEIGHT][ROW];
    for (uint32_t x = 0; x < ROW; x++)
        rows[0][x] = initial(s, s->weights, x);
    uint64_t products = ww_hash64(rows[0], sizeof(rows[0]), 0);
    for (uint64_t group = 0; group < s->groups; group++) {
        forward_group(s, group, rows);
        for (uint32_t y = 0; y < HEIGHT; y++)
            products = ww_hash64(rows[y], sizeof(rows[y]), products);
        for (uint32_t x = 1; x < ROW; x++)
            ww_expect_f32(s->partial_sum, group * HIDDEN + x - 1, (double)rows[0][x], 0);
    }
    ww_expect(host, products == s->products,
              "layer_forward left wrong products in the place of the weights");
}

/* A unit's weights, given the errors that were computed from sums which are verified themselves.
 * Unit 0 is the bias, column 0 is not used. */
static void verify_weights(const backprop *s, uint64_t unit)
{
    const float *input = s->input->host;
    for (uint32_t j = 0; j < ROW; j++) {
        uint64_t index = unit * ROW + j;
        float weight = initial(s, s->weights, index), move = initial(s, s->moves, index);
        if (j) {
            move = unit ? fmaf(RATE * s->delta[j], input[unit], MOMENTUM * move)
                        : fmaf(RATE, s->delta[j], MOMENTUM * move);
            weight += move;
        }
        ww_expect_f32(s->moves, index, (double)move, 0);
        ww_expect_f32(s->weights, index, (double)weight, 0);
    }
}

static void verify(ww_host *host, void *state)
{
    const backprop *s = state;
    verify_forward(host, s);
    for (uint64_t unit = 0; unit <= s->n; unit++)
        verify_weights(s, unit);
}

static const ww_parameter parameters[] = {
    WW_NUMBER_PARAMETER("n", "49152", 16, 16777216, "input units of the network"),
};

/* hpca16: above 32 MB, as the paper says of this program; Rodinia's own script has 65536. */
static const ww_named_size sizes[] = {
    {"tiny", "n=1024", 2, 0},
    {"small", "n=49152", 2, 0},
    {"isca18", "n=786432", 2, 108.03},
    {"cawa", "n=65536", 2, 0},
    {"ctrlc", "n=65536", 2, 0},
    {"hpca16", "n=262144", 2, 0},
    {"latency", "n=65536", 2, 0},
};

WW_WORKLOAD(backprop) = {
    .name = "backprop",
    .suite = "Rodinia",
    .doc = "back propagation: one training step of a network with a hidden layer of 16",
    .papers = "isca18 micro18 hpca16 latency cawa ctrlc",
    .irregular = false,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(backprop),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
