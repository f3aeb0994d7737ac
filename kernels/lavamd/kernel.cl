/* Forces between particles in a large space that is cut into boxes: a particle feels those of its own
 * box and of the boxes around it. One work-group a box, in double precision. */

#pragma OPENCL FP_CONTRACT OFF

#define MOST_NEIGHBOURS 26

typedef struct vector {
    double v, x, y, z;
} vector;

typedef struct neighbour {
    int x, y, z, number;
    long first;
} neighbour;

typedef struct box {
    int x, y, z, number;
    long first; /* particle */
    int neighbours;
    neighbour neighbour[MOST_NEIGHBOURS];
} box;

/* Adds the potential (v) and the forces (x, y, z) from all particles of one box to what `force` has
 * for a particle. */
static void add_forces(__global vector *force, __local const vector *particle,
                       __local const vector *others, __local const double *charges, int particles,
                       double twice_squared_alpha)
{
    for (int j = 0; j < particles; j++) {
        double distance = particle->v + others[j].v -
                          (particle->x * others[j].x + particle->y * others[j].y +
                           particle->z * others[j].z);
        double potential = exp(-(twice_squared_alpha * distance));
        double strength = 2 * potential;
        force->v += charges[j] * potential;
        force->x += charges[j] * (strength * (particle->x - others[j].x));
        force->y += charges[j] * (strength * (particle->y - others[j].y));
        force->z += charges[j] * (strength * (particle->z - others[j].z));
    }
}

/* Positions of the box's own particles and, one box after another, those of its neighbours and their
 * charges go through local memory. */
__kernel void lavamd(__global const box *boxes, __global const vector *positions,
                     __global const double *charges, __global vector *forces, int particles,
                     double alpha, __local vector *own, __local vector *others,
                     __local double *others_charges)
{
    int item = get_local_id(0), size = get_local_size(0);
    __global const box *home = &boxes[get_group_id(0)];
    double twice_squared_alpha = 2 * alpha * alpha;
    for (int i = item; i < particles; i += size)
        own[i] = positions[home->first + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int n = 0; n <= home->neighbours; n++) {
        long number = n ? home->neighbour[n - 1].number : get_group_id(0);
        long first = boxes[number].first;
        for (int i = item; i < particles; i += size) {
            others[i] = positions[first + i];
            others_charges[i] = charges[first + i];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = item; i < particles; i += size)
            add_forces(&forces[home->first + i], &own[i], others, others_charges, particles,
                       twice_squared_alpha);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
