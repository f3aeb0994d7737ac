#include "sim/timed_device.h"

#include "base/clock.h"
#include "base/memory.h"
#include "exec/exec_stats.h"
#include "exec/run.h"
#include "sim/sampled_launch.h"

/* A kernel's timed code, made at its first launch. */
typedef struct timed_kernel {
    const ww_kernel *kernel;
    ww_timed_code *code;
} timed_kernel;

/* A ww_device_program of this device. */
typedef struct timed_program {
    ww_program *program;
    ww_analysis *analysis;
    WW_VEC(timed_kernel) kernels;
} timed_program;

typedef struct timed_device {
    ww_device base;
    ww_exec_options options;
    ww_gpu *gpu;
    WW_VEC(timed_program *) programs;
    double seconds;
    timed_program *running;
    ww_region region;
    enum { SKIPPING, WARMING, MEASURING, OVER } phase;
    bool untimed; /* launches run functionally */
    ww_stats *stats;
    ww_sampling sampling;                        /* its sampler is NULL: launches are not sampled */
    uint64_t skipped;                            /* warp instructions */
    uint64_t cycles_before, instructions_before; /* of the machine, when measuring began */
} timed_device;

static ww_device_program *load(ww_device *base, const ww_module *module, ww_errors *errors)
{
    timed_device *device = (timed_device *)base;
    ww_program *program = ww_program_create(module, base->memory, &device->options, errors);
    if (!program)
        return NULL;
    timed_program *loaded = ww_calloc(1, sizeof(*loaded));
    loaded->program = program;
    loaded->analysis = ww_analysis_create(module);
    ww_vec_push(&device->programs, loaded);
    return (ww_device_program *)loaded;
}

static void trim(ww_device_program *program)
{
    ww_program_trim(((timed_program *)program)->program);
}

static int dynamic_shared(ww_device_program *program, const char *entry, ww_where at,
                          uint64_t *address, ww_errors *errors)
{
    return ww_program_dynamic_shared(((timed_program *)program)->program, entry, at, address,
                                     errors);
}

static const ww_timed_code *code_of(const timed_device *device, timed_program *program,
                                    const ww_kernel *kernel)
{
    for (size_t i = 0; i < program->kernels.count; i++)
        if (program->kernels.items[i].kernel == kernel)
            return program->kernels.items[i].code;
    timed_kernel made = {kernel, ww_timed_code_create(kernel, program->analysis,
                                                      ww_gpu_has_scalar_unit(device->gpu),
                                                      ww_gpu_argument_block(device->gpu),
                                                      ww_gpu_end_waits(device->gpu))};
    ww_vec_push(&program->kernels, made);
    return made.code;
}

/* ---- regions ---- */

static void begin_measuring(timed_device *device)
{
    ww_gpu_begin_measuring(device->gpu);
    ww_stats_mark(device->stats);
    device->cycles_before = ww_gpu_cycles(device->gpu);
    device->instructions_before = ww_gpu_instructions(device->gpu);
    device->phase = MEASURING;
}

static void follow_region(timed_device *device)
{
    uint64_t timed = ww_gpu_instructions(device->gpu);
    if (device->phase == WARMING && timed >= device->region.warm)
        begin_measuring(device);
    if (device->phase == MEASURING && device->region.measure &&
        timed - device->instructions_before >= device->region.measure)
        device->phase = OVER;
}

/* The instruction count at which the next phase of the region begins. */
static uint64_t region_border(void *context)
{
    const timed_device *device = context;
    return device->phase == WARMING ? device->region.warm
                                    : device->instructions_before + device->region.measure;
}

static ww_gpu_action progress(void *context, uint64_t groups_done, uint64_t groups_all)
{
    timed_device *device = context;
    follow_region(device);
    if (device->phase == OVER)
        return WW_GPU_STOP;
    if (!device->options.progress)
        return WW_GPU_CONTINUE;
    return device->options.progress(device->options.progress_context,
                                    ww_program_counters(device->running->program), groups_done,
                                    groups_all)
               ? WW_GPU_INTERRUPT
               : WW_GPU_CONTINUE;
}

/* Runs groups functionally, one after the other; *first becomes the first one to be timed. */
static int skip_groups(timed_device *device, ww_executor *x, const ww_launch *what, uint64_t *first)
{
    uint64_t groups = (uint64_t)what->groups[0] * what->groups[1] * what->groups[2];
    uint64_t start = x->counters->warp_instructions;
    int status = WW_OK;
    while (status == WW_OK && *first < groups &&
           device->skipped + x->counters->warp_instructions - start < device->region.skip) {
        ww_run run = {.x = x,
                      .options = &device->options,
                      .launch = what,
                      .group_count = *first + 1,
                      .groups_started = *first,
                      .groups_done = *first,
                      .groups_listed = *first};
        status = ww_run_groups(&run);
        ++*first;
    }
    device->skipped += x->counters->warp_instructions - start;
    if (device->skipped >= device->region.skip)
        device->phase = WARMING;
    return status;
}

/* All groups of a launch, without time. */
static int run_untimed(const timed_device *device, ww_executor *x, const ww_launch *what)
{
    ww_run run = {.x = x,
                  .options = &device->options,
                  .launch = what,
                  .group_count = (uint64_t)what->groups[0] * what->groups[1] * what->groups[2]};
    return ww_run_groups(&run);
}

static int launch(ww_device *base, ww_device_program *launched, const ww_launch *what,
                  ww_errors *errors)
{
    timed_device *device = (timed_device *)base;
    timed_program *program = (timed_program *)launched;
    double start = ww_processor_seconds();
    ww_executor *x = ww_program_begin(program->program, what, errors);
    if (!x)
        return WW_BAD_INPUT;
    device->running = program;
    ww_gpu_launch timed = {.executor = x,
                           .code = code_of(device, program, x->kernel),
                           .launch = what,
                           .max_instructions = device->options.max_instructions,
                           .progress_at = device->region.measure ? region_border : NULL,
                           .progress = progress,
                           .context = device};
    int status = WW_OK;
    if (device->untimed)
        status = run_untimed(device, x, what);
    else if (device->sampling.sampler)
        status = ww_sampled_launch_run(&device->sampling, &timed, errors);
    else if (device->phase == SKIPPING)
        status = skip_groups(device, x, what, &timed.first_group);
    if (status == WW_OK && !device->untimed && !device->sampling.sampler &&
        device->phase != SKIPPING) {
        follow_region(device);
        status = ww_gpu_run(device->gpu, &timed, errors);
    }
    ww_program_end(program->program);
    device->seconds += ww_processor_seconds() - start;
    return status;
}

static void destroy_program(timed_program *program)
{
    for (size_t i = 0; i < program->kernels.count; i++)
        ww_timed_code_destroy(program->kernels.items[i].code);
    ww_vec_free(&program->kernels);
    ww_analysis_destroy(program->analysis);
    ww_program_destroy(program->program);
    free(program);
}

static void destroy(ww_device *base)
{
    timed_device *device = (timed_device *)base;
    ww_number_map_clear(&device->sampling.pages);
    ww_stats_destroy(device->stats);
    ww_gpu_destroy(device->gpu);
    for (size_t i = 0; i < device->programs.count; i++)
        destroy_program(device->programs.items[i]);
    ww_vec_free(&device->programs);
    ww_memory_destroy(base->memory);
    free(device);
}

static const ww_buffer *variable(ww_device_program *program, uint32_t index)
{
    return ww_program_variable(((timed_program *)program)->program, index);
}

static void released(ww_device *base, const ww_buffer *buffer)
{
    ww_gpu_release(((timed_device *)base)->gpu, buffer);
}

static uint64_t now(const ww_device *base)
{
    return ww_gpu_picoseconds(((const timed_device *)base)->gpu);
}

static const ww_device_kind timed = {
    .name = "timed",
    .load = load,
    .trim = trim,
    .dynamic_shared = dynamic_shared,
    .variable = variable,
    .launch = launch,
    .released = released,
    .now = now,
    .destroy = destroy,
};

ww_device *ww_timed_device_create(const ww_config *config, const ww_exec_options *options,
                                  const ww_region *region, const ww_placer *placer,
                                  const ww_gpu_observer *observer, const ww_first_pass *first_pass)
{
    timed_device *device = ww_calloc(1, sizeof(*device));
    device->base = (ww_device){.kind = &timed, .memory = ww_memory_create(placer)};
    device->options = *options;
    device->gpu = ww_gpu_create(config, options->seed, options->policies, observer, first_pass);
    device->options.loads_arguments = ww_gpu_argument_block(device->gpu) != 0;
    device->region = *region;
    device->phase = region->skip ? SKIPPING : region->warm ? WARMING : MEASURING;
    device->stats = ww_stats_create(config);
    ww_stats_add(device->stats, &ww_exec_stats, NULL);
    ww_gpu_add_stats(device->gpu, device->stats);
    if (options->policies)
        ww_stats_add_policies(device->stats, options->policies);
    return &device->base;
}

void ww_timed_device_sample(ww_device *base, ww_sampler *sampler)
{
    timed_device *device = (timed_device *)base;
    device->sampling = (ww_sampling){.sampler = sampler,
                                     .gpu = device->gpu,
                                     .options = &device->options,
                                     .stats = device->stats};
}

ww_exec_counters ww_timed_device_counters(const ww_device *base)
{
    const timed_device *device = (const timed_device *)base;
    ww_exec_counters sum = {0};
    for (size_t i = 0; i < device->programs.count; i++) {
        const ww_exec_counters *one = ww_program_counters(device->programs.items[i]->program);
#define ADD(field, name, unit, doc) sum.field += one->field;
        WW_EXEC_COUNTERS(ADD)
    }
    return sum;
}

double ww_timed_device_seconds(const ww_device *base)
{
    return ((const timed_device *)base)->seconds;
}

bool ww_timed_device_has_load(const ww_device *base, uint64_t pc)
{
    const timed_device *device = (const timed_device *)base;
    for (size_t i = 0; i < device->programs.count; i++) {
        const timed_program *program = device->programs.items[i];
        for (size_t k = 0; k < program->kernels.count; k++) {
            const ww_timed_code *code = program->kernels.items[k].code;
            if (pc < code->op_count && code->ops[pc].unit == WW_UNIT_MEMORY &&
                code->ops[pc].flags & WW_TIMED_LOAD)
                return true;
        }
    }
    return false;
}

void ww_timed_device_time(ww_device *base, bool timed_now)
{
    ((timed_device *)base)->untimed = !timed_now;
}

bool ww_timed_device_is_over(const ww_device *base)
{
    return ((const timed_device *)base)->phase == OVER;
}

/* A program that ended before measuring has counted nothing. */
static void end_early(timed_device *device)
{
    if (device->phase == SKIPPING || device->phase == WARMING)
        begin_measuring(device);
}

ww_stats *ww_timed_device_take_stats(ww_device *base)
{
    timed_device *device = (timed_device *)base;
    ww_stats *stats = device->stats;
    end_early(device);
    ww_gpu_copy_back(device->gpu);
    ww_gpu_collect_stats(device->gpu);
    device->stats = NULL;
    return stats;
}

uint64_t ww_timed_device_cycles(const ww_device *base)
{
    const timed_device *device = (const timed_device *)base;
    return ww_gpu_cycles(device->gpu) - device->cycles_before;
}

json_t *ww_timed_device_reuse(const ww_device *base)
{
    return ww_gpu_reuse_json(((const timed_device *)base)->gpu);
}

uint64_t ww_timed_device_instructions(const ww_device *base)
{
    const timed_device *device = (const timed_device *)base;
    return ww_gpu_instructions(device->gpu) - device->instructions_before;
}
