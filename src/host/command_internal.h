/* What the files of command queues share: pending commands, and how one is run. */
#ifndef WW_HOST_COMMAND_INTERNAL_H
#define WW_HOST_COMMAND_INTERNAL_H

#include "base/memory.h"
#include "host/command_queue.h"

/* A command that has not run, with its own copies of what it needs. */
typedef struct ww_pending_command {
    ww_device_command command;
    ww_command_queue *queue; /* NULL: the release of a buffer */
    ww_launch launch;
    uint8_t *values; /* the launch's parameters, or the pattern */
    ww_event *event;
    WW_VEC(ww_event *) after;
} ww_pending_command;

typedef struct ww_loaded {
    const ww_device_program *program;
    const ww_module *module;
} ww_loaded;

/* The commands of one device. */
struct ww_device_commands {
    ww_command_queue *synchronous; /* of the calls in device.h that wait; NULL: none yet */
    WW_VEC(ww_command_queue *) queues;
    WW_VEC(ww_loaded) programs;
    WW_VEC(ww_pending_command *) pending; /* in the order of enqueueing, from `first` */
    size_t first;
    size_t releases; /* among them */
};

/* A device's, made at the first call. */
struct ww_device_commands *ww_device_commands_of(ww_device *device);
void ww_device_commands_destroy(ww_device *device);
/* The buffer is freed when all commands that are pending now have run. */
void ww_commands_release(ww_device *device, const ww_buffer *buffer);

/* command.c */
int ww_command_check(const ww_device_command *command, ww_errors *errors);
ww_pending_command *ww_pending_create(const ww_device *device, const ww_device_command *command);
void ww_pending_destroy(ww_pending_command *pending);
int ww_pending_run(ww_device *device, const ww_pending_command *pending, ww_errors *errors);
const char *ww_command_name(ww_command_kind kind);

#endif
