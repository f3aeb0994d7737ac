/* The distributor of walks over compute units (SoftWalker, MICRO 2025, section 4).
 *
 *     last TLB ─ distributor ─ walk warps of compute units ─ distributor ─ last TLB
 *                     └─ (hybrid) MMU, while it has an idle walker
 *
 * slot     of a compute unit's walk warp: a walk on its way there, waiting, in a thread, or on its
 *          way back. A walk leaves when a compute unit has a free slot: the next one that has, in
 *          turn. Else it waits here, that is, in its miss register.
 * cache    the walkers' cache (walk_cache.h): a walk that leaves looks it up through a free port,
 *          and carries the node that it starts in
 * latency  of the way to a compute unit, and of the way back: each as long as a lookup of the L2
 *          TLB in the paper's evaluation */
#ifndef WW_VM_CUPTW_DISTRIBUTOR_H
#define WW_VM_CUPTW_DISTRIBUTOR_H

#include "engine/clock.h"
#include "vm/mmu.h"

typedef struct ww_distributor_config {
    ww_clock clock;
    unsigned cus;
    uint32_t slots;    /* of each compute unit */
    uint32_t requests; /* that may leave in a cycle */
    uint32_t latency;  /* cycles, one way */
    uint32_t look_up;  /* cycles of the lookup in the walkers' cache */
    uint32_t most;     /* requests that can be here, or at compute units */
    bool hybrid;       /* idle walkers of the MMU go first */
    unsigned page_shift;
} ww_distributor_config;

typedef struct ww_distributor_wiring {
    ww_port *out;      /* answers, to the TLB above; it has room for all requests */
    ww_port **walkers; /* into walk warps, by compute unit */
    ww_mmu *mmu;       /* with the cache */
} ww_distributor_wiring;

typedef struct ww_distributor ww_distributor;

ww_distributor *ww_distributor_create(const ww_distributor_config *config, ww_engine *engine);
void ww_distributor_destroy(ww_distributor *distributor);
/* Once, before the first request. */
void ww_distributor_connect(ww_distributor *distributor, const ww_distributor_wiring *wiring);
ww_port *ww_distributor_in(ww_distributor *distributor);      /* requests of the TLB above */
ww_port *ww_distributor_answers(ww_distributor *distributor); /* of walk warps */

#endif
