/* A device as a host program sees it: buffers, copies, modules, launches.
 *
 * device    something that runs commands: the functional executor, or a timed machine. Launch
 * files, catalogue workloads and the OpenCL front end use only this interface. buffer    memory of
 * the device (exec/memory.h); the host can read the values, too program   a module that the device
 * has loaded The calls here that copy or launch put one command into a queue of the device, in
 * order, and wait for it; command_queue.h has queues for commands that nothing waits for yet.
 * Values live in the device's memory; the kind of device decides what a launch costs in simulated
 * time. */
#ifndef WW_HOST_DEVICE_H
#define WW_HOST_DEVICE_H

#include "exec/exec.h"

typedef struct ww_device ww_device;
typedef struct ww_device_program ww_device_program; /* the kind's own */

typedef struct ww_command_queue ww_command_queue; /* command_queue.h */

/* What a kind of device does. */
typedef struct ww_device_kind {
    const char *name;
    ww_device_program *(*load)(ww_device *device, const ww_module *module, ww_errors *errors);
    int (*dynamic_shared)(ww_device_program *program, const char *entry, ww_where at,
                          uint64_t *address, ww_errors *errors);
    const ww_buffer *(*variable)(ww_device_program *program, uint32_t index);
    /* Runs it to its end. */
    int (*launch)(ww_device *device, ww_device_program *program, const ww_launch *launch,
                  ww_errors *errors);
    /* Before a buffer is freed; no command runs. NULL: nothing has to be done. */
    void (*released)(ww_device *device, const ww_buffer *buffer);
    /* Simulated picoseconds in launches so far. NULL: the device has no time. */
    uint64_t (*now)(const ww_device *device);
    void (*destroy)(ww_device *device);
    /* ww_device_trim. NULL: nothing is kept. */
    void (*trim)(ww_device_program *program);
} ww_device_kind;

/* The first member of every kind's own struct. */
struct ww_device {
    const ww_device_kind *kind;
    ww_memory *memory;
    struct ww_device_commands *commands; /* of device.c and command_queue.c; NULL: none yet */
};

/* A new zeroed buffer. */
const ww_buffer *ww_device_buffer(ww_device *device, const char *name, uint64_t size,
                                  ww_errors *errors);
/* The same with the values in the caller's own memory, or with one address for host and device
 * (exec/memory.h). */
const ww_buffer *ww_device_adopt(ww_device *device, const char *name, void *host, uint64_t size,
                                 ww_errors *errors);
const ww_buffer *ww_device_shared_buffer(ww_device *device, const char *name, uint64_t size,
                                         ww_errors *errors);
/* Frees a buffer that one of these made: its addresses and, on a timed device, its frames
 * return. It happens when all commands that are pending now have run, since a launch may use any
 * buffer. The caller names the buffer in no later command. */
void ww_device_release(ww_device *device, const ww_buffer *buffer);

int ww_device_write(ww_device *device, const ww_buffer *buffer, uint64_t offset, const void *bytes,
                    uint64_t count, ww_errors *errors);
int ww_device_read(ww_device *device, const ww_buffer *buffer, uint64_t offset, void *bytes,
                   uint64_t count, ww_errors *errors);
/* For large copies without a second copy: the host fills buffer->host and then calls
 * ww_device_written, or calls ww_device_readable and then reads buffer->host. Of the whole buffer.
 */
int ww_device_written(ww_device *device, const ww_buffer *buffer, ww_errors *errors);
int ww_device_readable(ww_device *device, const ww_buffer *buffer, ww_errors *errors);

/* Replaces the hints about a buffer (exec/memory.h). They hold for later launches. */
int ww_device_hint(ww_device *device, const ww_buffer *buffer, ww_buffer_hints hints,
                   ww_errors *errors);

/* The device owns the program; the module outlives the device. NULL with errors. */
ww_device_program *ww_device_load(ww_device *device, const ww_module *module, ww_errors *errors);
/* Frees what the program's launches keep for later ones: no launch is expected soon. */
void ww_device_trim(ww_device *device, ww_device_program *program);
/* Where an entry's dynamic shared memory starts: `.ptr .shared` arguments point there. `at` is the
 * text that asked for the launch. */
int ww_device_dynamic_shared(ww_device *device, ww_device_program *program, const char *entry,
                             ww_where at, uint64_t *address, ww_errors *errors);

/* Where a local argument of so many bytes starts that follows what ends at `end`: aligned to every
 * type of which an array can have this size (of vectors, up to 128 bytes), and to 16 bytes. */
uint64_t ww_local_argument_at(uint64_t end, uint64_t bytes);
/* The memory of a variable of the program's module (exec/exec.h). */
const ww_buffer *ww_device_variable(ww_device *device, ww_device_program *program, uint32_t index);
int ww_device_launch(ww_device *device, ww_device_program *program, const ww_launch *launch,
                     ww_errors *errors);
/* Runs the commands of all queues. */
int ww_device_finish(ww_device *device, ww_errors *errors);
void ww_device_destroy(ww_device *device);

#endif
