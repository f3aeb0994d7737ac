/* Commands of a host program, the queues that it puts them into, and their events.
 *
 * command   a launch; a write, read, copy or fill of a buffer; hints about one; or a marker, which
 *           does nothing
 * queue     commands of one device. In an in-order queue a command follows the one before it; in
 *           the other kind it follows only the events that it names.
 * event     of one command: its status and its times
 * wait      lets the device run what is pending, up to an event's command
 *
 * Enqueueing runs nothing. The device runs one command at a time, in the order in which all its
 * queues received them: a command names only events that exist, so that this order obeys all
 * events, and a result does not depend on when the host waits. */
#ifndef WW_HOST_COMMAND_QUEUE_H
#define WW_HOST_COMMAND_QUEUE_H

#include "host/device.h"

#define WW_MOST_PATTERN 128u /* bytes */

typedef enum ww_command_kind {
    WW_COMMAND_LAUNCH,
    WW_COMMAND_WRITE, /* from the host */
    WW_COMMAND_READ,  /* to the host */
    WW_COMMAND_COPY,  /* from a buffer to a buffer, which may be the same */
    WW_COMMAND_FILL,
    WW_COMMAND_HINT, /* replaces the hints about a buffer */
    WW_COMMAND_MARKER
} ww_command_kind;

/* The members that its kind does not name are 0. */
typedef struct ww_device_command {
    ww_command_kind kind;
    ww_device_program *program; /* launch */
    /* Launch: it is copied, with its parameters. The name of its entry outlives the device. */
    const ww_launch *launch;
    const ww_buffer *buffer; /* all but launches and markers */
    uint64_t offset, count;  /* of the bytes of `buffer` */
    /* Write: the bytes, which do not change before the command has ended. Fill: the pattern, which
     * is copied. NULL for a write: the host has put the values into buffer->host itself. */
    const void *source;
    uint64_t pattern_bytes; /* fill: they divide `count` */
    void *target;           /* read; NULL: the host reads buffer->host afterwards */
    const ww_buffer *from;  /* copy */
    uint64_t from_offset;
    ww_buffer_hints hints; /* hint */
} ww_device_command;

/* Simulated picoseconds since the device was created; always 0 on a device without time. Only
 * launches take time. */
typedef struct ww_event_times {
    uint64_t queued;    /* the host enqueued the command */
    uint64_t submitted; /* all that it follows had ended */
    uint64_t started;   /* the device began it */
    uint64_t ended;
} ww_event_times;

typedef struct ww_event ww_event;

/* Events that a command follows, of any queue of its device. */
typedef struct ww_event_list {
    ww_event *const *events;
    size_t count;
} ww_event_list;

/* The device owns the queue. */
ww_command_queue *ww_command_queue_create(ww_device *device, bool in_order);

/* `after` may be NULL: nothing. `event` may be NULL; else the caller owns what it is set to.
 * WW_BAD_INPUT with a line: the bytes are not all in the buffer, or the pattern does not fit; then
 * nothing is enqueued. */
int ww_enqueue(ww_command_queue *queue, const ww_device_command *command,
               const ww_event_list *after, ww_event **event, ww_errors *errors);

/* Runs what is pending up to the event's command, and returns its status. A command that follows
 * one that failed does not run: its status is the same, with a line of its own. */
int ww_event_wait(ww_event *event, ww_errors *errors);
/* Runs what is pending up to the queue's newest command. The first status that is not WW_OK, of the
 * queue's commands that ran now. Commands after it do not follow one that failed before. */
int ww_command_queue_finish(ww_command_queue *queue, ww_errors *errors);

bool ww_event_has_ended(const ww_event *event);
ww_event_times ww_event_get_times(const ww_event *event); /* when it has ended */
void ww_event_destroy(ww_event *event); /* its command runs nevertheless; NULL is allowed */

#endif
