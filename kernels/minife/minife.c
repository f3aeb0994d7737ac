/* MiniFE: conjugate gradients on the matrix of a finite-element problem.
 *
 * The solver of Mantevo's MiniFE: steady heat conduction in a box of hexahedra with eight nodes, so
 * that a node has 27 neighbours with itself; the matrix is stored as ELL, as in the GPU version,
 * in double precision. Products with the matrix, dot products and sums of vectors are launches of
 * their own. MiniFE's script goes up to 200 iterations, and its size is the user's. hpca16 has 48^3
 * hexahedra (above 32 MB, as the paper says of this program) and a tenth of the iterations: 20. */
#include "workload/workload.h"

#include <float.h>
#include <inttypes.h>

#define WIDTH 27u /* elements in a row of the matrix, as in kernel.cl */
#define MOST_PARTS 256u
#define CORNERS 8u

typedef struct minife {
    uint64_t n, iterations, group;
    uint64_t nodes; /* along an edge of the box */
    uint64_t rows, parts;
    ww_array *column, *value, *b, *x, *r, *p, *ap, *sums, *dot;
} minife;

static void allocate(ww_host *host, void *state)
{
    minife *s = state;
    s->n = ww_host_number(host, "n");
    s->iterations = ww_host_number(host, "iterations");
    s->group = ww_host_number(host, "group");
    if (s->group & (s->group - 1))
        ww_host_refuse(host, "group is %" PRIu64 " (a power of two is needed)", s->group);
    s->nodes = s->n + 1;
    s->rows = s->nodes * s->nodes * s->nodes;
    uint64_t groups = (s->rows + s->group - 1) / s->group;
    s->parts = groups < MOST_PARTS ? groups : MOST_PARTS;
    s->column = ww_host_array(host, "column", WW_INPUT, sizeof(int32_t), WIDTH * s->rows);
    s->value = ww_host_array(host, "value", WW_INPUT, sizeof(double), WIDTH * s->rows);
    s->b = ww_host_array(host, "b", WW_INPUT, sizeof(double), s->rows);
    s->x = ww_host_array(host, "x", WW_INOUT, sizeof(double), s->rows);
    s->r = ww_host_array(host, "r", WW_OUTPUT, sizeof(double), s->rows);
    s->p = ww_host_array(host, "p", WW_OUTPUT, sizeof(double), s->rows);
    s->ap = ww_host_array(host, "Ap", WW_OUTPUT, sizeof(double), s->rows);
    s->sums = ww_host_array(host, "sums", WW_OUTPUT, sizeof(double), s->parts);
    s->dot = ww_host_array(host, "dot", WW_OUTPUT, sizeof(double), 1);
}

/* ---- the matrix ---- */

/* Temperature is given on the box's surface: there a row is that of the identity. */
static bool is_given(const minife *s, const uint64_t *node)
{
    for (int axis = 0; axis < 3; axis++)
        if (node[axis] == 0 || node[axis] == s->n)
            return true;
    return false;
}

/* What one corner of a cube contributes to another, by how many axes they differ in: integrals of
 * the gradients of trilinear functions. */
static double corner_product(unsigned differing)
{
    static const double products[] = {1.0 / 3, 0, -1.0 / 12, -1.0 / 12};
    return products[differing];
}

/* Adds a hexahedron's part to the matrix; column k of a row is the neighbour at k % 3, k / 3 % 3,
 * k / 9. Columns of given temperatures stay zero: they belong to the right-hand side. */
static void add_element(const minife *s, const uint64_t *corner, double conductivity)
{
    double *value = s->value->host;
    for (unsigned i = 0; i < CORNERS; i++) {
        uint64_t from[3] = {corner[0] + (i & 1), corner[1] + (i >> 1 & 1), corner[2] + (i >> 2)};
        uint64_t row = (from[2] * s->nodes + from[1]) * s->nodes + from[0];
        for (unsigned j = 0; j < CORNERS && !is_given(s, from); j++) {
            uint64_t to[3] = {corner[0] + (j & 1), corner[1] + (j >> 1 & 1), corner[2] + (j >> 2)};
            uint64_t k =
                (to[2] + 1 - from[2]) * 9 + (to[1] + 1 - from[1]) * 3 + to[0] + 1 - from[0];
            if (!is_given(s, to))
                value[k * s->rows + row] +=
                    conductivity * corner_product((unsigned)__builtin_popcount(i ^ j));
        }
    }
}

/* Columns of a node; outside the box, where the value is zero, its own. */
static void fill_columns(const minife *s, const uint64_t *node)
{
    int32_t *column = s->column->host;
    uint64_t row = (node[2] * s->nodes + node[1]) * s->nodes + node[0];
    for (uint64_t k = 0; k < WIDTH; k++) {
        uint64_t x = node[0] + k % 3, y = node[1] + k / 3 % 3, z = node[2] + k / 9;
        bool inside = x > 0 && x <= s->nodes && y > 0 && y <= s->nodes && z > 0 && z <= s->nodes;
        uint64_t other = ((z - 1) * s->nodes + y - 1) * s->nodes + x - 1;
        column[k * s->rows + row] = (int32_t)(inside ? other : row);
    }
}

/* Hexahedra conduct differently. */
static void fill(ww_host *host, void *state)
{
    minife *s = state;
    double *value = s->value->host, *b = s->b->host, *x = s->x->host;
    (void)host;
    for (uint64_t row = 0; row < s->rows; row++) {
        uint64_t node[3] = {row % s->nodes, row / s->nodes % s->nodes, row / s->nodes / s->nodes};
        fill_columns(s, node);
        if (is_given(s, node))
            value[WIDTH / 2 * s->rows + row] = 1;
        b[row] = ww_random_f64(s->b, row, 0, 1);
        x[row] = ww_random_f64(s->x, row, 0, 1);
    }
    for (uint64_t i = 0; i < s->n * s->n * s->n; i++)
        add_element(s, (uint64_t[]){i % s->n, i / s->n % s->n, i / s->n / s->n},
                    ww_random_f64(s->value, i, 0.5, 1.5));
}

/* ---- the solver on the device ---- */

static void launch_waxpby(ww_host *host, minife *s, double alpha, const ww_array *x, double beta,
                          const ww_array *y, const ww_array *w)
{
    ww_host_launch(host, "minife_waxpby", ww_range1(s->rows, s->group), ww_f64(alpha), ww_mem(x),
                   ww_f64(beta), ww_mem(y), ww_mem(w), ww_u32(s->rows));
}

static void launch_matvec(ww_host *host, minife *s)
{
    ww_host_launch(host, "minife_matvec", ww_range1(s->rows, s->group), ww_mem(s->column),
                   ww_mem(s->value), ww_mem(s->p), ww_mem(s->ap), ww_u32(s->rows));
}

static double launch_dot(ww_host *host, minife *s, const ww_array *x, const ww_array *y)
{
    double result = 0;
    ww_host_launch(host, "minife_dot", ww_range1(s->parts * s->group, s->group), ww_mem(x),
                   ww_mem(y), ww_mem(s->sums), ww_local(s->group * sizeof(double)),
                   ww_u32(s->rows));
    ww_host_launch(host, "minife_dot_final", ww_range1(s->group, s->group), ww_mem(s->sums),
                   ww_mem(s->dot), ww_local(s->group * sizeof(double)), ww_u32(s->parts));
    ww_host_read(host, s->dot, 0, 1, sizeof(result), &result);
    return result;
}

/* Stops when the residual is nothing but rounding, as MiniFE does. */
static bool is_solved(double square)
{
    return sqrt(square) <= DBL_EPSILON;
}

static void run(ww_host *host, void *state)
{
    minife *s = state;
    launch_waxpby(host, s, 1, s->x, 0, s->x, s->p);
    launch_matvec(host, s);
    launch_waxpby(host, s, 1, s->b, -1, s->ap, s->r);
    double square = launch_dot(host, s, s->r, s->r), beta = 0;
    for (uint64_t i = 0; i < s->iterations && !is_solved(square) && ww_host_ok(host); i++) {
        if (i > 0) {
            double old = square;
            square = launch_dot(host, s, s->r, s->r);
            beta = square / old;
        }
        launch_waxpby(host, s, 1, s->r, beta, i > 0 ? s->p : s->r, s->p);
        launch_matvec(host, s);
        double alpha = square / launch_dot(host, s, s->ap, s->p);
        launch_waxpby(host, s, 1, s->x, alpha, s->p, s->x);
        launch_waxpby(host, s, 1, s->r, -alpha, s->ap, s->r);
    }
}

/* ---- the reference: the same operations in the same order ---- */

typedef struct vectors {
    double *x, *r, *p, *ap, *sums, *items, dot;
} vectors;

static void waxpby(const minife *s, double alpha, const double *x, double beta, const double *y,
                   double *w)
{
    for (uint64_t i = 0; i < s->rows; i++)
        w[i] = alpha * x[i] + beta * y[i];
}

static void matvec(const minife *s, const double *p, double *ap)
{
    const int32_t *column = s->column->host;
    const double *value = s->value->host;
    memset(ap, 0, s->rows * sizeof(*ap));
    for (uint64_t k = 0; k < WIDTH; k++)
        for (uint64_t row = 0; row < s->rows; row++)
            ap[row] += value[k * s->rows + row] * p[column[k * s->rows + row]];
}

/* The sums of a work-group's work-items, added up in pairs. */
static double add_up(const minife *s, double *items)
{
    for (uint64_t reach = s->group / 2; reach > 0; reach /= 2)
        for (uint64_t i = 0; i < reach; i++)
            items[i] += items[i + reach];
    return items[0];
}

static double dot(const minife *s, vectors *v, const double *x, const double *y)
{
    uint64_t items = s->parts * s->group;
    memset(v->items, 0, items * sizeof(double));
    for (uint64_t i = 0; i < s->rows; i++)
        v->items[i % items] += x[i] * y[i];
    for (uint64_t i = 0; i < s->parts; i++)
        v->sums[i] = add_up(s, v->items + i * s->group);
    memset(v->items, 0, s->group * sizeof(double));
    for (uint64_t i = 0; i < s->parts; i++)
        v->items[i % s->group] += v->sums[i];
    return v->dot = add_up(s, v->items);
}

static void solve(const minife *s, vectors *v)
{
    waxpby(s, 1, v->x, 0, v->x, v->p);
    matvec(s, v->p, v->ap);
    waxpby(s, 1, s->b->host, -1, v->ap, v->r);
    double square = dot(s, v, v->r, v->r), beta = 0;
    for (uint64_t i = 0; i < s->iterations && !is_solved(square); i++) {
        if (i > 0) {
            double old = square;
            square = dot(s, v, v->r, v->r);
            beta = square / old;
        }
        waxpby(s, 1, v->r, beta, i > 0 ? v->p : v->r, v->p);
        matvec(s, v->p, v->ap);
        double alpha = square / dot(s, v, v->ap, v->p);
        waxpby(s, 1, v->x, alpha, v->p, v->x);
        waxpby(s, 1, v->r, -alpha, v->ap, v->r);
    }
}

static void expect_vector(ww_array *array, const double *want, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        ww_expect_f64(array, i, want[i], 0);
}

static void verify(ww_host *host, void *state)
{
    minife *s = state;
    vectors v = {.x = ww_host_alloc(host, s->rows, sizeof(double)),
                 .r = ww_host_alloc(host, s->rows, sizeof(double)),
                 .p = ww_host_alloc(host, s->rows, sizeof(double)),
                 .ap = ww_host_alloc(host, s->rows, sizeof(double)),
                 .sums = ww_host_alloc(host, s->parts, sizeof(double)),
                 .items = ww_host_alloc(host, s->parts * s->group, sizeof(double))};
    for (uint64_t i = 0; i < s->rows; i++)
        v.x[i] = ww_random_f64(s->x, i, 0, 1);
    solve(s, &v);
    expect_vector(s->x, v.x, s->rows);
    expect_vector(s->r, v.r, s->rows);
    expect_vector(s->p, v.p, s->rows);
    expect_vector(s->ap, v.ap, s->rows);
    expect_vector(s->sums, v.sums, s->parts);
    expect_vector(s->dot, &v.dot, 1);
}

static const ww_parameter parameters[] = {
    WW_NUMBER_PARAMETER("n", "28", 2, 420, "hexahedra along each edge of the box"),
    WW_NUMBER_PARAMETER("iterations", "4", 1, 10000, "iterations at most"),
    WW_GROUP_PARAMETER("256"),
};

static const ww_named_size sizes[] = {
    {"tiny", "n=8,iterations=5,group=64", 43, 0},
    {"small", "n=28,iterations=4", 35, 0},
    {"hpca16", "n=48,iterations=20", 163, 0},
};

WW_WORKLOAD(minife) = {
    .name = "minife",
    .suite = "Mantevo",
    .doc = "conjugate gradients on the 27-point matrix of a finite-element problem",
    .papers = "hpca16",
    .irregular = false,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(minife),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
