/* Large local frames: zero at the start of every group, and only as much of the host's memory as a
 * kernel touches. */
#include "support/kernel_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

/* Adds 1 to the first, a middle and the last word of its 1 MiB, and stores their sum: 3. */
static const char *touch_three =
    ".visible .entry k(.param .u64 pa)\n{\n.reg .b32 %r<9>;\n.reg .b64 %a, %l;\n"
    ".local .align 16 .b8 l[1048576];\nld.param.u64 %a, [pa];\nmov.u64 %l, l;\n"
    "ld.local.u32 %r0, [%l];\nld.local.u32 %r1, [%l+500000];\nld.local.u32 %r2, [%l+1048572];\n"
    "add.u32 %r0, %r0, 1;\nadd.u32 %r1, %r1, 1;\nadd.u32 %r2, %r2, 1;\n"
    "st.local.u32 [%l], %r0;\nst.local.u32 [%l+500000], %r1;\nst.local.u32 [%l+1048572], %r2;\n"
    "add.u32 %r0, %r0, %r1;\nadd.u32 %r0, %r0, %r2;\n"
    "mov.u32 %r3, %tid.x;\nmov.u32 %r4, %ctaid.x;\nmad.lo.u32 %r3, %r4, 1000, %r3;\n"
    "mad.wide.u32 %a, %r3, 4, %a;\nst.global.u32 [%a], %r0;\nret;\n}\n";

static long peak_kilobytes(void)
{
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_maxrss;
}

static void frames_are_sparse_and_zero(void **state)
{
    (void)state;
    static uint32_t sums[3000];
    ww_module *module = kernel_parse(touch_three);
    kernel_launch launch = {.groups = 3,
                            .group = 1000, /* 1 GB of frames; the last warp is not full */
                            .blocks = {{"a", sums, sizeof(sums)}},
                            .block_count = 1,
                            .repeats = 1};
    size_t count;
    const kernel_config *configs = kernel_configs(&count);
    long before = peak_kilobytes();
    for (size_t c = 0; c < count; c++) {
        memset(sums, 0, sizeof(sums));
        kernel_run(module, configs[c], &launch);
        for (size_t i = 0; i < 3000; i++)
            assert_int_equal(sums[i], 3);
    }
    assert_true(peak_kilobytes() - before < 300000);
    ww_module_destroy(module);
}

/* Frames of a size at which pages and frames do not coincide. */
static void odd_frames_are_zero(void **state)
{
    (void)state;
    uint32_t sums[3000];
    char text[2000];
    const char *rest = strstr(touch_three, "1048576") + strlen("1048576");
    snprintf(text, sizeof(text), "%.*s1048624%s", (int)(rest - touch_three) - 7, touch_three, rest);
    ww_module *module = kernel_parse(text);
    kernel_launch launch = {
        .groups = 3, .group = 33, .blocks = {{"a", sums, sizeof(sums)}}, .block_count = 1};
    memset(sums, 0, sizeof(sums));
    kernel_run(module, (kernel_config){32, ww_lane_best()}, &launch);
    for (size_t i = 0; i < 99; i++)
        assert_int_equal(sums[i / 33 * 1000 + i % 33], 3);
    ww_module_destroy(module);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_are_sparse_and_zero),
        cmocka_unit_test(odd_frames_are_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
