#include "mem/crossbar_stats.h"

void ww_crossbar_sum(const ww_packet_shape *shapes, size_t count, uint32_t header,
                     ww_crossbar_counters *c)
{
    c->reads = c->writes = c->atomics = c->data_bytes = c->busy_cycles = 0;
    for (const ww_packet_shape *s = shapes; s < shapes + count; s++) {
        uint64_t packets = s->packets[WW_REQUEST_READ] + s->packets[WW_REQUEST_WRITE] +
                           s->packets[WW_REQUEST_ATOMIC];
        c->reads += s->packets[WW_REQUEST_READ];
        c->writes += s->packets[WW_REQUEST_WRITE];
        c->atomics += s->packets[WW_REQUEST_ATOMIC];
        c->data_bytes += packets * s->data;
        c->busy_cycles += packets * s->out_cycles;
    }
    c->packets = c->reads + c->writes + c->atomics;
    c->bytes = c->packets * header + c->data_bytes;
}

#define DOWN(field, stat_unit, stat_doc) \
    {.name = "network.down_" #field,     \
     .unit = stat_unit,                  \
     .doc = "to the L2: " stat_doc,      \
     .kind = WW_STAT_COUNTER,            \
     .offset = offsetof(ww_crossbar_counters, field)},

#define UP(field, stat_unit, stat_doc) \
    {.name = "network.up_" #field,     \
     .unit = stat_unit,                \
     .doc = "from the L2: " stat_doc,  \
     .kind = WW_STAT_COUNTER,          \
     .offset = offsetof(ww_crossbar_counters, field)},

/* clang-format off */
static const ww_stat down_stats[] = {WW_CROSSBAR_COUNTERS(DOWN)};
static const ww_stat up_stats[] = {WW_CROSSBAR_COUNTERS(UP)};
/* clang-format on */

static const char *const down_kinds[] = {"network.down_reads", "network.down_writes",
                                         "network.down_atomics", NULL};
static const char *const down_packets[] = {"network.down_packets", NULL};
static const ww_law down_laws[] = {{down_kinds, down_packets}};

static const char *const up_kinds[] = {"network.up_reads", "network.up_writes",
                                       "network.up_atomics", NULL};
static const char *const up_packets[] = {"network.up_packets", NULL};
static const ww_law up_laws[] = {{up_kinds, up_packets}};

const ww_stat_table ww_crossbar_down_stats = {
    .name = "network down",
    .doc = "the crossbar from the compute units to the L2",
    .stats = down_stats,
    .count = sizeof(down_stats) / sizeof(down_stats[0]),
    .size = sizeof(ww_crossbar_counters),
    .laws = down_laws,
    .law_count = 1,
};

const ww_stat_table ww_crossbar_up_stats = {
    .name = "network up",
    .doc = "the crossbar from the L2 to the compute units",
    .stats = up_stats,
    .count = sizeof(up_stats) / sizeof(up_stats[0]),
    .size = sizeof(ww_crossbar_counters),
    .laws = up_laws,
    .law_count = 1,
};
