/* The links of a machine: from each cluster to each other one, for requests and for replies. */
#include "base/memory.h"
#include "mem/mem_schema.h"
#include "sim/machine.h"

ww_link *ww_machine_link(const ww_machine *m, ww_crossbar_direction direction, unsigned from,
                         unsigned to)
{
    return m->links[direction][from * m->cluster_count + to];
}

static void configure(const ww_machine *m, ww_crossbar_direction direction, ww_link_config *c)
{
    ww_crossbar_config network;
    ww_link_configure(m->config, c);
    ww_crossbar_configure(m->config, &network);
    c->direction = direction;
    c->clock = m->clock;
    c->queue += ww_crossbar_flight(&network);
}

void ww_machine_create_links(ww_machine *m)
{
    unsigned count = m->cluster_count;
    for (unsigned direction = 0; direction < 2 && count > 1; direction++) {
        ww_link_config c;
        configure(m, (ww_crossbar_direction)direction, &c);
        m->link_ports = c.ports;
        m->link_flight = ww_link_flight(&c);
        m->links[direction] = ww_calloc((size_t)count * count, sizeof(ww_link *));
        for (unsigned i = 0; i < count * count; i++) {
            c.from = i / count;
            c.to = i % count;
            if (c.from != c.to)
                m->links[direction][i] = ww_link_create(&c, m->engine);
        }
    }
}

static void connect(ww_machine *m, ww_crossbar_direction direction, unsigned from, unsigned to)
{
    ww_port **inputs = ww_calloc(m->link_ports, sizeof(*inputs));
    for (unsigned port = 0; port < m->link_ports; port++)
        inputs[port] = ww_cluster_link_input(&m->clusters[to], direction, from, port);
    ww_link_connect(ww_machine_link(m, direction, from, to), inputs);
    free(inputs);
}

void ww_machine_connect_links(ww_machine *m)
{
    for (unsigned from = 0; from < m->cluster_count; from++)
        for (unsigned to = 0; to < m->cluster_count; to++)
            if (from != to) {
                connect(m, WW_CROSSBAR_DOWN, from, to);
                connect(m, WW_CROSSBAR_UP, from, to);
            }
}

void ww_machine_destroy_links(ww_machine *m)
{
    for (unsigned direction = 0; direction < 2; direction++) {
        for (unsigned i = 0; m->links[direction] && i < m->cluster_count * m->cluster_count; i++)
            ww_link_destroy(m->links[direction][i]);
        free(m->links[direction]);
    }
}
