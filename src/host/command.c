/* One command: checks, copies of what it needs, and how it is run. */
#include "host/command_internal.h"

#include <inttypes.h>
#include <string.h>

const char *ww_command_name(ww_command_kind kind)
{
    static const char *const names[] = {"launch", "write", "read",  "copy",
                                        "fill",   "hint",  "marker"};
    return names[kind];
}

/* ---- checks ---- */

static int check_range(const ww_device_command *c, const ww_buffer *buffer, uint64_t offset,
                       ww_errors *errors)
{
    if (offset <= buffer->size && c->count <= buffer->size - offset)
        return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                   "%s of %" PRIu64 " bytes at %" PRIu64 " of buffer '%s' (it has %" PRIu64
                   " bytes)",
                   ww_command_name(c->kind), c->count, offset, buffer->name, buffer->size);
}

static int check_pattern(const ww_device_command *c, ww_errors *errors)
{
    if (c->pattern_bytes && c->pattern_bytes <= WW_MOST_PATTERN && c->count % c->pattern_bytes == 0)
        return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                   "fill of %" PRIu64 " bytes of buffer '%s' with a pattern of %" PRIu64
                   " (1 to %u bytes that divide the first number)",
                   c->count, c->buffer->name, c->pattern_bytes, WW_MOST_PATTERN);
}

int ww_command_check(const ww_device_command *c, ww_errors *errors)
{
    int status = WW_OK;
    if (c->buffer)
        status |= check_range(c, c->buffer, c->offset, errors);
    if (c->from)
        status |= check_range(c, c->from, c->from_offset, errors);
    if (c->kind == WW_COMMAND_FILL)
        status |= check_pattern(c, errors);
    return status;
}

/* ---- copies ---- */

static uint8_t *copy_of(const void *bytes, uint64_t count)
{
    uint8_t *copy = ww_calloc(count + 1, 1);
    if (count)
        memcpy(copy, bytes, count);
    return copy;
}

/* Bytes of an entry's parameter block; 0 when there is no such entry, which the launch reports. */
static uint64_t param_bytes(const ww_device *device, const ww_device_command *c)
{
    const struct ww_device_commands *all = device->commands;
    for (size_t i = 0; i < all->programs.count; i++)
        if (all->programs.items[i].program == c->program) {
            const ww_function *function =
                ww_module_function(all->programs.items[i].module, c->launch->entry);
            return function ? function->param_bytes : 0;
        }
    return 0;
}

ww_pending_command *ww_pending_create(const ww_device *device, const ww_device_command *c)
{
    ww_pending_command *pending = ww_calloc(1, sizeof(*pending));
    pending->command = *c;
    if (c->kind == WW_COMMAND_LAUNCH) {
        pending->values = copy_of(c->launch->params, param_bytes(device, c));
        pending->launch = *c->launch;
        pending->launch.params = pending->values;
    }
    if (c->kind == WW_COMMAND_FILL)
        pending->values = copy_of(c->source, c->pattern_bytes);
    return pending;
}

void ww_pending_destroy(ww_pending_command *pending)
{
    for (size_t i = 0; i < pending->after.count; i++)
        ww_event_destroy(pending->after.items[i]);
    ww_vec_free(&pending->after);
    ww_event_destroy(pending->event);
    free(pending->values);
    free(pending);
}

/* ---- running ---- */

static void fill(const ww_device_command *c, const uint8_t *pattern)
{
    uint8_t *at = c->buffer->host + c->offset;
    for (uint64_t done = 0; done < c->count; done += c->pattern_bytes)
        memcpy(at + done, pattern, c->pattern_bytes);
}

/* Values move at once: a copy takes no simulated time. */
static void move_bytes(const ww_pending_command *pending)
{
    const ww_device_command *c = &pending->command;
    uint8_t *at = c->count ? c->buffer->host + c->offset : NULL;
    if (!at)
        return;
    if (c->kind == WW_COMMAND_WRITE && c->source)
        memcpy(at, c->source, c->count);
    if (c->kind == WW_COMMAND_READ && c->target)
        memcpy(c->target, at, c->count);
    if (c->kind == WW_COMMAND_COPY)
        memmove(at, c->from->host + c->from_offset, c->count);
    if (c->kind == WW_COMMAND_FILL)
        fill(c, pending->values);
}

int ww_pending_run(ww_device *device, const ww_pending_command *pending, ww_errors *errors)
{
    const ww_device_command *c = &pending->command;
    if (c->kind == WW_COMMAND_LAUNCH)
        return device->kind->launch(device, c->program, &pending->launch, errors);
    move_bytes(pending);
    if (c->kind == WW_COMMAND_HINT)
        ww_memory_hint(device->memory, c->buffer, c->hints);
    else if (c->count && c->kind != WW_COMMAND_READ)
        ww_memory_host_wrote(device->memory, c->buffer);
    return WW_OK;
}
