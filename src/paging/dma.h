/* DMA: copies pages between the link and the GPU's memory with real requests.
 *
 * job    consecutive bytes of physical memory that are written, or read. Jobs are served in the order
 *        in which they came; the first line of one follows the last line of the one before.
 *
 * A job has a request for each line. They enter the network as those of caches do, compete with
 * them, and are answered. */
#ifndef WW_PAGING_DMA_H
#define WW_PAGING_DMA_H

#include "engine/clock.h"
#include "mem/mem.h"

typedef struct ww_dma_config {
    ww_clock clock; /* of the network */
    uint32_t line, sector;
    uint32_t outstanding; /* requests, at most */
} ww_dma_config;

typedef struct ww_dma ww_dma;

ww_dma *ww_dma_create(const ww_dma_config *config, ww_engine *engine, ww_request_pool *pool);
void ww_dma_destroy(ww_dma *dma);
/* Once: the port into the network, and the number by which replies find the way back. */
void ww_dma_connect(ww_dma *dma, ww_port *out, uint16_t source);
ww_port *ww_dma_replies(ww_dma *dma);

/* Whole lines. `done` is called when the last request is answered. */
void ww_dma_write(ww_dma *dma, uint64_t physical, uint64_t bytes, void (*done)(void *owner),
                  void *owner);
void ww_dma_read(ww_dma *dma, uint64_t physical, uint64_t bytes, void (*done)(void *owner),
                 void *owner);

/* Between launches no request is sent. */
void ww_dma_pause(ww_dma *dma);
void ww_dma_resume(ww_dma *dma, ww_tick at);

#endif
