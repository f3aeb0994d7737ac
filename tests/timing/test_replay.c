/* Instructions whose page faults are parked outside of the load/store unit, and replayed when the
 * handler says so. A load of one page is issued at tick 5 and at the TLB at 7, as in
 * test_translate.c; its fault is answered in the same tick. Replayed in tick t, it has an entry
 * again in t, its page is at the TLB in t + 2, and its line at the L1 in t + 3. */
#include "support/core_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define PAGES TLB_MOCK_PAGES

static core_rig r;

static struct {
    ww_task task;
    ww_tick replay[PAGES]; /* by page: when it is present; 0: always */
    ww_fault_verdict verdict;
    char log[512]; /* "7!0" at tick 7 a fault of page 0; "7^0" its frame, "7=2" the completion of
                      instruction 2: only with `translated` and `completed` */
    size_t used;
} handler;

static uint64_t first_page(void)
{
    return r.params[0] >> r.config.page_shift;
}

static void note(char what, uint64_t number)
{
    handler.used += (size_t)snprintf(handler.log + handler.used, sizeof(handler.log) - handler.used,
                                     "%s%llu%c%llu", handler.used ? " " : "",
                                     (unsigned long long)ww_engine_now(r.engine), what,
                                     (unsigned long long)number);
}

static void translated(void *context, const ww_translation *t)
{
    assert_ptr_equal(context, &handler);
    note('^', t->page - first_page());
}

static void completed(void *context, const ww_instruction_id *instruction)
{
    assert_ptr_equal(context, &handler);
    note('=', instruction->number);
}

static ww_fault_verdict fault(void *context, const ww_page_fault *f)
{
    assert_ptr_equal(context, &handler);
    uint64_t page = f->page - first_page();
    note(f->status == WW_FAR_FAULT ? '!' : '#', page);
    assert_int_equal(f->status, r.tlb.status[page]);
    if (handler.replay[page])
        ww_wake(r.engine, &handler.task, handler.replay[page]);
    return handler.verdict;
}

/* Pages whose time has come are present from now on. */
static void replay(void *owner)
{
    (void)owner;
    ww_tick now = ww_engine_now(r.engine);
    for (unsigned i = 0; i < PAGES; i++) {
        if (!handler.replay[i])
            continue;
        if (handler.replay[i] > now) {
            ww_wake(r.engine, &handler.task, handler.replay[i]);
            continue;
        }
        handler.replay[i] = 0;
        r.tlb.status[i] = WW_TRANSLATED;
        ww_cu_replay(r.cu, 0, first_page() + i);
    }
}

/* A handler that blocks the compute unit from a fault until its page is translated. */
static ww_fault_verdict fault_and_block(void *context, const ww_page_fault *f)
{
    ww_cu_block(r.cu, true);
    return fault(context, f);
}

static void unblock(void *context, const ww_translation *t)
{
    translated(context, t);
    ww_cu_block(r.cu, false);
}

static void block_on_faults(void)
{
    r.faults.fault = fault_and_block;
    r.faults.translated = unblock;
}

static int begin(void **state)
{
    (void)state;
    memset(&handler, 0, sizeof(handler));
    core_rig_init(&r);
    r.config.page_shift = 12;
    r.tlb.link = (ww_tlb_link){.latency = 1, .lookups = 4};
    r.faults = (ww_fault_handler){.fault = fault, .context = &handler};
    return 0;
}

static void absent(unsigned page, ww_tick until)
{
    handler.replay[page] = until;
    r.tlb.status[page] = WW_FAR_FAULT;
}

static void play(const char *text)
{
    core_rig_load(&r, text);
    ww_task_init(r.engine, &handler.task, WW_PHASE_DRAM, replay, NULL);
    core_rig_run(&r);
}

static void a_page_comes_a_thousand_cycles_later(void **state)
{
    (void)state;
    absent(0, 1007);
    play(CORE_RIG_KERNEL("ld.param.u64 %d0, [p]; ld.global.u32 %r1, [%d0]; add.u32 %r2, %r1, 1;"));
    assert_string_equal(handler.log, "7!0");
    assert_string_equal(r.tlb.log, "7v0 7^0 1009v0 1009^0");
    assert_string_equal(r.data.log, "1010:Rf000:1");
    core_rig_expect(&r, "0:a0 4:a1 1019:a2 1020:a3");
    assert_int_equal(r.counters.stages[WW_STAGE_TRANSLATE], 1009 - 5);
    core_rig_end(&r);
}

/* A replay of another page, or of another space, is not this one's; one that comes too early faults
 * again. */
static void a_replay_may_fault_again(void **state)
{
    (void)state;
    absent(0, 1007);
    core_rig_load(&r, CORE_RIG_KERNEL("ld.param.u64 %d0, [p]; ld.global.u32 %r1, [%d0];"));
    ww_task_init(r.engine, &handler.task, WW_PHASE_DRAM, replay, NULL);
    core_rig_step(&r, 100);
    ww_cu_replay(r.cu, 0, first_page() + 1);
    ww_cu_replay(r.cu, 1, first_page());
    core_rig_step(&r, 200);
    ww_cu_replay(r.cu, 0, first_page());
    core_rig_run(&r);
    assert_string_equal(handler.log, "7!0 202!0");
    assert_string_equal(r.tlb.log, "7v0 7^0 202v0 202^0 1009v0 1009^0");
    core_rig_end(&r);
}

/* Warps a and b load page 0, in ticks 23 and 24; then b's own page 1, which is there. */
#define TWO_WARPS                                                                       \
    CORE_RIG_KERNEL("ld.param.u64 %d0, [p]; mov.u32 %r0, %tid.x; shr.u32 %r1, %r0, 5;"  \
                    "shl.b32 %r1, %r1, 7; cvt.u64.u32 %d1, %r1; add.u64 %d1, %d0, %d1;" \
                    "ld.global.u32 %r2, [%d1]; ld.global.u32 %r3, [%d1+4096];"          \
                    "add.u32 %r4, %r3, 1; add.u32 %r5, %r2, 1;")

static void two_warps_wait_for_one_page(void **state)
{
    (void)state;
    r.group = 64;
    absent(0, 1000);
    play(TWO_WARPS);
    assert_string_equal(handler.log, "25!0 26!0");
    assert_string_equal(r.tlb.log, "25v0 25^0 26v0 26^0 27v1 27^1 28v1 28^1 1002v0 1002v0 1002^0 "
                                   "1002^0");
    /* Loads of page 1 overtake; those of page 0 go in the order in which they were parked. */
    assert_string_equal(r.data.log, "28:Re000:1 29:Re080:1 1003:Rf000:1 1004:Rf080:1");
    core_rig_expect(&r, "0:a0 1:b0 2:a1 3:b1 6:a2 7:b2 10:a3 11:b3 14:a4 15:b4 18:a5 19:b5 22:a6 "
                        "23:b6 24:a7 25:b7 37:a8 38:b8 1012:a9 1013:b9 1014:a10 1015:b10");
    core_rig_end(&r);
}

/* The same, where results return in order: the loads of page 1 have their data at ticks 38 and 39,
 * and complete after the older ones. */
static void in_order_younger_results_wait(void **state)
{
    (void)state;
    r.group = 64;
    r.config.in_order = true;
    absent(0, 1000);
    play(TWO_WARPS);
    assert_string_equal(r.data.log, "28:Re000:1 29:Re080:1 1003:Rf000:1 1004:Rf080:1");
    core_rig_expect(&r, "0:a0 1:b0 2:a1 3:b1 6:a2 7:b2 10:a3 11:b3 14:a4 15:b4 18:a5 19:b5 22:a6 "
                        "23:b6 24:a7 25:b7 1013:a8 1014:b8 1015:a9 1016:b9 1017:a10 1018:b10");
    core_rig_end(&r);
}

/* One entry: the second load takes it when the first is parked, at tick 7, and the first takes it
 * back when the second has sent its line, at 57. */
static void a_parked_instruction_has_no_entry(void **state)
{
    (void)state;
    r.config.memory_queue = 1;
    absent(0, 20);
    r.tlb.time[1] = 48;
    play(CORE_RIG_KERNEL("ld.param.u64 %d0, [p]; ld.global.u32 %r1, [%d0];"
                         "ld.global.u32 %r2, [%d0+4096]; ld.global.u32 %r3, [%d0+8192];"));
    assert_string_equal(r.tlb.log, "7v0 7^0 9v1 57^1 59v0 59^0 61v2 61^2");
    assert_string_equal(r.data.log, "58:Re000:1 60:Rf000:1 62:Rd000:1");
    core_rig_expect(&r, "0:a0 4:a1 6:a2 58:a3 59:a4");
    core_rig_end(&r);
}

/* The load of page 2 is the last that is parked, and returns first: that of page 3, which waits for
 * its value, is parked behind those of pages 0 and 1, in the same record. */
static void a_record_is_used_again(void **state)
{
    (void)state;
    absent(0, 1000);
    absent(1, 1000);
    absent(2, 100);
    absent(3, 1000);
    core_rig_load(&r, CORE_RIG_KERNEL("ld.param.u64 %d0, [p]; ld.global.u32 %r1, [%d0];"
                                      "ld.global.u32 %r2, [%d0+4096]; ld.global.u32 %r3, "
                                      "[%d0+8192]; and.b32 %r3, %r3, 0; cvt.u64.u32 %d1, %r3;"
                                      "add.u64 %d1, %d0, %d1; ld.global.u32 %r4, [%d1+12288];"));
    ww_task_init(r.engine, &handler.task, WW_PHASE_DRAM, replay, NULL);
    const ww_translator *t = &r.cu->memory.translator;
    core_rig_step(&r, 50);
    assert_int_equal(ww_park_count(&r.cu->memory), 3);
    const struct ww_parked *last = t->last_parked;
    core_rig_step(&r, 105);
    assert_int_equal(ww_park_count(&r.cu->memory), 2);
    assert_ptr_equal(t->spare_parked, last);
    core_rig_step(&r, 500);
    assert_int_equal(ww_park_count(&r.cu->memory), 3);
    assert_ptr_equal(t->last_parked, last);
    assert_null(t->spare_parked);
    core_rig_run(&r);
    assert_string_equal(handler.log, "7!0 8!1 9!2 127!3");
    assert_string_equal(r.tlb.log, "7v0 7^0 8v1 8^1 9v2 9^2 102v2 102^2 127v3 127^3 1002v0 1002v1 "
                                   "1002v3 1002^0 1002^1 1002^3");
    core_rig_end(&r);
}

#define LOAD_FOUR_ONLY                                                   \
    "ld.param.u64 %d0, [p]; mov.u32 %r0, %tid.x; shr.u32 %r1, %r0, 3;"   \
    "shl.b32 %r1, %r1, 12; cvt.u64.u32 %d1, %r1; add.u64 %d1, %d0, %d1;" \
    "ld.global.u32 %r2, [%d1];"
#define LOAD_FOUR CORE_RIG_KERNEL(LOAD_FOUR_ONLY)
#define LOAD_FOUR_AND_ONE CORE_RIG_KERNEL(LOAD_FOUR_ONLY "ld.global.u32 %r3, [%d0];")

/* Pages 1 and 3 of four are absent; the instruction returns after the later one. Pages 0 and 2 are
 * not requested again. */
static void an_instruction_returns_with_its_last_page(void **state)
{
    (void)state;
    absent(1, 500);
    absent(3, 300);
    play(LOAD_FOUR);
    assert_string_equal(handler.log, "24!1 24!3");
    assert_string_equal(r.tlb.log,
                        "24v0 24v1 24v2 24v3 24^0 24^1 24^2 24^3 502v1 502v3 502^1 502^3");
    assert_string_equal(r.data.log, "503:Rf000:1 504:Re000:1 505:Rd000:1 506:Rc000:1");
    core_rig_end(&r);
}

/* A record of one line and one page is used again for 32 lines in four pages. */
static void a_record_grows(void **state)
{
    (void)state;
    absent(4, 100);
    absent(3, 500);
    play(CORE_RIG_KERNEL("ld.param.u64 %d0, [p]; mov.u32 %r0, %tid.x; ld.global.u32 %r9, "
                         "[%d0+16384]; and.b32 %r9, %r9, 0; shl.b32 %r1, %r0, 9;"
                         "add.u32 %r1, %r1, %r9; cvt.u64.u32 %d1, %r1; add.u64 %d1, %d0, %d1;"
                         "ld.global.u32 %r2, [%d1];"));
    assert_int_equal(r.tlb.arrived, 2 + 4 + 1);
    assert_int_equal(r.data.arrived, 1 + 32);
    core_rig_end(&r);
}

/* LOAD_FOUR, in what the handler is told of: each page with a frame, and once that all pages are
 * translated. The second load, of page 0, has no fault, and does not complete one. */
static void the_handler_is_told_of_frames_and_of_the_last_one(void **state)
{
    (void)state;
    for (int own_page = 0; own_page < 2; own_page++) {
        begin(NULL);
        r.faults.translated = translated;
        r.faults.completed = completed;
        r.config.own_page = own_page;
        absent(1, 500);
        absent(3, 300);
        play(LOAD_FOUR_AND_ONE);
        assert_string_equal(handler.log, "24^0 24!1 24^2 24!3 25^0 502^1 502^3 502=1");
        core_rig_end(&r);
    }
}

/* Page 1 is back before the answer of page 3 is there: the instruction never leaves. */
static void a_page_can_come_before_the_others(void **state)
{
    (void)state;
    absent(1, 100);
    r.tlb.time[3] = 200;
    play(LOAD_FOUR);
    assert_string_equal(r.tlb.log, "24v0 24v1 24v2 24v3 24^0 24^1 24^2 101v1 101^1 224^3");
    assert_string_equal(r.data.log, "225:Rf000:1 226:Re000:1 227:Rd000:1 228:Rc000:1");
    core_rig_end(&r);
}

/* Lines leave with their own pages, the others when they are back. */
static void lines_of_other_pages_can_leave_before(void **state)
{
    (void)state;
    r.config.own_page = true;
    absent(1, 500);
    play(LOAD_FOUR);
    assert_string_equal(r.data.log, "25:Rf000:1 26:Rd000:1 27:Rc000:1 503:Re000:1");
    core_rig_end(&r);
}

/* The lookup of page 1 would be sent in tick 7, when the fault of page 0 comes. It is sent in 1009,
 * when page 0 is translated. Arithmetic goes on. */
static void a_blocked_unit_looks_up_nothing_else(void **state)
{
    (void)state;
    absent(0, 1007);
    block_on_faults();
    play(CORE_RIG_KERNEL("ld.param.u64 %d0, [p]; ld.global.u32 %r1, [%d0];"
                         "ld.global.u32 %r2, [%d0+4096]; mov.u32 %r3, 1; add.u32 %r4, %r3, 1;"
                         "add.u32 %r5, %r2, 1;"));
    assert_string_equal(handler.log, "7!0 1009^0 1010^1");
    assert_string_equal(r.tlb.log, "7v0 7^0 1009v0 1009^0 1010v1 1010^1");
    assert_string_equal(r.data.log, "1010:Rf000:1 1011:Re000:1");
    core_rig_expect(&r, "0:a0 4:a1 5:a2 6:a3 10:a4 1020:a5 1021:a6");
    core_rig_end(&r);
}

/* Two entries: the load of page 1 has one, and the other one stays free for that of page 0, which
 * returns in tick 100. The load of page 2 issues when page 0 is translated and its line sent, in
 * tick 102, which is cycle 101. With one entry the load of page 1 waits for that, too. */
static void a_blocked_unit_keeps_an_entry_for_what_returns(void **state)
{
    (void)state;
    for (uint32_t queue = 1; queue <= 2; queue++) {
        begin(NULL);
        r.config.memory_queue = queue;
        absent(0, 100);
        block_on_faults();
        play(CORE_RIG_KERNEL("ld.param.u64 %d0, [p]; ld.global.u32 %r1, [%d0];"
                             "ld.global.u32 %r2, [%d0+4096]; ld.global.u32 %r3, [%d0+8192];"));
        assert_string_equal(r.tlb.log, queue == 1 ? "7v0 7^0 102v0 102^0 104v1 104^1 106v2 106^2"
                                                  : "7v0 7^0 102v0 102^0 103v1 103^1 104v2 104^2");
        core_rig_expect(&r, queue == 1 ? "0:a0 4:a1 101:a2 103:a3 104:a4"
                                       : "0:a0 4:a1 5:a2 101:a3 102:a4");
        core_rig_end(&r);
    }
}

/* One lookup a cycle. The unit is blocked after two of four, before tick 25, until tick 100. */
static void unblocking_goes_on_with_the_next_page(void **state)
{
    (void)state;
    r.tlb.link.lookups = 1;
    core_rig_load(&r, LOAD_FOUR);
    ww_task_init(r.engine, &handler.task, WW_PHASE_DRAM, replay, NULL);
    ww_wake(r.engine, &handler.task, 99);
    core_rig_step(&r, 25);
    ww_cu_block(r.cu, true);
    core_rig_step(&r, 100);
    ww_cu_block(r.cu, false);
    core_rig_run(&r);
    assert_string_equal(r.tlb.log, "24v0 24^0 25v1 25^1 101v2 101^2 102v3 102^3");
    core_rig_end(&r);
}

/* The one entry is kept free from tick 3 on, so the load waits at issue, until tick 100. */
static void unblocking_lets_memory_instructions_issue(void **state)
{
    (void)state;
    r.config.memory_queue = 1;
    core_rig_load(&r, CORE_RIG_KERNEL("ld.param.u64 %d0, [p]; ld.global.u32 %r1, [%d0];"));
    ww_task_init(r.engine, &handler.task, WW_PHASE_DRAM, replay, NULL);
    ww_wake(r.engine, &handler.task, 99);
    core_rig_step(&r, 3);
    ww_cu_block(r.cu, true);
    core_rig_step(&r, 100);
    ww_cu_block(r.cu, false);
    core_rig_run(&r);
    assert_string_equal(r.tlb.log, "102v0 102^0");
    core_rig_end(&r);
}

static void stores_and_atomics_are_parked_too(void **state)
{
    (void)state;
    absent(0, 500);
    play(CORE_RIG_KERNEL("ld.param.u64 %d0, [p]; mov.u32 %r1, 1; st.global.u32 [%d0], %r1;"
                         "atom.global.add.u32 %r2, [%d0+4], %r1; add.u32 %r3, %r2, 1;"));
    assert_string_equal(handler.log, "8!0 9!0");
    assert_string_equal(r.data.log, "503:wf000:1 504:Af000:1");
    core_rig_end(&r);
}

static void expect_end(const char *access, ww_translation_status status, const char *words)
{
    char *text = core_rig_kernel(access);
    begin(NULL);
    handler.verdict = WW_FAULT_FINAL;
    r.tlb.status[1] = status;
    core_rig_fail(&r, text, words);
    free(text);
}

static void a_fault_can_be_final(void **state)
{
    (void)state;
    expect_end("ld.param.u64 %d0, [p]; st.global.u32 [%d0+4612], %r1;", WW_PROTECTION_FAULT,
               "kernel 'k': store at 0x100011200, whose page must not be written");
    expect_end("ld.param.u64 %d0, [p]; atom.global.add.u32 %r2, [%d0+4612], %r1;",
               WW_PROTECTION_FAULT,
               "kernel 'k': atomic at 0x100011200, whose page must not be written");
    expect_end("ld.param.u64 %d0, [p]; ld.global.u32 %r1, [%d0+4612];", WW_FAR_FAULT,
               "kernel 'k': load at 0x100011200, whose page has no frame");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_page_comes_a_thousand_cycles_later, begin),
        cmocka_unit_test_setup(a_replay_may_fault_again, begin),
        cmocka_unit_test_setup(two_warps_wait_for_one_page, begin),
        cmocka_unit_test_setup(in_order_younger_results_wait, begin),
        cmocka_unit_test_setup(a_parked_instruction_has_no_entry, begin),
        cmocka_unit_test_setup(a_record_is_used_again, begin),
        cmocka_unit_test_setup(an_instruction_returns_with_its_last_page, begin),
        cmocka_unit_test_setup(a_record_grows, begin),
        cmocka_unit_test_setup(the_handler_is_told_of_frames_and_of_the_last_one, begin),
        cmocka_unit_test_setup(a_page_can_come_before_the_others, begin),
        cmocka_unit_test_setup(lines_of_other_pages_can_leave_before, begin),
        cmocka_unit_test_setup(a_blocked_unit_looks_up_nothing_else, begin),
        cmocka_unit_test_setup(a_blocked_unit_keeps_an_entry_for_what_returns, begin),
        cmocka_unit_test_setup(unblocking_goes_on_with_the_next_page, begin),
        cmocka_unit_test_setup(unblocking_lets_memory_instructions_issue, begin),
        cmocka_unit_test_setup(stores_and_atomics_are_parked_too, begin),
        cmocka_unit_test_setup(a_fault_can_be_final, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
