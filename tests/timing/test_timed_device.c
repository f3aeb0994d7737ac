/* A device with time: the times of events, and buffers that are released. */
#include "sim/timed_device.h"

#include "base/memory.h"
#include "config/machine.h"
#include "exec/exec_config.h"
#include "host/command_queue.h"
#include "host/functional_device.h"
#include "host/placement.h"
#include "sim/components.h"
#include "support/kernel_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ITEMS 128u
#define BYTES (UINT64_C(4) << 20)     /* of a buffer: a quarter of the memory */
#define STRIDE (BYTES / ITEMS - 1024) /* pages of all sets of a TLB */
#define HERTZ 1380000000ull

/* out[i] = in[i] + 1, for elements that are `stride` bytes apart */
static const char kernel[] = ".entry step(.param .u64 out, .param .u64 in, .param .u32 stride)\n"
                             "{\n"
                             "    .reg .u32 %r<5>;\n"
                             "    .reg .u64 %d<5>;\n"
                             "    ld.param.u64 %d0, [out];\n"
                             "    ld.param.u64 %d1, [in];\n"
                             "    ld.param.u32 %r0, [stride];\n"
                             "    mov.u32 %r1, %ctaid.x;\n"
                             "    mov.u32 %r2, %ntid.x;\n"
                             "    mov.u32 %r3, %tid.x;\n"
                             "    mad.lo.u32 %r1, %r1, %r2, %r3;\n"
                             "    mul.wide.u32 %d2, %r1, %r0;\n"
                             "    add.u64 %d3, %d0, %d2;\n"
                             "    add.u64 %d4, %d1, %d2;\n"
                             "    ld.global.u32 %r4, [%d4];\n"
                             "    add.u32 %r4, %r4, 1;\n"
                             "    st.global.u32 [%d3], %r4;\n"
                             "    ret;\n"
                             "}\n";

typedef struct rig {
    ww_errors *errors;
    ww_config *config;
    ww_machine_file machine;
    ww_exec_options options;
    ww_module *module;
    ww_device *device;
    ww_device_program *program;
} rig;

static const char *const small_machine[] = {"checked=true", "vm.memory=16MiB", "gpu.clock=1380MHz",
                                            NULL};

/* The machine's placement has no state. */
static ww_placer placer_of(const rig *r)
{
    const ww_policy *policy = ww_config_policy(r->config, "memory.placement");
    return (ww_placer){.place = ((const ww_placement *)(const void *)policy)->place};
}

/* `keys`: further ones, up to a NULL; may be NULL. */
static rig make_rig(const char *const *keys, bool timed)
{
    rig r = {.errors = ww_errors_create(), .config = ww_config_create(&ww_all_schemas)};
    assert_int_equal(ww_machine_load(r.config, "apu-isca18", WW_NOWHERE, &r.machine, r.errors), 0);
    for (const char *const *key = small_machine; *key; key++)
        assert_int_equal(ww_config_set(r.config, *key, r.errors), WW_OK);
    for (; keys && *keys; keys++)
        assert_int_equal(ww_config_set(r.config, *keys, r.errors), WW_OK);
    assert_int_equal(ww_config_check(r.config, r.errors), WW_OK);
    assert_int_equal(ww_exec_configure(r.config, 1, &r.options, r.errors), WW_OK);
    r.module = kernel_parse(kernel);
    ww_placer placer = placer_of(&r);
    r.device =
        timed ? ww_timed_device_create(r.config, &r.options, &(ww_region){0}, &placer, NULL, NULL)
              : ww_functional_device_create(&r.options, &placer);
    r.program = ww_device_load(r.device, r.module, r.errors);
    assert_non_null(r.program);
    return r;
}

static void destroy_rig(rig *r)
{
    ww_device_destroy(r->device);
    ww_module_destroy(r->module);
    ww_machine_clear(&r->machine);
    ww_config_destroy(r->config);
    ww_errors_destroy(r->errors);
}

typedef struct step_params {
    uint64_t out, in;
    uint32_t stride, padding;
} step_params;

static ww_launch step_launch(const step_params *params)
{
    return (ww_launch){.entry = "step",
                       .groups = {ITEMS / 64, 1, 1},
                       .group = {64, 1, 1},
                       .work_dim = 1,
                       .params = (const uint8_t *)params,
                       .at = WW_NOWHERE};
}

static int step(const rig *r, uint64_t out, uint64_t in)
{
    step_params params = {out, in, STRIDE, 0};
    ww_launch launch = step_launch(&params);
    return ww_device_launch(r->device, r->program, &launch, r->errors);
}

static const ww_buffer *make_buffer(const rig *r, const char *name)
{
    const ww_buffer *buffer = ww_device_buffer(r->device, name, BYTES, r->errors);
    assert_non_null(buffer);
    return buffer;
}

static void expect_ok(const rig *r, int status)
{
    if (status != WW_OK)
        ww_errors_print(r->errors, stderr);
    assert_int_equal(status, WW_OK);
}

static uint32_t element(const ww_buffer *buffer, uint32_t i)
{
    uint32_t value;
    memcpy(&value, buffer->host + i * STRIDE, sizeof(value));
    return value;
}

/* ---- buffers that are released ---- */

/* Each round makes a buffer, fills it from the one before and releases that: three fit into the
 * memory. `most`: the highest address that a buffer may have. */
static void allocate_and_release(const char *const *keys, unsigned rounds, uint64_t most)
{
    rig r = make_rig(keys, true);
    const ww_buffer *in = make_buffer(&r, "first");
    uint32_t start = 7;
    for (uint32_t i = 0; i < ITEMS; i++)
        expect_ok(&r, ww_device_write(r.device, in, i * STRIDE, &start, sizeof(start), r.errors));
    for (unsigned round = 1; round <= rounds; round++) {
        const ww_buffer *out = make_buffer(&r, "next");
        assert_true(out->address <= most);
        expect_ok(&r, step(&r, out->address, in->address));
        for (uint32_t i = 0; i < ITEMS; i++)
            assert_int_equal(element(out, i), 7 + round);
        ww_device_release(r.device, in);
        in = out;
    }
    assert_int_equal(ww_memory_footprint(r.device->memory), BYTES);
    destroy_rig(&r);
}

static void a_thousand_buffers_fit_one_after_the_other(void **state)
{
    (void)state;
    const char *const packed[] = {"memory.placement=packed", NULL};
    allocate_and_release(packed, 1000, WW_PLACEMENT_FIRST + 3 * BYTES);
}

static void also_with_other_pages_and_placements(void **state)
{
    (void)state;
    const char *const guarded[] = {"memory.placement=guarded", NULL};
    const char *const large[] = {"page_size=64KiB", "memory.placement=packed", NULL};
    const char *const touched[] = {"vm.allocate=first_touch", "vm.frames=random", NULL};
    const char *const walked[] = {"vm.allocate=first_walk", "vm.frames=random", NULL};
    const char *const ideal[] = {"translation=ideal", NULL};
    allocate_and_release(walked, 40, WW_PLACEMENT_FIRST * 8);
    allocate_and_release(guarded, 40, WW_PLACEMENT_FIRST * 8);
    allocate_and_release(large, 40, WW_PLACEMENT_FIRST + 3 * BYTES);
    allocate_and_release(touched, 40, WW_PLACEMENT_FIRST * 8);
    allocate_and_release(ideal, 40, WW_PLACEMENT_FIRST * 8);
}

/* The last buffer fits into the memory with the one before, but not into the range that was
 * released. What is released before a launch had no frames. */
static void frames_return_with_other_addresses(void **state)
{
    (void)state;
    const char *const packed[] = {"memory.placement=packed", NULL};
    rig r = make_rig(packed, true);
    const ww_buffer *unused = make_buffer(&r, "unused");
    uint64_t address = unused->address;
    ww_device_release(r.device, unused);
    const ww_buffer *one = make_buffer(&r, "one");
    const ww_buffer *two = make_buffer(&r, "two");
    assert_int_equal(one->address, address);
    expect_ok(&r, step(&r, two->address, one->address));
    ww_device_release(r.device, one);
    const ww_buffer *large = ww_device_buffer(r.device, "large", 2 * BYTES, r.errors);
    assert_true(large->address > two->address);
    expect_ok(&r, step(&r, large->address + BYTES, two->address));
    assert_int_equal(element(two, 0), 1);
    destroy_rig(&r);
}

static void without_releases_the_memory_is_full(void **state)
{
    (void)state;
    rig r = make_rig(NULL, true);
    const ww_buffer *one = make_buffer(&r, "one");
    const ww_buffer *two = make_buffer(&r, "two");
    expect_ok(&r, step(&r, two->address, one->address));
    make_buffer(&r, "three");
    make_buffer(&r, "four");
    assert_int_equal(step(&r, two->address, one->address), WW_BAD_INPUT);
    assert_non_null(strstr(ww_errors_line(r.errors, 0), "does not fit into vm.memory, 16MiB"));
    destroy_rig(&r);
}

static void a_released_address_faults(void **state)
{
    (void)state;
    for (int timed = 0; timed < 2; timed++) {
        rig r = make_rig(NULL, timed);
        const ww_buffer *out = make_buffer(&r, "out");
        const ww_buffer *old = make_buffer(&r, "old");
        uint64_t address = old->address;
        char expected[200];
        expect_ok(&r, step(&r, out->address, address));
        ww_device_release(r.device, old);
        assert_int_equal(step(&r, out->address, address), WW_FAILED);
        snprintf(expected, sizeof(expected),
                 "load of 4 bytes at 0x%llx, in buffer 'old' (0x%llx, 4194304 bytes), which was "
                 "released",
                 (unsigned long long)address, (unsigned long long)address);
        assert_non_null(strstr(ww_errors_line(r.errors, 0), expected));
        destroy_rig(&r);
    }
}

/* ---- events ---- */

#define LAUNCHES 6

typedef struct outcome {
    ww_event_times times[LAUNCHES];
    uint64_t cycles;
    char *stats;
    uint32_t last; /* an element of the result */
} outcome;

/* Launches that go through three buffers in turn, with a fill and a copy among them and a release;
 * waits for each command, or for all at the end. */
static outcome run_commands(bool wait_for_each)
{
    rig r = make_rig(NULL, true);
    ww_command_queue *queue = ww_command_queue_create(r.device, true);
    const ww_buffer *b[] = {make_buffer(&r, "a"), make_buffer(&r, "b"), make_buffer(&r, "c")};
    ww_event *events[LAUNCHES];
    outcome o = {0};
    uint32_t five = 5;
    ww_device_command fill = {WW_COMMAND_FILL, .buffer = b[0], .count = BYTES, .source = &five,
                              .pattern_bytes = sizeof(five)};
    ww_device_command copy = {WW_COMMAND_COPY, .buffer = b[0], .count = BYTES, .from = b[1]};
    assert_int_equal(ww_enqueue(queue, &fill, NULL, NULL, r.errors), WW_OK);
    for (unsigned i = 0; i < LAUNCHES; i++) {
        const ww_buffer *in = i == 3 ? b[0] : b[i % 2], *out = b[(i + 1) % 2];
        step_params params = {out->address, in->address, STRIDE, 0};
        ww_launch launch = step_launch(&params);
        ww_device_command command = {WW_COMMAND_LAUNCH, .program = r.program, .launch = &launch};
        if (i == 3)
            assert_int_equal(ww_enqueue(queue, &copy, NULL, NULL, r.errors), WW_OK);
        assert_int_equal(ww_enqueue(queue, &command, NULL, &events[i], r.errors), WW_OK);
        if (i == 2)
            ww_device_release(r.device, b[2]);
        if (wait_for_each)
            expect_ok(&r, ww_event_wait(events[i], r.errors));
    }
    expect_ok(&r, ww_command_queue_finish(queue, r.errors));
    for (unsigned i = 0; i < LAUNCHES; i++) {
        o.times[i] = ww_event_get_times(events[i]);
        ww_event_destroy(events[i]);
    }
    o.cycles = ww_timed_device_cycles(r.device);
    o.last = element(b[0], ITEMS - 1);
    ww_stats *stats = ww_timed_device_take_stats(r.device);
    ww_stats_read(stats);
    json_t *json = ww_stats_json(stats);
    o.stats = json_dumps(json, 0);
    json_decref(json);
    ww_stats_destroy(stats);
    destroy_rig(&r);
    return o;
}

static void launches_add_up_to_the_cycles(void **state)
{
    (void)state;
    outcome o = run_commands(true);
    uint64_t sum = 0;
    for (unsigned i = 0; i < LAUNCHES; i++) {
        const ww_event_times *t = &o.times[i];
        assert_true(t->ended > t->started);
        assert_int_equal(t->queued, i ? o.times[i - 1].ended : 0);
        assert_int_equal(t->started, t->queued);
        sum += t->ended - t->started;
    }
    assert_int_equal(sum, (unsigned __int128)o.cycles * 1000000000000ull / HERTZ);
    assert_int_equal(o.times[LAUNCHES - 1].ended, sum);
    free(o.stats);
}

static void when_the_host_waits_changes_nothing(void **state)
{
    (void)state;
    outcome each = run_commands(true), all = run_commands(false);
    assert_int_equal(each.last, 5 + 6); /* the copy gives what launch 2 wrote */
    assert_int_equal(all.last, each.last);
    assert_int_equal(all.cycles, each.cycles);
    assert_string_equal(all.stats, each.stats);
    for (unsigned i = 0; i < LAUNCHES; i++) {
        assert_int_equal(all.times[i].queued, 0);
        assert_int_equal(all.times[i].submitted, each.times[i].submitted);
        assert_int_equal(all.times[i].started, each.times[i].started);
        assert_int_equal(all.times[i].ended, each.times[i].ended);
    }
    free(each.stats);
    free(all.stats);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thousand_buffers_fit_one_after_the_other),
        cmocka_unit_test(also_with_other_pages_and_placements),
        cmocka_unit_test(frames_return_with_other_addresses),
        cmocka_unit_test(without_releases_the_memory_is_full),
        cmocka_unit_test(a_released_address_faults),
        cmocka_unit_test(launches_add_up_to_the_cycles),
        cmocka_unit_test(when_the_host_waits_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
