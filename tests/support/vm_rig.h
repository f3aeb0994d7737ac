/* A compute unit (core_rig.h) with real TLBs of three levels, walkers, a driver and a shoot-down,
 * in checked mode: every request must go to the frame that its page has at that time.
 *
 * move      takes the page at `page` out of its frame, and gives it another one when the shoot-down
 *           is done. The old frame is another page's then.
 * replace   the same for all pages of the program: another address space takes the place of its
 * own, under the same identifier without   parts that the shoot-down leaves out: what a rig does
 * with a broken one Instructions that fault in between are parked, and replayed when the shoot-down
 * is done. */
#ifndef TESTS_SUPPORT_VM_RIG_H
#define TESTS_SUPPORT_VM_RIG_H

#include "support/core_rig.h"
#include "vm/driver.h"
#include "vm/mmu.h"
#include "vm/shootdown.h"
#include "vm/tlb.h"

enum { VM_RIG_MMU = 1, VM_RIG_IOMMU = 2, VM_RIG_L2 = 4, VM_RIG_L1 = 8, VM_RIG_CU = 16 };

typedef struct vm_rig {
    core_rig core; /* `config` and the like may be changed until vm_rig_run */
    /* Likewise. */
    ww_mmu_config mmu_config;
    const char *scheduler, *merge;
    const char *tlb_merge; /* NULL: none */
    uint32_t entries[3];   /* of the L1, the L2 and the IOMMU's TLB */
    uint32_t latency;      /* of the shoot-down, from level to level */
    unsigned without;
    bool replace;
    unsigned page;   /* of the buffer */
    unsigned pages;  /* to be moved at once: that page and every second one after it */
    ww_tick move_at; /* 0: never */

    ww_driver *driver;
    ww_tlb *tlbs[3];
    ww_mmu *mmu;
    ww_shootdown *shootdown;
    uint16_t space; /* of the driver, that the program's identifier stands for */
    ww_port memory;
    ww_task memory_task, move_task;
    ww_port *lists[5];
    ww_mapping mapping;
    unsigned faults;
    ww_tick done_at; /* the shoot-down; 0: not yet */
} vm_rig;

void vm_rig_init(vm_rig *rig);
/* Runs the kernel to its end, or until checked mode finds a request that is wrong: false, and
 * *line, which the caller frees, says what. */
bool vm_rig_run(vm_rig *rig, const char *text, char **line);

#endif
