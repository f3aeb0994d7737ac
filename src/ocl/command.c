/* Commands: which events they follow, and how they run. */
#include "ocl/event.h"
#include "ocl/gpu.h"

static uint64_t commands;      /* enqueued so far */
static uint64_t host_clock;    /* picoseconds */
static WW_VEC(cl_event) ready; /* commands that follow nothing that has not ended */

void *ww_cl_command_create(size_t bytes, cl_int (*run)(ww_cl_command *, cl_event))
{
    ww_cl_command *command = ww_calloc(1, bytes);
    command->run = run;
    return command;
}

void ww_cl_command_use(ww_cl_command *command, void *object)
{
    ww_cl_use(object);
    ww_vec_push(&command->uses, object);
}

void ww_cl_command_destroy(ww_cl_command *command)
{
    if (command->clear)
        command->clear(command);
    for (size_t i = 0; i < command->uses.count; i++)
        ww_cl_drop(command->uses.items[i]);
    ww_vec_free(&command->uses);
    free(command);
}

void ww_cl_host_saw(uint64_t ended)
{
    if (ended > host_clock)
        host_clock = ended;
}

/* ---- order ---- */

cl_int ww_cl_check_order(const ww_cl_order *order)
{
    if (!ww_cl_is(order->queue, WW_CL_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    if ((order->count == 0) != (order->list == NULL))
        return CL_INVALID_EVENT_WAIT_LIST;
    for (cl_uint i = 0; i < order->count; i++)
        if (!ww_cl_is(order->list[i], WW_CL_EVENT))
            return CL_INVALID_EVENT_WAIT_LIST;
    for (cl_uint i = 0; i < order->count; i++)
        if (order->list[i]->context != order->queue->context)
            return CL_INVALID_CONTEXT;
    return CL_SUCCESS;
}

static void follow(cl_event event, cl_event before, bool listed)
{
    if (!before || before == event)
        return;
    if (before->ended > event->submitted)
        event->submitted = before->ended;
    if (!ww_cl_has_ended(before)) {
        ww_cl_use(event);
        ww_vec_push(&before->followers, ((ww_cl_follower){event, listed}));
        event->waits_for++;
    } else if (listed && before->status < 0) {
        event->failed = before->status;
    }
}

static void set_order(cl_event event, const ww_cl_order *order)
{
    cl_command_queue queue = order->queue;
    for (cl_uint i = 0; i < order->count; i++)
        follow(event, order->list[i], true);
    follow(event, queue->last, false);
    follow(event, queue->barrier, false);
    for (size_t i = 0; order->after_all && i < queue->open.count; i++)
        follow(event, queue->open.items[i], false);
    if (order->after_all && queue->ended > event->submitted)
        event->submitted = queue->ended;
    if (!(queue->flags & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE))
        queue->last = event;
    else if (order->before_all)
        queue->barrier = event;
    ww_vec_push(&queue->open, event);
}

/* ---- running ---- */

static void leave_queue(cl_event event)
{
    cl_command_queue queue = event->queue;
    for (size_t i = 0; i < queue->open.count; i++)
        if (queue->open.items[i] == event) {
            for (size_t j = i + 1; j < queue->open.count; j++)
                queue->open.items[j - 1] = queue->open.items[j];
            queue->open.count--;
            break;
        }
    queue->last = queue->last == event ? NULL : queue->last;
    queue->barrier = queue->barrier == event ? NULL : queue->barrier;
    queue->ended = event->ended > queue->ended ? event->ended : queue->ended;
}

static void add_ready(cl_event event)
{
    size_t at = ready.count;
    ww_vec_push(&ready, event);
    for (; at > 0 && ready.items[at - 1]->number > event->number; at--)
        ready.items[at] = ready.items[at - 1];
    ready.items[at] = event;
}

static cl_event take_ready(void)
{
    cl_event event = ready.items[0];
    ready.count--;
    for (size_t i = 0; i < ready.count; i++)
        ready.items[i] = ready.items[i + 1];
    return event;
}

void ww_cl_event_end(cl_event event, cl_int status)
{
    event->status = status;
    for (size_t i = 0; i < event->followers.count; i++) {
        ww_cl_follower *follower = &event->followers.items[i];
        if (event->ended > follower->event->submitted)
            follower->event->submitted = event->ended;
        if (follower->listed && status < 0)
            follower->event->failed = status;
        if (--follower->event->waits_for == 0)
            add_ready(follower->event);
        ww_cl_drop(follower->event);
    }
    ww_vec_free(&event->followers);
    pthread_cond_broadcast(&ww_cl_changed);
}

static void run_event(cl_event event)
{
    ww_cl_command *command = event->command;
    uint64_t now = ww_cl_gpu_now();
    event->status = CL_RUNNING;
    event->started = now > event->submitted ? now : event->submitted;
    cl_int status =
        event->failed ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : command->run(command, event);
    now = ww_cl_gpu_now();
    event->ended = now > event->started ? now : event->started;
    event->command = NULL;
    leave_queue(event);
    ww_cl_event_end(event, status < 0 ? status : CL_COMPLETE);
    ww_cl_event_called(event);
    ww_cl_command_destroy(command);
    ww_cl_drop(event);
}

void ww_cl_run_ready(void)
{
    while (ready.count)
        run_event(take_ready());
}

void ww_cl_event_wait(cl_event event)
{
    while (!ww_cl_has_ended(event))
        ww_cl_wait_for_change();
    ww_cl_host_saw(event->ended);
}

/* ---- enqueueing ---- */

static cl_event create_event(const ww_cl_order *order, cl_command_type type, ww_cl_command *command)
{
    cl_event event = ww_cl_create(WW_CL_EVENT, sizeof(*event));
    event->context = order->queue->context;
    event->queue = order->queue;
    event->type = type;
    event->status = CL_QUEUED;
    event->number = ++commands;
    event->queued = event->submitted = host_clock;
    event->command = command;
    event->profiled = order->queue->flags & CL_QUEUE_PROFILING_ENABLE;
    ww_cl_use(event->context);
    ww_cl_use(event->queue);
    ww_cl_use(event); /* until the command has ended */
    return event;
}

static cl_int wait_for(cl_event event)
{
    ww_cl_event_wait(event);
    cl_int status = event->status;
    return status < 0 ? status : CL_SUCCESS;
}

cl_int ww_cl_enqueue(const ww_cl_order *order, cl_command_type type, ww_cl_command *command)
{
    cl_event event = create_event(order, type, command);
    cl_int status = CL_SUCCESS;
    set_order(event, order);
    if (order->event)
        *order->event = event;
    if (event->waits_for == 0) {
        event->status = CL_SUBMITTED;
        add_ready(event);
        ww_cl_run_ready();
    }
    if (order->blocking)
        status = wait_for(event);
    if (!order->event)
        ww_cl_release(event, WW_CL_EVENT, CL_INVALID_EVENT);
    return status;
}
