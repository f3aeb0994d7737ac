/* A walk warp on a compute unit that runs a kernel: it issues first, and takes an instruction of its
 * scheduler. A translation wavefront takes only what the kernel leaves. */
#include "support/core_rig.h"
#include "vm/cuptw/cu_walker.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* 16 instructions that need nothing of each other, and the end. */
#define KERNEL                                                                          \
    CORE_RIG_KERNEL("mov.u32 %r0, 1; mov.u32 %r1, 1; mov.u32 %r2, 1; mov.u32 %r3, 1;"   \
                    "mov.u32 %r4, 1; mov.u32 %r5, 1; mov.u32 %r6, 1; mov.u32 %r7, 1;"   \
                    "mov.u32 %r8, 1; mov.u32 %r9, 1; mov.u32 %r10, 1; mov.u32 %r11, 1;" \
                    "mov.u32 %r12, 1; mov.u32 %r13, 1; mov.u32 %r14, 1; mov.u32 %r15, 1;")
#define UNDISTURBED                                                                         \
    "0:a0 1:a1 2:a2 3:a3 4:a4 5:a5 6:a6 7:a7 8:a8 9:a9 10:a10 11:a11 12:a12 13:a13 14:a14 " \
    "15:a15 16:a16"
#define FRAME 0x5000ull

static core_rig r;
static bool goes_first;
static uint32_t simd_interval; /* of a wavefront's instruction */
static ww_port memory, answers;
static ww_task memory_task, above;
static ww_tick answered[2];
static ww_translation translations[2];

/* A read takes 10 ticks. */
static void run_memory(void *owner)
{
    (void)owner;
    ww_tick now = ww_engine_now(r.engine);
    ww_request *request = ww_port_peek(&memory);
    if (now < ww_port_next(&memory) + 10) {
        ww_wake(r.engine, &memory_task, ww_port_next(&memory) + 10);
        return;
    }
    ww_port_pop(&memory);
    ww_port_send(ww_cu_walker_replies(r.walker), request, now);
    if (memory.count)
        ww_wake(r.engine, &memory_task, ww_port_next(&memory) + 10);
}

static void receive_answer(void *owner)
{
    (void)owner;
    const ww_translation *t = ww_port_peek(&answers);
    ww_port_pop(&answers);
    answered[t - translations] = ww_engine_now(r.engine);
}

static uint64_t root(void *context, uint16_t asid)
{
    (void)context;
    (void)asid;
    return 0;
}

static uint64_t read_entry(void *context, uint16_t asid, uint64_t physical)
{
    (void)context;
    (void)asid;
    (void)physical;
    return FRAME | WW_PTE_PRESENT;
}

static ww_port *answers_of(void *context, const ww_translation *t)
{
    (void)context;
    (void)t;
    return &answers;
}

static void ignore(void *context, uint64_t key, uint64_t entry, ww_page_run run)
{
    (void)run;
    (void)context;
    (void)key;
    (void)entry;
}

static void make_walker(core_rig *rig)
{
    ww_stage_timing integer = {2, simd_interval, WW_WALK_SIMD, 1};
    ww_cu_walker_config c = {.clock = {1, 1},
                             .wavefronts = rig->config.schedulers,
                             .threads = 1,
                             .timeout = 1,
                             .nvidia = true,
                             .goes_first = goes_first,
                             .page_shift = 12,
                             .line = 64,
                             .sector = 64,
                             .queue = 2};
    c.stages[WW_WAVEFRONT_FETCH] = (ww_stage_timing){3, 1, WW_WALK_LDS, 1};
    c.stages[WW_WAVEFRONT_DECODE] = c.stages[WW_WAVEFRONT_OFFSET] = integer;
    c.stages[WW_WAVEFRONT_CHECK] = integer;
    c.stages[WW_WAVEFRONT_DECODE].instructions = 2;
    c.stages[WW_WAVEFRONT_MEMORY] = (ww_stage_timing){0, 1, WW_WALK_MEMORY, 1};
    c.stages[WW_WAVEFRONT_DONE] = (ww_stage_timing){1, 1, WW_WALK_MEMORY, 1};
    rig->walker = ww_cu_walker_create(&c, rig->engine);
    ww_task_init(rig->engine, &memory_task, WW_PHASE_L1, run_memory, NULL);
    ww_port_init(&memory, rig->engine, 4, 1);
    ww_port_init(&answers, rig->engine, 4, 1);
    ww_port_connect(&memory, &memory_task);
    ww_task_init(rig->engine, &above, WW_PHASE_TRANSLATION, receive_answer, NULL);
    ww_port_connect(&answers, &above);
}

/* Walks whose only read is that of the leaf come at tick 3, one for each scheduler. */
static void play_kernel(const char *kernel, unsigned schedulers, unsigned width, const char *log,
                        uint64_t delay)
{
    core_rig_init(&r);
    r.config.schedulers = schedulers;
    r.config.issue_width = width;
    r.prepare_vm = make_walker;
    core_rig_load(&r, kernel);
    ww_cu_walker_connect(r.walker, &(ww_cu_walker_wiring){.engine = r.engine,
                                                          .pool = r.pool,
                                                          .task = ww_cu_task(r.cu),
                                                          .memory = &memory,
                                                          .answers_of = answers_of,
                                                          .keep = ignore,
                                                          .root = root,
                                                          .read = read_entry});
    ww_cu_walker_begin(r.walker, schedulers, 0);
    for (unsigned i = 0; i < schedulers; i++) {
        translations[i] = (ww_translation){.page = 1 + i, .level = 1, .frame = 0x1000};
        ww_port_send(ww_cu_walker_in(r.walker), &translations[i], 3);
    }
    core_rig_run(&r);
    core_rig_expect(&r, log);
    for (unsigned i = 0; i < schedulers; i++)
        assert_int_equal(translations[i].frame, FRAME);
    assert_int_equal(ww_cu_walker_count(r.walker)->delay, delay);
    core_rig_end(&r);
    ww_cu_walker_destroy(r.walker);
    ww_port_clear(&memory);
    ww_port_clear(&answers);
}

static void play(bool first, unsigned schedulers, unsigned width, const char *log, uint64_t delay)
{
    goes_first = first;
    simd_interval = 1;
    play_kernel(KERNEL, schedulers, width, log, delay);
}

/*  tick  walk warp                  kernel, from tick 1 on
 *     3  the request is set up
 *     4  fetch (3)                  waits: the scheduler issues one instruction a cycle
 *  7, 9  decode (2)                 likewise, and the SIMD unit is taken
 *    11  offset (2)                 likewise
 *    13  read; back 24              waits for the scheduler
 *    24  check (2), 26 the answer, a tick later there */
static void a_walk_warp_issues_first(void **state)
{
    (void)state;
    play(true, 1, 1,
         "0:a0 1:a1 2:a2 4:a3 5:a4 7:a5 9:a6 11:a7 13:a8 14:a9 15:a10 16:a11 17:a12 18:a13 19:a14 "
         "20:a15 21:a16",
         3);
    assert_int_equal(answered[0], 27);
}

/* With two instructions a cycle the kernel waits only for the SIMD unit: in 7, 9 and 11. */
static void it_takes_one_of_two_instructions(void **state)
{
    (void)state;
    play(true, 1, 2,
         "0:a0 1:a1 2:a2 3:a3 4:a4 5:a5 7:a6 9:a7 11:a8 12:a9 13:a10 14:a11 15:a12 16:a13 17:a14 "
         "18:a15 19:a16",
         3);
    assert_int_equal(answered[0], 27);
}

/* The kernel issues in every cycle up to 17: the offset (2) is in 18, the read in 20, back at 31,
 * the check in 31, the answer in 33. */
static void a_translation_wavefront_takes_what_is_left(void **state)
{
    (void)state;
    play(false, 1, 1, UNDISTURBED, 0);
    assert_int_equal(answered[0], 34);
}

/* Two schedulers, and the kernel's only warp is of the first one. No wavefront issues before it has
 * ended, that of the second scheduler neither. Then both offsets are in 18, on a SIMD unit each. The
 * first scheduler was first there, so that the second one is in 20, when both need the memory unit;
 * the first reads in 21. Each is answered 14 ticks after its read. */
static void a_warp_of_another_scheduler_goes_first(void **state)
{
    (void)state;
    play(false, 2, 1, UNDISTURBED, 0);
    assert_int_equal(answered[1], 34);
    assert_int_equal(answered[0], 35);
}

/* The kernel's second instruction needs the result of its first, of tick 1, and is ready in 5. In 4
 * no warp can issue: the wavefront's offset takes the SIMD unit until 8. The kernel waits for it in
 * 5, 6 and 7. The read is in 6, back at 17, and the answer 2 ticks after the check. */
static void a_ready_warp_waits_for_a_wavefronts_unit(void **state)
{
    (void)state;
    goes_first = false;
    simd_interval = 4;
    play_kernel(CORE_RIG_KERNEL("mov.u32 %r0, 1; add.u32 %r1, %r0, 1;"), 1, 1, "0:a0 7:a1 8:a2", 3);
    assert_int_equal(answered[0], 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_walk_warp_issues_first),
        cmocka_unit_test(it_takes_one_of_two_instructions),
        cmocka_unit_test(a_translation_wavefront_takes_what_is_left),
        cmocka_unit_test(a_warp_of_another_scheduler_goes_first),
        cmocka_unit_test(a_ready_warp_waits_for_a_wavefronts_unit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
