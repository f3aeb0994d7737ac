/* A DRAM channel between mocks: requests go in at planned ticks, replies and commands are noted.
 *
 * Addresses are made from row, bank and column: the rig's order is row:rank:bank:group:column, with
 * one channel and no hashing, unless settings say otherwise. */
#ifndef WW_TESTS_SUPPORT_DRAM_RIG_H
#define WW_TESTS_SUPPORT_DRAM_RIG_H

#include "base/memory.h"
#include "mem/dram.h"

typedef struct rig_request {
    ww_tick tick; /* arrives at the channel, or when that can accept it */
    uint64_t address;
    uint32_t sectors;
    uint8_t kind, class;
    bool full;
    /* noted */
    ww_tick sent;    /* the arrival that it really had */
    ww_tick replied; /* 0: not */
    unsigned replies;
    uint32_t queue_time, dram_time; /* the stages */
} rig_request;

typedef struct dram_rig {
    ww_engine *engine;
    ww_request_pool *pool;
    ww_config *config;
    ww_dram_config c;
    ww_port in, out;
    ww_dram *dram;
    ww_task feeder, sink;
    size_t next;            /* to be sent */
    uint32_t sink_interval; /* ticks between two replies that are taken */
    ww_tick sink_free;
    WW_VEC(rig_request) requests;
    WW_VEC(ww_dram_command) commands;
} dram_rig;

typedef struct rig_machine {
    uint64_t base_hertz;
    uint32_t line_bytes, sector_bytes;
    uint32_t in_capacity, out_capacity;
} rig_machine;

/* Settings are assignments as after -s, ended by NULL; NULL machine: 64-byte lines without sectors,
 * ports of 64, and the DRAM's clock as the base clock. */
void rig_create(dram_rig *rig, const char *const *settings, const rig_machine *machine);
/* After the configuration and before the first request: for tests that change it by hand. */
void rig_start(dram_rig *rig);
void rig_destroy(dram_rig *rig);

uint64_t rig_address(const dram_rig *rig, unsigned rank, unsigned group, unsigned bank,
                     uint64_t row, unsigned column);
/* Planned in the order of their ticks, which are at least 1. Returns the request's number. */
size_t rig_read(dram_rig *rig, ww_tick tick, uint64_t address);
size_t rig_write(dram_rig *rig, ww_tick tick, uint64_t address);
size_t rig_plan(dram_rig *rig, const rig_request *request);
void rig_run(dram_rig *rig, ww_tick limit);

/* The cycle of the n-th command of a kind (counted from 0), or WW_NEVER. */
uint64_t rig_command(const dram_rig *rig, ww_dram_op op, size_t n);
ww_dram_counters rig_counters(dram_rig *rig);

#endif
