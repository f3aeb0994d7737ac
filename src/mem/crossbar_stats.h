/* What a crossbar counts, and its statistics: a table for each direction, since a machine has one
 * of each. */
#ifndef WW_MEM_CROSSBAR_STATS_H
#define WW_MEM_CROSSBAR_STATS_H

#include "mem/request.h"
#include "stats/stats.h"

/* X(field, unit, doc): the statistic is network.down_FIELD or network.up_FIELD. */
#define WW_CROSSBAR_COUNTERS(X)                                                              \
    X(packets, "packets", "packets that crossed")                                            \
    X(reads, "packets", "of them, reads or their replies")                                   \
    X(writes, "packets", "of them, writes or their replies")                                 \
    X(atomics, "packets", "of them, atomics or their replies")                               \
    X(bytes, "bytes", "bytes that crossed, with headers")                                    \
    X(data_bytes, "bytes", "bytes that crossed, without headers")                            \
    X(busy_cycles, "cycles",                                                                 \
      "cycles of the crossbar's clock in which an output passed a packet, over all outputs") \
    X(full, "times", "a packet was to cross and its receiver's queue was full")              \
    X(full_cycles, "cycles",                                                                 \
      "cycles of the crossbar's clock in which an output waited for a full queue, over all " \
      "outputs")

typedef struct ww_crossbar_counters {
#define WW_CROSSBAR_FIELD(field, unit, doc) uint64_t field;
    WW_CROSSBAR_COUNTERS(WW_CROSSBAR_FIELD)
#undef WW_CROSSBAR_FIELD
} ww_crossbar_counters;

/* Packets with the same amount of data, and how many of each kind crossed. The counters of packets
 * are sums over all shapes, so that a packet changes one number. */
typedef struct ww_packet_shape {
    uint32_t data; /* bytes */
    uint32_t in_cycles, out_cycles;
    uint64_t packets[WW_REQUEST_ATOMIC + 1];
} ww_packet_shape;

/* Sets the counters of packets; each has a header of some bytes. */
void ww_crossbar_sum(const ww_packet_shape *shapes, size_t count, uint32_t header,
                     ww_crossbar_counters *counters);

extern const ww_stat_table ww_crossbar_down_stats;
extern const ww_stat_table ww_crossbar_up_stats;

#endif
