/* An L1 TLB that answers each page after a time that a test sets, so that answers may come in any
 * order.
 *
 * pages   of 64 KiB that start at `base`, numbered from there: the compute unit's buffer. Their
 *         frames are in the same 64 KiB, in the opposite order; every other address is its own
 *         physical address.
 * log     "16v3" at tick 16 the request of page 3 came, "20^3" at tick 20 its answer went */
#ifndef TESTS_SUPPORT_TLB_MOCK_H
#define TESTS_SUPPORT_TLB_MOCK_H

#include "core/core.h"
#include "mem/mapping.h"
#include "vm/walk_records.h"

#define TLB_MOCK_BYTES 65536
#define TLB_MOCK_PAGES 16
#define TLB_MOCK_LOG 4096

typedef struct tlb_mock {
    ww_tlb_link link;               /* without a port; no lookups: there is no TLB */
    uint32_t queue;                 /* capacity, in requests; 0: 64 */
    ww_tick hold;                   /* takes nothing before this tick */
    ww_tick time[TLB_MOCK_PAGES];   /* by page: from its request to its answer; 0: a hit */
    uint64_t spoil;                 /* added to every frame */
    uint8_t status[TLB_MOCK_PAGES]; /* ww_translation_status, by page */
    unsigned page_shift;
    uint64_t base;

    ww_engine *engine;
    ww_port in;
    ww_port *out;
    ww_task task;
    struct {
        ww_translation *translation;
        ww_tick due;
    } pending[64];
    unsigned pending_count;
    uint64_t arrived;
    ww_walk_records *records; /* each request is a walk, too */
    size_t used;
    char log[TLB_MOCK_LOG];
} tlb_mock;

void tlb_mock_start(tlb_mock *tlb, ww_engine *engine, unsigned page_shift, uint64_t base);
void tlb_mock_clear(tlb_mock *tlb);
/* What the compute unit is wired with. */
ww_tlb_link tlb_mock_link(tlb_mock *tlb);
/* Translates an address, as a ww_mapping does; the context is a tlb_mock. */
ww_mapped_address tlb_mock_translate(const void *context, uint16_t asid, uint64_t address);

#endif
