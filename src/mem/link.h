/* A link: carries requests from the network of one cluster to that of another, or replies back.
 *
 * port       a queue that an output of the sending network fills; its packets leave in order, to an
 *            input of the receiving network
 * packet     a request or a reply: the link's header, and perhaps data, as in the crossbar
 * bandwidth  bytes that a port passes in a cycle
 *
 * A packet that takes n cycles to pass and starts in cycle c arrives whole in cycle
 * c + latency + n - 1; the next one of its port can start in cycle c + n. A packet occupies an
 * entry of the receiver's queue from its start, and does not start while that is full. So the
 * receiver's queue limits the rate unless it has ww_link_flight entries more than it is meant to
 * have.
 *
 * Requests and replies have links of their own, and a packet crosses one link at most: requests
 * wait for slices, replies for L1 caches and walkers, which accept all of them. So no two full
 * queues wait for each other. */
#ifndef WW_MEM_LINK_H
#define WW_MEM_LINK_H

#include "mem/crossbar.h"
#include "mem/link_stats.h"

typedef struct ww_link_config {
    ww_crossbar_direction direction; /* of the networks: down has requests, up replies */
    ww_clock clock;
    uint32_t ports;
    uint32_t queue; /* packets, at each port, those on their way there included */
    uint32_t latency;
    uint32_t bandwidth; /* of a port */
    uint32_t header;    /* bytes */
    uint32_t sector_size;
    uint32_t from, to; /* clusters, for messages */
} ww_link_config;

typedef struct ww_link ww_link;

ww_link *ww_link_create(const ww_link_config *config, ww_engine *engine);
/* Once, before the first packet: the receiver of each port. */
void ww_link_connect(ww_link *link, ww_port *const *outs);
void ww_link_destroy(ww_link *link);

ww_port *ww_link_in(ww_link *link, uint32_t port);
const ww_link_counters *ww_link_count(const ww_link *link);
/* Packets on their way from one port when it passes one every cycle. */
uint32_t ww_link_flight(const ww_link_config *config);

#endif
