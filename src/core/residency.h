/* Residency: which groups and warps are in a compute unit, and the registers and the local memory
 * that they occupy.
 *
 * resident   a group in the compute unit, with its launch and its slots
 * older      by slot: slots with older warps, for schedulers
 * residency.c alone changes ww_residency, ww_resident, ww_resident_slot and ww_stream. */
#ifndef WW_CORE_RESIDENCY_H
#define WW_CORE_RESIDENCY_H

#include "core/core.h"

typedef struct ww_resident {
    ww_group *group; /* storage of this launch's groups; it stays when the group ends */
    const ww_cu_launch *launch;
    uint64_t slots; /* of its warps that have not ended */
    uint64_t held;  /* of those that have ended, kept until the group ends */
    bool used;
} ww_resident;

typedef struct ww_resident_slot {
    ww_resident *group;
    uint64_t born; /* the cycle in which its warp started */
} ww_resident_slot;

typedef struct ww_residency {
    uint64_t present; /* slots that hold a warp */
    uint64_t held;    /* slots of ended warps whose groups keep them */
    uint64_t warp_count;
    unsigned launch_count;      /* that have begun, and not ended */
    const ww_cu_launch *newest; /* the launch that began last */
    ww_resident *groups;
    unsigned group_count;                            /* that may be resident */
    uint64_t registers, scalar_registers, lds_bytes; /* allocated */
    uint64_t counted_to;                             /* the cycle up to which these are counted */
    uint64_t older[WW_MOST_SLOTS];
} ww_residency;

void ww_residency_create(ww_cu *cu);
void ww_residency_destroy(ww_cu *cu);
/* Counts what groups occupy up to `cycle`. */
void ww_residency_count(ww_cu *cu, uint64_t cycle);
/* The slot's warp has ended: frees the slot or holds it, as configured, and frees with a group's
 * last warp what the group has. */
void ww_residency_free_slot(ww_cu *cu, unsigned slot, uint64_t cycle);

#endif
