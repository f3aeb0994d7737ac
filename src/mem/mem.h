/* The memory system: what is between the compute units and the DRAM's pins.
 *
 *     compute unit ─ L1 ─┐                       ┌─ L2 slice ─ DRAM channel
 *                        ├─ crossbar down / up ──┤
 *     compute unit ─ L1 ─┘                       └─ L2 slice ─ DRAM channel
 *
 * Crossbars of several clusters are joined by links (link.h).
 *
 * Components talk through ports (engine/port.h) that carry requests (request.h). Each has a task of
 * its own and sleeps when it can do nothing. Values are not here: they are in exec/memory.h, and
 * happen at issue. */
#ifndef WW_MEM_MEM_H
#define WW_MEM_MEM_H

#include "engine/port.h"
#include "mem/mapping.h"
#include "mem/request.h"

/* Physical addresses of the host's memory, which the GPU reaches over a link (paging/). */
#define WW_HOST_MEMORY (1ull << 51)

/* The order within a tick, from the memory to the compute units: what a component frees can be used
 * in the same tick by its senders, and a reply can go all the way up in one tick. */
enum {
    WW_PHASE_DRAM,
    WW_PHASE_L2,
    WW_PHASE_NETWORK,
    WW_PHASE_L1,
    WW_PHASE_TRANSLATION,
    WW_PHASE_LOAD_STORE,
    WW_PHASE_BEFORE_ISSUE, /* of no component: for tests */
    WW_PHASE_ISSUE,
    WW_PHASE_DISPATCH,
};

#endif
