/* A crossbar: carries requests from the compute units to the L2 slices, or their replies back.
 *
 * packet     a request or a reply on its way: a header, and perhaps data
 * input      a queue that a source sends to. Its packets leave in order: one that waits for its
 *            output blocks those behind it that want another one (there are no virtual channels).
 * output     the port of a receiver
 * grant      the moment at which a packet starts to cross. From then on it occupies an entry of the
 *            output's port, and its input and output, each for its bytes over that side's width.
 * direction  which of the two crossbars this is: it decides about bytes, stage and statistics
 *
 * A packet that takes n cycles to pass the slower of its two sides and is granted in cycle c
 * arrives whole in cycle c + latency + n - 1; the next one can follow in cycle c + n, and sooner on
 * the faster side. An output is granted to the inputs that want it round robin: an input waits for
 * at most one packet from each other input. An output whose port is full waits, and so do the
 * inputs that want it.
 *
 * Packets that cross occupy entries already. So an output's port limits the rate unless it has
 * ww_crossbar_flight entries more than the receiver's queue is meant to have.
 *
 * Limits: a buffered crossbar of one stage, whatever its size; a packet is never split (where one
 * side is faster, its bytes are buffered between the sides); the data of an atomic counts as the
 * sectors that it changes, however many lanes change them. */
#ifndef WW_MEM_CROSSBAR_H
#define WW_MEM_CROSSBAR_H

#include "engine/clock.h"
#include "engine/port.h"
#include "mem/crossbar_stats.h"
#include "mem/request.h"

#define WW_CROSSBAR_MAX_PORTS 16384 /* on either side */

typedef enum ww_crossbar_direction { WW_CROSSBAR_DOWN, WW_CROSSBAR_UP } ww_crossbar_direction;

typedef struct ww_crossbar_config {
    ww_crossbar_direction direction;
    ww_clock clock;
    uint32_t inputs;
    uint32_t outputs;
    uint32_t queue;       /* packets, at each input */
    uint32_t link_inputs; /* of the inputs, the last ones: packets of other clusters (link.h) */
    uint32_t link_queue;  /* packets, at each of them */
    uint32_t senders;     /* tasks that may wait for one input */
    uint32_t latency;     /* cycles */
    uint32_t input_width; /* bytes that an input passes in a cycle */
    uint32_t output_width;
    uint32_t header;      /* bytes */
    uint32_t sector_size; /* bytes */
} ww_crossbar_config;

/* The output that a request goes to. Called once, when the request is the first of its input. */
typedef uint32_t ww_crossbar_route_fn(const void *context, const ww_request *request);

typedef struct ww_crossbar_wiring {
    ww_engine *engine;
    ww_port *const *outputs; /* copied; the ports outlive the crossbar */
    ww_crossbar_route_fn *route;
    const void *context; /* the route's */
} ww_crossbar_wiring;

typedef struct ww_crossbar ww_crossbar;

ww_crossbar *ww_crossbar_create(const ww_crossbar_config *config, const ww_crossbar_wiring *wiring);
void ww_crossbar_destroy(ww_crossbar *crossbar);

/* Where source `index` sends its requests. */
ww_port *ww_crossbar_input(ww_crossbar *crossbar, uint32_t index);
/* Up to date; packets that cross later are not counted there before the next call. */
const ww_crossbar_counters *ww_crossbar_count(ww_crossbar *crossbar);
/* Packets that are on their way to one output when it passes one every cycle. */
uint32_t ww_crossbar_flight(const ww_crossbar_config *config);

/* The bytes of a packet without its header: data goes down with writes and atomics, and up with the
 * replies of reads and atomics. */
uint32_t ww_crossbar_data_bytes(ww_crossbar_direction direction, uint32_t sector_size,
                                const ww_request *request);
/* Cycles that a packet occupies a side that passes `width` bytes in one. */
uint32_t ww_crossbar_cycles(const ww_crossbar_config *config, uint32_t width, uint32_t data_bytes);

#endif
