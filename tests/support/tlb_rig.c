#include "support/tlb_rig.h"

#include "base/hash.h"
#include "base/memory.h"
#include "mem/mem.h"
#include "stats/stats.h"
#include "vm/page_table.h"
#include "vm/vm_stats.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

typedef struct pending {
    ww_tick due;
    ww_translation *translation;
} pending;

struct tlb_rig {
    tlb_rig_config config;
    ww_engine *engine;
    ww_tlb *tlb;
    ww_task feeder, below, above, walker;
    ww_port down, walks, outs[TLB_RIG_OUTS];
    ww_port *out_list[TLB_RIG_OUTS], *walker_list[TLB_RIG_OUTS];
    tlb_rig_request *requests;
    size_t capacity, planned, fed, answered;
    WW_VEC(pending) pending;
    bool silent;
    size_t used;
    char log[4096];
};

tlb_rig_config tlb_rig_plain(void)
{
    return (tlb_rig_config){.tlb = {.name = "tlb",
                                    .clock = {1, 1},
                                    .entries = {.entries = 4},
                                    .latency = 1,
                                    .lookups = 2,
                                    .mshrs = 4,
                                    .queue = 64,
                                    .producers = 1},
                            .down_latency = 1,
                            .down_queue = 64,
                            .below_time = 10,
                            .outs = 1};
}

static void note(tlb_rig *rig, const char *format, ...)
{
    if (rig->silent)
        return;
    va_list args;
    va_start(args, format);
    int length = vsnprintf(rig->log + rig->used, sizeof(rig->log) - rig->used, format, args);
    va_end(args);
    rig->used += (size_t)length;
    assert_true(rig->used < sizeof(rig->log));
}

static uint64_t frame_of(const ww_translation *t)
{
    return ww_mix64(ww_translation_key(t)) & WW_PTE_FRAME;
}

ww_tick tlb_rig_below_time(const tlb_rig_config *config, size_t number)
{
    return config->below_time +
           (config->below_more ? ww_mix64(number + 1) % (config->below_more + 1) : 0);
}

static void feed(void *owner)
{
    tlb_rig *rig = owner;
    ww_tick now = ww_engine_now(rig->engine);
    for (; rig->fed < rig->planned; rig->fed++) {
        tlb_rig_request *r = &rig->requests[rig->fed];
        if (r->planned > now + 1) {
            ww_wake(rig->engine, &rig->feeder, r->planned - 1);
            return;
        }
        if (!ww_port_has_room(ww_tlb_in(rig->tlb))) {
            ww_port_wait(ww_tlb_in(rig->tlb), &rig->feeder);
            return;
        }
        ww_port_send(ww_tlb_in(rig->tlb), &r->translation, now + 1);
    }
}

static void receive_answers(void *owner)
{
    tlb_rig *rig = owner;
    ww_tick now = ww_engine_now(rig->engine);
    for (uint32_t i = 0; i < rig->config.outs; i++) {
        for (ww_translation *t; (t = ww_port_peek(&rig->outs[i])) != NULL;) {
            tlb_rig_request *r = t->owner;
            ww_port_pop(&rig->outs[i]);
            if (t->status != WW_FAR_FAULT)
                assert_int_equal(t->frame, frame_of(t));
            r->answers++;
            r->answered = now;
            rig->answered++;
            note(rig, rig->config.outs > 1 ? "%llu%c%c%u " : "%llu%c%c ", (unsigned long long)now,
                 "^!#"[t->status], r -> name, i);
        }
        if (rig->outs[i].count)
            ww_wake(rig->engine, &rig->above, ww_port_next(&rig->outs[i]));
    }
}

static void answer(ww_translation *t)
{
    const tlb_rig_request *r = t->owner;
    if (r->below == TLB_RIG_FORWARDED) {
        t->status = WW_FORWARDED;
        return;
    }
    ww_pte_answer(r->below == TLB_RIG_ABSENT
                      ? 0
                      : frame_of(t) | WW_PTE_PRESENT |
                            (r->below == TLB_RIG_READ_ONLY ? 0 : WW_PTE_WRITABLE),
                  t);
}

static void send_fills(tlb_rig *rig, ww_tick now)
{
    size_t left = 0;
    ww_tick next = WW_NEVER;
    for (size_t i = 0; i < rig->pending.count; i++) {
        pending p = rig->pending.items[i];
        if (p.due <= now) {
            answer(p.translation);
            ww_port_send(ww_tlb_fill(rig->tlb), p.translation, now);
            continue;
        }
        next = p.due < next ? p.due : next;
        rig->pending.items[left++] = p;
    }
    rig->pending.count = left;
    if (next != WW_NEVER)
        ww_wake(rig->engine, &rig->below, next);
}

static void run_walker(void *owner)
{
    tlb_rig *rig = owner;
    ww_tick now = ww_engine_now(rig->engine);
    for (ww_translation *t; (t = ww_port_peek(&rig->walks)) != NULL;) {
        tlb_rig_request *r = t->owner;
        ww_port_pop(&rig->walks);
        note(rig, "%lluw%c ", (unsigned long long)now, r->name);
        r->below = TLB_RIG_PRESENT;
        ww_vec_push(&rig->pending, ((pending){now + rig->config.walk_time, t}));
        ww_wake(rig->engine, &rig->below, now + rig->config.walk_time);
    }
}

static void run_below(void *owner)
{
    tlb_rig *rig = owner;
    ww_tick now = ww_engine_now(rig->engine);
    if (now < rig->config.below_hold) {
        ww_wake(rig->engine, &rig->below, rig->config.below_hold);
        return;
    }
    for (ww_translation *t; (t = ww_port_peek(&rig->down)) != NULL;) {
        tlb_rig_request *r = t->owner;
        ww_port_pop(&rig->down);
        note(rig, "%llu%s%c ", (unsigned long long)now, "v", r->name);
        ww_tick time = tlb_rig_below_time(&rig->config, (size_t)(r - rig->requests));
        ww_vec_push(&rig->pending, ((pending){now + time, t}));
    }
    if (rig->down.count)
        ww_wake(rig->engine, &rig->below, ww_port_next(&rig->down));
    send_fills(rig, now);
}

static void allocate(void *context, const ww_translation *t)
{
    tlb_rig *rig = context;
    note(rig, "%llu+%c ", (unsigned long long)ww_engine_now(rig->engine),
         ((const tlb_rig_request *)t->owner)->name);
}

tlb_rig *tlb_rig_create(const tlb_rig_config *config, size_t count)
{
    tlb_rig *rig = ww_calloc(1, sizeof(*rig));
    rig->config = *config;
    rig->capacity = count;
    rig->requests = ww_calloc(count, sizeof(*rig->requests));
    rig->engine = ww_engine_create();
    rig->tlb = ww_tlb_create(&config->tlb, rig->engine);
    ww_task_init(rig->engine, &rig->below, WW_PHASE_DRAM, run_below, rig);
    ww_task_init(rig->engine, &rig->above, WW_PHASE_LOAD_STORE, receive_answers, rig);
    ww_task_init(rig->engine, &rig->feeder, WW_PHASE_BEFORE_ISSUE, feed, rig);
    ww_task_init(rig->engine, &rig->walker, WW_PHASE_LOAD_STORE, run_walker, rig);
    ww_port_init(&rig->walks, rig->engine, (uint32_t)count, 1);
    ww_port_connect(&rig->walks, &rig->walker);
    ww_port_init(&rig->down, rig->engine, config->down_queue, 1);
    ww_port_connect(&rig->down, &rig->below);
    for (uint32_t i = 0; i < config->outs; i++) {
        ww_port_init(&rig->outs[i], rig->engine, (uint32_t)count, 1);
        ww_port_connect(&rig->outs[i], &rig->above);
        rig->out_list[i] = &rig->outs[i];
        rig->walker_list[i] = &rig->walks;
    }
    ww_tlb_connect(rig->tlb, &(ww_tlb_wiring){.down = &rig->down,
                                              .down_latency = config->down_latency,
                                              .outs = rig->out_list,
                                              .walkers = rig->walker_list,
                                              .route = config->route,
                                              .answer_ticks = config->answer_ticks,
                                              .allocate = config->allocates ? allocate : NULL,
                                              .context = rig});
    return rig;
}

static void check_laws(tlb_rig *rig)
{
    ww_errors *errors = ww_errors_create();
    ww_stats *stats = ww_stats_create(NULL);
    ww_stats_add(stats, &ww_l1_tlb_stats, ww_tlb_count(rig->tlb));
    ww_stats_read(stats);
    ww_stats_check(stats, errors);
    ww_errors_print(errors, stderr);
    assert_int_equal(ww_errors_count(errors), 0);
    ww_stats_destroy(stats);
    ww_errors_destroy(errors);
}

void tlb_rig_destroy(tlb_rig *rig)
{
    const ww_tlb_counters *c = ww_tlb_count(rig->tlb);
    for (size_t i = 0; i < rig->planned; i++)
        assert_int_equal(rig->requests[i].answers, 1);
    assert_int_equal(c->accesses, rig->planned);
    assert_int_equal(c->fills, c->misses);
    check_laws(rig);
    ww_tlb_destroy(rig->tlb);
    ww_port_clear(&rig->down);
    ww_port_clear(&rig->walks);
    for (uint32_t i = 0; i < rig->config.outs; i++)
        ww_port_clear(&rig->outs[i]);
    ww_vec_free(&rig->pending);
    ww_engine_destroy(rig->engine);
    free(rig->requests);
    free(rig);
}

tlb_rig_request *tlb_rig_plan(tlb_rig *rig, ww_tick tick, char name, uint64_t page)
{
    assert_true(rig->planned < rig->capacity);
    tlb_rig_request *r = &rig->requests[rig->planned++];
    *r =
        (tlb_rig_request){.translation = {.page = page, .owner = r}, .planned = tick, .name = name};
    ww_wake(rig->engine, &rig->feeder, tick - 1);
    return r;
}

void tlb_rig_run(tlb_rig *rig)
{
    assert_false(ww_engine_run(rig->engine, WW_NEVER));
    assert_int_equal(rig->answered, rig->planned);
}

void tlb_rig_run_until(tlb_rig *rig, ww_tick limit)
{
    ww_engine_run(rig->engine, limit);
}

void tlb_rig_expect(tlb_rig *rig, const char *log)
{
    tlb_rig_run(rig);
    if (rig->used && rig->log[rig->used - 1] == ' ')
        rig->log[--rig->used] = '\0';
    assert_string_equal(rig->log, log);
    rig->used = 0;
    rig->log[0] = '\0';
}

void tlb_rig_silence(tlb_rig *rig)
{
    rig->silent = true;
}

ww_tlb *tlb_rig_tlb(tlb_rig *rig)
{
    return rig->tlb;
}
