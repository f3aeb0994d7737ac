#include "host/functional_device.h"

#include "base/clock.h"
#include "base/memory.h"

/* A program of this device is a ww_program. */
static ww_program *program_of(ww_device_program *program)
{
    return (ww_program *)(void *)program;
}

typedef struct functional_device {
    ww_device base;
    ww_exec_options options;
    WW_VEC(ww_program *) programs;
    double seconds; /* of processor time, spent in launches */
} functional_device;

static ww_device_program *load(ww_device *base, const ww_module *module, ww_errors *errors)
{
    functional_device *device = (functional_device *)base;
    ww_program *program = ww_program_create(module, base->memory, &device->options, errors);
    if (!program)
        return NULL;
    ww_vec_push(&device->programs, program);
    return (ww_device_program *)(void *)program;
}

static void trim(ww_device_program *program)
{
    ww_program_trim(program_of(program));
}

static int dynamic_shared(ww_device_program *program, const char *entry, ww_where at,
                          uint64_t *address, ww_errors *errors)
{
    return ww_program_dynamic_shared(program_of(program), entry, at, address, errors);
}

static int launch(ww_device *base, ww_device_program *program, const ww_launch *what,
                  ww_errors *errors)
{
    functional_device *device = (functional_device *)base;
    double start = ww_processor_seconds();
    int status = ww_program_run(program_of(program), what, errors);
    device->seconds += ww_processor_seconds() - start;
    return status;
}

static void destroy(ww_device *base)
{
    functional_device *device = (functional_device *)base;
    for (size_t i = 0; i < device->programs.count; i++)
        ww_program_destroy(device->programs.items[i]);
    ww_vec_free(&device->programs);
    ww_memory_destroy(base->memory);
    free(device);
}

static const ww_buffer *variable(ww_device_program *program, uint32_t index)
{
    return ww_program_variable(program_of(program), index);
}

static const ww_device_kind functional = {
    .name = "functional",
    .load = load,
    .trim = trim,
    .dynamic_shared = dynamic_shared,
    .variable = variable,
    .launch = launch,
    .destroy = destroy,
};

ww_device *ww_functional_device_create(const ww_exec_options *options, const ww_placer *placer)
{
    functional_device *device = ww_calloc(1, sizeof(*device));
    device->base = (ww_device){.kind = &functional, .memory = ww_memory_create(placer)};
    device->options = *options;
    return &device->base;
}

ww_exec_counters ww_functional_device_counters(const ww_device *base)
{
    const functional_device *device = (const functional_device *)base;
    ww_exec_counters sum = {0};
    for (size_t i = 0; i < device->programs.count; i++) {
        const ww_exec_counters *one = ww_program_counters(device->programs.items[i]);
#define ADD(field, name, unit, doc) sum.field += one->field;
        WW_EXEC_COUNTERS(ADD)
    }
    return sum;
}

double ww_functional_device_seconds(const ww_device *base)
{
    return ((const functional_device *)base)->seconds;
}
