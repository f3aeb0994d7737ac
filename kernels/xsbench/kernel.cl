/* Macroscopic cross sections of materials at random energies. A nuclide's table has `points` rows
 * of six doubles, in order of energy: the energy and five cross sections. The unionised grid has the
 * energies of all nuclides in order, and for each of them and each nuclide the row below it. */
#define MATERIALS 12
#define CHANNELS 5
#define COLUMNS (CHANNELS + 1)

/* What a roll below the limit, and not below those before, stands for: materials 1, 2 and so on.
 * Fuel, material 0, has the rest. From the volumes of the Hoogenboom-Martin reactor. */
__constant double limits[MATERIALS - 1] = {0.052, 0.327, 0.461, 0.615, 0.679, 0.745,
                                           0.800, 0.808, 0.823, 0.848, 0.861};

typedef struct tables {
    __global const double *energies; /* nuclides * points: the unionised grid */
    __global const int *rows;        /* of each nuclide at each of these energies */
    __global const double *grids;    /* of each nuclide: points rows of COLUMNS */
    __global const int *counts;      /* nuclides in each material */
    __global const int *members;     /* of each material, `longest` places each */
    __global const double *densities;
    uint nuclides, points, longest;
} tables;

/* Places in the random sequence for a lookup of a history, which uses 2 numbers and skips at most
 * CHANNELS; as many as in the original. */
#define NUMBERS_PER_LOOKUP (2 * CHANNELS)

/* A linear congruential generator modulo 2^63. */
#define MULTIPLIER 2806196910506780709ul
#define MODULUS_MASK 0x7ffffffffffffffful

double next_number(ulong *state)
{
    *state = (MULTIPLIER * *state + 1) & MODULUS_MASK;
    return (double)*state * 0x1p-63;
}

/* The state `steps` numbers later. */
ulong skip(ulong state, ulong steps)
{
    ulong multiplier = MULTIPLIER, increment = 1, all_multiplier = 1, all_increment = 0;
    for (; steps > 0; steps >>= 1) {
        if (steps & 1) {
            all_multiplier *= multiplier;
            all_increment = all_increment * multiplier + increment;
        }
        increment *= multiplier + 1;
        multiplier *= multiplier;
    }
    return (all_multiplier * state + all_increment) & MODULUS_MASK;
}

int pick_material(ulong *state)
{
    double roll = next_number(state);
    for (int i = 0; i < MATERIALS - 1; i++)
        if (roll < limits[i])
            return i + 1;
    return 0;
}

/* The last energy of the unionised grid that is not above `energy`, or the first. */
uint search(const tables *t, double energy)
{
    uint low = 0, high = t->nuclides * t->points - 1;
    while (high - low > 1) {
        uint middle = low + (high - low) / 2;
        if (t->energies[middle] > energy)
            high = middle;
        else
            low = middle;
    }
    return low;
}

/* Adds a nuclide's cross sections, between two rows of its table. */
void add_nuclide(__global const double *row, double energy, double density, double *sums)
{
    double part = (row[COLUMNS] - energy) / (row[COLUMNS] - row[0]);
    for (int c = 0; c < CHANNELS; c++) {
        double high = row[COLUMNS + 1 + c];
        double section = fma(-part, high - row[1 + c], high);
        sums[c] = fma(section, density, sums[c]);
    }
}

void look_up(const tables *t, double energy, int material, double *sums)
{
    ulong place = search(t, energy);
    for (int c = 0; c < CHANNELS; c++)
        sums[c] = 0;
    for (int i = 0; i < t->counts[material]; i++) {
        uint member = material * t->longest + i;
        int nuclide = t->members[member];
        int row = t->rows[place * t->nuclides + nuclide];
        __global const double *grid = t->grids + (ulong)nuclide * t->points * COLUMNS;
        add_nuclide(grid + row * COLUMNS, energy, t->densities[member], sums);
    }
}

#define TABLES                                                                          \
    __global const double *energies, __global const int *rows,                          \
        __global const double *grids, __global const int *counts,                       \
        __global const int *members, __global const double *densities, uint nuclides, \
        uint points, uint longest
#define COLLECT                                                                             \
    {                                                                                       \
        energies, rows, grids, counts, members, densities, nuclides, points, longest \
    }

/* One lookup a work-item. */
__kernel void xsbench_event(TABLES, __global double *results, ulong seed, uint lookups)
{
    tables t = COLLECT;
    uint i = get_global_id(0);
    if (i < lookups) {
        double sums[CHANNELS];
        ulong state = skip(seed, 2ul * i);
        double energy = next_number(&state);
        int material = pick_material(&state);
        look_up(&t, energy, material, sums);
        for (int c = 0; c < CHANNELS; c++)
            results[(ulong)i * CHANNELS + c] = sums[c];
    }
}

/* One particle a work-item: a chain of lookups, in which each decides where in the sequence of
 * random numbers the next one starts. The result is the sum over the particle's history. */
__kernel void xsbench_history(TABLES, __global double *results, ulong seed, uint particles,
                              uint lookups)
{
    tables t = COLLECT;
    uint i = get_global_id(0);
    if (i < particles) {
        double totals[CHANNELS] = {0, 0, 0, 0, 0};
        ulong state = skip(seed, (ulong)NUMBERS_PER_LOOKUP * lookups * i);
        for (uint k = 0; k < lookups; k++) {
            double sums[CHANNELS];
            uint forward = 0;
            double energy = next_number(&state);
            int material = pick_material(&state);
            look_up(&t, energy, material, sums);
            for (int c = 0; c < CHANNELS; c++) {
                totals[c] += sums[c];
                forward += sums[c] > 1;
            }
            state = skip(state, forward);
        }
        for (int c = 0; c < CHANNELS; c++)
            results[(ulong)i * CHANNELS + c] = totals[c];
    }
}
