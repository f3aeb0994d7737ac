/* A machine: every component of the timing model, built from a configuration and connected.
 *
 * cluster   compute units with their L1 caches and TLBs, a network, and a part of the L2 and of the
 *           DRAM (cluster.h). A machine has one or more.
 * link      carries requests or replies from one cluster to another (mem/link.h)
 *
 * The machine has what all clusters share: time, the owner of frames, the map from addresses to
 * slices, the pool of requests, and the dispatcher. Compute units and slices have numbers over the
 * whole machine, those of cluster 0 first. */
#ifndef WW_SIM_MACHINE_H
#define WW_SIM_MACHINE_H

#include "core/checked_mode.h"
#include "core/dispatch.h"
#include "energy/energy.h"
#include "mem/dram.h"
#include "mem/link.h"
#include "paging/paging.h"
#include "sim/cluster.h"
#include "sim/first_pass.h"
#include "stats/stats.h"
#include "vm/driver.h"
#include "vm/shootdown.h"

#define WW_PROGRAM_ASID 0u /* of the one program that runs */

/* What runs launches on the machine. */
typedef struct ww_machine_wiring {
    const struct ww_cu_observer *observers; /* core/observer.h; NULL: none */
    /* A launch comes to a compute unit, before its first group. */
    void (*begin)(void *context, unsigned cu);
    /* The run stops: the program is at fault, or no frame is left for a page. */
    void (*failed)(void *context, int status);
    void (*out_of_memory)(void *context);
    void *context;
    const ww_paging_observer *pages; /* NULL: none */
    const ww_first_pass *first_pass; /* NULL: there was none */
} ww_machine_wiring;

/* With paging.mode resident there is none of this. */
typedef struct ww_machine_paging {
    ww_paging *paging;
    ww_shootdown *shootdown;
    unsigned l1s_share;              /* compute units that share a scalar cache */
    unsigned flushes;                /* caches that are being flushed */
    void (*flush_done)(void *owner); /* called after the last */
    void *flush_owner;
} ww_machine_paging;

typedef struct ww_machine {
    const ww_config *config;
    ww_machine_wiring wiring;
    ww_policy_start policy_start; /* without prefix and geometry */
    uint64_t seed;
    uint64_t base_hertz;
    ww_clock clock; /* of the compute units */
    ww_clock network_clock;
    ww_engine *engine;
    ww_request_pool *pool;
    ww_driver *driver;
    ww_machine_paging paging;
    ww_checker *check; /* NULL: not checked */
    ww_cu_config core_config;
    ww_dram_config dram_config;
    unsigned cu_count, slice_count; /* of all clusters */
    unsigned cluster_count;
    ww_cluster *clusters;
    ww_cu **cus; /* of all clusters */
    ww_dispatcher *dispatcher;
    ww_link **links[2];            /* [direction][from * clusters + to]; NULL in a machine of one */
    uint32_t link_ports;           /* of each link, */
    uint32_t link_flight;          /* and packets on their way from one */
    uint64_t memory_instructions;  /* so far */
    uint64_t instructions;         /* issued by all compute units */
    ww_cu_counters of_all;         /* of all compute units together: cycles, blame, walks */
    uint64_t *instructions_before; /* by compute unit: when measuring began */
    ww_cu_counters blamed_to;      /* what they had recorded when blame was last computed */
    ww_energy_prices energy_prices;
    ww_energy energy; /* as of the last ww_machine_collect_stats */
} ww_machine;

/* The configuration was checked; it and the policies outlive the machine. */
ww_machine *ww_machine_create(const ww_config *config, uint64_t seed, ww_policies *policies,
                              const ww_machine_wiring *wiring);
void ww_machine_destroy(ww_machine *machine);

/* For the policies of a component whose keys have this prefix. */
ww_policy_start ww_machine_policy_start(const ww_machine *machine, const char *prefix);

/* The cluster of a compute unit. */
ww_cluster *ww_machine_cluster(const ww_machine *machine, unsigned cu);

/* machine_links.c: links are created before the clusters, and connected after. */
void ww_machine_create_links(ww_machine *machine);
void ww_machine_connect_links(ww_machine *machine);
void ww_machine_destroy_links(ww_machine *machine);
ww_link *ww_machine_link(const ww_machine *machine, ww_crossbar_direction direction, unsigned from,
                         unsigned to);

/* machine_paging.c: before the clusters, and when all is connected. */
void ww_machine_create_paging(ww_machine *machine);
void ww_machine_connect_paging(ww_machine *machine);
void ww_machine_destroy_paging(ww_machine *machine);

/* machine_stats.c: adds every component's counters. ww_machine_collect_stats has to be called
 * before they are read. */
void ww_machine_add_stats(ww_machine *machine, ww_stats *stats);
void ww_machine_collect_stats(ww_machine *machine);
/* What is not a sum counts from here: before ww_stats_mark. */
void ww_machine_begin_measuring(ww_machine *machine);

/* machine_energy.c: what all components have spent so far, in this time. */
ww_energy ww_machine_energy(const ww_machine *machine, double seconds);

#endif
