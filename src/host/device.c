#include "host/device.h"

#include <string.h>

const ww_buffer *ww_device_buffer(ww_device *device, const char *name, uint64_t size,
                                  ww_errors *errors)
{
    return ww_memory_add(device->memory, name, size, false, errors);
}

void ww_device_release(ww_device *device, const ww_buffer *buffer)
{
    ww_memory_remove(device->memory, buffer);
}

static int copied_in(ww_device *device, const ww_buffer *buffer, uint64_t offset, uint64_t count,
                     ww_errors *errors)
{
    const ww_device_kind *kind = device->kind;
    return kind->copied_in ? kind->copied_in(device, buffer, offset, count, errors) : WW_OK;
}

static int copied_out(ww_device *device, const ww_buffer *buffer, uint64_t offset, uint64_t count,
                      ww_errors *errors)
{
    const ww_device_kind *kind = device->kind;
    return kind->copied_out ? kind->copied_out(device, buffer, offset, count, errors) : WW_OK;
}

int ww_device_write(ww_device *device, const ww_buffer *buffer, uint64_t offset, const void *bytes,
                    uint64_t count, ww_errors *errors)
{
    memcpy(buffer->host + offset, bytes, count);
    return copied_in(device, buffer, offset, count, errors);
}

int ww_device_read(ww_device *device, const ww_buffer *buffer, uint64_t offset, void *bytes,
                   uint64_t count, ww_errors *errors)
{
    int status = copied_out(device, buffer, offset, count, errors);
    if (status == WW_OK)
        memcpy(bytes, buffer->host + offset, count);
    return status;
}

int ww_device_written(ww_device *device, const ww_buffer *buffer, ww_errors *errors)
{
    return copied_in(device, buffer, 0, buffer->size, errors);
}

int ww_device_readable(ww_device *device, const ww_buffer *buffer, ww_errors *errors)
{
    return copied_out(device, buffer, 0, buffer->size, errors);
}

ww_device_program *ww_device_load(ww_device *device, const ww_module *module, ww_errors *errors)
{
    return device->kind->load(device, module, errors);
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

int ww_device_launch(ww_device *device, ww_device_program *program, const ww_launch *launch,
                     ww_errors *errors)
{
    return device->kind->launch(device, program, launch, errors);
}

int ww_device_finish(ww_device *device, ww_errors *errors)
{
    return device->kind->finish(device, errors);
}

void ww_device_destroy(ww_device *device)
{
    if (device)
        device->kind->destroy(device);
}
