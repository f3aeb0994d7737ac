/* The ways of requests and replies through the networks of clusters: to a slice or a source here,
 * or over the link to the cluster that has it. Behind the ports of its own side a crossbar has
 * those of links: `link_ports` for each other cluster, in the order of clusters. Where memory is
 * paged, the host has one more port: behind all outputs, and in front of the inputs of links. */
#include "sim/machine.h"

/* The number of a cluster among the others. */
static unsigned other_of(const ww_cluster *c, unsigned cluster)
{
    return cluster < c->index ? cluster : cluster - 1;
}

unsigned ww_cluster_link_count(const ww_cluster *c)
{
    return (c->machine->cluster_count - 1) * c->machine->link_ports;
}

ww_port *ww_cluster_link_input(const ww_cluster *c, ww_crossbar_direction direction, unsigned from,
                               unsigned port)
{
    unsigned first = direction == WW_CROSSBAR_DOWN
                         ? c->source_count
                         : c->slice_count * c->slice_ports + ww_cluster_host_ports(c);
    return ww_crossbar_input(direction == WW_CROSSBAR_DOWN ? c->down : c->up,
                             first + other_of(c, from) * c->machine->link_ports + port);
}

uint32_t ww_cluster_slice_port(const void *cluster, const ww_request *request)
{
    const ww_cluster *c = cluster;
    const ww_dram_map *map = &c->machine->dram_config.map;
    return (uint32_t)((request->address >> map->line_bits) % c->slice_ports);
}

/* The port of the links to another cluster. A line uses the same one in both directions. */
static uint32_t link_port(const ww_cluster *c, unsigned cluster, uint32_t slice,
                          const ww_request *request)
{
    unsigned ports = c->machine->link_ports;
    uint32_t slice_port = slice * c->slice_ports + ww_cluster_slice_port(c, request);
    return other_of(c, cluster) * ports + slice_port % ports;
}

uint32_t ww_cluster_route_request(const void *cluster, const ww_request *request)
{
    const ww_cluster *c = cluster;
    uint32_t slice = ww_dram_map_channel(&c->machine->dram_config.map, request->address);
    uint32_t here = slice - c->first_slice;
    if (here < c->slice_count)
        return here;
    return c->slice_count + link_port(c, slice / c->slice_count, slice, request);
}

unsigned ww_cluster_host_ports(const ww_cluster *c)
{
    return c->machine->paging.paging != NULL;
}

ww_port *ww_cluster_host_input(const ww_cluster *c)
{
    return ww_crossbar_input(c->up, c->slice_count * c->slice_ports);
}

/* The host is behind the slices and the links. */
uint32_t ww_cluster_route_paged(const void *cluster, const ww_request *request)
{
    const ww_cluster *c = cluster;
    if (request->address & WW_HOST_MEMORY)
        return c->slice_count + ww_cluster_link_count(c);
    return ww_cluster_route_request(cluster, request);
}

uint32_t ww_cluster_route_reply(const void *cluster, const ww_request *request)
{
    const ww_cluster *c = cluster;
    uint32_t here = request->source - c->first_source;
    if (here < c->source_count)
        return here;
    uint32_t slice = ww_dram_map_channel(&c->machine->dram_config.map, request->address);
    return c->source_count + link_port(c, request->source / c->source_count, slice, request);
}
