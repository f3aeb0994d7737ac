/* Queues and events: order, user events, callbacks, waits, times, errors. */
#include "support.h"

#include <pthread.h>
#include <unistd.h>

static const char *source = "kernel void add(global int *p, int n) { p[get_global_id(0)] += n; }\n"
                            "kernel void mul(global int *p, int n) { p[get_global_id(0)] *= n; }\n"
                            "kernel void bad(global int *p) { p[1 << 28] = 1; }\n";

static cl_program program;
static cl_mem mem;
static cl_command_queue free_queue; /* out of order */

static cl_event launch(cl_command_queue in, const char *name, cl_int n, cl_uint count,
                       const cl_event *list)
{
    cl_event event;
    size_t global = 64;
    cl_kernel kernel = kernel_of(program, name);
    set_arg(kernel, 0, sizeof(mem), &mem);
    if (strcmp(name, "bad"))
        set_arg(kernel, 1, sizeof(n), &n);
    OK(clEnqueueNDRangeKernel(in, kernel, 1, NULL, &global, NULL, count, list, &event));
    OK(clReleaseKernel(kernel)); /* the command keeps it */
    return event;
}

static cl_int first_value(void)
{
    cl_int value;
    OK(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, 4, &value, 0, NULL, NULL));
    return value;
}

static void set_value(cl_int value)
{
    OK(clEnqueueFillBuffer(queue, mem, &value, sizeof(value), 0, 256, 0, NULL, NULL));
    OK(clFinish(queue));
}

static cl_int status_of(cl_event event)
{
    cl_int status;
    OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL));
    return status;
}

/* (1 + 2) * 10 or 1 * 10 + 2, as the program orders them. */
static void out_of_order(void)
{
    cl_int code;
    set_value(1);
    cl_event gate = clCreateUserEvent(context, &code);
    OK(code);
    cl_event add = launch(free_queue, "add", 2, 1, &gate);
    cl_event mul = launch(free_queue, "mul", 10, 0, NULL); /* does not wait */
    OK(clFlush(free_queue));
    OK(clWaitForEvents(1, &mul));
    MUST(status_of(add) > CL_COMPLETE);
    OK(clSetUserEventStatus(gate, CL_COMPLETE));
    CODE(CL_INVALID_OPERATION, clSetUserEventStatus(gate, CL_COMPLETE));
    OK(clFinish(free_queue));
    MUST(first_value() == 12);
    OK(clReleaseEvent(gate));
    OK(clReleaseEvent(add));
    OK(clReleaseEvent(mul));
}

static void barriers(void)
{
    cl_int code;
    cl_event marker;
    set_value(1);
    cl_event gate = clCreateUserEvent(context, &code);
    cl_event add = launch(free_queue, "add", 2, 1, &gate);
    OK(clEnqueueMarkerWithWaitList(free_queue, 0, NULL, &marker));
    OK(clEnqueueBarrierWithWaitList(free_queue, 0, NULL, NULL));
    cl_event mul = launch(free_queue, "mul", 10, 0, NULL);
    MUST(status_of(mul) > CL_COMPLETE && status_of(marker) > CL_COMPLETE);
    OK(clSetUserEventStatus(gate, CL_COMPLETE));
    OK(clFinish(free_queue));
    MUST(status_of(marker) == CL_COMPLETE);
    MUST(first_value() == 30);
    cl_event all[] = {gate, add, marker, mul};
    for (int i = 0; i < 4; i++)
        OK(clReleaseEvent(all[i]));
}

static void *set_later(void *gate)
{
    usleep(20000);
    OK(clSetUserEventStatus(gate, CL_COMPLETE));
    return NULL;
}

/* A blocking call waits for what another thread does. */
static void blocking(void)
{
    cl_int code, value = 0;
    pthread_t thread;
    set_value(5);
    cl_event gate = clCreateUserEvent(context, &code);
    cl_event add = launch(queue, "add", 1, 1, &gate);
    pthread_create(&thread, NULL, set_later, gate);
    OK(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, 4, &value, 0, NULL, NULL));
    MUST(value == 6);
    pthread_join(thread, NULL);
    OK(clReleaseEvent(add));
    OK(clReleaseEvent(gate));
}

static void failures(void)
{
    cl_int code;
    set_value(5);
    cl_event gate = clCreateUserEvent(context, &code);
    cl_event add = launch(free_queue, "add", 1, 1, &gate);
    cl_event mul = launch(free_queue, "mul", 10, 1, &add);
    OK(clSetUserEventStatus(gate, -42));
    CODE(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &mul));
    MUST(status_of(gate) == -42 && status_of(add) < 0 && status_of(mul) < 0);
    MUST(first_value() == 5);
    OK(clReleaseEvent(gate));
    OK(clReleaseEvent(add));
    OK(clReleaseEvent(mul));
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t called = PTHREAD_COND_INITIALIZER;
static int calls;

static void CL_CALLBACK count_call(cl_event event, cl_int status, void *wanted)
{
    pthread_mutex_lock(&lock);
    MUST(event && status == *(cl_int *)wanted);
    calls++;
    pthread_cond_signal(&called);
    pthread_mutex_unlock(&lock);
}

/* The program holds a lock that the callback takes. */
static void callbacks(void)
{
    cl_int code, complete = CL_COMPLETE, running = CL_RUNNING;
    cl_event gate = clCreateUserEvent(context, &code);
    pthread_mutex_lock(&lock);
    cl_event add = launch(queue, "add", 1, 1, &gate);
    OK(clSetEventCallback(add, CL_COMPLETE, count_call, &complete));
    OK(clSetEventCallback(add, CL_RUNNING, count_call, &running));
    CODE(CL_INVALID_VALUE, clSetEventCallback(add, CL_QUEUED, count_call, &complete));
    OK(clSetUserEventStatus(gate, CL_COMPLETE));
    OK(clSetEventCallback(add, CL_COMPLETE, count_call, &complete)); /* it has ended already */
    while (calls < 3)
        pthread_cond_wait(&called, &lock);
    pthread_mutex_unlock(&lock);
    OK(clReleaseEvent(gate));
    OK(clReleaseEvent(add));
}

static cl_ulong time_of(cl_event event, cl_profiling_info name)
{
    cl_ulong time;
    OK(clGetEventProfilingInfo(event, name, sizeof(time), &time, NULL));
    return time;
}

/* The first command of a program: programs take times that are all 0 for not measured. */
static void first_time(void)
{
    cl_event event;
    cl_int value = 0;
    OK(clEnqueueWriteBuffer(queue, mem, CL_TRUE, 0, 4, &value, 0, NULL, &event));
    MUST(time_of(event, CL_PROFILING_COMMAND_END) > 0);
    OK(clReleaseEvent(event));
}

/* Launches follow each other without a gap: their durations add up. */
static void times(void)
{
    cl_event events[4];
    cl_ulong sum = 0;
    for (int i = 0; i < 4; i++)
        events[i] = launch(queue, "add", 1, 0, NULL);
    OK(clFinish(queue));
    for (int i = 0; i < 4; i++) {
        cl_ulong start = time_of(events[i], CL_PROFILING_COMMAND_START);
        cl_ulong end = time_of(events[i], CL_PROFILING_COMMAND_END);
        MUST(time_of(events[i], CL_PROFILING_COMMAND_QUEUED) <=
             time_of(events[i], CL_PROFILING_COMMAND_SUBMIT));
        MUST(time_of(events[i], CL_PROFILING_COMMAND_SUBMIT) <= start && start < end);
        MUST(i == 0 || start == time_of(events[i - 1], CL_PROFILING_COMMAND_END));
        sum += end - start;
    }
    MUST(sum == time_of(events[3], CL_PROFILING_COMMAND_END) -
                    time_of(events[0], CL_PROFILING_COMMAND_START));
    MUST(time_of(events[3], CL_PROFILING_COMMAND_QUEUED) ==
         time_of(events[0], CL_PROFILING_COMMAND_QUEUED)); /* the host waited for none of them */
    for (int i = 0; i < 4; i++)
        OK(clReleaseEvent(events[i]));
    cl_event plain = launch(free_queue, "add", 1, 0, NULL);
    OK(clFinish(free_queue));
    CODE(CL_PROFILING_INFO_NOT_AVAILABLE,
         clGetEventProfilingInfo(plain, CL_PROFILING_COMMAND_END, sizeof(sum), &sum, NULL));
    OK(clReleaseEvent(plain));
}

/* A kernel that accesses what is not there: the event has an error, and the queue tells it once.
 * Without time, what follows runs. */
static void faults(void)
{
    cl_event bad = launch(queue, "bad", 0, 0, NULL);
    MUST(status_of(bad) < 0);
    CODE(CL_OUT_OF_RESOURCES, clFinish(queue));
    OK(clFinish(queue));
    OK(clReleaseEvent(bad));
    const char *mode = getenv("WARPWALK_MODE");
    if (!mode || strcmp(mode, "exec") != 0)
        return;
    cl_event good = launch(queue, "add", 1, 0, NULL);
    OK(clFinish(queue));
    MUST(status_of(good) == CL_COMPLETE);
    OK(clReleaseEvent(good));
}

static void wrong(void)
{
    cl_int code;
    cl_event event = clCreateUserEvent(context, &code), none = NULL;
    MUST(!clCreateUserEvent(NULL, &code) && code == CL_INVALID_CONTEXT);
    CODE(CL_INVALID_VALUE, clWaitForEvents(0, NULL));
    CODE(CL_INVALID_EVENT, clWaitForEvents(1, &none));
    CODE(CL_INVALID_VALUE, clSetUserEventStatus(event, CL_QUEUED));
    OK(clSetUserEventStatus(event, CL_COMPLETE));
    OK(clReleaseEvent(event));
    CODE(CL_INVALID_EVENT, clReleaseEvent(event));
    CODE(CL_INVALID_COMMAND_QUEUE, clFinish((cl_command_queue)(void *)context));
    MUST(!clCreateCommandQueue(context, device, 1 << 20, &code) && code == CL_INVALID_VALUE);
    cl_queue_properties on_device[] = {
        CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    MUST(!clCreateCommandQueueWithProperties(context, device, on_device, &code) &&
         code == CL_INVALID_QUEUE_PROPERTIES);
}

int main(void)
{
    cl_int code;
    cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
                                        0};
    start();
    free_queue = clCreateCommandQueueWithProperties(context, device, properties, &code);
    OK(code);
    program = build(source, NULL);
    mem = buffer_of(256);
    first_time();
    out_of_order();
    barriers();
    blocking();
    failures();
    callbacks();
    times();
    wrong();
    faults();
    OK(clReleaseMemObject(mem));
    OK(clReleaseProgram(program));
    OK(clReleaseCommandQueue(free_queue));
    finish();
    puts("right");
    return 0;
}
