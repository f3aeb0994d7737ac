/* The OpenCL driver: objects, and what its files share.
 *
 * object      what a handle points to: context, queue, buffer, program, kernel, event. It starts
 *             with the table of functions, through which a loader calls.
 * reference   of the program that uses the driver (retain, release)
 * use         of another object: a queue uses its context. An object without references and uses is
 *             destroyed; its handle stays readable for a while, so that a second release is an
 *             error and not a crash.
 * lock        one for all. A function of the API holds it from beginning to end, a launch included;
 *             only callbacks run without it. The list of waiting callbacks has a lock of its own,
 *             which is the last that a thread takes.
 * command     of a queue, with its event. It runs in the thread that enqueues it, or, when it
 *             follows an event that has not ended, in the thread that ends that event. So results
 *             depend on the order of calls alone. */
#ifndef WW_OCL_OCL_H
#define WW_OCL_OCL_H

#include "base/memory.h"
#include "host/device.h"

#include <CL/cl_icd.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum ww_cl_kind {
    WW_CL_PLATFORM = 1,
    WW_CL_DEVICE,
    WW_CL_CONTEXT,
    WW_CL_QUEUE,
    WW_CL_MEM,
    WW_CL_PROGRAM,
    WW_CL_KERNEL,
    WW_CL_EVENT,
    WW_CL_KINDS
} ww_cl_kind;

typedef struct ww_cl_object {
    const cl_icd_dispatch *dispatch;
    ww_cl_kind kind;
    cl_uint references, uses;
} ww_cl_object;

/* A callback of the program, with all that any kind of them gets. */
typedef struct ww_cl_callback {
    void (*call)(const struct ww_cl_callback *callback);
    void (*function)(void); /* the program's, to be cast by `call` */
    void *handle;
    void *user_data;
    cl_int status;
    char *text;       /* freed afterwards */
    bool drops_event; /* the handle is an event, which the callback uses */
} ww_cl_callback;

typedef WW_VEC(ww_cl_callback) ww_cl_callbacks;

struct _cl_platform_id {
    ww_cl_object object;
};

struct _cl_device_id {
    ww_cl_object object;
};

struct _cl_context {
    ww_cl_object object;
    cl_context_properties *properties; /* ended by 0; NULL: none were given */
    size_t property_count;             /* with the 0 */
    void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *);
    void *user_data;
    ww_cl_callbacks destructors;
};

struct _cl_command_queue {
    ww_cl_object object;
    cl_context context;
    cl_command_queue_properties flags;
    cl_queue_properties *properties; /* as given, ended by 0; NULL: none */
    size_t property_count;
    cl_event last;         /* in order: the newest command, until it ends */
    cl_event barrier;      /* out of order: commands follow it, until it ends */
    WW_VEC(cl_event) open; /* commands that have not ended */
    uint64_t ended;        /* when the newest ended command ended, in picoseconds */
    cl_int error;          /* of a launch that failed, until a finish returns it */
};

/* A pointer that a map returned, of a buffer or of shared memory. */
typedef struct ww_cl_mapping {
    void *pointer;
    size_t offset, size;
    cl_map_flags flags;
} ww_cl_mapping;

struct _cl_mem {
    ww_cl_object object;
    cl_context context;
    cl_mem_flags flags;
    size_t size;
    void *host_ptr;    /* as given, of CL_MEM_USE_HOST_PTR */
    cl_mem parent;     /* of a sub-buffer */
    size_t sub_origin; /* in the parent */
    size_t origin;     /* in `buffer` */
    bool shared;       /* `buffer` is that of shared memory, which the host pointer names */
    cl_mem_properties *properties;
    size_t property_count;
    const ww_buffer *buffer; /* a sub-buffer's is its parent's */
    WW_VEC(ww_cl_mapping) mappings;
    ww_cl_callbacks destructors;
};

/* Memory of clSVMAlloc: the same address on host and device. */
typedef struct ww_cl_svm {
    cl_context context;
    const ww_buffer *buffer;
    size_t size;
    cl_svm_mem_flags flags;
    WW_VEC(ww_cl_mapping) mappings;
} ww_cl_svm;

/* ---- the state of the driver (object.c) ---- */

extern pthread_cond_t ww_cl_changed; /* an event has ended */

extern _Thread_local volatile int ww_cl_has_lock; /* this thread has it */

/* For the whole of a function of the API. */
void ww_cl_lock(void);
void ww_cl_unlock(void);
bool ww_cl_lock_within(unsigned seconds); /* false: it did not get the lock */
void ww_cl_leave(const int *entered);
void ww_cl_wait_for_change(void);
#define WW_CL_ENTER \
    __attribute__((cleanup(ww_cl_leave), unused)) const int entered = (ww_cl_lock(), 0)

/* A new object of so many bytes, with one reference. */
void *ww_cl_create(ww_cl_kind kind, size_t bytes);
/* Whether the handle is one of a live object of this kind; anything may be asked. */
bool ww_cl_is(const void *handle, ww_cl_kind kind);
cl_int ww_cl_retain(void *handle, ww_cl_kind kind, cl_int invalid);
cl_int ww_cl_release(void *handle, ww_cl_kind kind, cl_int invalid);
void ww_cl_use(void *handle);  /* NULL is allowed */
void ww_cl_drop(void *handle); /* likewise */

/* Of each kind: frees what the object has, not the object. */
void ww_cl_context_clear(cl_context context);
void ww_cl_queue_clear(cl_command_queue queue);
void ww_cl_mem_clear(cl_mem mem);
void ww_cl_program_clear(cl_program program);
void ww_cl_kernel_clear(cl_kernel kernel);
void ww_cl_event_clear(cl_event event);

/* Starts a thread that the program's signals do not reach; nothing waits for its end. */
bool ww_cl_start_thread(void *(*function)(void *));

/* ---- callbacks (callback.c): a thread of their own calls them, in order ---- */

void ww_cl_call(ww_cl_callback callback);
/* Calls them, the newest first, and empties the list. */
void ww_cl_call_all_reversed(ww_cl_callbacks *callbacks, void *handle);
void ww_cl_notify(cl_context context, const char *text); /* an error, to the context's function */

/* ---- answers to queries (info.c) ---- */

typedef struct ww_cl_answer {
    size_t room;
    void *value;
    size_t *size; /* of the whole answer; may be NULL */
} ww_cl_answer;

cl_int ww_cl_give(const ww_cl_answer *answer, const void *value, size_t size);
cl_int ww_cl_give_text(const ww_cl_answer *answer, const char *text);
cl_int ww_cl_give_uint(const ww_cl_answer *answer, cl_uint value);
cl_int ww_cl_give_ulong(const ww_cl_answer *answer, cl_ulong value);
cl_int ww_cl_give_size(const ww_cl_answer *answer, size_t value);
cl_int ww_cl_give_bool(const ww_cl_answer *answer, bool value);
cl_int ww_cl_give_handle(const ww_cl_answer *answer, const void *handle);

/* Sets *code, which may be NULL, and returns NULL. */
void *ww_cl_none(cl_int *code, cl_int error);

/* ---- the platform and its device (platform.c, device.c) ---- */

extern const cl_icd_dispatch ww_cl_dispatch;

/* NULL: the configuration in the environment is wrong, which was said on standard error. */
cl_platform_id ww_cl_platform(void);
cl_device_id ww_cl_device(void);
/* Whether the list is of this platform's device alone, perhaps several times. */
bool ww_cl_are_devices(cl_uint count, const cl_device_id *devices);

#define WW_CL_MOST_ARGUMENT_BYTES 4352 /* as PTX allows */
#define WW_CL_BASE_ALIGN 128           /* bytes: of the largest type */
#define WW_CL_MOST_BUFFER_BYTES (UINT64_C(2) << 30)

/* ---- memory (buffer.c, svm.c) ---- */

ww_cl_svm *ww_cl_svm_find(const void *pointer, size_t size); /* NULL: not all in one allocation */
void ww_cl_svm_forget(cl_context context);                   /* frees all of a context's */
uint64_t ww_cl_mem_address(cl_mem mem);
uint8_t *ww_cl_mem_host(cl_mem mem);
/* Whether `size` bytes at `offset` are in the buffer. */
bool ww_cl_mem_has(cl_mem mem, size_t offset, size_t size);

#endif
