/* Functions of events. */
#include "ocl/event.h"

void ww_cl_event_clear(cl_event event)
{
    ww_vec_free(&event->followers);
    ww_vec_free(&event->callbacks);
    ww_cl_drop(event->queue);
    ww_cl_drop(event->context);
}

/* ---- callbacks ---- */

static void call_function(const ww_cl_callback *c)
{
    ((void(CL_CALLBACK *)(cl_event, cl_int, void *))c->function)(c->handle, c->status,
                                                                 c->user_data);
}

static void call_one(cl_event event, const ww_cl_event_callback *callback)
{
    cl_int status = event->status < 0 ? event->status : callback->status;
    ww_cl_call((ww_cl_callback){.call = call_function,
                                .function = (void (*)(void))callback->function,
                                .handle = event,
                                .user_data = callback->user_data,
                                .status = status,
                                .drops_event = true});
}

void ww_cl_event_called(cl_event event)
{
    for (cl_int state = CL_SUBMITTED; state >= event->status && state >= CL_COMPLETE; state--)
        for (size_t i = 0; i < event->callbacks.count; i++)
            if (event->callbacks.items[i].status == state)
                call_one(event, &event->callbacks.items[i]);
    event->callbacks.count = 0;
}

cl_int CL_API_CALL clSetEventCallback(cl_event event, cl_int state,
                                      void(CL_CALLBACK *function)(cl_event, cl_int, void *),
                                      void *user_data)
{
    WW_CL_ENTER;
    if (!ww_cl_is(event, WW_CL_EVENT))
        return CL_INVALID_EVENT;
    if (!function || (state != CL_SUBMITTED && state != CL_RUNNING && state != CL_COMPLETE))
        return CL_INVALID_VALUE;
    ww_cl_event_callback callback = {function, user_data, state};
    if (event->status <= state)
        call_one(event, &callback);
    else
        ww_vec_push(&event->callbacks, callback);
    return CL_SUCCESS;
}

/* ---- user events ---- */

cl_event CL_API_CALL clCreateUserEvent(cl_context context, cl_int *code)
{
    WW_CL_ENTER;
    if (!ww_cl_is(context, WW_CL_CONTEXT))
        return ww_cl_none(code, CL_INVALID_CONTEXT);
    cl_event event = ww_cl_create(WW_CL_EVENT, sizeof(*event));
    event->context = context;
    event->type = CL_COMMAND_USER;
    event->status = CL_SUBMITTED;
    ww_cl_use(context);
    ww_cl_none(code, CL_SUCCESS);
    return event;
}

cl_int CL_API_CALL clSetUserEventStatus(cl_event event, cl_int status)
{
    WW_CL_ENTER;
    if (!ww_cl_is(event, WW_CL_EVENT) || event->queue)
        return CL_INVALID_EVENT;
    if (status > CL_COMPLETE)
        return CL_INVALID_VALUE;
    if (ww_cl_has_ended(event))
        return CL_INVALID_OPERATION;
    ww_cl_use(event);
    ww_cl_event_end(event, status);
    ww_cl_event_called(event);
    ww_cl_run_ready();
    ww_cl_drop(event);
    return CL_SUCCESS;
}

/* ---- waiting ---- */

static cl_int check_list(cl_uint count, const cl_event *list)
{
    if (count == 0 || !list)
        return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < count; i++)
        if (!ww_cl_is(list[i], WW_CL_EVENT))
            return CL_INVALID_EVENT;
    for (cl_uint i = 1; i < count; i++)
        if (list[i]->context != list[0]->context)
            return CL_INVALID_CONTEXT;
    return CL_SUCCESS;
}

cl_int CL_API_CALL clWaitForEvents(cl_uint count, const cl_event *list)
{
    WW_CL_ENTER;
    cl_int status = check_list(count, list);
    if (status != CL_SUCCESS)
        return status;
    for (cl_uint i = 0; i < count; i++)
        ww_cl_use(list[i]);
    for (cl_uint i = 0; i < count; i++)
        ww_cl_event_wait(list[i]);
    for (cl_uint i = 0; i < count; i++) {
        if (list[i]->status < 0)
            status = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
        ww_cl_drop(list[i]);
    }
    return status;
}

/* ---- references and queries ---- */

cl_int CL_API_CALL clRetainEvent(cl_event event)
{
    WW_CL_ENTER;
    return ww_cl_retain(event, WW_CL_EVENT, CL_INVALID_EVENT);
}

cl_int CL_API_CALL clReleaseEvent(cl_event event)
{
    WW_CL_ENTER;
    return ww_cl_release(event, WW_CL_EVENT, CL_INVALID_EVENT);
}

cl_int CL_API_CALL clGetEventInfo(cl_event event, cl_event_info name, size_t room, void *value,
                                  size_t *size)
{
    WW_CL_ENTER;
    ww_cl_answer answer = {room, value, size};
    if (!ww_cl_is(event, WW_CL_EVENT))
        return CL_INVALID_EVENT;
    switch (name) {
    case CL_EVENT_COMMAND_QUEUE: return ww_cl_give_handle(&answer, event->queue);
    case CL_EVENT_CONTEXT: return ww_cl_give_handle(&answer, event->context);
    case CL_EVENT_COMMAND_TYPE: return ww_cl_give_uint(&answer, event->type);
    case CL_EVENT_REFERENCE_COUNT: return ww_cl_give_uint(&answer, event->object.references);
    case CL_EVENT_COMMAND_EXECUTION_STATUS:
        if (value && event->status == CL_COMPLETE)
            ww_cl_host_saw(event->ended);
        return ww_cl_give_uint(&answer, (cl_uint)event->status);
    default: return CL_INVALID_VALUE;
    }
}

cl_int CL_API_CALL clGetEventProfilingInfo(cl_event event, cl_profiling_info name, size_t room,
                                           void *value, size_t *size)
{
    WW_CL_ENTER;
    ww_cl_answer answer = {room, value, size};
    if (!ww_cl_is(event, WW_CL_EVENT))
        return CL_INVALID_EVENT;
    if (!event->queue || event->status != CL_COMPLETE || !event->profiled)
        return CL_PROFILING_INFO_NOT_AVAILABLE;
    switch (name) {
    case CL_PROFILING_COMMAND_QUEUED: return ww_cl_give_ulong(&answer, event->queued / 1000);
    case CL_PROFILING_COMMAND_SUBMIT: return ww_cl_give_ulong(&answer, event->submitted / 1000);
    case CL_PROFILING_COMMAND_START: return ww_cl_give_ulong(&answer, event->started / 1000);
    case CL_PROFILING_COMMAND_END:
    case CL_PROFILING_COMMAND_COMPLETE: return ww_cl_give_ulong(&answer, event->ended / 1000);
    default: return CL_INVALID_VALUE;
    }
}
