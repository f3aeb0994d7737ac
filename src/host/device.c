#include "host/device.h"

#include "host/command_internal.h"

/* ---- buffers ---- */

const ww_buffer *ww_device_buffer(ww_device *device, const char *name, uint64_t size,
                                  ww_errors *errors)
{
    return ww_memory_add(device->memory, name, size, false, errors);
}

const ww_buffer *ww_device_adopt(ww_device *device, const char *name, void *host, uint64_t size,
                                 ww_errors *errors)
{
    return ww_memory_adopt(device->memory, name, host, size, errors);
}

const ww_buffer *ww_device_shared_buffer(ww_device *device, const char *name, uint64_t size,
                                         ww_errors *errors)
{
    return ww_memory_add_shared(device->memory, name, size, errors);
}

void ww_device_release(ww_device *device, const ww_buffer *buffer)
{
    ww_commands_release(device, buffer);
}

/* ---- commands that the host waits for ---- */

static ww_command_queue *synchronous_queue(ww_device *device)
{
    struct ww_device_commands *all = ww_device_commands_of(device);
    if (!all->synchronous)
        all->synchronous = ww_command_queue_create(device, true);
    return all->synchronous;
}

static int do_command(ww_device *device, const ww_device_command *command, ww_errors *errors)
{
    ww_event *event;
    int status = ww_enqueue(synchronous_queue(device), command, NULL, &event, errors);
    if (status != WW_OK)
        return status;
    status = ww_event_wait(event, errors);
    ww_event_destroy(event);
    return status;
}

int ww_device_write(ww_device *device, const ww_buffer *buffer, uint64_t offset, const void *bytes,
                    uint64_t count, ww_errors *errors)
{
    ww_device_command write = {.kind = WW_COMMAND_WRITE,
                               .buffer = buffer,
                               .offset = offset,
                               .count = count,
                               .source = bytes};
    return do_command(device, &write, errors);
}

int ww_device_read(ww_device *device, const ww_buffer *buffer, uint64_t offset, void *bytes,
                   uint64_t count, ww_errors *errors)
{
    ww_device_command read = {.kind = WW_COMMAND_READ,
                              .buffer = buffer,
                              .offset = offset,
                              .count = count,
                              .target = bytes};
    return do_command(device, &read, errors);
}

int ww_device_written(ww_device *device, const ww_buffer *buffer, ww_errors *errors)
{
    return ww_device_write(device, buffer, 0, NULL, buffer->size, errors);
}

int ww_device_readable(ww_device *device, const ww_buffer *buffer, ww_errors *errors)
{
    return ww_device_read(device, buffer, 0, NULL, buffer->size, errors);
}

int ww_device_hint(ww_device *device, const ww_buffer *buffer, ww_buffer_hints hints,
                   ww_errors *errors)
{
    ww_device_command hint = {.kind = WW_COMMAND_HINT, .buffer = buffer, .hints = hints};
    return do_command(device, &hint, errors);
}

int ww_device_launch(ww_device *device, ww_device_program *program, const ww_launch *launch,
                     ww_errors *errors)
{
    ww_device_command command = {.kind = WW_COMMAND_LAUNCH, .program = program, .launch = launch};
    return do_command(device, &command, errors);
}

int ww_device_finish(ww_device *device, ww_errors *errors)
{
    const struct ww_device_commands *all = ww_device_commands_of(device);
    int status = WW_OK;
    for (size_t i = 0; i < all->queues.count; i++)
        status |= ww_command_queue_finish(all->queues.items[i], errors);
    return status;
}

/* ---- programs ---- */

ww_device_program *ww_device_load(ww_device *device, const ww_module *module, ww_errors *errors)
{
    ww_device_program *program = device->kind->load(device, module, errors);
    if (program)
        ww_vec_push(&ww_device_commands_of(device)->programs, ((ww_loaded){program, module}));
    return program;
}

void ww_device_trim(ww_device *device, ww_device_program *program)
{
    if (device->kind->trim)
        device->kind->trim(program);
}

uint64_t ww_local_argument_at(uint64_t end, uint64_t bytes)
{
    uint64_t alignment = bytes & -bytes;
    alignment = alignment < 16 ? 16 : alignment > 128 ? 128 : alignment;
    return (end + alignment - 1) / alignment * alignment;
}

int ww_device_dynamic_shared(ww_device *device, ww_device_program *program, const char *entry,
                             ww_where at, uint64_t *address, ww_errors *errors)
{
    return device->kind->dynamic_shared(program, entry, at, address, errors);
}

const ww_buffer *ww_device_variable(ww_device *device, ww_device_program *program, uint32_t index)
{
    return device->kind->variable(program, index);
}

void ww_device_destroy(ww_device *device)
{
    if (!device)
        return;
    ww_device_commands_destroy(device);
    device->kind->destroy(device);
}
