#include "support/tlb_mock.h"

#include "mem/mem.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static void note(tlb_mock *tlb, char what, uint64_t number)
{
    int length =
        snprintf(tlb->log + tlb->used, sizeof(tlb->log) - tlb->used, "%s%" PRIu64 "%c%" PRIu64,
                 tlb->used ? " " : "", ww_engine_now(tlb->engine), what, number);
    tlb->used += (size_t)length;
    assert_true(tlb->used < sizeof(tlb->log));
}

static uint64_t number_of(const tlb_mock *tlb, const ww_translation *t)
{
    uint64_t address = t->page << tlb->page_shift;
    assert_true(address - tlb->base < TLB_MOCK_BYTES);
    return (address - tlb->base) >> tlb->page_shift;
}

ww_mapped_address tlb_mock_translate(const void *context, uint16_t asid, uint64_t address)
{
    (void)asid;
    const tlb_mock *tlb = context;
    uint64_t turned = TLB_MOCK_BYTES - (1ull << tlb->page_shift);
    bool inside = address - tlb->base < TLB_MOCK_BYTES;
    return (ww_mapped_address){.physical = inside ? address ^ turned : address};
}

static void accept_requests(tlb_mock *tlb, ww_tick now)
{
    for (ww_translation *t; (t = ww_port_peek(&tlb->in)) != NULL;) {
        uint64_t page = number_of(tlb, t);
        ww_port_pop(&tlb->in);
        note(tlb, 'v', page);
        tlb->arrived++;
        ww_walk_records_arrive(tlb->records, &t->instruction, tlb->arrived, now);
        assert_int_equal(t->source, tlb->link.source);
        assert_int_equal(t->unit, tlb->link.unit);
        assert_true(tlb->pending_count < sizeof(tlb->pending) / sizeof(tlb->pending[0]));
        tlb->pending[tlb->pending_count].translation = t;
        tlb->pending[tlb->pending_count++].due = now + tlb->time[page];
    }
    if (tlb->in.count)
        ww_wake(tlb->engine, &tlb->task, ww_port_next(&tlb->in));
}

static void send_answers(tlb_mock *tlb, ww_tick now)
{
    unsigned left = 0;
    for (unsigned i = 0; i < tlb->pending_count; i++) {
        ww_translation *t = tlb->pending[i].translation;
        if (tlb->pending[i].due > now) {
            ww_wake(tlb->engine, &tlb->task, tlb->pending[i].due);
            tlb->pending[left++] = tlb->pending[i];
            continue;
        }
        note(tlb, '^', number_of(tlb, t));
        t->frame =
            tlb_mock_translate(tlb, t->instruction.asid, t->page << tlb->page_shift).physical +
            tlb->spoil;
        t->status = tlb->status[number_of(tlb, t)];
        ww_port_send(tlb->out, t, now);
    }
    tlb->pending_count = left;
}

static void tick(void *owner)
{
    tlb_mock *tlb = owner;
    ww_tick now = ww_engine_now(tlb->engine);
    if (now < tlb->hold) {
        ww_wake(tlb->engine, &tlb->task, tlb->hold);
        return;
    }
    accept_requests(tlb, now);
    send_answers(tlb, now);
}

void tlb_mock_start(tlb_mock *tlb, ww_engine *engine, unsigned page_shift, uint64_t base)
{
    tlb->engine = engine;
    tlb->page_shift = page_shift;
    tlb->base = base;
    assert_int_equal(base % TLB_MOCK_BYTES, 0);
    ww_task_init(engine, &tlb->task, WW_PHASE_TRANSLATION, tick, tlb);
    ww_port_init(&tlb->in, engine, tlb->queue ? tlb->queue : 64, 1);
    ww_port_connect(&tlb->in, &tlb->task);
}

void tlb_mock_clear(tlb_mock *tlb)
{
    ww_port_clear(&tlb->in);
}

ww_tlb_link tlb_mock_link(tlb_mock *tlb)
{
    ww_tlb_link link = tlb->link;
    link.port = link.lookups ? &tlb->in : NULL;
    return link;
}
