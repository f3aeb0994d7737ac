/* Buffers. */
#include "ocl/gpu.h"

#include <string.h>

#define ACCESS_FLAGS (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY)
#define HOST_FLAGS (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)
#define POINTER_FLAGS (CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)

uint64_t ww_cl_mem_address(cl_mem mem)
{
    return mem->buffer->address + mem->origin;
}

uint8_t *ww_cl_mem_host(cl_mem mem)
{
    return mem->buffer->host + mem->origin;
}

bool ww_cl_mem_has(cl_mem mem, size_t offset, size_t size)
{
    return size > 0 && offset <= mem->size && size <= mem->size - offset;
}

void ww_cl_mem_clear(cl_mem mem)
{
    ww_cl_call_all_reversed(&mem->destructors, mem);
    if (mem->parent)
        ww_cl_drop(mem->parent);
    else if (!mem->shared)
        ww_device_release(ww_cl_gpu_device(), mem->buffer);
    ww_vec_free(&mem->mappings);
    free(mem->properties);
    ww_cl_drop(mem->context);
}

/* ---- flags ---- */

static bool at_most_one(cl_mem_flags flags)
{
    return (flags & (flags - 1)) == 0;
}

static bool are_right(cl_mem_flags flags)
{
    if (flags & ~(cl_mem_flags)(ACCESS_FLAGS | HOST_FLAGS | POINTER_FLAGS))
        return false;
    if ((flags & CL_MEM_USE_HOST_PTR) && (flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)))
        return false;
    return at_most_one(flags & ACCESS_FLAGS) && at_most_one(flags & HOST_FLAGS);
}

static cl_int check(cl_context context, cl_mem_flags flags, size_t size, const void *host_ptr)
{
    bool takes_pointer = flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);
    if (!ww_cl_is(context, WW_CL_CONTEXT))
        return CL_INVALID_CONTEXT;
    if (!are_right(flags))
        return CL_INVALID_VALUE;
    if (size == 0 || size > WW_CL_MOST_BUFFER_BYTES)
        return CL_INVALID_BUFFER_SIZE;
    if ((host_ptr != NULL) != takes_pointer)
        return CL_INVALID_HOST_PTR;
    if (flags & CL_MEM_USE_HOST_PTR && ww_cl_svm_find(host_ptr, 1) &&
        !ww_cl_svm_find(host_ptr, size))
        return CL_INVALID_BUFFER_SIZE;
    return CL_SUCCESS;
}

/* ---- creation ---- */

static const ww_buffer *make_buffer(cl_mem mem, void *host_ptr)
{
    static uint64_t made;
    ww_device *device = ww_cl_gpu_device();
    ww_errors *errors = ww_errors_create();
    ww_cl_svm *svm = ww_cl_svm_find(host_ptr, mem->size);
    const ww_buffer *buffer;
    char *name = ww_format("buffer %llu", (unsigned long long)++made);
    if (mem->flags & CL_MEM_USE_HOST_PTR && svm) {
        buffer = svm->buffer;
        mem->origin = (size_t)((uint8_t *)host_ptr - svm->buffer->host);
        mem->shared = true;
    } else if (mem->flags & CL_MEM_USE_HOST_PTR) {
        buffer = ww_device_adopt(device, name, host_ptr, mem->size, errors);
    } else {
        buffer = ww_device_buffer(device, name, mem->size, errors);
    }
    if (buffer && mem->flags & CL_MEM_COPY_HOST_PTR)
        memcpy(buffer->host, host_ptr, mem->size);
    if (buffer && host_ptr)
        ww_device_written(device, buffer, errors);
    ww_cl_report(mem->context, errors);
    ww_errors_destroy(errors);
    free(name);
    return buffer;
}

static cl_mem create(cl_context context, cl_mem_flags flags, size_t size, void *host_ptr,
                     cl_int *code)
{
    cl_int status = check(context, flags, size, host_ptr);
    if (status != CL_SUCCESS)
        return ww_cl_none(code, status);
    struct _cl_mem mem = {.context = context, .flags = flags, .size = size};
    mem.flags |= flags & ACCESS_FLAGS ? 0 : CL_MEM_READ_WRITE;
    mem.host_ptr = flags & CL_MEM_USE_HOST_PTR ? host_ptr : NULL;
    mem.buffer = make_buffer(&mem, host_ptr);
    if (!mem.buffer)
        return ww_cl_none(code, CL_MEM_OBJECT_ALLOCATION_FAILURE);
    cl_mem made = ww_cl_create(WW_CL_MEM, sizeof(*made));
    mem.object = made->object;
    *made = mem;
    ww_cl_use(context);
    ww_cl_none(code, CL_SUCCESS);
    return made;
}

cl_mem CL_API_CALL clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size,
                                  void *host_ptr, cl_int *code)
{
    WW_CL_ENTER;
    return create(context, flags, size, host_ptr, code);
}

cl_mem CL_API_CALL clCreateBufferWithProperties(cl_context context,
                                                const cl_mem_properties *properties,
                                                cl_mem_flags flags, size_t size, void *host_ptr,
                                                cl_int *code)
{
    WW_CL_ENTER;
    if (properties && properties[0])
        return ww_cl_none(code, CL_INVALID_PROPERTY);
    cl_mem mem = create(context, flags, size, host_ptr, code);
    if (mem && properties) {
        mem->properties = ww_calloc(1, sizeof(*properties));
        mem->property_count = 1;
    }
    return mem;
}

/* ---- sub-buffers ---- */

/* What a sub-buffer does not say is as its parent says; CL_INVALID_VALUE when it says more. */
static cl_int inherit_flags(cl_mem_flags parent, cl_mem_flags *flags)
{
    cl_mem_flags access = parent & ACCESS_FLAGS, host = parent & HOST_FLAGS;
    if (!are_right(*flags) || *flags & POINTER_FLAGS)
        return CL_INVALID_VALUE;
    if (*flags & ACCESS_FLAGS && access != CL_MEM_READ_WRITE && (*flags & ACCESS_FLAGS) != access)
        return CL_INVALID_VALUE;
    if (host == CL_MEM_HOST_WRITE_ONLY && *flags & CL_MEM_HOST_READ_ONLY)
        return CL_INVALID_VALUE;
    if (host == CL_MEM_HOST_READ_ONLY && *flags & CL_MEM_HOST_WRITE_ONLY)
        return CL_INVALID_VALUE;
    if (host == CL_MEM_HOST_NO_ACCESS && *flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY))
        return CL_INVALID_VALUE;
    *flags |= *flags & ACCESS_FLAGS ? 0 : access;
    *flags |= *flags & HOST_FLAGS ? 0 : host;
    *flags |= parent & POINTER_FLAGS;
    return CL_SUCCESS;
}

static cl_int check_region(cl_mem parent, cl_buffer_create_type type,
                           const cl_buffer_region *region)
{
    if (type != CL_BUFFER_CREATE_TYPE_REGION || !region)
        return CL_INVALID_VALUE;
    if (region->size == 0)
        return CL_INVALID_BUFFER_SIZE;
    if (!ww_cl_mem_has(parent, region->origin, region->size))
        return CL_INVALID_VALUE;
    return region->origin % WW_CL_BASE_ALIGN ? CL_MISALIGNED_SUB_BUFFER_OFFSET : CL_SUCCESS;
}

cl_mem CL_API_CALL clCreateSubBuffer(cl_mem parent, cl_mem_flags flags, cl_buffer_create_type type,
                                     const void *information, cl_int *code)
{
    WW_CL_ENTER;
    const cl_buffer_region *region = information;
    if (!ww_cl_is(parent, WW_CL_MEM) || parent->parent)
        return ww_cl_none(code, CL_INVALID_MEM_OBJECT);
    cl_int status = inherit_flags(parent->flags, &flags);
    if (status == CL_SUCCESS)
        status = check_region(parent, type, region);
    if (status != CL_SUCCESS)
        return ww_cl_none(code, status);
    cl_mem mem = ww_cl_create(WW_CL_MEM, sizeof(*mem));
    mem->context = parent->context;
    mem->flags = flags;
    mem->size = region->size;
    mem->parent = parent;
    mem->sub_origin = region->origin;
    mem->origin = parent->origin + region->origin;
    mem->buffer = parent->buffer;
    mem->host_ptr = parent->host_ptr ? (uint8_t *)parent->host_ptr + region->origin : NULL;
    ww_cl_use(parent);
    ww_cl_use(mem->context);
    ww_cl_none(code, CL_SUCCESS);
    return mem;
}

/* ---- references and queries ---- */

cl_int CL_API_CALL clRetainMemObject(cl_mem mem)
{
    WW_CL_ENTER;
    return ww_cl_retain(mem, WW_CL_MEM, CL_INVALID_MEM_OBJECT);
}

cl_int CL_API_CALL clReleaseMemObject(cl_mem mem)
{
    WW_CL_ENTER;
    return ww_cl_release(mem, WW_CL_MEM, CL_INVALID_MEM_OBJECT);
}

static void call_destructor(const ww_cl_callback *c)
{
    ((void(CL_CALLBACK *)(cl_mem, void *))c->function)(c->handle, c->user_data);
}

cl_int CL_API_CALL clSetMemObjectDestructorCallback(cl_mem mem,
                                                    void(CL_CALLBACK *function)(cl_mem, void *),
                                                    void *user_data)
{
    WW_CL_ENTER;
    if (!ww_cl_is(mem, WW_CL_MEM))
        return CL_INVALID_MEM_OBJECT;
    if (!function)
        return CL_INVALID_VALUE;
    ww_vec_push(&mem->destructors, ((ww_cl_callback){.call = call_destructor,
                                                     .function = (void (*)(void))function,
                                                     .user_data = user_data}));
    return CL_SUCCESS;
}

cl_int CL_API_CALL clGetMemObjectInfo(cl_mem mem, cl_mem_info name, size_t room, void *value,
                                      size_t *size)
{
    WW_CL_ENTER;
    ww_cl_answer answer = {room, value, size};
    if (!ww_cl_is(mem, WW_CL_MEM))
        return CL_INVALID_MEM_OBJECT;
    switch (name) {
    case CL_MEM_TYPE: return ww_cl_give_uint(&answer, CL_MEM_OBJECT_BUFFER);
    case CL_MEM_FLAGS: return ww_cl_give_ulong(&answer, mem->flags);
    case CL_MEM_SIZE: return ww_cl_give_size(&answer, mem->size);
    case CL_MEM_HOST_PTR: return ww_cl_give_handle(&answer, mem->host_ptr);
    case CL_MEM_MAP_COUNT: return ww_cl_give_uint(&answer, (cl_uint)mem->mappings.count);
    case CL_MEM_REFERENCE_COUNT: return ww_cl_give_uint(&answer, mem->object.references);
    case CL_MEM_CONTEXT: return ww_cl_give_handle(&answer, mem->context);
    case CL_MEM_ASSOCIATED_MEMOBJECT: return ww_cl_give_handle(&answer, mem->parent);
    case CL_MEM_OFFSET: return ww_cl_give_size(&answer, mem->sub_origin);
    case CL_MEM_USES_SVM_POINTER:
        return ww_cl_give_bool(&answer, mem->parent ? mem->parent->shared : mem->shared);
    case CL_MEM_PROPERTIES:
        return ww_cl_give(&answer, mem->properties, mem->property_count * sizeof(*mem->properties));
    default: return CL_INVALID_VALUE;
    }
}
