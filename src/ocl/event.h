/* Events and commands.
 *
 * event     of a command, or of the program itself (a user event): a status that falls from
 *           CL_QUEUED to CL_COMPLETE, or to an error
 * follow    a command follows the events of its wait list, in an in-order queue the command before
 *           it, and barriers. It runs when all of these have ended.
 * times     simulated picoseconds. Only launches take time. The host's clock is the latest end of a
 *           command that the program has waited for: it says when a command was queued. */
#ifndef WW_OCL_EVENT_H
#define WW_OCL_EVENT_H

#include "ocl/ocl.h"

#include <signal.h>

typedef struct ww_cl_command ww_cl_command;

/* The first member of every kind of command. */
struct ww_cl_command {
    cl_int (*run)(ww_cl_command *command, cl_event event); /* CL_SUCCESS or an error */
    void (*clear)(ww_cl_command *command);                 /* NULL: nothing has to be freed */
    WW_VEC(void *) uses;                                   /* objects, until it has ended */
};

typedef struct ww_cl_follower {
    cl_event event;
    bool listed; /* by its wait list: an error is passed on */
} ww_cl_follower;

typedef struct ww_cl_event_callback {
    void(CL_CALLBACK *function)(cl_event, cl_int, void *);
    void *user_data;
    cl_int status; /* called when the event has come so far */
} ww_cl_event_callback;

struct _cl_event {
    ww_cl_object object;
    cl_context context;
    cl_command_queue queue; /* NULL: a user event */
    cl_command_type type;
    cl_int status;
    bool profiled;    /* its queue says so */
    uint64_t number;  /* in the order of enqueueing */
    size_t waits_for; /* events */
    cl_int failed;    /* an event of its wait list did */
    bool refused;     /* a launch that the device cannot run */
    uint64_t queued, submitted, started, ended;
    WW_VEC(ww_cl_follower) followers;
    WW_VEC(ww_cl_event_callback) callbacks;
    ww_cl_command *command; /* NULL when it has ended */
};

/* What enqueueing functions get besides the command. */
typedef struct ww_cl_order {
    cl_command_queue queue;
    cl_uint count; /* of the wait list */
    const cl_event *list;
    cl_event *event; /* NULL: the program does not want it */
    bool blocking;
    bool after_all;  /* it follows all commands of the queue (markers and barriers) */
    bool before_all; /* commands that come later follow it (barriers) */
} ww_cl_order;

static inline bool ww_cl_has_ended(cl_event event)
{
    return event->status <= CL_COMPLETE;
}

/* Zeroed, with `run`. */
void *ww_cl_command_create(size_t bytes, cl_int (*run)(ww_cl_command *, cl_event));
void ww_cl_command_use(ww_cl_command *command, void *object);
void ww_cl_command_destroy(ww_cl_command *command);

/* Whether queue and wait list are right. */
cl_int ww_cl_check_order(const ww_cl_order *order);
/* Takes the command over. */
cl_int ww_cl_enqueue(const ww_cl_order *order, cl_command_type type, ww_cl_command *command);

/* The event has this status now; its followers run if it has ended. */
void ww_cl_event_end(cl_event event, cl_int status);
/* Calls the callbacks for the states that the event has reached. */
void ww_cl_event_called(cl_event event);
void ww_cl_run_ready(void);
void ww_cl_event_wait(cl_event event);
/* The program knows that the command has ended. */
void ww_cl_host_saw(uint64_t ended);

#endif
