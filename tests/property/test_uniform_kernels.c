/* Every kernel of the tree, and random ones, run one instruction at a time: what the analysis calls
 * uniform must be the same in all lanes that execute it. The linker replaces ww_warp_run with the
 * function below (cmake/tests.cmake). */
#include "exec/warp.h"
#include "ptx/analysis.h"
#include "support/random_function.h"
#include "support/random_kernel.h"
#include "warpwalk.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { RANDOM_KERNELS = 100 };

typedef struct watch {
    const ww_module *module;
    ww_analysis *analysis;
    uint64_t checked; /* results compared */
    const ww_executor *x;
    const ww_warp *warp;
    const ww_code *code;
    const ww_instruction *instruction;
    uint64_t lanes;
} watch;

static watch now;

int __real_ww_warp_run(ww_executor *x, ww_warp *w, uint64_t budget);
int __wrap_ww_warp_run(ww_executor *x, ww_warp *w, uint64_t budget);

static uint64_t value_of(int32_t reg, unsigned lane)
{
    const ww_row *row = &now.code->rows[reg];
    if (now.code->function->registers[reg].type == WW_TYPE_PRED)
        return now.warp->predicates[row->offset] >> lane & 1;
    const uint8_t *at = now.warp->rows + row->offset;
    uint64_t wide;
    uint32_t narrow;
    memcpy(&wide, at + 8 * lane, row->wide ? 8 : 0);
    memcpy(&narrow, at + 4 * lane, row->wide ? 0 : 4);
    return row->wide ? wide : narrow;
}

static void check_same(int32_t reg, void *what)
{
    if (!now.lanes)
        return;
    unsigned first = (unsigned)__builtin_ctzll(now.lanes);
    now.checked++;
    for (unsigned lane = first; lane < WW_MOST_LANES; lane++)
        if (now.lanes >> lane & 1 && value_of(reg, lane) != value_of(reg, first))
            fail_msg("%s:%d: '%s': %s of %s is not the same in lanes %u and %u", now.module->path,
                     now.instruction->line, now.instruction->text, (const char *)what,
                     now.code->function->registers[reg].name, first, lane);
}

static void check_uniform_register(int32_t reg, void *what)
{
    if (now.analysis->functions[now.code->function->index].uniform->reg[reg])
        check_same(reg, what);
}

static void find_analysis(const ww_module *module)
{
    if (now.module == module)
        return;
    ww_analysis_destroy(now.analysis);
    now.module = module;
    now.analysis = ww_analysis_create(module);
}

static uint64_t guarded_lanes(const ww_warp *w, const ww_uop *u, uint64_t lanes)
{
    uint64_t guard = w->predicates[u->guard];
    return lanes & (u->guard_negated ? ~guard : guard);
}

/* The split that runs next stands before an instruction of its own: runs just that. */
static int step(ww_executor *x, ww_warp *w)
{
    const ww_split *s = &w->splits[w->current];
    uint32_t pc = s->pc;
    uint64_t lanes = s->lanes;
    now.instruction = x->kernel->instructions[pc];
    now.code = &x->kernel->codes[s->code];
    if (!now.instruction)
        return __real_ww_warp_run(x, w, 1);
    find_analysis(now.code->function->module);
    uint32_t index = (uint32_t)(now.instruction - now.code->function->instructions);
    bool uniform = now.analysis->functions[now.code->function->index].uniform->instruction[index];
    uint64_t on = guarded_lanes(w, &x->kernel->uops[pc], lanes);
    if (uniform && on != 0 && on != lanes)
        fail_msg("%s:%d: '%s': its guard differs between lanes", now.module->path,
                 now.instruction->line, now.instruction->text);
    now.x = x;
    now.warp = w;
    now.lanes = lanes;
    ww_instruction_reads(now.instruction, check_uniform_register, "what it reads");
    if (uniform && now.instruction->form.op == WW_OP_BRX)
        ww_instruction_reads(now.instruction, check_same, "the index");
    int status = __real_ww_warp_run(x, w, 1);
    now.lanes = on;
    if (uniform && status == WW_OK && now.instruction->form.op != WW_OP_BAR &&
        now.instruction->form.op != WW_OP_BARRIER)
        ww_instruction_writes(now.instruction, check_same, "the result");
    return status;
}

int __wrap_ww_warp_run(ww_executor *x, ww_warp *w, uint64_t budget)
{
    uint64_t end = w->executed + budget;
    int status = WW_OK;
    while (w->current != WW_NO_SPLIT && w->executed < end && !w->looping && status == WW_OK) {
        ww_split *s = &w->splits[w->current];
        if (s->is_call)
            ww_exec_resume(x, w, s);
        if (s->pc == s->reconverge)
            ww_split_arrive(w);
        else
            status = step(x, w);
    }
    return status;
}

static void run_file(const char *path, const char *width)
{
    ww_simulation *s = ww_simulation_create();
    ww_simulation_limit(s, 2000000);
    assert_int_equal(ww_simulation_set(s, width), 0);
    uint64_t before = now.checked;
    int status = ww_simulation_exec(s, path, NULL);
    if (status == 2 && !strstr(ww_simulation_errors(s), "needs warps of"))
        fail_msg("%s", ww_simulation_errors(s));
    printf("%s, %s: %llu uniform values\n", path, width,
           (unsigned long long)(now.checked - before));
    ww_simulation_destroy(s);
    ww_analysis_destroy(now.analysis);
    now.analysis = NULL;
    now.module = NULL;
}

/* Works on a copy: a launch file may write next to itself. */
static void kernels_of(const char *folder)
{
    static const char *const widths[] = {"core.warp_width=32", "core.warp_width=64",
                                         "core.warp_width=7"};
    const char *root = getenv("WW_ROOT");
    char command[4096];
    if (!root)
        skip();
    snprintf(command, sizeof command, "%s/%s", root, folder);
    if (access(command, F_OK) != 0)
        skip();
    /* Launch files only: machines and sweeps have no launches. */
    snprintf(command, sizeof command,
             "rm -rf copy && mkdir copy && cp -r '%s/%s/.' copy && "
             "rm -f $(grep -L '^launches:' copy/*/*.yaml)",
             root, folder);
    assert_int_equal(system(command), 0);
    glob_t found;
    assert_int_equal(glob("copy/*/*.yaml", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++)
        for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++)
            run_file(found.gl_pathv[i], widths[w]);
    globfree(&found);
    assert_true(now.checked > 1000);
}

static void examples(void **state)
{
    (void)state;
    kernels_of("examples");
}

static void kernels_of_tests(void **state)
{
    (void)state;
    kernels_of("tests/kernels");
}

static void write_file(const char *path, const char *text)
{
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

static void random_kernels(void **state)
{
    (void)state;
    char file[300];
    uint64_t seed = test_seed(1);
    for (uint64_t round = 0; round < RANDOM_KERNELS; round++) {
        ww_rng rng;
        ww_rng_seed(&rng, seed + round);
        char *text = random_kernel(&rng);
        unsigned size = 1 + (unsigned)ww_rng_below(&rng, RANDOM_KERNEL_GROUP);
        snprintf(file, sizeof file,
                 "kernel: random.ptx\nbuffers: {out: {type: u8, count: %d}}\n"
                 "launches: [{global: [%u], local: [%u], args: [out]}]\n",
                 RANDOM_KERNEL_ITEMS * RANDOM_KERNEL_RESULT, size, size);
        write_file("random.ptx", text);
        write_file("random.yaml", file);
        printf("seed %llu: ", (unsigned long long)(seed + round));
        run_file("random.yaml", "core.warp_width=64");
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(examples),
                                       cmocka_unit_test(kernels_of_tests),
                                       cmocka_unit_test(random_kernels)};
    return cmocka_run_group_tests_name("uniform kernels", tests, NULL, NULL);
}
