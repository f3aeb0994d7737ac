/* Prices of European call options by binomial trees, one work-group an option. */
#include "workload/fused.h"
#include "workload/workload.h"

#define CACHE 256u
#define ROUNDS 32u
#define VALUES 5u /* of an option: price, strike, factor's logarithm, weights of up and down */
#define INTEREST 0.06
#define VOLATILITY 0.10

typedef struct binomial {
    uint64_t options, steps;
    ww_array *parameters, *values, *prices;
} binomial;

static void allocate(ww_host *host, void *state)
{
    binomial *s = state;
    s->options = ww_host_number(host, "options");
    s->steps = ww_host_number(host, "steps");
    if (s->steps % ROUNDS)
        ww_host_refuse(host, "steps is %u (a multiple of %u is needed)", (unsigned)s->steps,
                       ROUNDS);
    s->parameters = ww_host_array(host, "options", WW_INPUT, sizeof(float), VALUES * s->options);
    s->values =
        ww_host_array(host, "values", WW_SCRATCH, sizeof(float), s->options * (s->steps + 16));
    s->prices = ww_host_array(host, "prices", WW_OUTPUT, sizeof(float), s->options);
}

/* Prices of 5 to 30, strikes of 1 to 100, a quarter of a year to 10 years. */
static void fill(ww_host *host, void *state)
{
    binomial *s = state;
    float *option = s->parameters->host;
    (void)host;
    for (uint64_t i = 0; i < s->options; i++, option += VALUES) {
        double years = ww_random_f64(s->parameters, 3 * i, 0.25, 10);
        double step = years / (double)s->steps, factor = VOLATILITY * sqrt(step);
        double up = (exp(INTEREST * step) - exp(-factor)) / (exp(factor) - exp(-factor));
        option[0] = ww_random_f32(s->parameters, 3 * i + 1, 5, 30);
        option[1] = ww_random_f32(s->parameters, 3 * i + 2, 1, 100);
        option[2] = (float)factor;
        option[3] = (float)(up * exp(-INTEREST * step));
        option[4] = (float)((1 - up) * exp(-INTEREST * step));
    }
}

static void run(ww_host *host, void *state)
{
    binomial *s = state;
    ww_host_launch(host, "binomial_price", ww_range1(s->options * CACHE, CACHE),
                   ww_mem(s->parameters), ww_mem(s->values), ww_mem(s->prices), ww_u32(s->steps));
}

/* ---- the reference: the same operations for each node of the tree ---- */

static float as_float(int bits)
{
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

/* e^x, of x within 87 of zero: a power of two, times the series of the rest. */
static float exponential(float x)
{
    float y = fminf(fmaxf(x, -87.0f), 87.0f);
    float n = rintf(y * 1.44269504f);
    float r = fmaf(n, -0.693145752f, y);
    r = fmaf(n, -1.42860677e-6f, r);
    float sum = fmaf(r, 1.0f / 720.0f, 1.0f / 120.0f);
    sum = fmaf(sum, r, 1.0f / 24.0f);
    sum = fmaf(sum, r, 1.0f / 6.0f);
    sum = fmaf(sum, r, 0.5f);
    sum = fmaf(sum, r, 1.0f);
    sum = fmaf(sum, r, 1.0f);
    return sum * as_float(((int)n + 127) << 23);
}

/* Every node from the two of the step after it; `value` has the nodes at expiry. */
WW_FUSED static float fold(float *value, uint64_t steps, float up, float down)
{
    for (uint64_t last = steps; last; last--)
        for (uint64_t i = 0; i < last; i++)
            value[i] = fmaf(up, value[i + 1], down * value[i]);
    return value[0];
}

static void verify(ww_host *host, void *state)
{
    binomial *s = state;
    const float *option = s->parameters->host;
    float *value = ww_host_alloc(host, s->steps + 1, sizeof(*value));
    for (uint64_t n = 0; n < s->options; n++, option += VALUES) {
        for (uint64_t i = 0; i <= s->steps; i++) {
            float power = exponential(option[2] * (float)(2 * (int64_t)i - (int64_t)s->steps));
            value[i] = fmaxf(fmaf(option[0], power, -option[1]), 0);
        }
        ww_expect_f32(s->prices, n, (double)fold(value, s->steps, option[3], option[4]), 0);
    }
}

static const ww_parameter parameters[] = {
    WW_NUMBER_PARAMETER("options", "44", 1, 1 << 20, "options, a work-group each"),
    WW_NUMBER_PARAMETER("steps", "2048", 32, 65536, "steps in time of a tree"),
};

/* ctrlc: 384 of 2048 steps. */
static const ww_named_size sizes[] = {
    {"tiny", "options=6,steps=96", 1, 0},
    {"small", "options=44,steps=512", 1, 0},
    {"ctrlc", "options=512,steps=384", 1, 0},
};

WW_WORKLOAD(binomial) = {
    .name = "binomial",
    .suite = "CUDA SDK",
    .doc = "prices of options by binomial trees in local memory, a work-group an option",
    .papers = "ctrlc",
    .irregular = false,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(binomial),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
