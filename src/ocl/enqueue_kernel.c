/* Launches. */
#include "host/group_choice.h"
#include "ocl/event.h"
#include "ocl/gpu.h"
#include "ocl/kernel.h"

#include <inttypes.h>
#include <string.h>

#define WHERE ((ww_where){"clEnqueueNDRangeKernel", 0, 0})

typedef struct range {
    cl_uint dims;
    uint64_t offset[3], global[3], local[3];
} range;

/* Groups of one size. Those at the upper ends of a range whose size is no multiple of the group's
 * are smaller: each such edge is a launch of its own. */
typedef struct part {
    uint32_t first[3]; /* group */
    uint32_t groups[3], group[3];
} part;

#define MOST_PARTS 8

typedef struct launch {
    ww_cl_command command;
    cl_kernel kernel;
    uint8_t *params;
    ww_cl_variant variant;
    ww_launch what;
    range range;
    part parts[MOST_PARTS];
    unsigned part_count;
} launch;

/* ---- checks ---- */

static cl_int check_arguments(cl_kernel kernel)
{
    for (unsigned i = 0; i < kernel->function->param_count; i++)
        if (!kernel->arguments[i].set)
            return CL_INVALID_KERNEL_ARGS;
    return CL_SUCCESS;
}

static cl_int check_global(const range *r)
{
    for (cl_uint d = 0; d < r->dims; d++)
        if (r->offset[d] > UINT64_MAX - r->global[d])
            return CL_INVALID_GLOBAL_OFFSET;
    for (cl_uint d = 0; d < r->dims; d++)
        if (r->offset[d] > UINT32_MAX)
            return CL_OUT_OF_RESOURCES;
    return CL_SUCCESS;
}

/* What the kernel's attributes require. */
static cl_int check_required(cl_kernel kernel, const range *r)
{
    const uint32_t *required = kernel->function->required_group;
    for (int d = 0; required[0] && d < 3; d++)
        if (r->local[d] != (required[d] ? required[d] : 1))
            return CL_INVALID_WORK_GROUP_SIZE;
    return CL_SUCCESS;
}

static bool is_uniform(const range *r)
{
    return r->global[0] % r->local[0] == 0 && r->global[1] % r->local[1] == 0 &&
           r->global[2] % r->local[2] == 0;
}

/* The program sees a code; its user also sees the reason if the kernel's registers are it. */
static cl_int refuse_group(cl_kernel kernel, uint64_t items)
{
    size_t most = ww_cl_kernel_most_group(kernel);
    ww_errors *errors = ww_errors_create();
    if (ww_cl_gpu_is_timed() && items <= ww_cl_gpu_most_group() &&
        most == ww_cl_gpu_most_group_with(ww_cl_program_need(kernel->program, kernel->function)))
        ww_fail(errors, WW_BAD_INPUT, WHERE,
                "a group of '%s' has %" PRIu64 " work-items (a compute unit has registers for "
                "%zu: core.registers)",
                kernel->function->name, items, most);
    ww_cl_report(kernel->program->context, errors);
    ww_errors_destroy(errors);
    return CL_INVALID_WORK_GROUP_SIZE;
}

static cl_int check_local(cl_kernel kernel, const range *r)
{
    uint64_t items = r->local[0] * r->local[1] * r->local[2];
    for (int d = 0; d < 3; d++)
        if (r->local[d] == 0)
            return CL_INVALID_WORK_GROUP_SIZE;
    for (int d = 0; d < 3; d++)
        if (r->local[d] > ww_cl_gpu_most_group())
            return CL_INVALID_WORK_ITEM_SIZE;
    if (items > ww_cl_kernel_most_group(kernel))
        return refuse_group(kernel, items);
    for (int d = 0; d < 3; d++)
        if (r->global[d] / r->local[d] > UINT32_MAX)
            return CL_INVALID_WORK_GROUP_SIZE;
    if (!is_uniform(r) && !ww_cl_program_takes_edges(kernel->program))
        return CL_INVALID_WORK_GROUP_SIZE;
    return check_required(kernel, r);
}

static cl_int read_range(cl_kernel kernel, cl_uint dims, const size_t *offset, const size_t *global,
                         const size_t *local, range *r)
{
    *r = (range){.dims = dims, .global = {1, 1, 1}, .local = {1, 1, 1}};
    if (dims < 1 || dims > 3)
        return CL_INVALID_WORK_DIMENSION;
    for (cl_uint d = 0; d < dims; d++) {
        r->offset[d] = offset ? offset[d] : 0;
        r->global[d] = global ? global[d] : 0;
        r->local[d] = local ? local[d] : 1;
    }
    cl_int status = check_global(r);
    bool empty = r->global[0] == 0 || r->global[1] == 0 || r->global[2] == 0;
    if (status != CL_SUCCESS || empty)
        return status;
    if (!local)
        ww_choose_group(kernel->function, dims, ww_cl_kernel_most_group(kernel), r->global,
                        r->local);
    return check_local(kernel, r);
}

/* ---- parts ---- */

/* Splits parts[0 .. count) in a dimension; returns how many there are then. */
static unsigned split(part *parts, unsigned count, const range *r, int d)
{
    uint32_t whole = (uint32_t)(r->global[d] / r->local[d]);
    uint32_t rest = (uint32_t)(r->global[d] % r->local[d]);
    unsigned all = count;
    for (unsigned i = 0; i < count; i++) {
        part edge = parts[i];
        edge.first[d] = whole;
        edge.groups[d] = 1;
        edge.group[d] = rest;
        parts[i].groups[d] = whole;
        parts[i].group[d] = (uint32_t)r->local[d];
        if (rest && whole)
            parts[all++] = edge;
        else if (rest)
            parts[i] = edge;
    }
    return all;
}

static void set_parts(launch *l)
{
    l->part_count = 1;
    for (int d = 0; d < 3; d++)
        l->part_count = split(l->parts, l->part_count, &l->range, d);
}

/* Tells kernels which part runs: data/builtins.cl has the order. */
static void write_part(const launch *l, ww_device_program *program, const part *p)
{
    const ww_buffer *state = ww_cl_program_part_state(l->kernel->program, program);
    uint32_t words[12];
    for (int d = 0; d < 3; d++) {
        words[d] = p->first[d];
        words[3 + d] = (uint32_t)((l->range.global[d] + l->range.local[d] - 1) / l->range.local[d]);
        words[6 + d] = (uint32_t)l->range.global[d];
        words[9 + d] = (uint32_t)l->range.local[d];
    }
    if (state)
        memcpy(state->host, words, sizeof(words));
}

/* ---- the command ---- */

static int run_part(launch *l, ww_device_program *program, const part *p, cl_context context)
{
    for (int d = 0; d < 3; d++) {
        l->what.groups[d] = p->groups[d];
        l->what.group[d] = p->group[d];
    }
    if (l->variant == WW_CL_EDGES)
        write_part(l, program, p);
    return ww_cl_gpu_launch(context, program, &l->what);
}

static cl_int run_launch(ww_cl_command *command, cl_event event)
{
    launch *l = (launch *)command;
    ww_device_program *program = ww_cl_program_load(l->kernel->program, l->variant);
    int status = program ? WW_OK : WW_BAD_INPUT;
    for (unsigned i = 0; status == WW_OK && i < l->part_count; i++)
        status = run_part(l, program, &l->parts[i], event->context);
    event->refused = status == WW_BAD_INPUT;
    if (status != WW_OK && !event->queue->error)
        event->queue->error = CL_OUT_OF_RESOURCES;
    return status == WW_OK ? CL_SUCCESS : CL_OUT_OF_RESOURCES;
}

static cl_int run_nothing(ww_cl_command *command, cl_event event)
{
    (void)command;
    (void)event;
    return CL_SUCCESS;
}

static void clear_launch(ww_cl_command *command)
{
    free(((launch *)command)->params);
}

/* Local arguments follow the kernel's own local memory, one after the other. */
static cl_int place_local(launch *l, cl_kernel kernel)
{
    uint64_t base = 0, used = 0;
    bool any = false;
    for (unsigned i = 0; i < kernel->function->param_count; i++)
        any |= kernel->arguments[i].local > 0;
    if (!any)
        return CL_SUCCESS;
    ww_device_program *program = ww_cl_program_load(kernel->program, l->variant);
    ww_errors *errors = ww_errors_create();
    int status = program ? ww_device_dynamic_shared(ww_cl_gpu_device(), program,
                                                    kernel->function->name, WHERE, &base, errors)
                         : WW_FAILED;
    ww_errors_destroy(errors);
    for (unsigned i = 0; i < kernel->function->param_count; i++) {
        uint64_t bytes = kernel->arguments[i].local;
        if (!bytes)
            continue;
        uint64_t address = ww_local_argument_at(base + used, bytes);
        memcpy(l->params + kernel->function->params[i].offset, &address, sizeof(address));
        used = address + bytes - base;
    }
    l->what.dynamic_shared = used;
    return status == WW_OK ? CL_SUCCESS : CL_OUT_OF_RESOURCES;
}

/* Buffers that the launch names stay until it has run. */
static void use_buffers(launch *l, cl_kernel kernel)
{
    for (unsigned i = 0; i < kernel->function->param_count; i++)
        if (ww_cl_is(kernel->arguments[i].mem, WW_CL_MEM))
            ww_cl_command_use(&l->command, kernel->arguments[i].mem);
}

static launch *create_launch(cl_kernel kernel, const range *r)
{
    launch *l = ww_cl_command_create(sizeof(*l), run_launch);
    l->command.clear = clear_launch;
    l->kernel = kernel;
    l->params = ww_calloc(kernel->function->param_bytes + 1, 1);
    memcpy(l->params, kernel->params, kernel->function->param_bytes);
    l->what = (ww_launch){
        .entry = kernel->function->name, .work_dim = r->dims, .params = l->params, .at = WHERE};
    l->range = *r;
    for (int d = 0; d < 3; d++) {
        l->what.global_offset[d] = (uint32_t)r->offset[d];
        if (r->offset[d])
            l->variant = WW_CL_OFFSET;
    }
    if (ww_cl_program_variable_bytes(kernel->program))
        l->variant = ww_cl_program_takes_edges(kernel->program) ? WW_CL_EDGES : WW_CL_OFFSET;
    if (!is_uniform(r))
        l->variant = WW_CL_EDGES;
    set_parts(l);
    ww_cl_command_use(&l->command, kernel);
    use_buffers(l, kernel);
    return l;
}

static cl_int check_kernel(const ww_cl_order *order, cl_kernel kernel)
{
    cl_int status = ww_cl_check_order(order);
    if (status != CL_SUCCESS)
        return status == CL_INVALID_EVENT_WAIT_LIST && !ww_cl_is(kernel, WW_CL_KERNEL)
                   ? CL_INVALID_KERNEL
                   : status;
    if (!ww_cl_is(kernel, WW_CL_KERNEL))
        return CL_INVALID_KERNEL;
    if (kernel->program->context != order->queue->context)
        return CL_INVALID_CONTEXT;
    return CL_SUCCESS;
}

/* A launch that the device refuses at once is an error of the call; then there is no event. */
static cl_int enqueue_launch(const ww_cl_order *order, cl_command_type type, launch *l)
{
    cl_event event;
    ww_cl_order own = *order;
    own.event = &event;
    cl_int status = ww_cl_enqueue(&own, type, &l->command);
    bool refused = event->refused;
    if (refused)
        order->queue->error = CL_SUCCESS;
    if (order->event && !refused)
        *order->event = event;
    else
        ww_cl_release(event, WW_CL_EVENT, CL_INVALID_EVENT);
    return refused ? CL_OUT_OF_RESOURCES : status;
}

static cl_int enqueue(const ww_cl_order *order, cl_command_type type, cl_kernel kernel,
                      const range *r)
{
    if (r->global[0] == 0 || r->global[1] == 0 || r->global[2] == 0)
        return ww_cl_enqueue(order, type, ww_cl_command_create(sizeof(ww_cl_command), run_nothing));
    launch *l = create_launch(kernel, r);
    cl_int status = place_local(l, kernel);
    if (status == CL_SUCCESS)
        return enqueue_launch(order, type, l);
    ww_cl_command_destroy(&l->command);
    return status;
}

cl_int CL_API_CALL clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dims,
                                          const size_t *offset, const size_t *global,
                                          const size_t *local, cl_uint count, const cl_event *list,
                                          cl_event *event)
{
    WW_CL_ENTER;
    ww_cl_order order = {queue, count, list, event, .blocking = false};
    range r;
    cl_int status = check_kernel(&order, kernel);
    if (status == CL_SUCCESS)
        status = check_arguments(kernel);
    if (status == CL_SUCCESS)
        status = read_range(kernel, dims, offset, global, local, &r);
    if (status != CL_SUCCESS)
        return status;
    if (ww_cl_kernel_local_bytes(kernel) > ww_config_bytes(ww_cl_gpu_config(), "lds.size"))
        return CL_OUT_OF_RESOURCES;
    return enqueue(&order, CL_COMMAND_NDRANGE_KERNEL, kernel, &r);
}

cl_int CL_API_CALL clEnqueueTask(cl_command_queue queue, cl_kernel kernel, cl_uint count,
                                 const cl_event *list, cl_event *event)
{
    WW_CL_ENTER;
    ww_cl_order order = {queue, count, list, event, .blocking = false};
    range r;
    const size_t one = 1;
    cl_int status = check_kernel(&order, kernel);
    if (status == CL_SUCCESS)
        status = check_arguments(kernel);
    if (status == CL_SUCCESS)
        status = read_range(kernel, 1, NULL, &one, &one, &r);
    return status == CL_SUCCESS ? enqueue(&order, CL_COMMAND_TASK, kernel, &r) : status;
}

/* The device runs no functions of the host. */
cl_int CL_API_CALL clEnqueueNativeKernel(cl_command_queue queue,
                                         void(CL_CALLBACK *function)(void *), void *arguments,
                                         size_t size, cl_uint mem_count, const cl_mem *mems,
                                         const void **locations, cl_uint count,
                                         const cl_event *list, cl_event *event)
{
    WW_CL_ENTER;
    (void)function;
    (void)arguments;
    (void)size;
    (void)mem_count;
    (void)mems;
    (void)locations;
    ww_cl_order order = {queue, count, list, event, .blocking = false};
    cl_int status = ww_cl_check_order(&order);
    return status == CL_SUCCESS ? CL_INVALID_OPERATION : status;
}
