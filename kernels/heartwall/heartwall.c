/* Heart wall: points are followed through the frames of a film by correlation with templates. */
#include "workload/workload.h"

#define KEPT 0.88f /* of a template when it is renewed */
#define GREYS 64   /* levels; a pixel is a multiple of 1/64 */
#define INNER 20   /* points of the inner ring in 51; the rest are on the outer one */
#define ALL_POINTS 51

typedef struct heartwall {
    uint64_t rows, columns, pixels, points, frames, refresh, move, group;
    uint64_t half_template, half_area;
    uint64_t t, a, c; /* sides: template, area, all places where they overlap */
    uint64_t work_size;
    float *image;
    ww_array *frame, *row, *column, *found_row, *found_column, *templates, *work;
} heartwall;

/* Floats of a part of the working memory, as the kernel lays it out. */
static uint64_t part(uint64_t count)
{
    return (count + 63) / 64 * 64;
}

static void plan(ww_host *host, heartwall *s)
{
    uint64_t margin = 2 * (s->half_area + 2), least = s->rows < s->columns ? s->rows : s->columns;
    s->t = 2 * s->half_template + 1;
    s->a = 2 * s->half_area + 1;
    s->c = s->t + s->a - 1;
    uint64_t p = s->a + 2 * s->t;
    s->work_size = 2 * part(s->a * s->a) + 6 * part(s->c * s->c) + part(p * p) +
                   2 * part(s->c * p) + part(s->t * s->t);
    if (s->half_template > s->half_area)
        ww_host_refuse(host, "template is %u (at most area, which is %u)",
                       (unsigned)s->half_template, (unsigned)s->half_area);
    if (least < margin)
        ww_host_refuse(host, "frames of %u x %u pixels (at least %u x %u are needed)",
                       (unsigned)s->rows, (unsigned)s->columns, (unsigned)margin, (unsigned)margin);
    if (s->t * s->a * (GREYS - 1) * (GREYS - 1) > 1 << 24)
        ww_host_refuse(host, "template and area are %u and %u (sums would not be exact)",
                       (unsigned)s->half_template, (unsigned)s->half_area);
}

static void allocate(ww_host *host, void *state)
{
    heartwall *s = state;
    s->rows = ww_host_number(host, "rows");
    s->columns = ww_host_number(host, "columns");
    s->pixels = s->rows * s->columns;
    s->points = ww_host_number(host, "points");
    s->frames = ww_host_number(host, "frames");
    s->half_template = ww_host_number(host, "template");
    s->half_area = ww_host_number(host, "area");
    s->move = ww_host_number(host, "move");
    s->refresh = ww_host_number(host, "refresh");
    s->group = ww_host_number(host, "group");
    plan(host, s);
    s->image = ww_host_alloc(host, s->pixels, sizeof(float));
    s->frame = ww_host_array(host, "frame", WW_SCRATCH, sizeof(float), s->pixels);
    s->row = ww_host_array(host, "row", WW_INOUT, sizeof(int32_t), s->points);
    s->column = ww_host_array(host, "column", WW_INOUT, sizeof(int32_t), s->points);
    s->found_row =
        ww_host_array(host, "found_row", WW_OUTPUT, sizeof(int32_t), s->points * s->frames);
    s->found_column =
        ww_host_array(host, "found_column", WW_OUTPUT, sizeof(int32_t), s->points * s->frames);
    s->templates =
        ww_host_array(host, "templates", WW_OUTPUT, sizeof(float), s->points * s->t * s->t);
    s->work = ww_host_array(host, "work", WW_SCRATCH, sizeof(float), s->points * s->work_size);
}

/* Tissue of patches with speckle, which moves to and fro, and noise of each frame's own. */
static float pixel(const heartwall *s, uint64_t frame, uint64_t row, uint64_t column)
{
    uint64_t beat = frame % 12, moved = beat < 6 ? beat : 12 - beat;
    uint64_t y = row + moved, x = column + moved / 2;
    uint32_t grey = ww_random_below(s->templates, x / 4 * s->rows + y / 4, 40);
    grey += ww_random_below(s->frame, x * 2 * s->rows + y, 20);
    grey += ww_random_below(s->work, frame * s->pixels + column * s->rows + row, 5);
    return (float)grey / GREYS;
}

static void make_frame(const heartwall *s, uint64_t frame)
{
    for (uint64_t column = 0; column < s->columns; column++)
        for (uint64_t row = 0; row < s->rows; row++)
            s->image[column * s->rows + row] = pixel(s, frame, row, column);
}

/* On two rings, as the inside and the outside of the wall are; where areas of search fit in. */
static void place_point(const heartwall *s, uint64_t point, int32_t *row, int32_t *column)
{
    uint64_t inner = s->points * INNER / ALL_POINTS;
    uint64_t on_ring = point < inner ? inner : s->points - inner;
    double angle = 6.283185307179586 * (double)(point < inner ? point : point - inner);
    double ring = point < inner ? 0.6 : 1;
    double height = (double)(s->rows - 1) / 2, width = (double)(s->columns - 1) / 2;
    double margin = (double)s->half_area + 1;
    angle /= (double)on_ring;
    *row = (int32_t)(height + ring * (height - margin) * sin(angle));
    *column = (int32_t)(width + ring * (width - margin) * cos(angle));
}

static void fill(ww_host *host, void *state)
{
    heartwall *s = state;
    int32_t *row = s->row->host, *column = s->column->host;
    (void)host;
    for (uint64_t i = 0; i < s->points; i++)
        place_point(s, i, &row[i], &column[i]);
}

static void run(ww_host *host, void *state)
{
    heartwall *s = state;
    for (uint64_t i = 0; i < s->frames && ww_host_ok(host); i++) {
        make_frame(s, i);
        ww_host_write(host, s->frame, 0, s->pixels, sizeof(float), s->image);
        ww_host_launch(host, "heartwall", ww_range1(s->points * s->group, s->group),
                       ww_mem(s->frame), ww_u32(s->rows), ww_u32(s->columns), ww_u32(i),
                       ww_u32(s->frames), ww_u32(s->half_template), ww_u32(s->half_area),
                       ww_u32(s->move), ww_u32(s->refresh), ww_u32(s->work_size), ww_mem(s->row),
                       ww_mem(s->column), ww_mem(s->found_row), ww_mem(s->found_column),
                       ww_mem(s->templates), ww_mem(s->work), ww_local(s->t * s->t * sizeof(float)),
                       ww_local(2 * s->t * sizeof(float)), ww_local(s->c * sizeof(float)),
                       ww_local(s->c * sizeof(int32_t)));
    }
}

/* ---- the reference ---- */

/* A point as the reference follows it. Sums over the area are exact, so that any order will do;
 * those with the template are made in the kernel's order. */
typedef struct tracked {
    int32_t row, column, last_row, last_column;
    float *template;
    float total, deviation; /* of the template */
} tracked;

static const float *pixels_at(const heartwall *s, int64_t row, int64_t column)
{
    return s->image + column * (int64_t)s->rows + row;
}

static void template_totals(const heartwall *s, tracked *p)
{
    float count = (float)(s->t * s->t), squares = 0;
    p->total = 0;
    for (uint64_t i = 0; i < s->t; i++) {
        float sum = 0, square = 0;
        for (uint64_t j = 0; j < s->t; j++) {
            float across = p->template[i + s->t * j];
            sum += p->template[i * s->t + j];
            square += across * across;
        }
        p->total += sum;
        squares += square;
    }
    float mean = p->total / count;
    p->deviation = sqrtf(count - 1) * sqrtf(squares / count - mean * mean);
}

/* The correlation when the template's last element lies at (y, x) of the area; what is outside of
 * the area counts as 0. */
static float correlation_at(const heartwall *s, const tracked *p, int64_t y, int64_t x)
{
    int64_t t = (int64_t)s->t, a = (int64_t)s->a, half = (int64_t)s->half_area;
    float product = 0, count = (float)(s->t * s->t);
    double sum = 0, squares = 0;
    for (int64_t j = 0; j < t; j++)
        for (int64_t i = 0; i < t; i++) {
            if (x - j < 0 || x - j >= a || y - i < 0 || y - i >= a)
                continue;
            float value = *pixels_at(s, p->row - half + y - i, p->column - half + x - j);
            product += p->template[(t - 1 - j) * t + t - 1 - i] * value;
            sum += (double)value;
            squares += (double)value * (double)value;
        }
    float window = (float)sum, variance = (float)squares - window * window / count;
    float deviation = sqrtf(variance < 0 ? 0 : variance) * p->deviation;
    return (product - window * p->total / count) / deviation;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Only places near the last one count: the kernel multiplies all others by 0. */
static void follow(const heartwall *s, tracked *p)
{
    int64_t middle = (int64_t)(s->half_area + s->half_template), c = (int64_t)s->c;
    int64_t y = middle + p->last_row - p->row, x = middle + p->last_column - p->column;
    int64_t before = (int64_t)s->move / 2, after = (int64_t)s->move - 1 - before;
    int64_t best_row = 0, best_column = 0;
    float best = 0;
    template_totals(s, p);
    for (int64_t j = most(0, x - before); j <= least(c - 1, x + after); j++)
        for (int64_t i = most(0, y - before); i <= least(c - 1, y + after); i++) {
            float value = fabsf(correlation_at(s, p, i, j));
            if (value > best) {
                best = value;
                best_row = i;
                best_column = j;
            }
        }
    p->last_row = (int32_t)(p->row + best_row - middle);
    p->last_column = (int32_t)(p->column + best_column - middle);
}

static void renew_template(const heartwall *s, tracked *p)
{
    int64_t half = (int64_t)s->half_area, t = (int64_t)s->t, edge = (int64_t)s->half_template;
    p->row = (int32_t)most(half, least(p->last_row, (int64_t)s->rows - 1 - half));
    p->column = (int32_t)most(half, least(p->last_column, (int64_t)s->columns - 1 - half));
    for (int64_t i = 0; i < t * t; i++) {
        float value = *pixels_at(s, p->row - edge + i % t, p->column - edge + i / t);
        p->template[i] = KEPT * p->template[i] + (1 - KEPT) * value;
    }
}

static void first_template(const heartwall *s, tracked *p)
{
    int64_t t = (int64_t)s->t, edge = (int64_t)s->half_template;
    for (int64_t i = 0; i < t * t; i++)
        p->template[i] = *pixels_at(s, p->row - edge + i % t, p->column - edge + i / t);
}

static void expect_frame(const heartwall *s, tracked *points, uint64_t frame)
{
    make_frame(s, frame);
    for (uint64_t i = 0; i < s->points; i++) {
        tracked *p = &points[i];
        if (frame)
            follow(s, p);
        else
            first_template(s, p);
        if (frame && frame % s->refresh == 0)
            renew_template(s, p);
        ww_expect_i32(s->found_row, i * s->frames + frame, p->last_row);
        ww_expect_i32(s->found_column, i * s->frames + frame, p->last_column);
    }
}

static void verify(ww_host *host, void *state)
{
    heartwall *s = state;
    uint64_t pixels = s->t * s->t;
    tracked *points = ww_host_alloc(host, s->points, sizeof(*points));
    float *templates = ww_host_alloc(host, s->points * pixels, sizeof(float));
    for (uint64_t i = 0; i < s->points; i++) {
        place_point(s, i, &points[i].row, &points[i].column);
        points[i].last_row = points[i].row;
        points[i].last_column = points[i].column;
        points[i].template = templates + i * pixels;
    }
    for (uint64_t frame = 0; frame < s->frames; frame++)
        expect_frame(s, points, frame);
    for (uint64_t i = 0; i < s->points; i++) {
        ww_expect_i32(s->row, i, points[i].row);
        ww_expect_i32(s->column, i, points[i].column);
    }
    for (uint64_t i = 0; i < s->points * pixels; i++)
        ww_expect_f32(s->templates, i, (double)templates[i], 0);
}

static const ww_parameter parameters[] = {
    WW_NUMBER_PARAMETER("rows", "656", 1, 16384, "rows of a frame"),
    WW_NUMBER_PARAMETER("columns", "744", 1, 16384, "columns of a frame"),
    WW_NUMBER_PARAMETER("points", "51", 1, 4096, "points that are followed, a work-group each"),
    WW_NUMBER_PARAMETER("frames", "2", 1, 1000, "launches; the first one takes the templates"),
    WW_NUMBER_PARAMETER("template", "25", 1, 25, "pixels from a template's middle to its edge"),
    WW_NUMBER_PARAMETER("area", "40", 1, 40, "the same of the area of search"),
    WW_NUMBER_PARAMETER("move", "10", 1, 40, "side of the square that a point can move to"),
    WW_NUMBER_PARAMETER("refresh", "10", 1, 1000, "frames after which templates are renewed"),
    WW_GROUP_PARAMETER("256"),
};

static const ww_named_size sizes[] = {
    {"tiny", "rows=48,columns=40,points=3,frames=5,template=2,area=4,move=4,refresh=2,group=64", 5,
     0},
    {"small", "points=5,template=12,area=20", 2, 0},
    {"latency", "", 2, 0},
    {"cawa", "", 2, 0},
    {"ctrlc", "", 2, 0},
};

WW_WORKLOAD(heartwall) = {
    .name = "heartwall",
    .suite = "Rodinia",
    .doc = "points of a heart's wall followed through a film by correlation with templates",
    .papers = "latency cawa ctrlc",
    .irregular = false,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(heartwall),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
