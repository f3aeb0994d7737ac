#include "sim/timed_device.h"

#include "base/memory.h"

#include <time.h>

/* A kernel as the pipeline sees it, made when it is first launched. */
typedef struct timed_kernel {
    const ww_kernel *kernel;
    ww_timed_code *code;
} timed_kernel;

struct ww_device_program {
    ww_program *program;
    ww_analysis *analysis;
    WW_VEC(timed_kernel) kernels;
};

typedef struct timed_device {
    ww_device base;
    ww_exec_options options;
    ww_gpu *gpu;
    WW_VEC(ww_device_program *) programs;
    double seconds;
    ww_device_program *running;
} timed_device;

static ww_device_program *load(ww_device *base, const ww_module *module, ww_errors *errors)
{
    timed_device *device = (timed_device *)base;
    ww_program *program = ww_program_create(module, base->memory, &device->options, errors);
    if (!program)
        return NULL;
    ww_device_program *loaded = ww_calloc(1, sizeof(*loaded));
    loaded->program = program;
    loaded->analysis = ww_analysis_create(module);
    ww_vec_push(&device->programs, loaded);
    return loaded;
}

static int dynamic_shared(ww_device_program *program, const char *entry, ww_where at,
                          uint64_t *address, ww_errors *errors)
{
    return ww_program_dynamic_shared(program->program, entry, at, address, errors);
}

/* Copies between host and device take no time: paging and the link are not modelled yet. */
static int copy(ww_device *base, const ww_buffer *buffer, uint64_t offset, uint64_t count,
                ww_errors *errors)
{
    (void)base;
    (void)buffer;
    (void)offset;
    (void)count;
    (void)errors;
    return WW_OK;
}

static const ww_timed_code *code_of(const timed_device *device, ww_device_program *program,
                                    const ww_kernel *kernel)
{
    for (size_t i = 0; i < program->kernels.count; i++)
        if (program->kernels.items[i].kernel == kernel)
            return program->kernels.items[i].code;
    timed_kernel made = {kernel, ww_timed_code_create(kernel, program->analysis,
                                                      ww_gpu_has_scalar_unit(device->gpu))};
    ww_vec_push(&program->kernels, made);
    return made.code;
}

static int progress(void *context, uint64_t groups_done, uint64_t groups_all)
{
    const timed_device *device = context;
    if (!device->options.progress)
        return 0;
    return device->options.progress(device->options.progress_context,
                                    ww_program_counters(device->running->program), groups_done,
                                    groups_all);
}

static double host_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int launch(ww_device *base, ww_device_program *program, const ww_launch *what,
                  ww_errors *errors)
{
    timed_device *device = (timed_device *)base;
    double start = host_clock();
    ww_executor *x = ww_program_begin(program->program, what, errors);
    if (!x)
        return WW_BAD_INPUT;
    device->running = program;
    ww_gpu_launch timed = {.executor = x,
                           .code = code_of(device, program, x->kernel),
                           .launch = what,
                           .max_instructions = device->options.max_instructions,
                           .progress = progress,
                           .context = device};
    int status = ww_gpu_run(device->gpu, &timed, errors);
    ww_program_end(program->program);
    device->seconds += host_clock() - start;
    return status;
}

static int finish(ww_device *base, ww_errors *errors)
{
    (void)base;
    (void)errors;
    return WW_OK;
}

static void destroy_program(ww_device_program *program)
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
    ww_gpu_destroy(device->gpu);
    for (size_t i = 0; i < device->programs.count; i++)
        destroy_program(device->programs.items[i]);
    ww_vec_free(&device->programs);
    ww_memory_destroy(base->memory);
    free(device);
}

static const ww_device_kind timed = {
    .name = "timed",
    .load = load,
    .dynamic_shared = dynamic_shared,
    .copied_in = copy,
    .copied_out = copy,
    .launch = launch,
    .finish = finish,
    .destroy = destroy,
};

ww_device *ww_timed_device_create(const ww_config *config, const ww_exec_options *options,
                                  ww_place_fn *place, const ww_gpu_watch *watch, ww_errors *errors)
{
    ww_gpu *gpu = ww_gpu_create(config, options->seed, watch, errors);
    if (!gpu)
        return NULL;
    timed_device *device = ww_calloc(1, sizeof(*device));
    device->base = (ww_device){&timed, ww_memory_create(place)};
    device->options = *options;
    device->gpu = gpu;
    return &device->base;
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

ww_gpu *ww_timed_device_gpu(const ww_device *base)
{
    return ((const timed_device *)base)->gpu;
}
