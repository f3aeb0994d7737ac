/* Random kernels leave the same bytes in memory at every width, in every order, and when the scalar
 * interpreter runs them. */
#include "exec/order.h"
#include "host/functional_device.h"
#include "support/random_function.h"
#include "support/random_kernel.h"
#include "support/scalar_device.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { ROUNDS = 300, MOST_INSTRUCTIONS = 400000 };

typedef struct program {
    uint64_t seed;
    char *text;
    ww_module *module;
    uint32_t groups, size;
} program;

static void show(const program *p, const char *what)
{
    FILE *out = fopen("failed.ptx", "w");
    fprintf(stderr, "seed %llu, %u groups of %u: %s; the kernel is in failed.ptx\n",
            (unsigned long long)p->seed, p->groups, p->size, what);
    if (out) {
        fputs(p->text, out);
        fclose(out);
    }
    fail();
}

static program make_program(uint64_t seed)
{
    program p = {.seed = seed};
    ww_errors *errors = ww_errors_create();
    ww_rng rng;
    ww_rng_seed(&rng, seed);
    p.text = random_kernel(&rng);
    p.groups = 1 + (uint32_t)ww_rng_below(&rng, 2);
    p.size = 1 + (uint32_t)ww_rng_below(&rng, RANDOM_KERNEL_GROUP);
    p.module = ww_module_parse("random.ptx", p.text, strlen(p.text), errors);
    ww_errors_print(errors, stderr);
    if (!p.module)
        show(&p, "it does not parse");
    ww_errors_destroy(errors);
    return p;
}

static void free_program(program *p)
{
    ww_module_destroy(p->module);
    free(p->text);
}

/* Runs on a device of its own, which is returned; NULL when the kernel takes too long. */
static ww_device *run(const program *p, ww_device *device)
{
    ww_errors *errors = ww_errors_create();
    const ww_buffer *out = ww_device_buffer(
        device, "out", (uint64_t)RANDOM_KERNEL_ITEMS * RANDOM_KERNEL_RESULT, errors);
    ww_device_program *loaded = ww_device_load(device, p->module, errors);
    uint8_t params[8];
    memcpy(params, &out->address, sizeof(params));
    ww_launch launch = {.entry = "k",
                        .groups = {p->groups, 1, 1},
                        .group = {p->size, 1, 1},
                        .work_dim = 1,
                        .params = params};
    int status = loaded ? ww_device_launch(device, loaded, &launch, errors) : WW_BAD_INPUT;
    if (status != WW_OK && !strstr(ww_errors_line(errors, 0), "--max-instructions")) {
        ww_errors_print(errors, stderr);
        show(p, "it fails");
    }
    ww_errors_destroy(errors);
    if (status == WW_OK)
        return device;
    ww_device_destroy(device);
    return NULL;
}

static ww_device *run_at(const program *p, unsigned width, const char *order)
{
    ww_exec_options options = {
        .width = width,
        .level = ww_lane_best(),
        .max_instructions = MOST_INSTRUCTIONS,
        .order = (const ww_order *)(const void *)ww_policy_find(&ww_order_family, order),
        .seed = p->seed,
    };
    return run(p, ww_functional_device_create(&options, NULL));
}

static void compare(const program *p, ww_device *wanted, ww_device *device, const char *what)
{
    const ww_buffer *const *got, *const *want;
    char text[200];
    if (!device) /* more instructions of narrow warps than the limit */
        return;
    size_t count = ww_memory_buffers(device->memory, &got);
    assert_int_equal(count, ww_memory_buffers(wanted->memory, &want));
    for (size_t i = 0; i < count; i++)
        for (uint64_t at = 0; at < got[i]->size; at++)
            if (got[i]->host[at] != want[i]->host[at]) {
                snprintf(text, sizeof(text), "%s: byte %llu of '%s' is %02x, not %02x", what,
                         (unsigned long long)at, got[i]->name, got[i]->host[at], want[i]->host[at]);
                show(p, text);
            }
    ww_device_destroy(device);
}

static void all_ways_agree(void **state)
{
    (void)state;
    static const unsigned widths[] = {1, 8, 32, 64};
    uint64_t seed = test_seed(1), too_long = 0;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        program p = make_program(seed + round);
        ww_device *first = run_at(&p, 64, "reverse");
        if (first) {
            char text[40];
            ww_rng rng;
            ww_rng_seed(&rng, p.seed);
            compare(&p, first, run(&p, scalar_device_create(ww_lane_best())), "scalar");
            for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
                snprintf(text, sizeof(text), "width %u", widths[i]);
                compare(&p, first, run_at(&p, widths[i], "in_order"), text);
            }
            compare(&p, first, run_at(&p, 1 + (unsigned)ww_rng_below(&rng, 64), "random"),
                    "random");
        }
        too_long += !first;
        ww_device_destroy(first);
        free_program(&p);
    }
    printf("%llu of %d kernels were too long\n", (unsigned long long)too_long, ROUNDS);
    assert_true(too_long < ROUNDS / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_ways_agree)};
    return cmocka_run_group_tests_name("random kernels", tests, NULL, NULL);
}
