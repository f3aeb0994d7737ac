#include "mem/link.h"

#include "base/memory.h"
#include "mem/mem.h"

typedef struct link_port {
    ww_task task;
    ww_link *link;
    ww_port in;
    ww_port *out;
    uint64_t free;       /* the cycle from which it can send again */
    uint64_t full_since; /* a cycle; WW_NEVER: `out` is not full */
    ww_blame_clock blame;
} link_port;

struct ww_link {
    ww_link_config config;
    ww_engine *engine;
    ww_stage stage;
    link_port *ports;
    ww_link_counters counters;
};

uint32_t ww_link_flight(const ww_link_config *config)
{
    return config->latency + 1;
}

/* Whether `out` has a free entry; if not, it wakes the port. */
static bool can_send(link_port *p, uint64_t cycle, ww_tick now)
{
    ww_link_counters *counters = &p->link->counters;
    if (!ww_port_has_room(p->out)) {
        if (p->full_since == WW_NEVER)
            p->full_since = cycle;
        ww_port_wait(p->out, &p->task);
        ww_blame_wait(&p->blame, p->out->blame, WW_CAUSE_NETWORK, now);
        return false;
    }
    if (p->full_since != WW_NEVER)
        counters->full_cycles += cycle - p->full_since;
    p->full_since = WW_NEVER;
    return true;
}

static void send(link_port *p, ww_request *request, uint64_t cycle, ww_tick now)
{
    const ww_link_config *c = &p->link->config;
    ww_link_counters *counters = &p->link->counters;
    uint32_t bytes = c->header + ww_crossbar_data_bytes(c->direction, c->sector_size, request);
    uint32_t cycles = bytes <= c->bandwidth ? 1 : (bytes + c->bandwidth - 1) / c->bandwidth;
    ww_tick arrival = ww_clock_edge(c->clock, cycle + c->latency + cycles - 1);
    p->free = cycle + cycles;
    counters->packets++;
    counters->bytes += bytes;
    counters->busy_cycles += cycles;
    ww_request_stage(request, p->link->stage, arrival);
    ww_request_leave(request, &p->blame, WW_CAUSE_NETWORK, now);
    ww_request_join(request, p->out->blame, WW_CAUSE_NETWORK_LATENCY, now);
    ww_port_pop(&p->in);
    ww_port_send(p->out, request, arrival);
}

/* In cycles in which a packet can start. */
static void run(void *owner)
{
    link_port *p = owner;
    ww_engine *engine = p->link->engine;
    ww_clock clock = p->link->config.clock;
    ww_tick now = ww_engine_now(engine);
    uint64_t cycle = ww_clock_cycle(clock, now);
    if (ww_clock_edge(clock, cycle) == now && cycle >= p->free) {
        ww_request *request = ww_port_peek(&p->in);
        if (request && !can_send(p, cycle, now))
            return;
        if (request)
            send(p, request, cycle, now);
    }
    ww_tick head = ww_port_next(&p->in);
    ww_blame_wait(&p->blame, NULL, head > now ? WW_CAUSE_NETWORK_LATENCY : WW_CAUSE_NETWORK, now);
    if (head == WW_NEVER)
        return;
    ww_tick free = ww_clock_edge(clock, p->free);
    ww_wake(engine, &p->task, ww_clock_next(clock, head > free ? head : free));
}

static void explain(const void *owner, FILE *out)
{
    const ww_link *link = owner;
    uint64_t packets = 0, full = 0;
    for (uint32_t i = 0; i < link->config.ports; i++) {
        packets += link->ports[i].in.count;
        full += link->ports[i].full_since != WW_NEVER;
    }
    if (packets)
        fprintf(out,
                "link of %s from cluster %u to %u: %llu packets wait; %llu of its ports find no "
                "room behind them\n",
                link->config.direction == WW_CROSSBAR_DOWN ? "requests" : "replies",
                link->config.from, link->config.to, (unsigned long long)packets,
                (unsigned long long)full);
}

ww_link *ww_link_create(const ww_link_config *config, ww_engine *engine)
{
    ww_link *link = ww_calloc(1, sizeof(*link));
    link->config = *config;
    link->engine = engine;
    link->stage =
        config->direction == WW_CROSSBAR_DOWN ? WW_STAGE_NETWORK_DOWN : WW_STAGE_NETWORK_UP;
    link->ports = ww_calloc(config->ports, sizeof(*link->ports));
    for (uint32_t i = 0; i < config->ports; i++) {
        link_port *p = &link->ports[i];
        p->link = link;
        p->full_since = WW_NEVER;
        p->blame.cause = WW_CAUSE_NETWORK_LATENCY;
        ww_task_init(engine, &p->task, WW_PHASE_NETWORK, run, p);
        ww_port_init(&p->in, engine, config->queue, 1);
        ww_port_connect(&p->in, &p->task);
        p->in.blame = &p->blame;
    }
    ww_engine_add_explainer(engine, explain, link);
    return link;
}

void ww_link_connect(ww_link *link, ww_port *const *outs)
{
    for (uint32_t i = 0; i < link->config.ports; i++)
        link->ports[i].out = outs[i];
}

void ww_link_destroy(ww_link *link)
{
    if (!link)
        return;
    for (uint32_t i = 0; i < link->config.ports; i++) {
        ww_sleep(link->engine, &link->ports[i].task);
        ww_port_clear(&link->ports[i].in);
    }
    free(link->ports);
    free(link);
}

ww_port *ww_link_in(ww_link *link, uint32_t port)
{
    return &link->ports[port].in;
}

const ww_link_counters *ww_link_count(const ww_link *link)
{
    return &link->counters;
}
