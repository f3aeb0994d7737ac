/* The link between host and GPU.
 *
 * transfer   bytes that pass in one direction; its owner embeds it and is told when it is done
 * lane       what transfers pass one after the other, in the order in which they were sent: one for
 *            each direction (duplex), or one for both
 * packet     at most `payload` bytes of a transfer and a header; a transfer has at least one
 * busy       period: the lane passes bytes without a gap. Its n-th byte has passed n / bandwidth
 *            after its start, rounded up to a tick: no rounding errors add up. A transfer that is
 *            sent in the tick in which the last one has passed continues the period.
 * backlog    ticks until the lane has passed all that was sent
 *
 * A transfer is done when its last byte has passed, or `latency` later. Bytes of the next transfer
 * pass during the latency of the one before. Time is that of timers.h. */
#ifndef WW_PAGING_PCIE_H
#define WW_PAGING_PCIE_H

#include "paging/timers.h"

typedef enum ww_pcie_direction { WW_PCIE_TO_GPU, WW_PCIE_TO_HOST, WW_PCIE_COUNT } ww_pcie_direction;

typedef struct ww_pcie_config {
    uint64_t base_hertz; /* ticks in a second */
    uint64_t bandwidth;  /* bytes in a second, of a lane */
    ww_tick latency;     /* one way */
    uint32_t payload;    /* bytes, of a packet at most */
    uint32_t header;     /* bytes, of each packet */
    bool duplex;         /* each direction has a lane of its own */
} ww_pcie_config;

typedef struct ww_transfer {
    uint64_t bytes; /* 0: a packet without payload */
    ww_pcie_direction direction;
    void (*done)(void *owner); /* may send this transfer again, or free it */
    void *owner;
    /* For pcie.c. */
    struct ww_transfer *link;
    ww_tick sent, start, end; /* from `start` to `end` its bytes pass */
    ww_tick due;              /* it is done */
} ww_transfer;

/* Of one direction. A transfer counts when its last byte has passed. */
typedef struct ww_pcie_counters {
    uint64_t transfers;
    uint64_t bytes;         /* of payload */
    uint64_t wire_bytes;    /* with headers */
    uint64_t busy_ticks;    /* in which its transfers passed */
    uint64_t waiting_ticks; /* from sending to `start`, of all transfers */
} ww_pcie_counters;

typedef struct ww_pcie ww_pcie;

/* The timers outlive it. */
ww_pcie *ww_pcie_create(const ww_pcie_config *config, ww_engine *engine, ww_timers *timers);
void ww_pcie_destroy(ww_pcie *pcie);

/* The transfer must not move in memory until it is done. */
void ww_pcie_send(ww_pcie *pcie, ww_transfer *transfer, bool with_latency);
/* That a transfer of so many bytes takes to pass an idle lane, without latency. */
ww_tick ww_pcie_ticks(const ww_pcie *pcie, uint64_t bytes);
/* In which bytes of this direction have passed so far, those of a transfer that passes included. */
ww_tick ww_pcie_busy(const ww_pcie *pcie, ww_pcie_direction direction);
ww_tick ww_pcie_backlog(const ww_pcie *pcie, ww_pcie_direction direction);
const ww_pcie_counters *ww_pcie_count(const ww_pcie *pcie, ww_pcie_direction direction);

#endif
