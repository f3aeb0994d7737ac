/* A cluster: a part of a machine with its own network.
 *
 *     compute units ─ L1 data ───────┐
 *         │  └─ L1 scalar (shared) ──┼─ crossbar ─ L2 slice ─ DRAM channel, one for each
 *         └──── L1 instruction (sh.) ┘
 *
 * source   a component that sends to the network down: L1 data, instruction and scalar caches in
 *          this order, then the walkers, if they read through the L2, and DMA, if memory is
 *          paged (that of the first cluster is used). A request carries its
 *          source's number, which counts over all clusters: the way of its reply.
 * link     to another cluster (mem/link.h): more outputs and inputs of both crossbars
 *
 * Translation, from the load/store units to the walkers, is not drawn (vm/vm.h). Files:
 * cluster.c (life), cluster_build.c (compute units and memory), cluster_route.c (ways through
 * networks), cluster_reorder.c (the order of scalar replies), cluster_vm.c (translation),
 * cluster_cuptw.c (walks on compute units). */
#ifndef WW_SIM_CLUSTER_H
#define WW_SIM_CLUSTER_H

#include "core/core.h"
#include "mem/cache.h"
#include "mem/crossbar.h"
#include "mem/dram.h"
#include "mem/reorder.h"
#include "vm/mmu.h"
#include "vm/tlb.h"

/* TLBs and walkers. With ideal translation there are none. */
typedef struct ww_cluster_vm {
    bool ideal;
    ww_tlb **l1, **l1s; /* one of each compute unit, and of each scalar cache */
    ww_tlb *l2;
    ww_tlb *iommu[2]; /* NULL: there is none */
    ww_mmu *mmu;
    ww_port **lists[4];                 /* of ports, for the wiring of TLBs and walkers */
    struct ww_cu_walker **walkers;      /* of compute units (cuptw.mode); NULL: there are none */
    ww_port **walker_ports;             /* into them */
    bool nvidia;                        /* they read through L1 data caches, not scalar caches */
    struct ww_distributor *distributor; /* of walks, to them (softwalker); NULL: there is none */
} ww_cluster_vm;

typedef struct ww_cluster {
    struct ww_machine *machine;
    const ww_config *config; /* the machine's, and so the next two */
    ww_engine *engine;
    ww_request_pool *pool;
    unsigned index;
    unsigned first_cu, first_slice;
    unsigned cu_count, slice_count, l1i_count, l1s_count;
    unsigned slice_ports; /* of each slice, into the network */
    unsigned first_source, source_count;
    /* Most requests in flight to one port, in the network and from the DRAM, for queue sizes. */
    uint32_t flight, dram_flight;
    ww_cu **cus;
    uint64_t *l1s_launch; /* by scalar cache: the launch that it was last used in */
    ww_cache **l1d, **l1i, **l1s, **l2;
    ww_reorder **l1s_reorder;      /* one before each scalar cache; NULL: none */
    ww_port **l1s_reorder_replies; /* their ports for replies */
    ww_dram **dram;
    ww_port *channels;    /* into the DRAM */
    ww_port **replies[4]; /* lists of ports, for caches: data, instruction, scalar, L2 */
    ww_crossbar *down, *up;
    ww_cluster_vm vm;
} ww_cluster;

/* cluster.c */
void ww_cluster_create(ww_cluster *cluster, struct ww_machine *machine, unsigned index);
void ww_cluster_destroy(ww_cluster *cluster);
/* A launch comes to a compute unit, counted here: its L1 caches are invalidated if they have to. */
void ww_cluster_begin(ww_cluster *cluster, unsigned cu, uint64_t launch);

/* cluster_reorder.c: the buffers before scalar caches, if the machine has them. */
void ww_cluster_create_reorder(ww_cluster *cluster, unsigned producers);
void ww_cluster_destroy_reorder(ww_cluster *cluster);
/* Entries of a scalar cache's queue that requests on their way from its buffer occupy. */
uint32_t ww_cluster_reorder_flight(const ww_cluster *cluster);
/* Where requests to a scalar cache go. */
ww_port *ww_cluster_scalar_in(const ww_cluster *cluster, unsigned cache);
/* Puts a buffer between each scalar cache and those that share it: `replies` has their ports, cache
 * by cache, and `route` says which of them a reply goes to. */
void ww_cluster_connect_reorder(ww_cluster *cluster, ww_port **replies, unsigned shared_by,
                                uint32_t route(const void *context, const ww_request *request));

/* cluster_build.c: the parts of the cluster, in the order of their creation. */
void ww_cluster_create_caches(ww_cluster *cluster);
void ww_cluster_create_network(ww_cluster *cluster);
void ww_cluster_create_dram(ww_cluster *cluster);
void ww_cluster_create_cus(ww_cluster *cluster);
void ww_cluster_connect(ww_cluster *cluster);

/* cluster_route.c */
unsigned ww_cluster_link_count(const ww_cluster *cluster); /* ports of links, on each side */
/* Where port `port` of the link from another cluster sends to. */
ww_port *ww_cluster_link_input(const ww_cluster *cluster, ww_crossbar_direction direction,
                               unsigned from, unsigned port);
/* The port of a slice that a reply leaves through. */
uint32_t ww_cluster_slice_port(const void *cluster, const ww_request *request);
/* The output of the crossbar down, without and with paged memory, and up. */
ww_crossbar_route_fn ww_cluster_route_request, ww_cluster_route_paged, ww_cluster_route_reply;
/* Ports to the host, on each side: 1 where memory is paged. */
unsigned ww_cluster_host_ports(const ww_cluster *cluster);
/* Where replies from the host enter the network. */
ww_port *ww_cluster_host_input(const ww_cluster *cluster);

/* cluster_vm.c */
unsigned ww_cluster_walk_ports(const ww_cluster *cluster);  /* of the network, for walkers */
uint16_t ww_cluster_walk_source(const ww_cluster *cluster); /* of the walkers' requests */
void ww_cluster_vm_create(ww_cluster *cluster);             /* before the network */
void ww_cluster_vm_connect(ww_cluster *cluster);            /* when all components exist */
void ww_cluster_vm_destroy(ww_cluster *cluster);
/* Between launches: removes the page of an address from TLBs and walk caches. */
void ww_cluster_vm_invalidate(ww_cluster *cluster, uint64_t address);
/* Sets the wiring of a compute unit, counted here, to its TLBs. */
void ww_cluster_vm_link(ww_cluster *cluster, unsigned cu, ww_cu_wiring *wiring);

/* cluster_cuptw.c: nothing of it does anything where compute units make no walks. */
void ww_cluster_cuptw_create(ww_cluster *cluster); /* before TLBs and caches */
/* When the MMU exists: the distributor, for so many requests. */
void ww_cluster_cuptw_create_distributor(ww_cluster *cluster, uint32_t most);
void ww_cluster_cuptw_destroy(ww_cluster *cluster);
void ww_cluster_cuptw_configure_tlb(const ww_cluster *cluster, ww_tlb_config *tlb, bool is_l1);
void ww_cluster_cuptw_connect(ww_cluster *cluster); /* before TLBs are connected */
/* An L1 TLB whose answers go to compute units from `first` on; the L2 TLB. */
void ww_cluster_cuptw_wire_tlb(ww_cluster *cluster, ww_tlb_wiring *tlb, unsigned first);
void ww_cluster_cuptw_wire_l2(ww_cluster *cluster, ww_tlb_wiring *tlb);
/* Where the last TLB sends its misses; `fill`: where it gets the answers. */
ww_port *ww_cluster_walks_in(ww_cluster *cluster);
void ww_cluster_cuptw_connect_distributor(ww_cluster *cluster, ww_port *fill);
/* Whether walkers of compute units read through these caches: each has twice as many sharers then,
 * walkers behind load/store units. */
bool ww_cluster_walks_through(const ww_cluster *cluster, ww_cache *const *caches);
/* A target of shoot-downs: the cluster's walkers. */
unsigned ww_cluster_cuptw_invalidate(void *cluster, const ww_invalidation *what);

#endif
