#include "host/command_queue.h"

#include "host/command_internal.h"

#include <assert.h>
#include <string.h>

struct ww_command_queue {
    ww_device *device;
    bool in_order;
    ww_event *last; /* of the newest command; NULL: there was none */
    int status;     /* the first one that is not WW_OK, since the last finish began */
};

struct ww_event {
    ww_device *device;
    ww_command_kind kind;
    unsigned references;
    bool ended;
    int status;
    ww_event_times times;
};

/* ---- events ---- */

static ww_event *share(ww_event *event)
{
    event->references++;
    return event;
}

void ww_event_destroy(ww_event *event)
{
    if (event && --event->references == 0)
        free(event);
}

bool ww_event_has_ended(const ww_event *event)
{
    return event->ended;
}

ww_event_times ww_event_get_times(const ww_event *event)
{
    return event->times;
}

static uint64_t now_of(const ww_device *device)
{
    return device->kind->now ? device->kind->now(device) : 0;
}

/* ---- queues ---- */

struct ww_device_commands *ww_device_commands_of(ww_device *device)
{
    if (!device->commands)
        device->commands = ww_calloc(1, sizeof(*device->commands));
    return device->commands;
}

void ww_device_commands_destroy(ww_device *device)
{
    struct ww_device_commands *all = device->commands;
    if (!all)
        return;
    for (size_t i = all->first; i < all->pending.count; i++)
        ww_pending_destroy(all->pending.items[i]);
    for (size_t i = 0; i < all->queues.count; i++) {
        ww_event_destroy(all->queues.items[i]->last);
        free(all->queues.items[i]);
    }
    ww_vec_free(&all->pending);
    ww_vec_free(&all->queues);
    ww_vec_free(&all->programs);
    free(all);
}

ww_command_queue *ww_command_queue_create(ww_device *device, bool in_order)
{
    ww_command_queue *queue = ww_calloc(1, sizeof(*queue));
    *queue = (ww_command_queue){.device = device, .in_order = in_order};
    ww_vec_push(&ww_device_commands_of(device)->queues, queue);
    return queue;
}

/* ---- enqueueing ---- */

static int refuse_released(const ww_device *device, const ww_device_command *c, ww_errors *errors)
{
    const struct ww_device_commands *all = device->commands;
    for (size_t i = all->first; all->releases && i < all->pending.count; i++) {
        const ww_buffer *released = all->pending.items[i]->command.buffer;
        if (!all->pending.items[i]->queue && (released == c->buffer || released == c->from))
            return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                           "%s of buffer '%s', which was released", ww_command_name(c->kind),
                           released->name);
    }
    return WW_OK;
}

/* What the command follows: the events that it names, and in order the command before it. */
static void set_order(ww_pending_command *pending, const ww_event_list *after)
{
    ww_command_queue *queue = pending->queue;
    for (size_t i = 0; after && i < after->count; i++)
        ww_vec_push(&pending->after, share(after->events[i]));
    if (queue->in_order && queue->last)
        ww_vec_push(&pending->after, share(queue->last));
    ww_event_destroy(queue->last);
    queue->last = share(pending->event);
}

int ww_enqueue(ww_command_queue *queue, const ww_device_command *command,
               const ww_event_list *after, ww_event **event, ww_errors *errors)
{
    ww_device *device = queue->device;
    int status = ww_command_check(command, errors);
    if (status == WW_OK)
        status = refuse_released(device, command, errors);
    if (status != WW_OK)
        return status;
    ww_pending_command *pending = ww_pending_create(device, command);
    pending->queue = queue;
    pending->event = ww_calloc(1, sizeof(ww_event));
    *pending->event = (ww_event){
        .device = device, .kind = command->kind, .references = 1, .times.queued = now_of(device)};
    set_order(pending, after);
    ww_vec_push(&device->commands->pending, pending);
    if (event)
        *event = share(pending->event);
    return WW_OK;
}

/* ---- running ---- */

/* Takes the times and the status of the commands that this one follows. */
static int submit(const ww_pending_command *pending)
{
    ww_event_times *times = &pending->event->times;
    int status = WW_OK;
    times->submitted = times->queued;
    for (size_t i = 0; i < pending->after.count; i++) {
        const ww_event *before = pending->after.items[i];
        assert(before->ended);
        if (before->times.ended > times->submitted)
            times->submitted = before->times.ended;
        if (status == WW_OK)
            status = before->status;
    }
    return status;
}

static int skip(const ww_event *event, int status, ww_errors *errors)
{
    return ww_fail(errors, status, WW_NOWHERE,
                   "a %s did not run, because a command that it follows failed",
                   ww_command_name(event->kind));
}

static void run_command(ww_device *device, const ww_pending_command *pending, ww_errors *errors)
{
    ww_event *event = pending->event;
    int before = submit(pending);
    event->times.started = now_of(device);
    event->status =
        before == WW_OK ? ww_pending_run(device, pending, errors) : skip(event, before, errors);
    event->times.ended = now_of(device);
    event->ended = true;
    if (pending->queue->status == WW_OK)
        pending->queue->status = event->status;
}

static void release_buffer(ww_device *device, const ww_buffer *buffer)
{
    device->commands->releases--;
    if (device->kind->released)
        device->kind->released(device, buffer);
    ww_memory_remove(device->memory, buffer);
}

static const ww_pending_command *oldest(const struct ww_device_commands *all)
{
    return all->first < all->pending.count ? all->pending.items[all->first] : NULL;
}

static ww_pending_command *take_oldest(struct ww_device_commands *all)
{
    ww_pending_command *pending = all->pending.items[all->first++];
    size_t rest = all->pending.count - all->first;
    if (all->first > rest) {
        memmove(all->pending.items, all->pending.items + all->first, rest * sizeof(pending));
        all->pending.count = rest;
        all->first = 0;
    }
    return pending;
}

static void run_oldest(ww_device *device, ww_errors *errors)
{
    ww_pending_command *pending = take_oldest(device->commands);
    if (pending->queue)
        run_command(device, pending, errors);
    else
        release_buffer(device, pending->command.buffer);
    ww_pending_destroy(pending);
}

static void run_releases(ww_device *device)
{
    const ww_pending_command *next;
    while ((next = oldest(device->commands)) && !next->queue)
        run_oldest(device, NULL);
}

void ww_commands_release(ww_device *device, const ww_buffer *buffer)
{
    struct ww_device_commands *all = ww_device_commands_of(device);
    ww_pending_command *pending = ww_calloc(1, sizeof(*pending));
    pending->command.buffer = buffer;
    ww_vec_push(&all->pending, pending);
    all->releases++;
    run_releases(device);
}

/* ---- waiting ---- */

int ww_event_wait(ww_event *event, ww_errors *errors)
{
    if (event->ended && event->status != WW_OK)
        return ww_fail(errors, event->status, WW_NOWHERE, "a %s failed before",
                       ww_command_name(event->kind));
    while (!event->ended)
        run_oldest(event->device, errors);
    run_releases(event->device);
    return event->status;
}

int ww_command_queue_finish(ww_command_queue *queue, ww_errors *errors)
{
    queue->status = WW_OK;
    while (queue->last && !queue->last->ended)
        run_oldest(queue->device, errors);
    run_releases(queue->device);
    if (queue->last && queue->last->status != WW_OK) {
        ww_event_destroy(queue->last);
        queue->last = NULL;
    }
    return queue->status;
}
