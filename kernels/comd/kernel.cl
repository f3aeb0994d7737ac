/* Molecular dynamics with link cells: a box is cut into cells at least as long as forces reach, so
 * that an atom's neighbours are in its own cell and the 26 around it. The box is periodic.
 *
 * A cell has CAPACITY slots, of which the first count[cell] hold atoms, ordered by their numbers. A
 * work-group has one cell, a work-item one slot. Vectors lie component after component, `slots`
 * apart. */

#pragma OPENCL FP_CONTRACT OFF

#define CAPACITY 64

/* momentum += time force */
__kernel __attribute__((reqd_work_group_size(CAPACITY, 1, 1))) void
comd_velocity(__global double *momentum, __global const double *force, __global const int *count,
              int slots, double time)
{
    int slot = get_global_id(0);
    if (get_local_id(0) < count[get_group_id(0)])
        for (int axis = 0; axis < 3; axis++)
            momentum[axis * slots + slot] += time * force[axis * slots + slot];
}

static double wrap(double x, double edge)
{
    return x < 0 ? x + edge : x >= edge ? x - edge : x;
}

/* position += time / mass momentum */
__kernel __attribute__((reqd_work_group_size(CAPACITY, 1, 1))) void
comd_position(__global double *position, __global const double *momentum,
              __global const int *count, int slots, double time_by_mass, double edge_x,
              double edge_y, double edge_z)
{
    int slot = get_global_id(0);
    if (get_local_id(0) >= count[get_group_id(0)])
        return;
    __global double *x = position + slot, *y = x + slots, *z = y + slots;
    *x = wrap(*x + time_by_mass * momentum[slot], edge_x);
    *y = wrap(*y + time_by_mass * momentum[slots + slot], edge_y);
    *z = wrap(*z + time_by_mass * momentum[2 * slots + slot], edge_z);
}

static int cell_along(double x, double cells_by_edge, int cells)
{
    return min((int)(x * cells_by_edge), cells - 1);
}

/* Puts atoms into the cells that they have moved to: each cell looks for its own in the cells
 * around it, among which none is twice. Their order is that of their numbers, whoever finds them
 * first. */
__kernel __attribute__((reqd_work_group_size(CAPACITY, 1, 1))) void
comd_cells(__global const double *old_position, __global const double *old_momentum,
           __global const int *old_atom, __global const int *old_count, __global double *position,
           __global double *momentum, __global int *atom, __global int *count, int slots, int nx,
           int ny, int nz, double by_x, double by_y, double by_z)
{
    __local int found[CAPACITY], atoms[CAPACITY];
    __local int total;
    int item = get_local_id(0), cell = get_group_id(0);
    int x = cell % nx, y = cell / nx % ny, z = cell / nx / ny;
    if (item == 0)
        total = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < min(nz, 3); k++)
        for (int j = 0; j < min(ny, 3); j++)
            for (int i = 0; i < min(nx, 3); i++) {
                int other_x = (x + i + nx - (nx >= 3)) % nx, other_y = (y + j + ny - (ny >= 3)) % ny;
                int other_z = (z + k + nz - (nz >= 3)) % nz;
                int other = (other_z * ny + other_y) * nx + other_x;
                int slot = other * CAPACITY + item;
                if (item < old_count[other] && cell_along(old_position[slot], by_x, nx) == x &&
                    cell_along(old_position[slots + slot], by_y, ny) == y &&
                    cell_along(old_position[2 * slots + slot], by_z, nz) == z) {
                    int entry = atomic_inc(&total);
                    if (entry < CAPACITY) {
                        found[entry] = slot;
                        atoms[entry] = old_atom[slot];
                    }
                }
            }
    barrier(CLK_LOCAL_MEM_FENCE);
    int all = min(total, CAPACITY);
    if (item == 0)
        count[cell] = all;
    if (item >= all)
        return;
    int rank = 0;
    for (int i = 0; i < all; i++)
        rank += atoms[i] < atoms[item];
    int to = cell * CAPACITY + rank, from = found[item];
    atom[to] = atoms[item];
    for (int axis = 0; axis < 3; axis++) {
        position[axis * slots + to] = old_position[axis * slots + from];
        momentum[axis * slots + to] = old_momentum[axis * slots + from];
    }
}

/* The cell `step` further, and where its atoms are seen from here: the box repeats. */
static int neighbour(int at, int step, int cells, double edge, double *shift)
{
    int other = at + step;
    *shift = other < 0 ? -edge : other >= cells ? edge : 0;
    return other < 0 ? other + cells : other >= cells ? other - cells : other;
}

/* Lennard-Jones. The positions of one neighbouring cell after another are in local memory; every
 * atom goes through all of them. */
__kernel __attribute__((reqd_work_group_size(CAPACITY, 1, 1))) void
comd_force(__global const double *position, __global const int *count, __global double *force,
           __global double *energy, int slots, int nx, int ny, int nz, double edge_x, double edge_y,
           double edge_z, double epsilon, double sigma6, double reach2, double cut)
{
    __local double there_x[CAPACITY], there_y[CAPACITY], there_z[CAPACITY];
    int item = get_local_id(0), cell = get_group_id(0), slot = get_global_id(0);
    int cell_x = cell % nx, cell_y = cell / nx % ny, cell_z = cell / nx / ny;
    bool here = item < count[cell];
    double x = here ? position[slot] : 0, y = here ? position[slots + slot] : 0;
    double z = here ? position[2 * slots + slot] : 0;
    double force_x = 0, force_y = 0, force_z = 0, sum = 0;

    for (int i = 0; i < 27; i++) {
        double shift_x, shift_y, shift_z;
        int other_x = neighbour(cell_x, i % 3 - 1, nx, edge_x, &shift_x);
        int other_y = neighbour(cell_y, i / 3 % 3 - 1, ny, edge_y, &shift_y);
        int other_z = neighbour(cell_z, i / 9 - 1, nz, edge_z, &shift_z);
        int other = (other_z * ny + other_y) * nx + other_x, atoms = count[other];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < atoms) {
            int from = other * CAPACITY + item;
            there_x[item] = position[from] + shift_x;
            there_y[item] = position[slots + from] + shift_y;
            there_z[item] = position[2 * slots + from] + shift_z;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; here && j < atoms; j++) {
            double dx = x - there_x[j], dy = y - there_y[j], dz = z - there_z[j];
            double square = dx * dx + dy * dy + dz * dz;
            if (square <= reach2 && square > 0) {
                double inverse = 1 / square;
                double sixth = sigma6 * (inverse * inverse * inverse);
                double pull = 4 * epsilon * sixth * inverse * (12 * sixth - 6);
                sum += sixth * (sixth - 1) - cut;
                force_x += dx * pull;
                force_y += dy * pull;
                force_z += dz * pull;
            }
        }
    }
    if (here) {
        force[slot] = force_x;
        force[slots + slot] = force_y;
        force[2 * slots + slot] = force_z;
        energy[slot] = 2 * epsilon * sum;
    }
}
