/* Paging (paging.h) without a machine, for times that are counted by hand.
 *
 * tick       at 1.4 GHz: 28000 are 20 us, and a page of 4 KiB passes the link (16.384 GB/s) in 350
 * page       numbered from 0, of a buffer at 2 MiB; others may follow. 512 are a block.
 * memory     takes a line a tick and answers it 100 ticks later. So a page that has passed the link
 *            in tick t is written in t + WRITE: the next tick, 32 lines, the last answer.
 * access     a compute unit requests a page at a tick, for an instruction of its own. If the page
 *            is not in the page table, it faults, and is requested again WALK ticks after a replay.
 * shoot-down is done SHOOT ticks after its start */
#ifndef TESTS_SUPPORT_PAGING_RIG_H
#define TESTS_SUPPORT_PAGING_RIG_H

#include "paging/paging.h"

enum {
    PAGING_LATENCY = 28000,
    PAGING_PAGE = 350, /* ticks on the link */
    PAGING_WRITE = 133,
    PAGING_WALK = 30,
    PAGING_SHOOT = 40,
    PAGING_CUS = 4,
    PAGING_BASE = 512, /* number of page 0 */
    PAGING_PAGES = 4096,
    PAGING_ACCESSES = 4096
};

typedef struct paging_access {
    ww_task task;
    struct paging_rig *rig;
    unsigned cu, page;
    uint64_t instruction;
    bool writes, faulted;
    ww_tick done; /* it was translated; 0: not yet */
} paging_access;

typedef struct paging_page {
    bool placed, mapped;
    ww_tick resident; /* when it came last; 0: never */
    ww_tick left;     /* when it was taken out of the page table last; 0: never */
    unsigned order;   /* in which it came last, from 1 */
    unsigned times;   /* that it came */
} paging_page;

typedef struct paging_rig {
    ww_config *config;
    ww_engine *engine;
    ww_request_pool *pool;
    ww_paging *paging;
    ww_port network;
    ww_task memory;
    ww_task shoot, pause;
    void (*shot)(void *owner);
    void *shot_owner;
    paging_page pages[PAGING_PAGES];
    unsigned arrivals, placed;
    unsigned filled; /* pages that came without passing the link: for paging_rig_check */
    paging_access accesses[PAGING_ACCESSES];
    unsigned access_count;
    bool blocked[PAGING_CUS];
} paging_rig;

/* `settings`: keys without "paging." and their values, separated by blanks; all of mode demand
 * unless "mode=copy" is among them. `pages`: of the buffer. `order`: for the oracle, or NULL. */
paging_rig *paging_rig_create(const char *settings, unsigned pages, const uint64_t *order,
                              size_t order_count);
void paging_rig_destroy(paging_rig *rig);

void paging_rig_launch(paging_rig *rig, ww_tick at);
paging_access *paging_rig_access(paging_rig *rig, ww_tick at, unsigned cu, unsigned page);
/* The launch ends in this tick: time of paging stands still. */
void paging_rig_end_launch(paging_rig *rig, ww_tick at);
/* Launches at tick 0 and runs until nothing is due. */
void paging_rig_run(paging_rig *rig);
void paging_rig_run_until(paging_rig *rig, ww_tick limit);
const ww_paging_counters *paging_rig_count(paging_rig *rig);

/* What holds when nothing moves any more: bytes are pages, memory is that of resident pages. */
void paging_rig_check(paging_rig *rig);

#define paging_rig_expect_resident(rig, page, at) assert_int_equal((rig)->pages[page].resident, at)

#endif
