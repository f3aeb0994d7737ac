/* Particle filter: guesses of an object's place in a video, weighed and drawn anew each frame. */
#include "workload/workload.h"

#define RADIUS 5 /* of the object; it is a disk */
#define DIAMETER (2 * RADIUS - 1)
#define PI 3.1415926535897932

/* How far a place or a weight may be off: a few roundings of library functions, and of sums of up
 * to 81 terms below 500 in an exponent. */
#define PLACE_SLACK 1e-12
#define WEIGHT_SLACK 1e-10

typedef struct particlefilter {
    uint64_t width, height, frames, particles, group, groups;
    uint64_t pixels; /* of the object */
    int32_t shape[DIAMETER * DIAMETER][2];
    double *seen_x, *seen_y, *seen_weights; /* by the host, after each frame's first launch */
    ww_array *x, *y, *drawn_x, *drawn_y, *weights, *seeds, *indices, *object, *video, *partial;
    ww_array *running, *draws;
} particlefilter;

static void shape_object(particlefilter *s)
{
    for (int column = 0; column < DIAMETER; column++)
        for (int row = 0; row < DIAMETER; row++) {
            int x = column - RADIUS + 1, y = row - RADIUS + 1;
            if (x * x + y * y >= RADIUS * RADIUS)
                continue;
            s->shape[s->pixels][0] = y;
            s->shape[s->pixels++][1] = x;
        }
}

static void allocate(ww_host *host, void *state)
{
    particlefilter *s = state;
    s->width = ww_host_number(host, "width");
    s->height = ww_host_number(host, "height");
    s->frames = ww_host_number(host, "frames");
    s->particles = ww_host_number(host, "particles");
    s->group = ww_host_number(host, "group");
    if (s->group & (s->group - 1))
        ww_host_refuse(host, "group is %u (a power of two is needed)", (unsigned)s->group);
    if (s->width * s->height * s->frames > INT32_MAX / 4)
        ww_host_refuse(host, "a video of %u x %u x %u pixels (at most %u are possible)",
                       (unsigned)s->width, (unsigned)s->height, (unsigned)s->frames,
                       (unsigned)(INT32_MAX / 4));
    s->groups = (s->particles + s->group - 1) / s->group;
    shape_object(s);
    uint64_t n = s->particles, seen = n * (s->frames - 1);
    s->seen_x = ww_host_alloc(host, seen, sizeof(double));
    s->seen_y = ww_host_alloc(host, seen, sizeof(double));
    s->seen_weights = ww_host_alloc(host, seen, sizeof(double));
    s->x = ww_host_array(host, "x", WW_OUTPUT, sizeof(double), n);
    s->y = ww_host_array(host, "y", WW_OUTPUT, sizeof(double), n);
    s->drawn_x = ww_host_array(host, "drawn_x", WW_INOUT, sizeof(double), n);
    s->drawn_y = ww_host_array(host, "drawn_y", WW_INOUT, sizeof(double), n);
    s->weights = ww_host_array(host, "weights", WW_OUTPUT, sizeof(double), n);
    s->running = ww_host_array(host, "running", WW_OUTPUT, sizeof(double), n);
    s->draws = ww_host_array(host, "draws", WW_OUTPUT, sizeof(double), n);
    s->seeds = ww_host_array(host, "seeds", WW_INOUT, sizeof(uint32_t), n);
    s->indices = ww_host_array(host, "indices", WW_SCRATCH, sizeof(int32_t), n * s->pixels);
    s->object = ww_host_array(host, "object", WW_INPUT, sizeof(int32_t), 2 * s->pixels);
    s->video = ww_host_array(host, "video", WW_INPUT, 1, s->width * s->height * s->frames);
    s->partial = ww_host_array(host, "partial", WW_SCRATCH, sizeof(double), s->groups);
}

static double first_x(const particlefilter *s)
{
    return (double)((s->width + 1) / 2);
}

static double first_y(const particlefilter *s)
{
    return (double)((s->height + 1) / 2);
}

static uint32_t first_seed(const particlefilter *s, uint64_t particle)
{
    return ww_random_below(s->seeds, particle, 2147483647);
}

/* Frames have a bright disk that moves one column on and two rows back, and noise. */
static void fill_video(const particlefilter *s)
{
    uint8_t *video = s->video->host;
    for (uint64_t i = 0; i < s->video->buffer->size; i++) {
        int64_t frame = (int64_t)(i % s->frames), pixel = (int64_t)(i / s->frames);
        int64_t x = pixel / (int64_t)s->height - (int64_t)first_x(s) - frame;
        int64_t y = pixel % (int64_t)s->height - (int64_t)first_y(s) + 2 * frame;
        uint32_t value = x * x + y * y < RADIUS * RADIUS ? 220 : 92;
        video[i] = (uint8_t)(value + ww_random_below(s->video, i, 17));
    }
}

static void fill(ww_host *host, void *state)
{
    particlefilter *s = state;
    double *x = s->drawn_x->host, *y = s->drawn_y->host;
    uint32_t *seeds = s->seeds->host;
    (void)host;
    memcpy(s->object->host, s->shape, s->object->buffer->size);
    fill_video(s);
    for (uint64_t i = 0; i < s->particles; i++) {
        x[i] = first_x(s);
        y[i] = first_y(s);
        seeds[i] = first_seed(s, i);
    }
}

static void weigh(ww_host *host, const particlefilter *s, uint64_t frame)
{
    uint64_t n = s->particles, seen = (frame - 1) * n;
    ww_host_launch(host, "particlefilter_weigh", ww_range1(n, s->group), ww_mem(s->x), ww_mem(s->y),
                   ww_mem(s->drawn_x), ww_mem(s->drawn_y), ww_mem(s->weights), ww_mem(s->seeds),
                   ww_mem(s->indices), ww_mem(s->object), ww_u32(s->pixels), ww_mem(s->video),
                   ww_u32(s->height), ww_u32(s->frames), ww_u32(frame),
                   ww_u32(s->video->buffer->size), ww_u32(n), ww_mem(s->partial),
                   ww_local(s->group * sizeof(double)));
    ww_host_read(host, s->x, 0, n, sizeof(double), s->seen_x + seen);
    ww_host_read(host, s->y, 0, n, sizeof(double), s->seen_y + seen);
    ww_host_read(host, s->weights, 0, n, sizeof(double), s->seen_weights + seen);
}

static void run(ww_host *host, void *state)
{
    particlefilter *s = state;
    ww_range range = ww_range1(s->particles, s->group);
    for (uint64_t frame = 1; frame < s->frames && ww_host_ok(host); frame++) {
        weigh(host, s, frame);
        ww_host_launch(host, "particlefilter_sum", range, ww_mem(s->partial), ww_u32(s->groups));
        ww_host_launch(host, "particlefilter_normalise", range, ww_mem(s->weights),
                       ww_mem(s->partial), ww_u32(s->particles));
        ww_host_launch(host, "particlefilter_cumulate", ww_range1(s->group, s->group),
                       ww_mem(s->weights), ww_mem(s->running), ww_mem(s->draws), ww_mem(s->seeds),
                       ww_u32(s->particles));
        ww_host_launch(host, "particlefilter_draw", range, ww_mem(s->x), ww_mem(s->y),
                       ww_mem(s->running), ww_mem(s->draws), ww_mem(s->drawn_x), ww_mem(s->drawn_y),
                       ww_u32(s->particles));
    }
}

/* ---- the reference ----
 * Library functions may round differently on the device, and a draw depends on every bit. So places
 * and weights are compared within a limit, and all that follows from those that the device found is
 * computed in the same order and compared exactly. */

typedef struct reference {
    uint32_t *seeds;
    double *drawn_x, *drawn_y, *weights, *running, *draws, *tree;
} reference;

static double uniform(uint32_t *seed)
{
    *seed = (1103515245u * *seed + 12345u) % 2147483647u;
    return (*seed + 1) / 2147483648.0;
}

static double normal(uint32_t *seed)
{
    double u = uniform(seed), v = uniform(seed);
    return sqrt(-2 * log(u)) * cos(2 * PI * v);
}

static int64_t to_nearest(double value)
{
    int64_t whole = (int64_t)value;
    return value - (double)whole < 0.5 ? whole : whole + 1;
}

static double likeness(const particlefilter *s, double x, double y, uint64_t frame)
{
    const uint8_t *video = s->video->host;
    double sum = 0;
    for (uint64_t i = 0; i < s->pixels; i++) {
        int64_t column = to_nearest(x) + s->shape[i][1], row = to_nearest(y) + s->shape[i][0];
        int64_t at = (column * (int64_t)s->height + row) * (int64_t)s->frames + (int64_t)frame;
        at = at < 0 ? -at : at;
        int value = video[at < (int64_t)s->video->buffer->size ? at : 0];
        sum += ((value - 100) * (value - 100) - (value - 228) * (value - 228)) / 50.0;
    }
    return sum / (double)s->pixels;
}

static bool near(double got, double want, double slack)
{
    return fabs(got - want) <= slack * fabs(want);
}

static void check_moves(ww_host *host, const particlefilter *s, reference *r, uint64_t frame)
{
    for (uint64_t i = 0; i < s->particles; i++) {
        uint64_t at = (frame - 1) * s->particles + i;
        double x = r->drawn_x[i] + 1 + 5 * normal(&r->seeds[i]);
        double y = r->drawn_y[i] - 2 + 2 * normal(&r->seeds[i]);
        double limit = PLACE_SLACK * (double)(s->width + s->height);
        bool in_place = fabs(s->seen_x[at] - x) <= limit && fabs(s->seen_y[at] - y) <= limit;
        ww_expect(host, in_place, "frame %u, particle %u: at (%g, %g) instead of (%g, %g)",
                  (unsigned)frame, (unsigned)i, s->seen_x[at], s->seen_y[at], x, y);
        double weight = exp(likeness(s, s->seen_x[at], s->seen_y[at], frame));
        weight *= 1.0 / (double)s->particles;
        ww_expect(host, near(s->seen_weights[at], weight, WEIGHT_SLACK),
                  "frame %u, particle %u: weight %g instead of %g", (unsigned)frame, (unsigned)i,
                  s->seen_weights[at], weight);
    }
}

/* By a tree in each work-group, and then one after another. */
static double total_weight(const particlefilter *s, reference *r, const double *weights)
{
    double total = 0;
    for (uint64_t first = 0; first < s->particles; first += s->group) {
        for (uint64_t i = 0; i < s->group; i++)
            r->tree[i] = first + i < s->particles ? weights[first + i] : 0;
        for (uint64_t half = s->group / 2; half > 0; half /= 2)
            for (uint64_t i = 0; i < half; i++)
                r->tree[i] += r->tree[i + half];
        total += r->tree[0];
    }
    return total;
}

static void draw(const particlefilter *s, reference *r, uint64_t frame)
{
    uint64_t n = s->particles, seen = (frame - 1) * n;
    double total = total_weight(s, r, s->seen_weights + seen);
    for (uint64_t i = 0; i < n; i++) {
        r->weights[i] = s->seen_weights[seen + i] / total;
        r->running[i] = r->weights[i] + (i ? r->running[i - 1] : 0);
    }
    double start = 1.0 / (double)n * uniform(&r->seeds[0]);
    for (uint64_t i = 0, chosen = 0; i < n; i++) {
        r->draws[i] = start + (double)i / (double)n;
        while (chosen < n - 1 && !(r->running[chosen] >= r->draws[i]))
            chosen++;
        r->drawn_x[i] = s->seen_x[seen + chosen];
        r->drawn_y[i] = s->seen_y[seen + chosen];
    }
}

static reference start_reference(ww_host *host, const particlefilter *s)
{
    reference r = {.seeds = ww_host_alloc(host, s->particles, sizeof(uint32_t)),
                   .tree = ww_host_alloc(host, s->group, sizeof(double))};
    double **arrays[] = {&r.drawn_x, &r.drawn_y, &r.weights, &r.running, &r.draws};
    for (size_t i = 0; i < WW_COUNT_OF(arrays); i++)
        *arrays[i] = ww_host_alloc(host, s->particles, sizeof(double));
    for (uint64_t i = 0; i < s->particles; i++) {
        r.drawn_x[i] = first_x(s);
        r.drawn_y[i] = first_y(s);
        r.seeds[i] = first_seed(s, i);
    }
    return r;
}

static void verify(ww_host *host, void *state)
{
    particlefilter *s = state;
    reference r = start_reference(host, s);
    uint64_t last = (s->frames - 2) * s->particles;
    for (uint64_t frame = 1; frame < s->frames; frame++) {
        check_moves(host, s, &r, frame);
        draw(s, &r, frame);
    }
    for (uint64_t i = 0; i < s->particles; i++) {
        ww_expect_f64(s->x, i, s->seen_x[last + i], 0);
        ww_expect_f64(s->y, i, s->seen_y[last + i], 0);
        ww_expect_f64(s->weights, i, r.weights[i], 0);
        ww_expect_f64(s->running, i, r.running[i], 0);
        ww_expect_f64(s->draws, i, r.draws[i], 0);
        ww_expect_f64(s->drawn_x, i, r.drawn_x[i], 0);
        ww_expect_f64(s->drawn_y, i, r.drawn_y[i], 0);
        ww_expect_u32(s->seeds, i, r.seeds[i]);
    }
}

static const ww_parameter parameters[] = {
    WW_NUMBER_PARAMETER("width", "128", 16, 16384, "columns of a frame"),
    WW_NUMBER_PARAMETER("height", "128", 16, 16384, "rows of a frame"),
    WW_NUMBER_PARAMETER("frames", "10", 2, 1000, "of the video; particles move in all but one"),
    WW_NUMBER_PARAMETER("particles", "1000", 1, 1 << 20, "guesses of the object's place"),
    WW_GROUP_PARAMETER("512"),
};

static const ww_named_size sizes[] = {
    {"tiny", "width=32,height=40,frames=3,particles=200,group=64", 10, 0},
    {"small", "width=1000,height=1000", 45, 0},
    {"latency", "", 45, 0},
    {"cawa", "", 45, 0},
    {"ctrlc", "", 45, 0},
};

WW_WORKLOAD(particlefilter) = {
    .name = "particlefilter",
    .suite = "Rodinia",
    .doc = "particle filter: an object's place in a video, guessed, weighed and drawn anew",
    .papers = "latency cawa ctrlc",
    .irregular = false,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(particlefilter),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
