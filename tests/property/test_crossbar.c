/* Random traffic through a crossbar: every packet arrives in the tick that a naive model says,
 * which looks at every input and output in every cycle; and, checked without the model, once, in
 * order, round robin, and no faster than the widths permit. */
#include "base/memory.h"
#include "base/rng.h"
#include "support/crossbar_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct world {
    ww_rng rng;
    crossbar_rig_config config;
    crossbar_packet *packets;
    size_t count;
    crossbar_rig *rig;
} world;

static uint32_t between(world *w, uint32_t low, uint32_t high)
{
    return low + (uint32_t)ww_rng_below(&w->rng, high - low + 1);
}

static uint32_t input_cycles(const world *w, const crossbar_packet *packet)
{
    const ww_crossbar_config *c = &w->config.crossbar;
    return ww_crossbar_cycles(
        c, c->input_width, ww_crossbar_data_bytes(c->direction, c->sector_size, &packet->request));
}

static uint32_t output_cycles(const world *w, const crossbar_packet *packet)
{
    const ww_crossbar_config *c = &w->config.crossbar;
    return ww_crossbar_cycles(
        c, c->output_width, ww_crossbar_data_bytes(c->direction, c->sector_size, &packet->request));
}

static bool has_one_width(const world *w)
{
    return w->config.crossbar.input_width == w->config.crossbar.output_width;
}

/* ---- random worlds ---- */

static void choose_config(world *w)
{
    static const uint32_t sizes[] = {1, 2, 3, 5, 8, 63, 64, 65, 130};
    static const uint64_t rates[] = {1000, 1000, 999, 700, 500, 387};
    bool up = between(w, 0, 1);
    w->config = (crossbar_rig_config){
        .crossbar = {.direction = up ? WW_CROSSBAR_UP : WW_CROSSBAR_DOWN,
                     .clock = ww_clock_make(rates[between(w, 0, 5)], 1000),
                     .inputs = sizes[between(w, 0, 8)],
                     .outputs = sizes[between(w, 0, 8)],
                     .queue = between(w, 1, 8),
                     .senders = 1,
                     .latency = between(w, 0, 30),
                     .input_width = between(w, 1, 4) == 1 ? between(w, 1, 8) : between(w, 16, 136),
                     .header = between(w, 0, 16),
                     .sector_size = 32},
        .output_entries = between(w, 1, 40),
        .sinks_open = between(w, 0, 200),
        .sinks_are_later = up,
    };
    ww_crossbar_config *c = &w->config.crossbar;
    c->output_width = between(w, 0, 1) ? c->input_width : between(w, 16, 136);
}

/* Some worlds favour an output, some come in bursts, some have slow sinks. */
static void choose_packets(world *w)
{
    uint32_t hot = between(w, 0, 2), spread = between(w, 0, 4000), pause = between(w, 0, 6);
    w->count = between(w, 500, 3000);
    w->packets = ww_calloc(w->count, sizeof(*w->packets));
    ww_tick planned = 0;
    for (size_t i = 0; i < w->count; i++) {
        planned += between(w, 0, (uint32_t)(2 * spread / w->count + 1));
        bool favoured = hot && between(w, 0, 2) < hot;
        w->packets[i] = (crossbar_packet){
            .input = between(w, 0, w->config.crossbar.inputs - 1),
            .output = favoured ? 0 : between(w, 0, w->config.crossbar.outputs - 1),
            .kind = (ww_request_kind)between(w, 0, 2),
            .sectors = between(w, 1, 4),
            .planned = planned,
            .pause = pause ? between(w, 0, pause) : 0,
        };
    }
}

/* ---- the naive model: it knows when packets came to their inputs and when sinks took them ---- */

typedef struct model {
    const world *w;
    size_t *heads;        /* of each input: an index of packets; count: none left */
    uint64_t *input_free; /* cycles */
    uint64_t *output_free;
    uint64_t *last; /* the cycle in which the last packet of an output was whole, and one more */
    uint32_t *next_input;
    size_t *sent; /* to each output */
    size_t *gone; /* taken from there */
    ww_tick *expected;
} model;

static size_t next_of_input(const world *w, uint32_t input, size_t from)
{
    while (from < w->count && w->packets[from].input != input)
        from++;
    return from;
}

static bool has_room(model *m, uint32_t output, ww_tick tick)
{
    const crossbar_rig_config *config = &m->w->config;
    crossbar_packet *const *taken;
    size_t count = crossbar_rig_taken(m->w->rig, output, &taken);
    size_t *gone = &m->gone[output];
    while (*gone < count && taken[*gone]->taken + (config->sinks_are_later ? 1 : 0) <= tick)
        ++*gone;
    return m->sent[output] - *gone < config->output_entries;
}

static bool wants(const model *m, uint32_t input, uint32_t output, uint64_t cycle, ww_tick tick)
{
    if (m->heads[input] == m->w->count || m->input_free[input] > cycle)
        return false;
    const crossbar_packet *head = &m->w->packets[m->heads[input]];
    return head->output == output && head->sent <= tick;
}

static bool step_output(model *m, uint32_t output, uint64_t cycle, ww_tick tick)
{
    const ww_crossbar_config *config = &m->w->config.crossbar;
    if (m->output_free[output] > cycle || !has_room(m, output, tick))
        return false;
    for (uint32_t i = 0; i < config->inputs; i++) {
        uint32_t input = (m->next_input[output] + i) % config->inputs;
        if (!wants(m, input, output, cycle, tick))
            continue;
        size_t packet = m->heads[input];
        uint32_t in = input_cycles(m->w, &m->w->packets[packet]);
        uint32_t out = output_cycles(m->w, &m->w->packets[packet]);
        uint64_t arrival = cycle + config->latency + (in > out ? in : out) - 1;
        while (arrival + 1 < m->last[output] + out) /* its bytes leave after the last packet's */
            arrival++;
        m->last[output] = arrival + 1;
        m->expected[packet] = ww_clock_edge(config->clock, arrival);
        m->heads[input] = next_of_input(m->w, input, packet + 1);
        m->input_free[input] = cycle + in;
        m->output_free[output] = cycle + out;
        m->next_input[output] = (input + 1) % config->inputs;
        m->sent[output]++;
        return true;
    }
    return false;
}

static void check_against_model(const world *w)
{
    const ww_crossbar_config *config = &w->config.crossbar;
    model m = {.w = w,
               .heads = ww_calloc(config->inputs, sizeof(*m.heads)),
               .input_free = ww_calloc(config->inputs, sizeof(*m.input_free)),
               .output_free = ww_calloc(config->outputs, sizeof(*m.output_free)),
               .last = ww_calloc(config->outputs, sizeof(*m.last)),
               .next_input = ww_calloc(config->outputs, sizeof(*m.next_input)),
               .sent = ww_calloc(config->outputs, sizeof(*m.sent)),
               .gone = ww_calloc(config->outputs, sizeof(*m.gone)),
               .expected = ww_calloc(w->count, sizeof(*m.expected))};
    for (uint32_t i = 0; i < config->inputs; i++)
        m.heads[i] = next_of_input(w, i, 0);
    size_t left = w->count;
    for (uint64_t cycle = 0; left > 0; cycle++) {
        assert_true(cycle < 10000000);
        for (uint32_t o = 0; o < config->outputs; o++)
            left -= step_output(&m, o, cycle, ww_clock_edge(config->clock, cycle));
    }
    for (size_t i = 0; i < w->count; i++)
        assert_int_equal(w->packets[i].arrived, m.expected[i]);
    free(m.heads);
    free(m.input_free);
    free(m.output_free);
    free(m.last);
    free(m.next_input);
    free(m.sent);
    free(m.gone);
    free(m.expected);
}

/* ---- what must hold whatever the model says ---- */

/* The cycle in which a packet was granted, where both sides have the same width. */
static uint64_t granted(const world *w, const crossbar_packet *packet)
{
    const ww_crossbar_config *config = &w->config.crossbar;
    return ww_clock_cycle(config->clock, packet->arrived) - config->latency + 1 -
           input_cycles(w, packet);
}

static uint64_t arrival_cycle(const world *w, const crossbar_packet *packet)
{
    return ww_clock_cycle(w->config.crossbar.clock, packet->arrived);
}

static void check_inputs(const world *w)
{
    for (uint32_t input = 0; input < w->config.crossbar.inputs; input++) {
        const crossbar_packet *last = NULL;
        for (size_t i = next_of_input(w, input, 0); i < w->count;
             i = next_of_input(w, input, i + 1)) {
            const crossbar_packet *packet = &w->packets[i];
            assert_int_not_equal(packet->taken, WW_NEVER);
            assert_true(ww_clock_edge(w->config.crossbar.clock, granted(w, packet)) >=
                        packet->sent);
            if (last)
                assert_true(granted(w, packet) >= granted(w, last) + input_cycles(w, last));
            last = packet;
        }
    }
}

/* The packet was the first of its input when the one before it had passed and it had come itself.
 * Since then no other input had two packets granted by the same output. */
static void check_round_robin(const world *w, crossbar_packet *const *taken, size_t index,
                              uint64_t *seen)
{
    const crossbar_packet *packet = taken[index], *before = NULL;
    for (size_t i = (size_t)(packet - w->packets); i-- > 0 && !before;)
        if (w->packets[i].input == packet->input)
            before = &w->packets[i];
    uint64_t since = before ? granted(w, before) + input_cycles(w, before) : 0;
    for (size_t i = index; i-- > 0;) {
        uint64_t cycle = granted(w, taken[i]);
        if (cycle < since || ww_clock_edge(w->config.crossbar.clock, cycle) < packet->sent)
            break;
        assert_int_not_equal(seen[taken[i]->input], index + 1);
        seen[taken[i]->input] = index + 1;
    }
}

static void check_outputs(const world *w)
{
    size_t total = 0;
    for (uint32_t output = 0; output < w->config.crossbar.outputs; output++) {
        crossbar_packet *const *taken;
        size_t count = crossbar_rig_taken(w->rig, output, &taken);
        uint64_t *seen = ww_calloc(w->config.crossbar.inputs, sizeof(*seen));
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(taken[i]->output, output);
            assert_true(taken[i]->taken >= taken[i]->arrived);
            if (i > 0)
                assert_true(arrival_cycle(w, taken[i]) >=
                            arrival_cycle(w, taken[i - 1]) + output_cycles(w, taken[i]));
            if (has_one_width(w))
                check_round_robin(w, taken, i, seen);
        }
        free(seen);
        total += count;
    }
    assert_int_equal(total, w->count);
}

static void check_counters(const world *w)
{
    const ww_crossbar_counters *c = crossbar_rig_count(w->rig);
    uint64_t cycles = 0, data = 0;
    for (size_t i = 0; i < w->count; i++) {
        cycles += output_cycles(w, &w->packets[i]);
        data += ww_crossbar_data_bytes(w->config.crossbar.direction, w->config.crossbar.sector_size,
                                       &w->packets[i].request);
    }
    assert_int_equal(c->packets, w->count);
    assert_int_equal(c->reads + c->writes + c->atomics, w->count);
    assert_int_equal(c->busy_cycles, cycles);
    assert_int_equal(c->data_bytes, data);
    assert_int_equal(c->bytes, data + w->count * w->config.crossbar.header);
}

static void random_traffic(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        printf("seed %llu\n", (unsigned long long)seed);
        world w = {0};
        ww_rng_seed(&w.rng, seed);
        choose_config(&w);
        choose_packets(&w);
        w.rig = crossbar_rig_create(&w.config, w.packets, w.count);
        assert_false(crossbar_rig_run(w.rig, WW_NEVER));
        if (has_one_width(&w))
            check_inputs(&w);
        check_outputs(&w);
        check_counters(&w);
        check_against_model(&w);
        crossbar_rig_destroy(w.rig);
        free(w.packets);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_traffic)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
