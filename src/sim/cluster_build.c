/* A cluster's compute units, caches, network and DRAM, and the ports between them. */
#include "base/memory.h"
#include "mem/mem_schema.h"
#include "sim/machine.h"
#include "vm/cuptw/cu_walker.h"

#include <string.h>

/* Cycles from a load's issue to its arrival at the L1: one in the load/store unit, one after. */
#define LOAD_OVERHEAD 2

/* ---- callbacks ---- */

static void group_done(void *context, unsigned cu)
{
    ww_cluster *cluster = context;
    ww_dispatcher_group_done(cluster->machine->dispatcher, cu);
}

static void slot_freed(void *context, unsigned cu)
{
    ww_cluster *cluster = context;
    ww_dispatcher_look(cluster->machine->dispatcher, cu);
}

static bool is_closed(void *context, unsigned cu)
{
    const ww_cluster *cluster = context;
    return ww_dispatcher_is_closed(cluster->machine->dispatcher, cu);
}

static void failed(void *context, int status)
{
    const ww_machine_wiring *w = &((ww_cluster *)context)->machine->wiring;
    w->failed(w->context, status);
}

static uint64_t mshr_cycles(void *context, unsigned cu, uint64_t cycle)
{
    const ww_cluster *cluster = context;
    return ww_cache_mshr_cycles(cluster->l1d[cu - cluster->first_cu], cycle);
}

/* The index of a compute unit among those that share its cache. */
static uint32_t sharer_of(const void *context, const ww_request *request)
{
    (void)context;
    return request->warp >> WW_SHARER_SHIFT;
}

/* ---- building ---- */

static ww_cache *create_cache(const ww_cluster *cluster, const char *prefix, ww_cache_level level,
                              uint64_t seed, unsigned producers, unsigned overhead)
{
    ww_cache_config c;
    ww_cache_configure(cluster->config, prefix, &c);
    c.name = prefix;
    c.level = level;
    c.start = ww_machine_policy_start(cluster->machine, prefix);
    c.start.seed = seed;
    c.clock = cluster->machine->clock;
    c.latency = c.latency > overhead ? c.latency - overhead : 1;
    c.producers = producers;
    c.atomics_here = level == WW_LEVEL_L2;
    if (!strcmp(prefix, "l1s"))
        c.in_queue += ww_cluster_reorder_flight(cluster);
    c.fill_queue += level == WW_LEVEL_L2 ? cluster->dram_flight : cluster->flight;
    if (level == WW_LEVEL_L2) {
        c.in_queue += cluster->flight;
        const ww_dram_map *map = &cluster->machine->dram_config.map;
        c.size /= map->channels;
        c.slices = map->channels;
        c.slice_lines = (uint32_t)(1ull << (map->interleave_bits - map->line_bits));
        c.atomic_interval = (uint32_t)ww_config_u64(cluster->config, "l2.atomic_interval");
    }
    return ww_cache_create(&c, cluster->engine, cluster->pool);
}

/* Their seeds follow on those of the clusters before. */
static ww_cache **create_caches(const ww_cluster *cluster, unsigned count, const char *prefix,
                                ww_cache_level level, unsigned producers, unsigned overhead)
{
    uint64_t seed = cluster->machine->seed + (uint64_t)cluster->index * count;
    ww_cache **caches = ww_calloc(count + 1, sizeof(ww_cache *));
    for (unsigned i = 0; i < count; i++)
        caches[i] = create_cache(cluster, prefix, level, seed + i, producers, overhead);
    return caches;
}

/* The ports of a slice are inputs of their own on the way up. On the way down they are one output
 * of all their bytes, since all of its requests go through one queue. */
static void configure_network(const ww_cluster *cluster, ww_crossbar_direction direction,
                              ww_crossbar_config *c)
{
    unsigned links = ww_cluster_link_count(cluster);
    bool down = direction == WW_CROSSBAR_DOWN;
    ww_crossbar_configure(cluster->config, c);
    c->clock = cluster->machine->network_clock;
    c->direction = direction;
    unsigned host = ww_cluster_host_ports(cluster);
    c->inputs =
        (down ? cluster->source_count : cluster->slice_count * cluster->slice_ports + host) + links;
    c->outputs = (down ? cluster->slice_count + host : cluster->source_count) + links;
    c->link_inputs = links;
    c->link_queue = c->queue + cluster->machine->link_flight;
    if (down)
        c->output_width *= cluster->slice_ports;
}

void ww_cluster_create_caches(ww_cluster *cluster)
{
    ww_crossbar_config network;
    configure_network(cluster, WW_CROSSBAR_DOWN, &network);
    cluster->flight = ww_crossbar_flight(&network);
    unsigned l1i_share = (unsigned)ww_config_u64(cluster->config, "l1i.shared_by");
    unsigned l1s_share = (unsigned)ww_config_u64(cluster->config, "l1s.shared_by");
    unsigned walks = cluster->vm.walkers != NULL, nvidia = cluster->vm.nvidia;
    cluster->l1d = create_caches(cluster, cluster->cu_count, "l1d", WW_LEVEL_L1,
                                 1 + (walks & nvidia), LOAD_OVERHEAD);
    cluster->l1i = create_caches(cluster, cluster->l1i_count, "l1i", WW_LEVEL_L1, l1i_share, 1);
    unsigned l1s_producers = l1s_share * (1 + (walks & ~nvidia));
    ww_cluster_create_reorder(cluster, l1s_producers);
    cluster->l1s = create_caches(cluster, cluster->l1s_count, "l1s", WW_LEVEL_L1,
                                 cluster->l1s_reorder ? 1 : l1s_producers, LOAD_OVERHEAD);
    cluster->l2 = create_caches(cluster, cluster->slice_count, "l2", WW_LEVEL_L2, 1, 0);
}

/* Most replies in flight from a slice to the network: one for each lookup in l2.latency cycles. */
static uint32_t replies_on_their_way(const ww_cluster *cluster)
{
    return (uint32_t)(ww_config_u64(cluster->config, "l2.latency") *
                      ww_config_u64(cluster->config, "l2.ports"));
}

/* Puts the links to the other clusters behind the `count` ports of a list. */
static void append_links(const ww_cluster *cluster, ww_crossbar_direction direction,
                         ww_port **ports, unsigned count)
{
    const ww_machine *m = cluster->machine;
    for (unsigned other = 0; other < m->cluster_count; other++)
        for (unsigned i = 0; other != cluster->index && i < m->link_ports; i++)
            ports[count++] = ww_link_in(ww_machine_link(m, direction, cluster->index, other), i);
}

static void create_down(ww_cluster *cluster)
{
    ww_crossbar_config c;
    configure_network(cluster, WW_CROSSBAR_DOWN, &c);
    ww_port **slices = ww_calloc(c.outputs, sizeof(ww_port *));
    for (unsigned i = 0; i < cluster->slice_count; i++)
        slices[i] = ww_cache_in(cluster->l2[i]);
    append_links(cluster, WW_CROSSBAR_DOWN, slices, cluster->slice_count);
    bool paged = ww_cluster_host_ports(cluster);
    if (paged)
        slices[c.outputs - 1] = ww_paging_host_port(cluster->machine->paging.paging);
    cluster->down = ww_crossbar_create(
        &c,
        &(ww_crossbar_wiring){cluster->engine, slices,
                              paged ? ww_cluster_route_paged : ww_cluster_route_request, cluster});
    free(slices);
}

static void create_up(ww_cluster *cluster)
{
    ww_crossbar_config c;
    unsigned caches = cluster->cu_count + cluster->l1i_count + cluster->l1s_count;
    configure_network(cluster, WW_CROSSBAR_UP, &c);
    c.queue += replies_on_their_way(cluster);
    ww_port **fills = ww_calloc(c.outputs, sizeof(ww_port *));
    if (ww_cluster_walk_ports(cluster))
        fills[caches] = ww_mmu_replies(cluster->vm.mmu);
    if (cluster->machine->paging.paging)
        fills[cluster->source_count - 1] = ww_paging_replies(cluster->machine->paging.paging);
    for (unsigned i = 0; i < caches; i++) {
        unsigned other = i - cluster->cu_count;
        fills[i] =
            ww_cache_fill(i < cluster->cu_count        ? cluster->l1d[i]
                          : other < cluster->l1i_count ? cluster->l1i[other]
                                                       : cluster->l1s[other - cluster->l1i_count]);
    }
    append_links(cluster, WW_CROSSBAR_UP, fills, cluster->source_count);
    cluster->up = ww_crossbar_create(
        &c, &(ww_crossbar_wiring){cluster->engine, fills, ww_cluster_route_reply, cluster});
    free(fills);
}

void ww_cluster_create_network(ww_cluster *cluster)
{
    create_down(cluster);
    create_up(cluster);
}

void ww_cluster_create_dram(ww_cluster *cluster)
{
    const ww_dram_config *config = &cluster->machine->dram_config;
    cluster->dram = ww_calloc(cluster->slice_count, sizeof(*cluster->dram));
    cluster->channels = ww_calloc(cluster->slice_count, sizeof(*cluster->channels));
    bool walks = cluster->vm.mmu && !ww_cluster_walk_ports(cluster);
    for (unsigned i = 0; i < cluster->slice_count; i++) {
        ww_port_init(&cluster->channels[i], cluster->engine, config->read_entries, walks ? 2 : 1);
        ww_dram_wiring wiring = {.engine = cluster->engine,
                                 .pool = cluster->pool,
                                 .in = &cluster->channels[i],
                                 .out = ww_cache_fill(cluster->l2[i]),
                                 .pte_out = walks ? ww_mmu_replies(cluster->vm.mmu) : NULL,
                                 .pte_source = ww_cluster_walk_source(cluster),
                                 .index = cluster->first_slice + i};
        cluster->dram[i] = ww_dram_create(config, &wiring);
    }
}

void ww_cluster_create_cus(ww_cluster *cluster)
{
    unsigned l1i_share = (unsigned)ww_config_u64(cluster->config, "l1i.shared_by");
    unsigned l1s_share = (unsigned)ww_config_u64(cluster->config, "l1s.shared_by");
    uint32_t latency = (uint32_t)ww_config_u64(cluster->config, "l1i.latency");
    unsigned source = cluster->first_source;
    cluster->cus = ww_calloc(cluster->cu_count, sizeof(*cluster->cus));
    cluster->l1s_launch = ww_calloc(cluster->l1s_count + 1, sizeof(*cluster->l1s_launch));
    for (unsigned i = 0; i < cluster->cu_count; i++) {
        unsigned l1i = i / l1i_share, l1s = i / l1s_share;
        ww_cu_wiring wiring = {
            .engine = cluster->engine,
            .pool = cluster->pool,
            .instructions = &cluster->machine->instructions,
            .start = ww_machine_policy_start(cluster->machine, "core"),
            .data = {.port = ww_cache_in(cluster->l1d[i]), .source = (uint16_t)(source + i)},
            .instruction = {ww_cache_in(cluster->l1i[l1i]),
                            (uint16_t)(source + cluster->cu_count + l1i), (uint16_t)(i % l1i_share),
                            latency},
            .mshr_cycles = mshr_cycles,
            .is_closed = is_closed,
            .slot_freed = slot_freed,
            .group_done = group_done,
            .failed = failed,
            .context = cluster,
            .observers = cluster->machine->wiring.observers,
            .check = cluster->machine->check};
        if (cluster->l1s_count)
            wiring.scalar =
                (ww_cu_link){ww_cluster_scalar_in(cluster, l1s),
                             (uint16_t)(source + cluster->cu_count + cluster->l1i_count + l1s),
                             (uint16_t)(i % l1s_share), 0};
        ww_cluster_vm_link(cluster, i, &wiring);
        cluster->cus[i] =
            ww_cu_create(cluster->first_cu + i, &cluster->machine->core_config, &wiring);
    }
}

/* Compute units that share a cache are neighbours in the list of its replies. Where their walkers
 * read through it, too, those follow, cache by cache. */
static ww_port **list_replies(const ww_cluster *cluster, ww_port *replies_of(ww_cu *core),
                              unsigned share, bool walks)
{
    unsigned caches = (cluster->cu_count + share - 1) / share;
    ww_port **replies = ww_calloc((size_t)caches * share * (1 + walks), sizeof(ww_port *));
    for (unsigned i = 0; i < cluster->cu_count; i++) {
        ww_port **here = &replies[(size_t)(i / share) * share * (1 + walks)];
        here[i % share] = replies_of(cluster->cus[i]);
        if (walks)
            here[share + i % share] = ww_cu_walker_replies(cluster->vm.walkers[i]);
    }
    return replies;
}

static void connect_caches(ww_cluster *cluster, ww_cache **caches, unsigned count,
                           unsigned shared_by, unsigned first_source, ww_port **replies)
{
    for (unsigned i = 0; i < count; i++) {
        ww_cache_wiring wiring = {.down = ww_crossbar_input(cluster->down, first_source + i),
                                  .outs = replies + (size_t)i * shared_by,
                                  .route = sharer_of};
        ww_cache_connect(caches[i], &wiring);
    }
}

/* A cache behind a reorder buffer has one port for replies, that of the buffer. */
static void connect_scalar_caches(ww_cluster *c, unsigned shared_by, unsigned first_source)
{
    if (!c->l1s_reorder) {
        connect_caches(c, c->l1s, c->l1s_count, shared_by, first_source, c->replies[2]);
        return;
    }
    for (unsigned i = 0; i < c->l1s_count; i++)
        ww_cache_connect(c->l1s[i],
                         &(ww_cache_wiring){.down = ww_crossbar_input(c->down, first_source + i),
                                            .outs = &c->l1s_reorder_replies[i]});
    ww_cluster_connect_reorder(c, c->replies[2], shared_by, sharer_of);
}

void ww_cluster_connect(ww_cluster *cluster)
{
    unsigned l1i_share = (unsigned)ww_config_u64(cluster->config, "l1i.shared_by");
    unsigned l1s_share = (unsigned)ww_config_u64(cluster->config, "l1s.shared_by");
    unsigned cus = cluster->cu_count;
    bool data_walks = ww_cluster_walks_through(cluster, cluster->l1d);
    bool scalar_walks = ww_cluster_walks_through(cluster, cluster->l1s);
    cluster->replies[0] = list_replies(cluster, ww_cu_data_replies, 1, data_walks);
    cluster->replies[1] = list_replies(cluster, ww_cu_instruction_replies, l1i_share, false);
    cluster->replies[2] = list_replies(cluster, ww_cu_scalar_replies, l1s_share, scalar_walks);
    cluster->replies[3] =
        ww_calloc((size_t)cluster->slice_count * cluster->slice_ports, sizeof(ww_port *));
    connect_caches(cluster, cluster->l1d, cus, 1 + data_walks, 0, cluster->replies[0]);
    connect_caches(cluster, cluster->l1i, cluster->l1i_count, l1i_share, cus, cluster->replies[1]);
    connect_scalar_caches(cluster, l1s_share * (1 + scalar_walks), cus + cluster->l1i_count);
    for (unsigned i = 0; i < cluster->slice_count * cluster->slice_ports; i++)
        cluster->replies[3][i] = ww_crossbar_input(cluster->up, i);
    for (unsigned i = 0; i < cluster->slice_count; i++) {
        ww_cache_wiring wiring = {.down = &cluster->channels[i],
                                  .outs = &cluster->replies[3][(size_t)i * cluster->slice_ports],
                                  .route = cluster->slice_ports > 1 ? ww_cluster_slice_port : NULL,
                                  .route_context = cluster};
        ww_cache_connect(cluster->l2[i], &wiring);
    }
}
