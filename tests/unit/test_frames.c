/* Frames: each order allocates every frame once, a freed frame is allocated next, and its
 * generation changes. */
#include "base/memory.h"
#include "config/config.h"
#include "vm/vm_schema.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const ww_schema *const schemas[] = {&ww_vm_schema};
static const ww_schema_set set = {schemas, 1};

static const ww_frame_order *order_named(const char *name)
{
    const ww_policy *policy = ww_policy_find(&ww_frame_order_family, name);
    assert_non_null(policy);
    return (const ww_frame_order *)(const void *)policy;
}

static ww_config *config_with_regions(unsigned regions)
{
    char setting[64];
    ww_errors *errors = ww_errors_create();
    ww_config *config = ww_config_create(&set);
    snprintf(setting, sizeof(setting), "vm.regions=%u", regions);
    ww_config_set(config, "vm.frames=interleaved", errors);
    ww_config_set(config, setting, errors);
    ww_errors_print(errors, stderr);
    assert_int_equal(ww_errors_count(errors), 0);
    ww_errors_destroy(errors);
    return config;
}

typedef struct order {
    const ww_frame_order *policy;
    void *state;
} order;

static order begin(const char *name, uint64_t count, const ww_config *config, uint64_t seed)
{
    const ww_frame_order *policy = order_named(name);
    ww_policy_start start = {.config = config, .prefix = "vm", .seed = seed, .frames = count};
    return (order){policy, ww_policy_create(&policy->policy, &start)};
}

static uint64_t frame_of(order o, uint64_t n)
{
    return o.policy->frame(o.state, n);
}

static void check_one_to_one(const char *name, uint64_t count, const ww_config *config,
                             uint64_t seed)
{
    bool *allocated = ww_calloc(count, sizeof(bool));
    order o = begin(name, count, config, seed);
    for (uint64_t n = 0; n < count; n++) {
        uint64_t frame = frame_of(o, n);
        assert_true(frame < count);
        assert_false(allocated[frame]);
        allocated[frame] = true;
    }
    free(o.state);
    free(allocated);
}

static void every_order_is_one_to_one(void **state)
{
    static const uint64_t counts[] = {1, 2, 3, 5, 16, 17, 63, 64, 65, 1000, 4095, 4097, 10007};
    (void)state;
    for (unsigned regions = 1; regions <= 7; regions += 2) {
        ww_config *config = config_with_regions(regions);
        for (size_t m = 0; m < ww_frame_order_family.count; m++)
            for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
                for (uint64_t seed = 0; seed < 3; seed++)
                    check_one_to_one(ww_frame_order_family.members[m]->name, counts[i], config,
                                     seed);
        ww_config_destroy(config);
    }
}

static void orders_are_what_they_say(void **state)
{
    (void)state;
    ww_config *config = config_with_regions(3);
    order interleaved = begin("interleaved", 11, config, 0);
    order contiguous = begin("contiguous", 11, config, 0);
    order random = begin("random", 10000, config, 1), other = begin("random", 10000, config, 2);
    /* 11 frames are three regions of 3, and 2 that are left over. */
    static const uint64_t expected[] = {0, 3, 6, 1, 4, 7, 2, 5, 8, 9, 10};
    for (uint64_t n = 0; n < 11; n++) {
        assert_int_equal(frame_of(interleaved, n), expected[n]);
        assert_int_equal(frame_of(contiguous, n), n);
    }
    /* As good as no neighbours, and another order for another seed. */
    unsigned neighbours = 0, same = 0;
    for (uint64_t n = 0; n < 9999; n++) {
        neighbours += frame_of(random, n) + 1 == frame_of(random, n + 1);
        same += frame_of(random, n) == frame_of(other, n);
    }
    assert_true(neighbours < 10);
    assert_true(same < 10);
    free(interleaved.state);
    free(contiguous.state);
    free(random.state);
    free(other.state);
    ww_config_destroy(config);
}

static ww_frames *frames_of(uint64_t count, uint64_t frame)
{
    return ww_frames_create(&(ww_frames_config){
        .memory = count * frame, .frame = frame, .order = order_named("contiguous")});
}

static void a_freed_frame_is_allocated_next(void **state)
{
    (void)state;
    ww_frames *frames = frames_of(4, 8192);
    for (uint64_t i = 0; i < 3; i++)
        assert_int_equal(ww_frames_allocate(frames), i * 8192);
    assert_int_equal(ww_frames_generation(frames, 8192), 0);
    ww_frames_free(frames, 8192);
    ww_frames_free(frames, 0);
    assert_int_equal(ww_frames_generation(frames, 8192), 1);
    assert_int_equal(ww_frames_generation(frames, 8192 + 8191), 1); /* any address of it */
    assert_int_equal(ww_frames_generation(frames, 2 * 8192), 0);
    assert_int_equal(ww_frames_allocate(frames), 0);
    assert_int_equal(ww_frames_allocate(frames), 8192);
    assert_int_equal(ww_frames_generation(frames, 8192), 1);
    ww_frames_free(frames, 8192);
    assert_int_equal(ww_frames_generation(frames, 8192), 2);
    assert_int_equal(ww_frames_allocate(frames), 8192);
    assert_int_equal(ww_frames_allocate(frames), 3 * 8192);
    assert_true(ww_frames_allocate(frames) == WW_NO_FRAME);
    ww_frames_destroy(frames);
}

static void nodes_share_a_large_frame(void **state)
{
    (void)state;
    ww_frames *frames = frames_of(3, 16384);
    assert_int_equal(ww_frames_allocate(frames), 0);
    for (uint64_t i = 0; i < 4; i++) {
        assert_int_equal(ww_frames_allocate_node(frames), 16384 + i * WW_NODE_BYTES);
        if (i == 1) /* frames between nodes come from elsewhere */
            assert_int_equal(ww_frames_allocate(frames), 2 * 16384);
    }
    assert_true(ww_frames_allocate_node(frames) == WW_NO_FRAME);
    ww_frames_free(frames, 0);
    assert_int_equal(ww_frames_allocate_node(frames), 0);
    ww_frames_destroy(frames);
}

static void memory_that_is_no_multiple_of_a_frame_ends_early(void **state)
{
    (void)state;
    ww_frames *frames = ww_frames_create(&(ww_frames_config){
        .memory = 2 * 4096 + 4095, .frame = 4096, .order = order_named("contiguous")});
    assert_int_equal(ww_frames_allocate(frames), 0);
    assert_int_equal(ww_frames_allocate(frames), 4096);
    assert_true(ww_frames_allocate(frames) == WW_NO_FRAME);
    ww_frames_destroy(frames);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_order_is_one_to_one),
        cmocka_unit_test(orders_are_what_they_say),
        cmocka_unit_test(a_freed_frame_is_allocated_next),
        cmocka_unit_test(nodes_share_a_large_frame),
        cmocka_unit_test(memory_that_is_no_multiple_of_a_frame_ends_early),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
