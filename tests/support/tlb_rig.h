/* A TLB between mocks: requests come at planned ticks, misses are answered from below after a time
 * of their own.
 *
 * log   what happened, in order: "5va" at tick 5 the miss of a came below, "7wa" at tick 7 it came
 *       to the walker of its compute unit, "9^a" at tick 9 the answer of a came above ("9!a" a
 *       far-fault, "9#a" a protection fault); with several ways up, "9^a1" on way 1
 * A page's frame is the rig's frame of it; every answer is checked, and that there is one for each
 * request. */
#ifndef WW_TESTS_SUPPORT_TLB_RIG_H
#define WW_TESTS_SUPPORT_TLB_RIG_H

#include "support/pages.h"
#include "vm/tlb.h"

enum { TLB_RIG_OUTS = 4 };

typedef struct tlb_rig_config {
    ww_tlb_config tlb;
    uint32_t down_latency; /* cycles */
    uint32_t down_queue;
    ww_tick below_time; /* from coming below to the answer; 0 is the same tick */
    ww_tick below_more; /* for each request a part of this, by its number */
    ww_tick below_hold; /* nothing is taken below before this tick */
    ww_tick walk_time;  /* from coming to the walker of a compute unit to its answer */
    ww_tlb_route route;
    uint32_t outs;
    uint32_t answer_ticks;
    bool allocates; /* the log has pages that get their frames: "6+a" */
} tlb_rig_config;

/* What a request's page is below. A forwarded one is present when it was walked for. */
typedef enum tlb_rig_page {
    TLB_RIG_PRESENT,
    TLB_RIG_ABSENT,
    TLB_RIG_READ_ONLY,
    TLB_RIG_FORWARDED
} tlb_rig_page;

typedef struct tlb_rig_request {
    ww_translation translation;
    tlb_rig_page below; /* if this request is the one that goes down */
    ww_tick planned;
    ww_tick answered;
    unsigned answers;
    char name;
} tlb_rig_request;

typedef struct tlb_rig tlb_rig;

/* 4 entries, fully associative, 2 lookups a cycle, 4 registers, large queues; 1 cycle down, 10
 * ticks below. */
tlb_rig_config tlb_rig_plain(void);
tlb_rig *tlb_rig_create(const tlb_rig_config *config, size_t count);
/* Everything was answered once, and the statistics obey their laws. */
void tlb_rig_destroy(tlb_rig *rig);

/* In the order of their ticks, which are at least 1. */
tlb_rig_request *tlb_rig_plan(tlb_rig *rig, ww_tick tick, char name, uint64_t page);
ww_tick tlb_rig_below_time(const tlb_rig_config *config, size_t number);
void tlb_rig_run(tlb_rig *rig);
void tlb_rig_run_until(tlb_rig *rig, ww_tick limit);
void tlb_rig_expect(tlb_rig *rig, const char *log);
void tlb_rig_silence(tlb_rig *rig);
ww_tlb *tlb_rig_tlb(tlb_rig *rig);

#endif
