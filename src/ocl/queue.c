/* Command queues. */
#include "ocl/event.h"

#include <string.h>

#define KNOWN_FLAGS                                                                            \
    (CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_ON_DEVICE | \
     CL_QUEUE_ON_DEVICE_DEFAULT)

void ww_cl_queue_clear(cl_command_queue queue)
{
    ww_vec_free(&queue->open);
    free(queue->properties);
    ww_cl_drop(queue->context);
}

static cl_int check(cl_context context, cl_device_id device, cl_command_queue_properties flags)
{
    if (!ww_cl_is(context, WW_CL_CONTEXT))
        return CL_INVALID_CONTEXT;
    if (!ww_cl_is(device, WW_CL_DEVICE))
        return CL_INVALID_DEVICE;
    if (flags & ~(cl_command_queue_properties)KNOWN_FLAGS)
        return CL_INVALID_VALUE;
    if (flags & (CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT))
        return CL_INVALID_QUEUE_PROPERTIES;
    return CL_SUCCESS;
}

static cl_command_queue create(cl_context context, cl_device_id device,
                               cl_command_queue_properties flags, cl_int *code)
{
    cl_int status = check(context, device, flags);
    if (status != CL_SUCCESS)
        return ww_cl_none(code, status);
    cl_command_queue queue = ww_cl_create(WW_CL_QUEUE, sizeof(*queue));
    queue->context = context;
    queue->flags = flags;
    ww_cl_use(context);
    ww_cl_none(code, CL_SUCCESS);
    return queue;
}

cl_command_queue CL_API_CALL clCreateCommandQueue(cl_context context, cl_device_id device,
                                                  cl_command_queue_properties flags, cl_int *code)
{
    WW_CL_ENTER;
    return create(context, device, flags, code);
}

/* Counts the properties with their final 0. */
static cl_int read_properties(const cl_queue_properties *properties,
                              cl_command_queue_properties *flags, size_t *count)
{
    bool seen = false;
    *flags = 0;
    for (*count = 0; properties && properties[*count]; *count += 2) {
        if (properties[*count] == CL_QUEUE_SIZE)
            return CL_INVALID_QUEUE_PROPERTIES;
        if (properties[*count] != CL_QUEUE_PROPERTIES || seen)
            return CL_INVALID_VALUE;
        *flags = properties[*count + 1];
        seen = true;
    }
    *count += properties != NULL;
    return CL_SUCCESS;
}

cl_command_queue CL_API_CALL clCreateCommandQueueWithProperties(
    cl_context context, cl_device_id device, const cl_queue_properties *properties, cl_int *code)
{
    WW_CL_ENTER;
    cl_command_queue_properties flags;
    size_t count;
    cl_int status = check(context, device, 0);
    if (status == CL_SUCCESS)
        status = read_properties(properties, &flags, &count);
    if (status != CL_SUCCESS)
        return ww_cl_none(code, status);
    cl_command_queue queue = create(context, device, flags, code);
    if (!queue || !properties)
        return queue;
    queue->property_count = count;
    queue->properties = ww_calloc(count, sizeof(*properties));
    memcpy(queue->properties, properties, count * sizeof(*properties));
    return queue;
}

cl_int CL_API_CALL clRetainCommandQueue(cl_command_queue queue)
{
    WW_CL_ENTER;
    return ww_cl_retain(queue, WW_CL_QUEUE, CL_INVALID_COMMAND_QUEUE);
}

cl_int CL_API_CALL clReleaseCommandQueue(cl_command_queue queue)
{
    WW_CL_ENTER;
    return ww_cl_release(queue, WW_CL_QUEUE, CL_INVALID_COMMAND_QUEUE);
}

cl_int CL_API_CALL clGetCommandQueueInfo(cl_command_queue queue, cl_command_queue_info name,
                                         size_t room, void *value, size_t *size)
{
    WW_CL_ENTER;
    ww_cl_answer answer = {room, value, size};
    if (!ww_cl_is(queue, WW_CL_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    switch (name) {
    case CL_QUEUE_CONTEXT: return ww_cl_give_handle(&answer, queue->context);
    case CL_QUEUE_DEVICE: return ww_cl_give_handle(&answer, ww_cl_device());
    case CL_QUEUE_REFERENCE_COUNT: return ww_cl_give_uint(&answer, queue->object.references);
    case CL_QUEUE_PROPERTIES: return ww_cl_give_ulong(&answer, queue->flags);
    case CL_QUEUE_PROPERTIES_ARRAY:
        return ww_cl_give(&answer, queue->properties,
                          queue->property_count * sizeof(*queue->properties));
    case CL_QUEUE_DEVICE_DEFAULT: return ww_cl_give_handle(&answer, NULL);
    case CL_QUEUE_SIZE: return CL_INVALID_COMMAND_QUEUE; /* of queues on the device */
    default: return CL_INVALID_VALUE;
    }
}

/* Of OpenCL 1.0 alone. */
cl_int CL_API_CALL clSetCommandQueueProperty(cl_command_queue queue,
                                             cl_command_queue_properties flags, cl_bool enable,
                                             cl_command_queue_properties *old)
{
    (void)flags;
    (void)enable;
    (void)old;
    WW_CL_ENTER;
    return ww_cl_is(queue, WW_CL_QUEUE) ? CL_INVALID_OPERATION : CL_INVALID_COMMAND_QUEUE;
}

/* Commands run as soon as they can: there is nothing to flush. */
cl_int CL_API_CALL clFlush(cl_command_queue queue)
{
    WW_CL_ENTER;
    return ww_cl_is(queue, WW_CL_QUEUE) ? CL_SUCCESS : CL_INVALID_COMMAND_QUEUE;
}

cl_int CL_API_CALL clFinish(cl_command_queue queue)
{
    WW_CL_ENTER;
    if (!ww_cl_is(queue, WW_CL_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    ww_cl_use(queue);
    while (queue->open.count) {
        cl_event newest = queue->open.items[queue->open.count - 1];
        ww_cl_use(newest);
        ww_cl_event_wait(newest);
        ww_cl_drop(newest);
    }
    ww_cl_host_saw(queue->ended);
    cl_int status = queue->error;
    queue->error = CL_SUCCESS;
    ww_cl_drop(queue);
    return status;
}
