/* Accesses of the GPU to pages that stay on the host: each line is a packet on the link.
 *
 * host memory   physical addresses with WW_HOST_MEMORY (mem/mem.h); the page table says that a page
 *               is there
 * read          a packet without data goes to the host, and one with the sectors comes back
 * write         a packet with the sectors goes to the host; it has taken effect when it is there
 * atomic        a packet each way, both with the sectors
 *
 * All packets pass the link in order, those of pages that move included. */
#ifndef WW_PAGING_REMOTE_H
#define WW_PAGING_REMOTE_H

#include "mem/mem.h"
#include "paging/pcie.h"

typedef struct ww_remote_config {
    uint32_t sector;      /* bytes */
    uint32_t outstanding; /* requests on their way, at most */
    uint32_t producers;   /* networks that send requests */
    ww_tick memory_ticks; /* that the host's memory takes */
} ww_remote_config;

typedef struct ww_remote ww_remote;

ww_remote *ww_remote_create(const ww_remote_config *config, ww_engine *engine, ww_timers *timers,
                            ww_pcie *pcie);
void ww_remote_destroy(ww_remote *remote);
ww_port *ww_remote_in(ww_remote *remote);
/* Once, before the first request: where the replies of each network's `sources` sources go. */
void ww_remote_connect(ww_remote *remote, ww_port *const *outs, uint32_t sources);
uint64_t ww_remote_count(const ww_remote *remote); /* requests so far */

#endif
