/* DMA: copies pages between the link and the GPU's memory, with a request for each line.
 *
 * copy         a range of lines that is written or read. Copies are sent in the order in which they
 *              were given; the lines of the next one follow directly. A copy is done when its last
 *              line is answered.
 * network      the port that requests are sent to; replies come back to ww_dma_replies
 * outstanding  lines that were sent and are not answered yet
 * pause        no line is sent; those that were sent are answered. It starts paused.
 *
 * Requests have a class of their own, so that statistics of the program's data do not count them,
 * and no ticket: checked mode checks requests of compute units only. */
#ifndef WW_PAGING_DMA_H
#define WW_PAGING_DMA_H

#include "engine/clock.h"
#include "mem/mem.h"

typedef struct ww_dma_config {
    ww_clock clock;
    uint32_t line, sector;    /* bytes */
    uint32_t outstanding;     /* lines, at most */
    uint32_t lines_per_cycle; /* sent, at most */
} ww_dma_config;

typedef struct ww_dma_counters {
    uint64_t copies;        /* that are done */
    uint64_t reads, writes; /* lines, sent */
    uint64_t latency_ticks; /* from sending a line to its reply, of all lines */
} ww_dma_counters;

typedef struct ww_dma ww_dma;

ww_dma *ww_dma_create(const ww_dma_config *config, ww_engine *engine, ww_request_pool *pool);
void ww_dma_destroy(ww_dma *dma);
/* Once, before the first copy. `source`: the port of the network that replies go to. */
void ww_dma_connect(ww_dma *dma, ww_port *network, uint16_t source);
ww_port *ww_dma_replies(ww_dma *dma);

/* Whole lines of the GPU's memory. `done` is called in the phase of dispatch, in a later tick; it
 * may start other copies. */
void ww_dma_write(ww_dma *dma, uint64_t physical, uint64_t bytes, void (*done)(void *owner),
                  void *owner);
void ww_dma_read(ww_dma *dma, uint64_t physical, uint64_t bytes, void (*done)(void *owner),
                 void *owner);

void ww_dma_pause(ww_dma *dma);
/* Sends again from a tick on that has not run yet. */
void ww_dma_resume(ww_dma *dma, ww_tick at);
const ww_dma_counters *ww_dma_count(const ww_dma *dma);

#endif
