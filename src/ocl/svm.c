/* Shared virtual memory, coarse-grained: the same address on host and device. */
#include "ocl/gpu.h"
#include "ocl/transfer.h"

#include <string.h>

#define KNOWN_FLAGS (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY)

static WW_VEC(ww_cl_svm *) allocations;

ww_cl_svm *ww_cl_svm_find(const void *pointer, size_t size)
{
    for (size_t i = 0; pointer && i < allocations.count; i++) {
        ww_cl_svm *svm = allocations.items[i];
        size_t offset = (size_t)((const uint8_t *)pointer - svm->buffer->host);
        if ((const uint8_t *)pointer >= svm->buffer->host && offset < svm->size &&
            size <= svm->size - offset)
            return svm;
    }
    return NULL;
}

static void destroy(ww_cl_svm *svm)
{
    for (size_t i = 0; i < allocations.count; i++)
        if (allocations.items[i] == svm) {
            allocations.items[i] = allocations.items[--allocations.count];
            break;
        }
    ww_device_release(ww_cl_gpu_device(), svm->buffer);
    ww_vec_free(&svm->mappings);
    free(svm);
}

/* The context is being destroyed: no command uses its memory. */
void ww_cl_svm_forget(cl_context context)
{
    for (size_t i = allocations.count; i-- > 0;)
        if (allocations.items[i]->context == context)
            destroy(allocations.items[i]);
}

static bool is_alignment(cl_uint alignment)
{
    return alignment <= WW_CL_BASE_ALIGN && (alignment & (alignment - 1)) == 0;
}

void *CL_API_CALL clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size,
                             cl_uint alignment)
{
    WW_CL_ENTER;
    cl_svm_mem_flags access = flags & KNOWN_FLAGS;
    if (!ww_cl_is(context, WW_CL_CONTEXT) || flags & ~(cl_svm_mem_flags)KNOWN_FLAGS ||
        access & (access - 1) || size == 0 || size > WW_CL_MOST_BUFFER_BYTES ||
        !is_alignment(alignment))
        return NULL;
    ww_errors *errors = ww_errors_create();
    const ww_buffer *buffer =
        ww_device_shared_buffer(ww_cl_gpu_device(), "shared memory", size, errors);
    ww_cl_report(context, errors);
    ww_errors_destroy(errors);
    if (!buffer)
        return NULL;
    ww_cl_svm *svm = ww_calloc(1, sizeof(*svm));
    *svm = (ww_cl_svm){.context = context, .buffer = buffer, .size = size, .flags = flags};
    ww_vec_push(&allocations, svm);
    return buffer->host;
}

static void free_pointer(cl_context context, const void *pointer)
{
    ww_cl_svm *svm = ww_cl_svm_find(pointer, 1);
    if (svm && svm->context == context && svm->buffer->host == pointer)
        destroy(svm);
}

void CL_API_CALL clSVMFree(cl_context context, void *pointer)
{
    WW_CL_ENTER;
    if (ww_cl_is(context, WW_CL_CONTEXT))
        free_pointer(context, pointer);
}

/* ---- commands ---- */

typedef void(CL_CALLBACK *free_fn)(cl_command_queue, cl_uint, void *[], void *);

typedef struct svm_free {
    ww_cl_command command;
    cl_uint count;
    void **pointers;
    free_fn function; /* NULL: the driver frees them */
    void *user_data;
} svm_free;

/* The program's function is called without the lock: it frees the pointers by clSVMFree. */
static cl_int run_free(ww_cl_command *command, cl_event event)
{
    const svm_free *f = (const svm_free *)command;
    for (cl_uint i = 0; !f->function && i < f->count; i++)
        free_pointer(event->context, f->pointers[i]);
    if (f->function) {
        ww_cl_unlock();
        f->function(event->queue, f->count, f->pointers, f->user_data);
        ww_cl_lock();
    }
    return CL_SUCCESS;
}

static void clear_free(ww_cl_command *command)
{
    free(((svm_free *)command)->pointers);
}

cl_int CL_API_CALL clEnqueueSVMFree(cl_command_queue queue, cl_uint pointer_count, void *pointers[],
                                    free_fn function, void *user_data, cl_uint count,
                                    const cl_event *list, cl_event *event)
{
    WW_CL_ENTER;
    ww_cl_order order = {queue, count, list, event, .blocking = false};
    cl_int status = ww_cl_check_order(&order);
    if (status == CL_SUCCESS && (pointer_count == 0) != (pointers == NULL))
        status = CL_INVALID_VALUE;
    for (cl_uint i = 0; status == CL_SUCCESS && i < pointer_count; i++)
        status = pointers[i] ? CL_SUCCESS : CL_INVALID_VALUE;
    if (status != CL_SUCCESS)
        return status;
    svm_free *f = ww_cl_command_create(sizeof(*f), run_free);
    f->command.clear = clear_free;
    f->count = pointer_count;
    f->pointers = ww_calloc(pointer_count + 1, sizeof(void *));
    if (pointer_count)
        memcpy(f->pointers, pointers, pointer_count * sizeof(void *));
    f->function = function;
    f->user_data = user_data;
    return ww_cl_enqueue(&order, CL_COMMAND_SVM_FREE, &f->command);
}

static const ww_buffer *buffer_at(const void *pointer, size_t size)
{
    const ww_cl_svm *svm = ww_cl_svm_find(pointer, size);
    return svm ? svm->buffer : NULL;
}

cl_int CL_API_CALL clEnqueueSVMMemcpy(cl_command_queue queue, cl_bool blocking, void *to,
                                      const void *from, size_t size, cl_uint count,
                                      const cl_event *list, cl_event *event)
{
    WW_CL_ENTER;
    ww_cl_order order = {queue, count, list, event, .blocking = blocking};
    cl_int status = ww_cl_check_order(&order);
    if (status == CL_SUCCESS && size && (!to || !from))
        status = CL_INVALID_VALUE;
    if (status != CL_SUCCESS)
        return status;
    if (size && (const uint8_t *)from < (uint8_t *)to + size &&
        (uint8_t *)to < (const uint8_t *)from + size)
        return CL_MEM_COPY_OVERLAP;
    ww_cl_transfer *t =
        ww_cl_transfer_create(from, to, size, size ? buffer_at(to, size) : NULL, NULL, NULL);
    return ww_cl_enqueue(&order, CL_COMMAND_SVM_MEMCPY, &t->command);
}

cl_int CL_API_CALL clEnqueueSVMMemFill(cl_command_queue queue, void *to, const void *pattern,
                                       size_t bytes, size_t size, cl_uint count,
                                       const cl_event *list, cl_event *event)
{
    WW_CL_ENTER;
    ww_cl_order order = {queue, count, list, event, .blocking = false};
    cl_int status = ww_cl_check_order(&order);
    if (status != CL_SUCCESS)
        return status;
    if (!ww_cl_is_pattern(pattern, bytes) || size % bytes || (size && !buffer_at(to, size)) ||
        (uintptr_t)to % bytes)
        return CL_INVALID_VALUE;
    ww_cl_fill *f = ww_cl_fill_create(to, size, pattern, bytes, buffer_at(to, size), NULL);
    return ww_cl_enqueue(&order, CL_COMMAND_SVM_MEMFILL, &f->command);
}

/* ---- maps ---- */

typedef struct svm_map {
    ww_cl_command command;
    const ww_buffer *written; /* NULL: nothing was */
} svm_map;

static cl_int run_map(ww_cl_command *command, cl_event event)
{
    const svm_map *m = (const svm_map *)command;
    (void)event;
    if (m->written)
        ww_cl_host_wrote(m->written);
    return CL_SUCCESS;
}

cl_int CL_API_CALL clEnqueueSVMMap(cl_command_queue queue, cl_bool blocking, cl_map_flags flags,
                                   void *pointer, size_t size, cl_uint count, const cl_event *list,
                                   cl_event *event)
{
    const cl_map_flags writes = CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
    WW_CL_ENTER;
    ww_cl_order order = {queue, count, list, event, .blocking = blocking};
    cl_int status = ww_cl_check_order(&order);
    if (status != CL_SUCCESS)
        return status;
    ww_cl_svm *svm = ww_cl_svm_find(pointer, size);
    if (!pointer || size == 0 || flags & ~(cl_map_flags)(CL_MAP_READ | writes) || !svm ||
        (flags & CL_MAP_WRITE_INVALIDATE_REGION && flags & (CL_MAP_READ | CL_MAP_WRITE)))
        return CL_INVALID_VALUE;
    ww_vec_push(&svm->mappings, ((ww_cl_mapping){pointer, 0, size, flags}));
    svm_map *m = ww_cl_command_create(sizeof(*m), run_map);
    return ww_cl_enqueue(&order, CL_COMMAND_SVM_MAP, &m->command);
}

cl_int CL_API_CALL clEnqueueSVMUnmap(cl_command_queue queue, void *pointer, cl_uint count,
                                     const cl_event *list, cl_event *event)
{
    WW_CL_ENTER;
    ww_cl_order order = {queue, count, list, event, .blocking = false};
    cl_int status = ww_cl_check_order(&order);
    if (status != CL_SUCCESS)
        return status;
    ww_cl_svm *svm = ww_cl_svm_find(pointer, 1);
    if (!pointer || !svm)
        return CL_INVALID_VALUE;
    svm_map *m = ww_cl_command_create(sizeof(*m), run_map);
    for (size_t i = 0; i < svm->mappings.count; i++)
        if (svm->mappings.items[i].pointer == pointer) {
            m->written = svm->mappings.items[i].flags & CL_MAP_READ &&
                                 !(svm->mappings.items[i].flags & CL_MAP_WRITE)
                             ? NULL
                             : svm->buffer;
            svm->mappings.items[i] = svm->mappings.items[--svm->mappings.count];
            break;
        }
    return ww_cl_enqueue(&order, CL_COMMAND_SVM_UNMAP, &m->command);
}

cl_int CL_API_CALL clEnqueueSVMMigrateMem(cl_command_queue queue, cl_uint pointer_count,
                                          const void **pointers, const size_t *sizes,
                                          cl_mem_migration_flags flags, cl_uint count,
                                          const cl_event *list, cl_event *event)
{
    const cl_mem_migration_flags known =
        CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
    WW_CL_ENTER;
    ww_cl_order order = {queue, count, list, event, .blocking = false};
    cl_int status = ww_cl_check_order(&order);
    if (status == CL_SUCCESS && (pointer_count == 0 || !pointers || flags & ~known))
        status = CL_INVALID_VALUE;
    for (cl_uint i = 0; status == CL_SUCCESS && i < pointer_count; i++) {
        size_t size = sizes && sizes[i] ? sizes[i] : 1;
        status = ww_cl_svm_find(pointers[i], size) ? CL_SUCCESS : CL_INVALID_VALUE;
    }
    if (status != CL_SUCCESS)
        return status;
    svm_map *m = ww_cl_command_create(sizeof(*m), run_map);
    return ww_cl_enqueue(&order, CL_COMMAND_SVM_MIGRATE_MEM, &m->command);
}
