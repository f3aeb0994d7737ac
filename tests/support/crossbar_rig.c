#include "support/crossbar_rig.h"

#include "base/memory.h"
#include "mem/mem.h"

typedef WW_VEC(crossbar_packet *) packet_list;

typedef struct source {
    ww_task task;
    ww_engine *engine;
    ww_port *port;
    ww_tick delay; /* from sending to arrival at the input */
    packet_list packets;
    size_t next;
} source;

typedef struct sink {
    ww_task task;
    ww_engine *engine;
    ww_port port;
    ww_tick opens;
    packet_list taken;
    ww_blame_clock blame; /* WW_CAUSE_L2_PORTS while a packet waits for it */
} sink;

struct crossbar_rig {
    crossbar_rig_config config;
    ww_engine *engine;
    ww_crossbar *crossbar;
    source *sources;
    sink *sinks;
};

static void send(void *owner)
{
    source *s = owner;
    ww_tick now = ww_engine_now(s->engine);
    for (; s->next < s->packets.count; s->next++) {
        crossbar_packet *packet = s->packets.items[s->next];
        if (packet->planned > now) {
            ww_wake(s->engine, &s->task, packet->planned);
            return;
        }
        if (!ww_port_has_room(s->port)) {
            ww_port_wait(s->port, &s->task);
            return;
        }
        packet->sent = now + s->delay;
        packet->request.made = packet->request.since = now;
        ww_request_join(&packet->request, s->port->blame, WW_CAUSE_NONE, now);
        ww_port_send(s->port, &packet->request, packet->sent);
    }
}

static void take(void *owner)
{
    sink *s = owner;
    ww_tick now = ww_engine_now(s->engine);
    ww_request *request = ww_port_peek(&s->port);
    if (request && s->opens <= now) {
        crossbar_packet *packet = request->owner;
        packet->arrived = request->since;
        packet->taken = now;
        ww_request_leave(request, &s->blame, WW_CAUSE_NONE, now);
        ww_vec_push(&s->taken, packet);
        ww_port_pop(&s->port);
        s->opens = now + 1 + packet->pause;
    }
    ww_tick next = ww_port_next(&s->port);
    ww_blame_wait(&s->blame, NULL, next <= now ? WW_CAUSE_L2_PORTS : WW_CAUSE_NETWORK_LATENCY, now);
    if (next != WW_NEVER)
        ww_wake(s->engine, &s->task, next > s->opens ? next : s->opens);
}

static uint32_t route(const void *context, const ww_request *request)
{
    (void)context;
    return ((const crossbar_packet *)request->owner)->output;
}

static void create_sinks(crossbar_rig *r)
{
    r->sinks = ww_calloc(r->config.crossbar.outputs, sizeof(*r->sinks));
    for (uint32_t i = 0; i < r->config.crossbar.outputs; i++) {
        sink *s = &r->sinks[i];
        s->engine = r->engine;
        s->opens = r->config.sinks_open;
        ww_task_init(r->engine, &s->task, r->config.sinks_are_later ? WW_PHASE_L1 : WW_PHASE_L2,
                     take, s);
        ww_port_init(&s->port, r->engine, r->config.output_entries, 1);
        ww_port_connect(&s->port, &s->task);
        s->blame.cause = WW_CAUSE_NETWORK_LATENCY;
        s->port.blame = &s->blame;
    }
}

static void create_sources(crossbar_rig *r)
{
    r->sources = ww_calloc(r->config.crossbar.inputs, sizeof(*r->sources));
    for (uint32_t i = 0; i < r->config.crossbar.inputs; i++) {
        source *s = &r->sources[i];
        s->engine = r->engine;
        s->port = ww_crossbar_input(r->crossbar, i);
        s->delay = r->config.sinks_are_later ? 0 : 1;
        ww_task_init(r->engine, &s->task, r->config.sinks_are_later ? WW_PHASE_L2 : WW_PHASE_L1,
                     send, s);
    }
}

static void create_crossbar(crossbar_rig *r)
{
    ww_port **outputs = ww_calloc(r->config.crossbar.outputs, sizeof(*outputs));
    for (uint32_t i = 0; i < r->config.crossbar.outputs; i++)
        outputs[i] = &r->sinks[i].port;
    ww_crossbar_wiring wiring = {.engine = r->engine, .outputs = outputs, .route = route};
    r->crossbar = ww_crossbar_create(&r->config.crossbar, &wiring);
    free(outputs);
}

crossbar_rig *crossbar_rig_create(const crossbar_rig_config *config, crossbar_packet *packets,
                                  size_t count)
{
    crossbar_rig *r = ww_calloc(1, sizeof(*r));
    r->config = *config;
    r->engine = ww_engine_create();
    create_sinks(r);
    create_crossbar(r);
    create_sources(r);
    for (size_t i = 0; i < count; i++) {
        crossbar_packet *p = &packets[i];
        p->sent = p->arrived = p->taken = WW_NEVER;
        p->request = (ww_request){.kind = (uint8_t)p->kind,
                                  .sectors = (uint32_t)((1ull << p->sectors) - 1),
                                  .blamed = true,
                                  .owner = p};
        ww_vec_push(&r->sources[p->input].packets, p);
    }
    for (uint32_t i = 0; i < config->crossbar.inputs; i++)
        ww_wake(r->engine, &r->sources[i].task, 0);
    return r;
}

void crossbar_rig_destroy(crossbar_rig *r)
{
    ww_crossbar_destroy(r->crossbar);
    for (uint32_t i = 0; i < r->config.crossbar.inputs; i++)
        ww_vec_free(&r->sources[i].packets);
    for (uint32_t i = 0; i < r->config.crossbar.outputs; i++) {
        ww_port_clear(&r->sinks[i].port);
        ww_vec_free(&r->sinks[i].taken);
    }
    free(r->sources);
    free(r->sinks);
    ww_engine_destroy(r->engine);
    free(r);
}

bool crossbar_rig_run(crossbar_rig *r, ww_tick limit)
{
    return ww_engine_run(r->engine, limit);
}

const ww_crossbar_counters *crossbar_rig_count(const crossbar_rig *r)
{
    return ww_crossbar_count(r->crossbar);
}

void crossbar_rig_explain(const crossbar_rig *r, FILE *out)
{
    ww_engine_explain(r->engine, out);
}

size_t crossbar_rig_taken(const crossbar_rig *r, uint32_t output, crossbar_packet *const **packets)
{
    *packets = r->sinks[output].taken.items;
    return r->sinks[output].taken.count;
}
