/* Contexts. */
#include "ocl/gpu.h"

#include <string.h>

void ww_cl_context_clear(cl_context context)
{
    ww_cl_call_all_reversed(&context->destructors, context);
    ww_cl_svm_forget(context);
    free(context->properties);
}

/* Counts the properties with their final 0; CL_INVALID_* if one is wrong. */
static cl_int read_properties(const cl_context_properties *properties, size_t *count)
{
    bool platform = false, sync = false;
    for (*count = 0; properties && properties[*count]; *count += 2) {
        bool *seen = properties[*count] == CL_CONTEXT_PLATFORM            ? &platform
                     : properties[*count] == CL_CONTEXT_INTEROP_USER_SYNC ? &sync
                                                                          : NULL;
        if (!seen || *seen)
            return CL_INVALID_PROPERTY;
        *seen = true;
        cl_context_properties value = properties[*count + 1];
        if (seen == &platform && !ww_cl_is((void *)value, WW_CL_PLATFORM))
            return CL_INVALID_PLATFORM;
        if (seen == &sync && value != CL_TRUE && value != CL_FALSE)
            return CL_INVALID_PROPERTY;
    }
    *count += properties != NULL;
    return CL_SUCCESS;
}

typedef void(CL_CALLBACK *notify_fn)(const char *, const void *, size_t, void *);

static cl_context create(const cl_context_properties *properties, notify_fn notify, void *user_data,
                         cl_int *code)
{
    size_t count;
    cl_int status = read_properties(properties, &count);
    if (status == CL_SUCCESS && !notify && user_data)
        status = CL_INVALID_VALUE;
    if (status == CL_SUCCESS && !ww_cl_gpu_device())
        status = CL_DEVICE_NOT_AVAILABLE;
    if (status != CL_SUCCESS)
        return ww_cl_none(code, status);
    cl_context context = ww_cl_create(WW_CL_CONTEXT, sizeof(*context));
    if (properties) {
        context->properties = ww_calloc(count, sizeof(*properties));
        memcpy(context->properties, properties, count * sizeof(*properties));
    }
    context->property_count = count;
    context->notify = notify;
    context->user_data = user_data;
    ww_cl_none(code, CL_SUCCESS);
    return context;
}

cl_context CL_API_CALL clCreateContext(const cl_context_properties *properties, cl_uint count,
                                       const cl_device_id *devices, notify_fn notify,
                                       void *user_data, cl_int *code)
{
    WW_CL_ENTER;
    if (!devices || count == 0)
        return ww_cl_none(code, CL_INVALID_VALUE);
    if (!ww_cl_are_devices(count, devices))
        return ww_cl_none(code, CL_INVALID_DEVICE);
    return create(properties, notify, user_data, code);
}

cl_context CL_API_CALL clCreateContextFromType(const cl_context_properties *properties,
                                               cl_device_type type, notify_fn notify,
                                               void *user_data, cl_int *code)
{
    cl_int status = clGetDeviceIDs(NULL, type, 0, NULL, &(cl_uint){0});
    WW_CL_ENTER;
    if (status != CL_SUCCESS)
        return ww_cl_none(code, status);
    return create(properties, notify, user_data, code);
}

cl_int CL_API_CALL clRetainContext(cl_context context)
{
    WW_CL_ENTER;
    return ww_cl_retain(context, WW_CL_CONTEXT, CL_INVALID_CONTEXT);
}

cl_int CL_API_CALL clReleaseContext(cl_context context)
{
    WW_CL_ENTER;
    return ww_cl_release(context, WW_CL_CONTEXT, CL_INVALID_CONTEXT);
}

cl_int CL_API_CALL clGetContextInfo(cl_context context, cl_context_info name, size_t room,
                                    void *value, size_t *size)
{
    WW_CL_ENTER;
    ww_cl_answer answer = {room, value, size};
    if (!ww_cl_is(context, WW_CL_CONTEXT))
        return CL_INVALID_CONTEXT;
    switch (name) {
    case CL_CONTEXT_REFERENCE_COUNT: return ww_cl_give_uint(&answer, context->object.references);
    case CL_CONTEXT_NUM_DEVICES: return ww_cl_give_uint(&answer, 1);
    case CL_CONTEXT_DEVICES: return ww_cl_give_handle(&answer, ww_cl_device());
    case CL_CONTEXT_PROPERTIES:
        return ww_cl_give(&answer, context->properties,
                          context->property_count * sizeof(*context->properties));
    default: return CL_INVALID_VALUE;
    }
}

static void call_destructor(const ww_cl_callback *c)
{
    ((void(CL_CALLBACK *)(cl_context, void *))c->function)(c->handle, c->user_data);
}

cl_int CL_API_CALL clSetContextDestructorCallback(cl_context context,
                                                  void(CL_CALLBACK *function)(cl_context, void *),
                                                  void *user_data)
{
    WW_CL_ENTER;
    if (!ww_cl_is(context, WW_CL_CONTEXT))
        return CL_INVALID_CONTEXT;
    if (!function)
        return CL_INVALID_VALUE;
    ww_vec_push(&context->destructors, ((ww_cl_callback){.call = call_destructor,
                                                         .function = (void (*)(void))function,
                                                         .user_data = user_data}));
    return CL_SUCCESS;
}
