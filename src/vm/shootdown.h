/* Shoot-down: removes the translations of pages, or of an address space, from the whole machine.
 *
 * target   a component with translations: the MMU, a TLB, a compute unit
 * level    of a target; level 0 is the MMU, then come the TLBs from the last to the first, then the
 *          compute units. A level gets the message when all targets of the level below have
 *          acknowledged it. So a target that has dropped a translation cannot get it again from
 *          below; and what a level has sent up before, the level above still has to drop.
 * done     all targets have acknowledged: no stale translation is left, and no access by one is in
 *          flight. The frames can be used for other pages.
 *
 * Shoot-downs are made one after the other, in the order of their start. */
#ifndef WW_VM_SHOOTDOWN_H
#define WW_VM_SHOOTDOWN_H

#include "engine/clock.h"
#include "vm/vm.h"

typedef struct ww_shootdown_target {
    unsigned level;
    /* Returns how many acknowledgements follow later (ww_invalidation); 0: it is done. */
    unsigned (*invalidate)(void *owner, const ww_invalidation *what);
    void *owner;
} ww_shootdown_target;

typedef struct ww_shootdown_config {
    ww_clock clock;
    uint32_t latency; /* cycles from level to level, at least 1 */
} ww_shootdown_config;

typedef struct ww_shootdown ww_shootdown;

ww_shootdown *ww_shootdown_create(const ww_shootdown_config *config, ww_engine *engine);
void ww_shootdown_destroy(ww_shootdown *shootdown);
/* Before the first start, in the order of levels. */
void ww_shootdown_add(ww_shootdown *shootdown, const ww_shootdown_target *target);
/* The page table has been changed. Level 0 gets the message `latency` cycles later. The pages are
 * sorted, without duplicates, and copied; with `all`, there are none. */
void ww_shootdown_start(ww_shootdown *shootdown, uint16_t asid, const uint64_t *pages,
                        uint32_t count, bool all, void (*done)(void *context), void *context);

/* Targets of this folder; the owner is a ww_tlb or a ww_mmu. */
unsigned ww_shootdown_tlb(void *tlb, const ww_invalidation *what);
unsigned ww_shootdown_mmu(void *mmu, const ww_invalidation *what);

#endif
