/* What drivers tell the compute units and their TLBs. */
#ifndef WW_PAGING_HARDWARE_H
#define WW_PAGING_HARDWARE_H

#include <stdbool.h>
#include <stdint.h>

/* `cu` counts over the whole machine. */
typedef struct ww_paging_hardware {
    /* The page's requests of this compute unit go again. False: none goes yet, because their
     * instructions wait for other pages, too. */
    bool (*replay)(void *context, unsigned cu, uint64_t page);
    /* Whether its L1 TLBs take requests other than replays. */
    void (*block)(void *context, unsigned cu, bool blocked);
    void *context;
    unsigned cus;
} ww_paging_hardware;

#endif
