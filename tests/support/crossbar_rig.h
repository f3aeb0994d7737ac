/* A crossbar between mocks: sources that send packets at planned ticks or as soon as the input is
 * not full, and sinks that take them after pauses. Everything that happens to a packet is noted in
 * it. */
#ifndef WW_TESTS_SUPPORT_CROSSBAR_RIG_H
#define WW_TESTS_SUPPORT_CROSSBAR_RIG_H

#include "mem/crossbar.h"

#include <stdbool.h>

typedef struct crossbar_packet {
    /* the plan */
    uint32_t input, output;
    ww_request_kind kind;
    uint32_t sectors; /* how many */
    ww_tick planned;
    ww_tick pause; /* that the sink makes after it took this one */
    /* what happened; WW_NEVER: it has not */
    ww_tick sent;    /* arrival at the input */
    ww_tick arrived; /* at the output */
    ww_tick taken;
    ww_request request;
} crossbar_packet;

typedef struct crossbar_rig crossbar_rig;

typedef struct crossbar_rig_config {
    ww_crossbar_config crossbar;
    uint32_t output_entries; /* of each output's port */
    ww_tick sinks_open;      /* they take nothing before */
    bool sinks_are_later;    /* in a tick, than the crossbar, and sources earlier: as for replies */
} crossbar_rig_config;

/* The packets of an input are planned in the order in which they are given; they outlive the
 * rig. */
crossbar_rig *crossbar_rig_create(const crossbar_rig_config *config, crossbar_packet *packets,
                                  size_t count);
void crossbar_rig_destroy(crossbar_rig *rig);
bool crossbar_rig_run(crossbar_rig *rig, ww_tick limit); /* false: nothing is left to do */
const ww_crossbar_counters *crossbar_rig_count(const crossbar_rig *rig);
void crossbar_rig_explain(const crossbar_rig *rig, FILE *out);
/* Packets in the order in which the sink of `output` took them. */
size_t crossbar_rig_taken(const crossbar_rig *rig, uint32_t output,
                          crossbar_packet *const **packets);

#endif
