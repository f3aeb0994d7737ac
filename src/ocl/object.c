/* Objects: handles, references, and the lock. The driver has one state for the process, because
 * OpenCL has. */
#include "base/number_map.h"
#include "ocl/ocl.h"

#include <signal.h>
#include <time.h>

#define KEPT 4096 /* destroyed objects whose handles are still readable */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t ww_cl_changed = PTHREAD_COND_INITIALIZER;
static ww_number_map objects; /* address -> kind, of live ones */
static void *kept[KEPT];
static size_t next_kept;

_Thread_local volatile int ww_cl_has_lock;

void ww_cl_lock(void)
{
    pthread_mutex_lock(&lock);
    ww_cl_has_lock = 1;
}

bool ww_cl_lock_within(unsigned seconds)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += seconds;
    ww_cl_has_lock = pthread_mutex_timedlock(&lock, &until) == 0;
    return ww_cl_has_lock;
}

void ww_cl_unlock(void)
{
    ww_cl_has_lock = 0;
    pthread_mutex_unlock(&lock);
}

void ww_cl_leave(const int *entered)
{
    (void)entered;
    ww_cl_unlock();
}

void ww_cl_wait_for_change(void)
{
    pthread_cond_wait(&ww_cl_changed, &lock);
}

void *ww_cl_create(ww_cl_kind kind, size_t bytes)
{
    ww_cl_object *object = ww_calloc(1, bytes);
    *object = (ww_cl_object){.dispatch = &ww_cl_dispatch, .kind = kind, .references = 1};
    ww_number_map_set(&objects, (uint64_t)(uintptr_t)object, kind);
    return object;
}

bool ww_cl_is(const void *handle, ww_cl_kind kind)
{
    return handle && ww_number_map_get(&objects, (uint64_t)(uintptr_t)handle) == (uint64_t)kind;
}

static void clear(ww_cl_object *object)
{
    switch (object->kind) {
    case WW_CL_CONTEXT: ww_cl_context_clear((cl_context)(void *)object); break;
    case WW_CL_QUEUE: ww_cl_queue_clear((cl_command_queue)(void *)object); break;
    case WW_CL_MEM: ww_cl_mem_clear((cl_mem)(void *)object); break;
    case WW_CL_PROGRAM: ww_cl_program_clear((cl_program)(void *)object); break;
    case WW_CL_KERNEL: ww_cl_kernel_clear((cl_kernel)(void *)object); break;
    case WW_CL_EVENT: ww_cl_event_clear((cl_event)(void *)object); break;
    default: break;
    }
}

static void destroy_if_unused(ww_cl_object *object)
{
    if (object->references || object->uses)
        return;
    object->uses = 1; /* what clearing does must not destroy it again */
    clear(object);
    ww_number_map_remove(&objects, (uint64_t)(uintptr_t)object);
    free(kept[next_kept]);
    kept[next_kept] = object;
    next_kept = (next_kept + 1) % KEPT;
}

cl_int ww_cl_retain(void *handle, ww_cl_kind kind, cl_int invalid)
{
    if (!ww_cl_is(handle, kind))
        return invalid;
    ((ww_cl_object *)handle)->references++;
    return CL_SUCCESS;
}

cl_int ww_cl_release(void *handle, ww_cl_kind kind, cl_int invalid)
{
    ww_cl_object *object = handle;
    if (!ww_cl_is(handle, kind) || object->references == 0)
        return invalid;
    object->references--;
    destroy_if_unused(object);
    return CL_SUCCESS;
}

void ww_cl_use(void *handle)
{
    if (handle)
        ((ww_cl_object *)handle)->uses++;
}

void ww_cl_drop(void *handle)
{
    ww_cl_object *object = handle;
    if (!object)
        return;
    object->uses--;
    destroy_if_unused(object);
}

bool ww_cl_start_thread(void *(*function)(void *))
{
    pthread_t thread;
    pthread_attr_t attributes;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    bool started = pthread_create(&thread, &attributes, function, NULL) == 0;
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}
