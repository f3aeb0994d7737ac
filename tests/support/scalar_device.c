#include "support/scalar_device.h"

#include "support/scalar.h"
#include "support/variables.h"

#include <string.h>

/* OpenCL's get_work_dim and get_global_offset read it (exec/exec.h). */
#define LAUNCH_STATE "__ww_launch_state"

struct ww_device_program {
    ww_program *variables; /* never run: it puts the module's variables into memory */
    const ww_module *module;
    ww_memory *memory;
    ww_lane_level level;
};

typedef struct scalar_device {
    ww_device base;
    ww_lane_level level;
    WW_VEC(ww_device_program *) programs;
} scalar_device;

static ww_device_program *load(ww_device *base, const ww_module *module, ww_errors *errors)
{
    scalar_device *device = (scalar_device *)base;
    ww_exec_options options = {.width = 1, .level = device->level};
    ww_program *variables = ww_program_create(module, base->memory, &options, errors);
    if (!variables)
        return NULL;
    ww_device_program *program = ww_calloc(1, sizeof(*program));
    *program = (ww_device_program){variables, module, base->memory, device->level};
    ww_vec_push(&device->programs, program);
    return program;
}

static ww_kernel *make_kernel(const ww_device_program *program, const char *entry,
                              ww_errors *errors)
{
    return ww_kernel_create(ww_module_function(program->module, entry), program->level, 1, false,
                            variable_address, program->memory, errors);
}

static int dynamic_shared(ww_device_program *program, const char *entry, ww_where at,
                          uint64_t *address, ww_errors *errors)
{
    (void)at;
    ww_kernel *kernel = make_kernel(program, entry, errors);
    if (!kernel)
        return WW_BAD_INPUT;
    *address = kernel->dynamic_shared_offset;
    ww_kernel_destroy(kernel);
    return WW_OK;
}

static void write_launch_state(const ww_device_program *program, const ww_launch *launch)
{
    const ww_buffer *state = variable_buffer(program->memory, LAUNCH_STATE);
    uint32_t words[4] = {launch->work_dim, launch->global_offset[0], launch->global_offset[1],
                         launch->global_offset[2]};
    if (state)
        memcpy(state->host, words, sizeof(words));
}

static int launch_kernel(ww_device *base, ww_device_program *program, const ww_launch *launch,
                         ww_errors *errors)
{
    ww_kernel *kernel = make_kernel(program, launch->entry, errors);
    if (!kernel)
        return WW_BAD_INPUT;
    int status;
    write_launch_state(program, launch);
    if (scalar_can_run(kernel))
        status = scalar_run(kernel, base->memory, launch, errors);
    else
        status = ww_fail(errors, WW_BAD_INPUT, launch->at, "'%s' speaks of warps", launch->entry);
    ww_kernel_destroy(kernel);
    return status;
}

static void destroy(ww_device *base)
{
    scalar_device *device = (scalar_device *)base;
    for (size_t i = 0; i < device->programs.count; i++) {
        ww_program_destroy(device->programs.items[i]->variables);
        free(device->programs.items[i]);
    }
    ww_vec_free(&device->programs);
    ww_memory_destroy(base->memory);
    free(device);
}

static const ww_device_kind scalar = {
    .name = "scalar",
    .load = load,
    .dynamic_shared = dynamic_shared,
    .launch = launch_kernel,
    .destroy = destroy,
};

ww_device *scalar_device_create(ww_lane_level level)
{
    scalar_device *device = ww_calloc(1, sizeof(*device));
    device->base = (ww_device){.kind = &scalar, .memory = ww_memory_create(NULL)};
    device->level = level;
    return &device->base;
}
