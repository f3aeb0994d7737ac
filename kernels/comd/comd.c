/* CoMD: molecular dynamics of copper with the Lennard-Jones potential and link cells.
 *
 * ExMatEx's CoMD, in double precision: cells with 64 slots, a work-group for each (one of the
 * methods of its GPU version), and in a time step: half a step of the momenta, the positions, the
 * cells that atoms have moved to, the forces, the other half step. CoMD's default is 20^3 unit
 * cells of 4 atoms and 100 steps. hpca16 has 12^3, which makes it the smallest of the sixteen (the
 * paper's smallest program has 2.6 MB; it does not say which that is), and a tenth of the steps:
 * 10. */
#include "workload/workload.h"

#include <inttypes.h>

#define CAPACITY 64u /* slots of a cell, as in kernel.cl */
#define BASIS 4u     /* atoms in a unit cell */

/* CoMD's copper: lengths in Angstrom, times in fs, energies in eV. */
#define SIGMA 2.315
#define EPSILON 0.167
#define REACH (2.5 * SIGMA)
#define MASS (63.55 * 103.64269572)
#define TIME_STEP 1.0
#define MOST_MOMENTUM 32.0    /* about 600 K */
#define MOST_DISPLACEMENT 0.1 /* of an atom from its point of the lattice, each way */

typedef struct comd {
    uint64_t units[3], lattice, steps;
    double edge[3];
    int64_t cells[3];
    uint64_t all_cells, slots;
    double sigma6, cut;
    ww_array *position[2], *momentum[2], *atom[2], *count[2], *force, *energy;
} comd;

/* A cell has at most so many layers of atoms along an axis, half a unit cell apart; of their
 * crossings every other one is an atom. */
static void check_capacity(ww_host *host, const comd *s)
{
    double most = 0.5;
    for (int axis = 0; axis < 3; axis++) {
        double side = s->edge[axis] / (double)s->cells[axis];
        most *= floor(2000 * side / (double)s->lattice) + 1;
    }
    if (most > CAPACITY)
        ww_host_refuse(host,
                       "a cell could have %.0f atoms (at most %u: more unit cells are needed)",
                       most, CAPACITY);
}

static void set_box(ww_host *host, comd *s)
{
    static const char *const names[] = {"nx", "ny", "nz"};
    s->lattice = ww_host_number(host, "lattice");
    s->all_cells = 1;
    for (int axis = 0; axis < 3; axis++) {
        s->units[axis] = ww_host_number(host, names[axis]);
        s->edge[axis] = (double)s->units[axis] * (double)s->lattice / 1000;
        s->cells[axis] = (int64_t)(s->edge[axis] / REACH);
        if (s->cells[axis] < 1) {
            ww_host_refuse(host, "%s is %" PRIu64 ": the box is %.3f A long (at least %.3f needed)",
                           names[axis], s->units[axis], s->edge[axis], REACH);
            s->cells[axis] = 1;
        }
        s->all_cells *= (uint64_t)s->cells[axis];
    }
    check_capacity(host, s);
    double ratio = SIGMA / REACH, sixth = ratio * ratio * ratio * ratio * ratio * ratio;
    s->sigma6 = SIGMA * SIGMA * SIGMA * SIGMA * SIGMA * SIGMA;
    s->cut = sixth * (sixth - 1);
}

static void allocate(ww_host *host, void *state)
{
    comd *s = state;
    s->steps = ww_host_number(host, "steps");
    set_box(host, s);
    s->slots = s->all_cells * CAPACITY;
    static const char *const names[2][4] = {
        {"position", "momentum", "atom", "count"},
        {"position_next", "momentum_next", "atom_next", "count_next"}};
    for (int i = 0; i < 2; i++) {
        ww_role role = i ? WW_OUTPUT : WW_INOUT;
        s->position[i] = ww_host_array(host, names[i][0], role, sizeof(double), 3 * s->slots);
        s->momentum[i] = ww_host_array(host, names[i][1], role, sizeof(double), 3 * s->slots);
        s->atom[i] = ww_host_array(host, names[i][2], role, sizeof(int32_t), s->slots);
        s->count[i] = ww_host_array(host, names[i][3], role, sizeof(int32_t), s->all_cells);
    }
    s->force = ww_host_array(host, "force", WW_OUTPUT, sizeof(double), 3 * s->slots);
    s->energy = ww_host_array(host, "energy", WW_OUTPUT, sizeof(double), s->slots);
}

/* ---- atoms, in the device's arrays or in copies of them ---- */

typedef struct atoms {
    double *position, *momentum;
    int32_t *atom, *count;
} atoms;

static uint64_t cell_of(const comd *s, const double *at)
{
    uint64_t along[3];
    for (int axis = 0; axis < 3; axis++) {
        int64_t i = (int64_t)(at[axis] * ((double)s->cells[axis] / s->edge[axis]));
        along[axis] = (uint64_t)(i < s->cells[axis] ? i : s->cells[axis] - 1);
    }
    return (along[2] * (uint64_t)s->cells[1] + along[1]) * (uint64_t)s->cells[0] + along[0];
}

/* Atoms are added in the order of their numbers. False when the cell is full. */
static bool add_atom(const comd *s, atoms *to, int32_t atom, const double *at,
                     const double *momentum)
{
    uint64_t cell = cell_of(s, at);
    if (to->count[cell] == (int32_t)CAPACITY)
        return false;
    uint64_t slot = cell * CAPACITY + (uint64_t)to->count[cell]++;
    to->atom[slot] = atom;
    for (uint64_t axis = 0; axis < 3; axis++) {
        to->position[axis * s->slots + slot] = at[axis];
        to->momentum[axis * s->slots + slot] = momentum[axis];
    }
    return true;
}

/* A face-centred cubic lattice, a little disturbed. */
static bool make_atoms(const comd *s, atoms *to)
{
    static const double basis[BASIS][3] = {
        {0.25, 0.25, 0.25}, {0.25, 0.75, 0.75}, {0.75, 0.25, 0.75}, {0.75, 0.75, 0.25}};
    uint64_t all = s->units[0] * s->units[1] * s->units[2] * BASIS;
    bool fits = true;
    for (uint64_t i = 0; i < all; i++) {
        uint64_t unit = i / BASIS, plane = unit / s->units[0];
        uint64_t corner[3] = {unit % s->units[0], plane % s->units[1], plane / s->units[1]};
        double at[3], momentum[3];
        for (uint64_t axis = 0; axis < 3; axis++) {
            double point = (double)corner[axis] + basis[i % BASIS][axis];
            at[axis] =
                point * (double)s->lattice / 1000 +
                ww_random_f64(s->position[0], 3 * i + axis, -MOST_DISPLACEMENT, MOST_DISPLACEMENT);
            momentum[axis] =
                ww_random_f64(s->momentum[0], 3 * i + axis, -MOST_MOMENTUM, MOST_MOMENTUM);
        }
        fits &= add_atom(s, to, (int32_t)i, at, momentum);
    }
    return fits;
}

static atoms arrays_of(const comd *s, int i)
{
    return (atoms){s->position[i]->host, s->momentum[i]->host, s->atom[i]->host, s->count[i]->host};
}

static void fill(ww_host *host, void *state)
{
    comd *s = state;
    atoms first = arrays_of(s, 0);
    if (!make_atoms(s, &first))
        ww_host_refuse(host, "a cell has more than %u atoms", CAPACITY);
}

/* ---- the steps on the device ---- */

static void launch_force(ww_host *host, comd *s, int i)
{
    ww_host_launch(host, "comd_force", ww_range1(s->slots, CAPACITY), ww_mem(s->position[i]),
                   ww_mem(s->count[i]), ww_mem(s->force), ww_mem(s->energy), ww_u32(s->slots),
                   ww_u32((uint64_t)s->cells[0]), ww_u32((uint64_t)s->cells[1]),
                   ww_u32((uint64_t)s->cells[2]), ww_f64(s->edge[0]), ww_f64(s->edge[1]),
                   ww_f64(s->edge[2]), ww_f64(EPSILON), ww_f64(s->sigma6), ww_f64(REACH * REACH),
                   ww_f64(s->cut));
}

static void launch_velocity(ww_host *host, comd *s, int i)
{
    ww_host_launch(host, "comd_velocity", ww_range1(s->slots, CAPACITY), ww_mem(s->momentum[i]),
                   ww_mem(s->force), ww_mem(s->count[i]), ww_u32(s->slots), ww_f64(TIME_STEP / 2));
}

/* From the arrays i to the other ones. */
static void launch_cells(ww_host *host, comd *s, int i)
{
    ww_host_launch(
        host, "comd_cells", ww_range1(s->slots, CAPACITY), ww_mem(s->position[i]),
        ww_mem(s->momentum[i]), ww_mem(s->atom[i]), ww_mem(s->count[i]), ww_mem(s->position[!i]),
        ww_mem(s->momentum[!i]), ww_mem(s->atom[!i]), ww_mem(s->count[!i]), ww_u32(s->slots),
        ww_u32((uint64_t)s->cells[0]), ww_u32((uint64_t)s->cells[1]), ww_u32((uint64_t)s->cells[2]),
        ww_f64((double)s->cells[0] / s->edge[0]), ww_f64((double)s->cells[1] / s->edge[1]),
        ww_f64((double)s->cells[2] / s->edge[2]));
}

static void run(ww_host *host, void *state)
{
    comd *s = state;
    launch_force(host, s, 0);
    for (uint64_t step = 0; step < s->steps; step++) {
        int i = (int)(step % 2);
        launch_velocity(host, s, i);
        ww_host_launch(host, "comd_position", ww_range1(s->slots, CAPACITY), ww_mem(s->position[i]),
                       ww_mem(s->momentum[i]), ww_mem(s->count[i]), ww_u32(s->slots),
                       ww_f64(TIME_STEP / MASS), ww_f64(s->edge[0]), ww_f64(s->edge[1]),
                       ww_f64(s->edge[2]));
        launch_cells(host, s, i);
        launch_force(host, s, !i);
        launch_velocity(host, s, !i);
    }
}

/* ---- the reference: the same operations, atom by atom ---- */

typedef struct forces {
    double *force, *energy;
} forces;

static void add_forces(const comd *s, const atoms *a, const double *at, const int64_t *cell,
                       const double *shift, double *force, double *sum)
{
    uint64_t other = (uint64_t)((cell[2] * s->cells[1] + cell[1]) * s->cells[0] + cell[0]);
    for (int32_t j = 0; j < a->count[other]; j++) {
        double d[3], square = 0;
        for (uint64_t axis = 0; axis < 3; axis++) {
            uint64_t slot = axis * s->slots + other * CAPACITY + (uint64_t)j;
            d[axis] = at[axis] - (a->position[slot] + shift[axis]);
            square += d[axis] * d[axis];
        }
        if (square > REACH * REACH || square <= 0)
            continue;
        double inverse = 1 / square, sixth = s->sigma6 * (inverse * inverse * inverse);
        double pull = 4 * EPSILON * sixth * inverse * (12 * sixth - 6);
        *sum += sixth * (sixth - 1) - s->cut;
        for (int axis = 0; axis < 3; axis++)
            force[axis] += d[axis] * pull;
    }
}

static void force_on(const comd *s, const atoms *a, uint64_t slot, forces *f)
{
    int64_t cell = (int64_t)(slot / CAPACITY), plane = cell / s->cells[0];
    int64_t own[3] = {cell % s->cells[0], plane % s->cells[1], plane / s->cells[1]};
    double force[3] = {0}, sum = 0, at[3];
    for (uint64_t axis = 0; axis < 3; axis++)
        at[axis] = a->position[axis * s->slots + slot];
    for (int i = 0; i < 27; i++) {
        int64_t other[3] = {own[0] + i % 3 - 1, own[1] + i / 3 % 3 - 1, own[2] + i / 9 - 1};
        double shift[3] = {0};
        for (int axis = 0; axis < 3; axis++)
            if (other[axis] < 0 || other[axis] >= s->cells[axis]) {
                shift[axis] = other[axis] < 0 ? -s->edge[axis] : s->edge[axis];
                other[axis] += other[axis] < 0 ? s->cells[axis] : -s->cells[axis];
            }
        add_forces(s, a, at, other, shift, force, &sum);
    }
    for (uint64_t axis = 0; axis < 3; axis++)
        f->force[axis * s->slots + slot] = force[axis];
    f->energy[slot] = 2 * EPSILON * sum;
}

static bool is_atom(const atoms *a, uint64_t slot)
{
    return (int32_t)(slot % CAPACITY) < a->count[slot / CAPACITY];
}

static void compute_forces(const comd *s, const atoms *a, forces *f)
{
    for (uint64_t slot = 0; slot < s->slots; slot++)
        if (is_atom(a, slot))
            force_on(s, a, slot, f);
}

static void move_momenta(const comd *s, atoms *a, const forces *f)
{
    for (uint64_t i = 0; i < 3 * s->slots; i++)
        if (is_atom(a, i % s->slots))
            a->momentum[i] += TIME_STEP / 2 * f->force[i];
}

static void move_positions(const comd *s, atoms *a)
{
    for (uint64_t i = 0; i < 3 * s->slots; i++) {
        double edge = s->edge[i / s->slots];
        if (!is_atom(a, i % s->slots))
            continue;
        a->position[i] += TIME_STEP / MASS * a->momentum[i];
        if (a->position[i] < 0)
            a->position[i] += edge;
        else if (a->position[i] >= edge)
            a->position[i] -= edge;
    }
}

/* All atoms by their numbers, each to its new cell. */
static bool move_cells(const comd *s, const atoms *from, atoms *to, uint64_t *slot_of)
{
    uint64_t all = s->units[0] * s->units[1] * s->units[2] * BASIS;
    bool fits = true;
    for (uint64_t slot = 0; slot < s->slots; slot++)
        if (is_atom(from, slot))
            slot_of[from->atom[slot]] = slot;
    memset(to->count, 0, s->all_cells * sizeof(*to->count));
    for (uint64_t i = 0; i < all; i++) {
        const double *position = from->position + slot_of[i];
        const double *momentum = from->momentum + slot_of[i];
        double at[3] = {position[0], position[s->slots], position[2 * s->slots]};
        double p[3] = {momentum[0], momentum[s->slots], momentum[2 * s->slots]};
        fits &= add_atom(s, to, (int32_t)i, at, p);
    }
    return fits;
}

static atoms new_atoms(ww_host *host, const comd *s)
{
    return (atoms){.position = ww_host_alloc(host, 3 * s->slots, sizeof(double)),
                   .momentum = ww_host_alloc(host, 3 * s->slots, sizeof(double)),
                   .atom = ww_host_alloc(host, s->slots, sizeof(int32_t)),
                   .count = ww_host_alloc(host, s->all_cells, sizeof(int32_t))};
}

static void expect_atoms(const comd *s, int i, const atoms *want)
{
    for (uint64_t k = 0; k < 3 * s->slots; k++) {
        ww_expect_f64(s->position[i], k, want->position[k], 0);
        ww_expect_f64(s->momentum[i], k, want->momentum[k], 0);
    }
    for (uint64_t k = 0; k < s->slots; k++)
        ww_expect_i32(s->atom[i], k, want->atom[k]);
    for (uint64_t k = 0; k < s->all_cells; k++)
        ww_expect_i32(s->count[i], k, want->count[k]);
}

static void expect_forces(const comd *s, const forces *want)
{
    for (uint64_t k = 0; k < 3 * s->slots; k++)
        ww_expect_f64(s->force, k, want->force[k], 0);
    for (uint64_t k = 0; k < s->slots; k++)
        ww_expect_f64(s->energy, k, want->energy[k], 0);
}

/* Slots without an atom keep what was in them, here as on the device. */
static void verify(ww_host *host, void *state)
{
    comd *s = state;
    atoms a[2] = {new_atoms(host, s), new_atoms(host, s)};
    forces f = {ww_host_alloc(host, 3 * s->slots, sizeof(double)),
                ww_host_alloc(host, s->slots, sizeof(double))};
    uint64_t *slot_of = ww_host_alloc(host, s->slots, sizeof(*slot_of));
    bool fits = make_atoms(s, &a[0]);
    compute_forces(s, &a[0], &f);
    for (uint64_t step = 0; step < s->steps && fits; step++) {
        int i = (int)(step % 2);
        move_momenta(s, &a[i], &f);
        move_positions(s, &a[i]);
        fits = move_cells(s, &a[i], &a[!i], slot_of);
        compute_forces(s, &a[!i], &f);
        move_momenta(s, &a[!i], &f);
    }
    ww_expect(host, fits, "a cell has more than %u atoms", CAPACITY);
    expect_atoms(s, 0, &a[0]);
    expect_atoms(s, 1, &a[1]);
    expect_forces(s, &f);
}

static const ww_parameter parameters[] = {
    WW_NUMBER_PARAMETER("nx", "7", 1, 256, "unit cells of the lattice along x"),
    WW_NUMBER_PARAMETER("ny", "7", 1, 256, "unit cells along y"),
    WW_NUMBER_PARAMETER("nz", "7", 1, 256, "unit cells along z"),
    WW_NUMBER_PARAMETER("lattice", "3615", 3400, 8000,
                        "edge of a unit cell, in thousandths of an A"),
    WW_NUMBER_PARAMETER("steps", "1", 1, 100000, "time steps of 1 fs"),
};

static const ww_named_size sizes[] = {
    {"tiny", "nx=2,ny=2,nz=1,lattice=5800,steps=2", 11, 0},
    {"small", "nx=7,ny=7,nz=7,steps=1", 6, 0},
    {"hpca16", "nx=12,ny=12,nz=12,steps=10", 51, 0},
};

WW_WORKLOAD(comd) = {
    .name = "comd",
    .suite = "ExMatEx",
    .doc = "molecular dynamics: Lennard-Jones forces between atoms in link cells",
    .papers = "hpca16",
    .irregular = false,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(comd),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
