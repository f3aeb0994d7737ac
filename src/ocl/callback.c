/* Callbacks of the program. A thread of their own calls them without the lock, because the program
 * may hold locks of its own while it calls the driver. */
#include "ocl/event.h"

static WW_VEC(ww_cl_callback) waiting;
static size_t first;
static bool started;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;

static ww_cl_callback take(void)
{
    pthread_mutex_lock(&queue_lock);
    while (first == waiting.count)
        pthread_cond_wait(&arrived, &queue_lock);
    ww_cl_callback callback = waiting.items[first++];
    if (first == waiting.count)
        first = waiting.count = 0;
    pthread_mutex_unlock(&queue_lock);
    return callback;
}

static void *call_them(void *unused)
{
    (void)unused;
    for (;;) {
        ww_cl_callback callback = take();
        callback.call(&callback);
        free(callback.text);
        if (!callback.drops_event)
            continue;
        ww_cl_lock();
        ww_cl_drop(callback.handle);
        ww_cl_unlock();
    }
    return NULL;
}

void ww_cl_call(ww_cl_callback callback)
{
    if (callback.drops_event)
        ww_cl_use(callback.handle);
    pthread_mutex_lock(&queue_lock);
    ww_vec_push(&waiting, callback);
    if (!started)
        started = ww_cl_start_thread(call_them);
    pthread_cond_signal(&arrived);
    pthread_mutex_unlock(&queue_lock);
}

void ww_cl_call_all_reversed(ww_cl_callbacks *callbacks, void *handle)
{
    while (callbacks->count) {
        ww_cl_callback callback = callbacks->items[--callbacks->count];
        callback.handle = handle;
        ww_cl_call(callback);
    }
    ww_vec_free(callbacks);
}

static void call_notify(const ww_cl_callback *c)
{
    ((void(CL_CALLBACK *)(const char *, const void *, size_t, void *))c->function)(c->text, NULL, 0,
                                                                                   c->user_data);
}

void ww_cl_notify(cl_context context, const char *text)
{
    if (context->notify)
        ww_cl_call((ww_cl_callback){.call = call_notify,
                                    .function = (void (*)(void))context->notify,
                                    .user_data = context->user_data,
                                    .text = ww_strdup(text)});
}
