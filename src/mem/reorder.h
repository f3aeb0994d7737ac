/* A reorder buffer: passes requests on to a cache, and its replies back in the order of the
 * requests.
 *
 * entry      of a request from its start until its reply leaves
 * head       the oldest request: the only one whose reply can leave
 * width      requests that start, and replies that leave, in a cycle
 *
 * A request that starts in cycle c arrives at the cache in cycle c + latency, and occupies an entry
 * of the cache's queue from its start. A reply that leaves in cycle c arrives at its maker in cycle
 * c + latency. A reply that is there waits for those of all older requests, whoever made them.
 *
 * Makers accept all of their replies, and the cache can always send its own: the buffer has room
 * for a reply to each of its entries. So no two full queues wait for each other. */
#ifndef WW_MEM_REORDER_H
#define WW_MEM_REORDER_H

#include "engine/clock.h"
#include "engine/port.h"
#include "mem/reorder_stats.h"
#include "mem/request.h"

typedef struct ww_reorder_config {
    ww_clock clock;
    uint32_t entries;
    uint32_t width;
    uint32_t latency; /* cycles, each way */
    uint32_t queue;   /* requests that wait to start */
    uint32_t producers;
} ww_reorder_config;

typedef struct ww_reorder_wiring {
    ww_port *cache; /* takes the requests */
    ww_port **outs; /* the makers' ports for replies */
    /* Which of them a request's reply goes to. */
    uint32_t (*route)(const void *context, const ww_request *request);
    const void *context;
} ww_reorder_wiring;

typedef struct ww_reorder ww_reorder;

ww_reorder *ww_reorder_create(const ww_reorder_config *config, ww_engine *engine);
/* Once, before the first request. */
void ww_reorder_connect(ww_reorder *buffer, const ww_reorder_wiring *wiring);
void ww_reorder_destroy(ww_reorder *buffer);

ww_port *ww_reorder_in(ww_reorder *buffer);      /* for requests */
ww_port *ww_reorder_replies(ww_reorder *buffer); /* for the cache's replies */
const ww_reorder_counters *ww_reorder_count(const ww_reorder *buffer);

#endif
