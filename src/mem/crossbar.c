/* One task runs the crossbar, in cycles in which something can change: a head arrives, an input or
 * an output becomes free, the port of an output has a free entry again. The first two are known
 * ahead and are in a small wheel of its own. An input's mark (port.h) tells of a new head. The task
 * checks full outputs whenever it runs. */
#include "mem/crossbar.h"

#include "base/memory.h"
#include "mem/mem.h"
#include "mem/tags.h"
#include "mem/wheel.h"

#include <assert.h>

typedef struct input {
    ww_port port;
    uint64_t free;     /* the cycle from which it can send again */
    ww_cause arriving; /* what a packet on its way here waits for */
    ww_blame_clock blame;
} input;

typedef struct output {
    ww_port *port;
    uint64_t *wanted; /* a bit for each input whose head wants it */
    uint64_t free;
    uint64_t clear;       /* the cycle after its last packet arrives */
    uint64_t full_since;  /* a cycle, while in the set `full` */
    uint32_t wanting;     /* bits in `wanted` */
    uint32_t next_input;  /* first in the next round-robin choice */
    ww_blame_clock blame; /* of inputs whose heads want it */
} output;

struct ww_crossbar {
    ww_crossbar_config config;
    ww_engine *engine;
    ww_crossbar_route_fn *route;
    const void *context;
    ww_task task;
    uint64_t cycle; /* the present one */
    uint32_t input_words;
    uint32_t output_words;
    input *inputs;
    output *outputs;
    uint64_t *wanted;     /* of all outputs */
    uint64_t *marks;      /* inputs that had no head and have one now, or soon */
    uint64_t *candidates; /* outputs that are free and wanted */
    uint64_t *full;       /* outputs that are free and wanted, whose port is full */
    ww_wheel wheel;       /* of inputs, and of outputs behind them */
    ww_request_kind without_data;
    ww_stage stage;
    ww_crossbar_counters counters;              /* of packets: as of the last ww_crossbar_count */
    ww_packet_shape shapes[WW_MAX_SECTORS + 1]; /* by their number of sectors with data */
};

static void set_bit(uint64_t *set, uint32_t index)
{
    set[index / 64] |= 1ull << index % 64;
}

static void clear_bit(uint64_t *set, uint32_t index)
{
    set[index / 64] &= ~(1ull << index % 64);
}

static ww_request_kind without_data(ww_crossbar_direction direction)
{
    return direction == WW_CROSSBAR_DOWN ? WW_REQUEST_READ : WW_REQUEST_WRITE;
}

uint32_t ww_crossbar_data_bytes(ww_crossbar_direction direction, uint32_t sector_size,
                                const ww_request *request)
{
    if (request->kind == without_data(direction))
        return 0;
    return (uint32_t)__builtin_popcount(request->sectors) * sector_size;
}

uint32_t ww_crossbar_cycles(const ww_crossbar_config *config, uint32_t width, uint32_t data_bytes)
{
    uint32_t bytes = config->header + data_bytes;
    return bytes <= width ? 1 : (bytes + width - 1) / width;
}

/* A packet of n cycles at its output has at most n times the widths' ratio at its input. */
uint32_t ww_crossbar_flight(const ww_crossbar_config *config)
{
    uint32_t in = config->input_width, out = config->output_width;
    return config->latency + (out > in ? (out + in - 1) / in : 1);
}

/* ---- inputs ---- */

/* The input is free and its first packet has arrived: requests the packet's output. */
static void request_output(ww_crossbar *x, uint32_t index)
{
    const ww_port *port = &x->inputs[index].port;
    uint32_t target = x->route(x->context, port->items[port->first].item);
    assert(target < x->config.outputs);
    output *out = &x->outputs[target];
    set_bit(out->wanted, index);
    out->wanting++;
    uint32_t node = x->config.inputs + target;
    if (out->wanting > 1 || out->free > x->cycle ||
        !ww_port_has_room(out->port)) /* else it crosses at once */
        ww_blame_wait(&x->inputs[index].blame, &out->blame, WW_CAUSE_NETWORK,
                      ww_engine_now(x->engine));
    if (out->free > x->cycle) {
        if (!ww_wheel_has(&x->wheel, node))
            ww_wheel_put(&x->wheel, node, x->cycle, out->free);
    } else if (!(x->full[target / 64] >> target % 64 & 1)) {
        set_bit(x->candidates, target);
    }
}

/* The first cycle that does not start before a tick. */
static uint64_t cycle_from(const ww_crossbar *x, ww_tick tick)
{
    if (tick <= ww_engine_now(x->engine))
        return x->cycle;
    return ww_clock_cycle(x->config.clock, ww_clock_next(x->config.clock, tick));
}

/* The input has a new first packet, which requests its output in this cycle or a later one. */
static inline void expect_head(ww_crossbar *x, uint32_t index)
{
    uint64_t cycle = cycle_from(x, ww_port_next(&x->inputs[index].port));
    uint64_t free = x->inputs[index].free;
    ww_wheel_put(&x->wheel, index, x->cycle, cycle > free ? cycle : free);
}

static void handle_marks(ww_crossbar *x)
{
    for (uint32_t word = 0; word < x->input_words; word++)
        for (; x->marks[word]; x->marks[word] &= x->marks[word] - 1)
            expect_head(x, word * 64 + (uint32_t)__builtin_ctzll(x->marks[word]));
}

static void handle_due(ww_crossbar *x)
{
    uint16_t next = ww_wheel_empty_slot(&x->wheel, x->cycle);
    while (next != WW_WHEEL_END) {
        uint32_t index = next;
        next = ww_wheel_take(&x->wheel, index, x->cycle);
        if (ww_wheel_has(&x->wheel, index))
            continue;
        if (index < x->config.inputs)
            request_output(x, index);
        else
            set_bit(x->candidates, index - x->config.inputs);
    }
}

/* ---- outputs ---- */

static void handle_freed_outputs(ww_crossbar *x)
{
    for (uint32_t word = 0; word < x->output_words; word++)
        for (uint64_t bits = x->full[word]; bits; bits &= bits - 1) {
            uint32_t index = word * 64 + (uint32_t)__builtin_ctzll(bits);
            output *out = &x->outputs[index];
            if (!ww_port_has_room(out->port)) {
                ww_port_wait(out->port, &x->task);
                continue;
            }
            clear_bit(x->full, index);
            ww_blame_wait(&out->blame, NULL, WW_CAUSE_NETWORK, ww_engine_now(x->engine));
            x->counters.full_cycles += x->cycle - out->full_since;
            set_bit(x->candidates, index);
        }
}

/* The next input, round robin, that wants the output; at least one does. */
static uint32_t choose(const ww_crossbar *x, const output *out)
{
    uint32_t word = out->next_input / 64;
    uint64_t bits = out->wanted[word] & ~0ull << out->next_input % 64;
    while (!bits) {
        word = word + 1 < x->input_words ? word + 1 : 0;
        bits = out->wanted[word];
    }
    return word * 64 + (uint32_t)__builtin_ctzll(bits);
}

static ww_packet_shape *shape_of(ww_crossbar *x, const ww_request *request)
{
    if (request->kind == x->without_data)
        return &x->shapes[0];
    uint32_t sectors = request->sectors;
    bool is_single = sectors && !(sectors & (sectors - 1)); /* the usual case; popcount is slower */
    return &x->shapes[is_single ? 1 : __builtin_popcount(sectors)];
}

/* The first packet of the input starts to cross. */
static void cross(ww_crossbar *x, input *in, output *out)
{
    ww_port *from = &in->port, *to = out->port;
    ww_request *request = from->items[from->first].item;
    ww_packet_shape *s = shape_of(x, request);
    s->packets[request->kind]++;
    in->free = x->cycle + s->in_cycles;
    out->free = x->cycle + s->out_cycles;
    uint64_t whole = x->config.latency + (in->free > out->free ? in->free : out->free) - 1;
    if (whole < out->clear + s->out_cycles - 1) /* behind a packet that its slower input delayed */
        whole = out->clear + s->out_cycles - 1;
    out->clear = whole + 1;
    ww_tick arrival = ww_clock_edge(x->config.clock, whole);
    ww_request_stage(request, x->stage, arrival);
    ww_tick now = ww_engine_now(x->engine);
    ww_request_leave(request, &in->blame, WW_CAUSE_NETWORK, now);
    ww_request_join(request, to->blame, WW_CAUSE_NETWORK_LATENCY, now);
    ww_port_pop(from);
    if (ww_port_next(from) > now)
        ww_blame_wait(&in->blame, NULL, in->arriving, now);
    else if (!in->blame.follows) /* else it follows until the next head requests */
        ww_blame_wait(&in->blame, NULL, WW_CAUSE_NETWORK, now);
    ww_port_send(to, request, arrival);
}

static void grant(ww_crossbar *x, uint32_t index)
{
    output *out = &x->outputs[index];
    if (!ww_port_has_room(out->port)) {
        ww_port_wait(out->port, &x->task);
        ww_blame_wait(&out->blame, out->port->blame, WW_CAUSE_NETWORK, ww_engine_now(x->engine));
        set_bit(x->full, index);
        out->full_since = x->cycle;
        x->counters.full++;
        return;
    }
    uint32_t chosen = choose(x, out);
    input *in = &x->inputs[chosen];
    clear_bit(out->wanted, chosen);
    out->wanting--;
    out->next_input = chosen + 1 < x->config.inputs ? chosen + 1 : 0;
    cross(x, in, out);
    if (in->port.count)
        expect_head(x, chosen);
    if (out->wanting)
        ww_wheel_put(&x->wheel, x->config.inputs + index, x->cycle, out->free);
}

static void grant_all(ww_crossbar *x)
{
    for (uint32_t word = 0; word < x->output_words; word++) {
        uint64_t bits = x->candidates[word];
        x->candidates[word] = 0;
        for (; bits; bits &= bits - 1)
            grant(x, word * 64 + (uint32_t)__builtin_ctzll(bits));
    }
}

static void run(void *owner)
{
    ww_crossbar *x = owner;
    ww_tick now = ww_engine_now(x->engine);
    uint64_t cycle = ww_clock_cycle(x->config.clock, now);
    if (ww_clock_edge(x->config.clock, cycle) != now) {
        ww_wake(x->engine, &x->task, ww_clock_edge(x->config.clock, cycle + 1));
        return;
    }
    x->cycle = cycle;
    handle_marks(x);
    handle_due(x);
    handle_freed_outputs(x);
    grant_all(x);
    uint64_t next = ww_wheel_next(&x->wheel, x->cycle);
    if (next != WW_NEVER)
        ww_wake(x->engine, &x->task, ww_clock_edge(x->config.clock, next));
}

/* ---- life ---- */

static void explain(const void *owner, FILE *out)
{
    const ww_crossbar *x = owner;
    uint64_t packets = 0, full = 0;
    for (uint32_t i = 0; i < x->config.inputs; i++)
        packets += x->inputs[i].port.count;
    if (!packets)
        return;
    for (uint32_t word = 0; word < x->output_words; word++)
        full += (uint64_t)__builtin_popcountll(x->full[word]);
    fprintf(out, "network %s: %llu packets wait at its inputs; %llu of its outputs have no room:",
            x->config.direction == WW_CROSSBAR_DOWN ? "down" : "up", (unsigned long long)packets,
            (unsigned long long)full);
    for (uint32_t i = 0; i < x->config.outputs; i++)
        if (x->full[i / 64] >> i % 64 & 1)
            fprintf(out, " %u (%u inputs wait for it)", i, x->outputs[i].wanting);
    fputc('\n', out);
}

static void create_input(ww_crossbar *x, uint32_t index)
{
    const ww_crossbar_config *c = &x->config;
    input *in = &x->inputs[index];
    bool is_link = index >= c->inputs - c->link_inputs;
    bool is_slice = c->direction == WW_CROSSBAR_UP && !is_link;
    ww_port_init(&in->port, x->engine, is_link ? c->link_queue : c->queue, c->senders);
    ww_port_connect(&in->port, &x->task);
    ww_port_mark(&in->port, x->marks, index);
    in->blame.cause = in->arriving = is_slice ? WW_CAUSE_L2_LATENCY : WW_CAUSE_NETWORK_LATENCY;
    in->port.blame = &in->blame;
}

static void create_ports(ww_crossbar *x, ww_port *const *outputs)
{
    const ww_crossbar_config *config = &x->config;
    x->inputs = ww_calloc(config->inputs, sizeof(*x->inputs));
    x->outputs = ww_calloc(config->outputs, sizeof(*x->outputs));
    x->marks = ww_calloc(x->input_words, sizeof(*x->marks));
    x->wanted = ww_calloc((size_t)config->outputs * x->input_words, sizeof(*x->wanted));
    for (uint32_t i = 0; i < config->inputs; i++)
        create_input(x, i);
    for (uint32_t i = 0; i < config->outputs; i++)
        x->outputs[i] = (output){.port = outputs[i],
                                 .wanted = x->wanted + (size_t)i * x->input_words,
                                 .blame = {.cause = WW_CAUSE_NETWORK}};
}

static void create_shapes(ww_crossbar *x)
{
    const ww_crossbar_config *config = &x->config;
    bool is_down = config->direction == WW_CROSSBAR_DOWN;
    x->without_data = without_data(config->direction);
    x->stage = is_down ? WW_STAGE_NETWORK_DOWN : WW_STAGE_NETWORK_UP;
    for (uint32_t sectors = 0; sectors <= WW_MAX_SECTORS; sectors++) {
        uint32_t data = sectors * config->sector_size;
        x->shapes[sectors] =
            (ww_packet_shape){.data = data,
                              .in_cycles = ww_crossbar_cycles(config, config->input_width, data),
                              .out_cycles = ww_crossbar_cycles(config, config->output_width, data)};
    }
}

ww_crossbar *ww_crossbar_create(const ww_crossbar_config *config, const ww_crossbar_wiring *wiring)
{
    assert(config->inputs <= WW_CROSSBAR_MAX_PORTS && config->outputs <= WW_CROSSBAR_MAX_PORTS);
    assert(config->input_width > 0 && config->output_width > 0);
    ww_crossbar *x = ww_calloc(1, sizeof(*x));
    x->config = *config;
    x->engine = wiring->engine;
    x->route = wiring->route;
    x->context = wiring->context;
    x->input_words = (config->inputs + 63) / 64;
    x->output_words = (config->outputs + 63) / 64;
    ww_task_init(x->engine, &x->task, WW_PHASE_NETWORK, run, x);
    create_ports(x, wiring->outputs);
    create_shapes(x);
    x->candidates = ww_calloc(x->output_words, sizeof(*x->candidates));
    x->full = ww_calloc(x->output_words, sizeof(*x->full));
    ww_wheel_init(&x->wheel, config->inputs + config->outputs);
    ww_engine_add_explainer(x->engine, explain, x);
    return x;
}

void ww_crossbar_destroy(ww_crossbar *x)
{
    if (!x)
        return;
    ww_sleep(x->engine, &x->task);
    for (uint32_t i = 0; i < x->config.inputs; i++)
        ww_port_clear(&x->inputs[i].port);
    free(x->inputs);
    free(x->outputs);
    free(x->wanted);
    free(x->marks);
    free(x->candidates);
    free(x->full);
    ww_wheel_clear(&x->wheel);
    free(x);
}

ww_port *ww_crossbar_input(ww_crossbar *x, uint32_t index)
{
    assert(index < x->config.inputs);
    return &x->inputs[index].port;
}

const ww_crossbar_counters *ww_crossbar_count(ww_crossbar *x)
{
    ww_crossbar_sum(x->shapes, WW_MAX_SECTORS + 1, x->config.header, &x->counters);
    return &x->counters;
}
