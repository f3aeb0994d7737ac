/* A device as a host program sees it: buffers, copies, modules, launches.
 *
 * device    something that runs launches in order: the functional executor, or a timed machine.
 *           Launch files, catalogue workloads and the OpenCL front end use only this interface.
 * buffer    memory of the device (exec/memory.h); the host can read the values, too
 * program   a module that the device has loaded
 * Values move at once and live in the device's memory; the kind of device decides what a copy or a
 * launch costs in simulated time. Every call returns a status and is complete when it returns,
 * except that time may only have passed after ww_device_finish. */
#ifndef WW_HOST_DEVICE_H
#define WW_HOST_DEVICE_H

#include "exec/exec.h"

typedef struct ww_device ww_device;
typedef struct ww_device_program ww_device_program; /* the kind's own */

/* What a kind of device does. Before `copied_in`, the host writes the values into the buffer's host
 * bytes; after `copied_out`, it reads them there. Both are NULL where copies take no time. */
typedef struct ww_device_kind {
    const char *name;
    ww_device_program *(*load)(ww_device *device, const ww_module *module, ww_errors *errors);
    int (*dynamic_shared)(ww_device_program *program, const char *entry, ww_where at,
                          uint64_t *address, ww_errors *errors);
    int (*copied_in)(ww_device *device, const ww_buffer *buffer, uint64_t offset, uint64_t count,
                     ww_errors *errors);
    int (*copied_out)(ww_device *device, const ww_buffer *buffer, uint64_t offset, uint64_t count,
                      ww_errors *errors);
    int (*launch)(ww_device *device, ww_device_program *program, const ww_launch *launch,
                  ww_errors *errors);
    int (*finish)(ww_device *device, ww_errors *errors);
    void (*destroy)(ww_device *device);
    const ww_buffer *(*variable)(ww_device_program *program, uint32_t index);
} ww_device_kind;

/* The first member of every kind's own struct. */
struct ww_device {
    const ww_device_kind *kind;
    ww_memory *memory;
};

/* A new zeroed buffer. */
const ww_buffer *ww_device_buffer(ww_device *device, const char *name, uint64_t size,
                                  ww_errors *errors);
void ww_device_release(ww_device *device, const ww_buffer *buffer);

int ww_device_write(ww_device *device, const ww_buffer *buffer, uint64_t offset, const void *bytes,
                    uint64_t count, ww_errors *errors);
int ww_device_read(ww_device *device, const ww_buffer *buffer, uint64_t offset, void *bytes,
                   uint64_t count, ww_errors *errors);
/* For large copies without a second copy: the host fills buffer->host and then calls copied_in, or
 * calls copied_out and then reads buffer->host. Of the whole buffer. */
int ww_device_written(ww_device *device, const ww_buffer *buffer, ww_errors *errors);
int ww_device_readable(ww_device *device, const ww_buffer *buffer, ww_errors *errors);

/* The device owns the program; the module outlives the device. NULL with errors. */
ww_device_program *ww_device_load(ww_device *device, const ww_module *module, ww_errors *errors);
/* Where an entry's dynamic shared memory starts: `.ptr .shared` arguments point there. `at` is the
 * text that asked for the launch. */
int ww_device_dynamic_shared(ww_device *device, ww_device_program *program, const char *entry,
                             ww_where at, uint64_t *address, ww_errors *errors);
/* The memory of a variable of the program's module (exec/exec.h). */
const ww_buffer *ww_device_variable(ww_device *device, ww_device_program *program, uint32_t index);
int ww_device_launch(ww_device *device, ww_device_program *program, const ww_launch *launch,
                     ww_errors *errors);
int ww_device_finish(ww_device *device, ww_errors *errors);
void ww_device_destroy(ww_device *device);

#endif
