/* Maps and unmaps of buffers. The host has the values at hand: a map gives a pointer to them. */
#include "ocl/transfer.h"

#define MAP_FLAGS (CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)
#define MAP_WRITES (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)

static cl_int check_flags(cl_mem mem, cl_map_flags flags)
{
    bool reads = flags & CL_MAP_READ, writes = flags & MAP_WRITES;
    if (flags & ~(cl_map_flags)MAP_FLAGS)
        return CL_INVALID_VALUE;
    if (flags & CL_MAP_WRITE_INVALIDATE_REGION && flags & (CL_MAP_READ | CL_MAP_WRITE))
        return CL_INVALID_VALUE;
    if ((reads && mem->flags & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)) ||
        (writes && mem->flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)))
        return CL_INVALID_OPERATION;
    return CL_SUCCESS;
}

static cl_int do_nothing(ww_cl_command *command, cl_event event)
{
    (void)command;
    (void)event;
    return CL_SUCCESS;
}

void *CL_API_CALL clEnqueueMapBuffer(cl_command_queue queue, cl_mem mem, cl_bool blocking,
                                     cl_map_flags flags, size_t offset, size_t size, cl_uint count,
                                     const cl_event *list, cl_event *event, cl_int *code)
{
    WW_CL_ENTER;
    ww_cl_order order = {queue, count, list, event, .blocking = blocking};
    cl_int status = ww_cl_check_order(&order);
    if (status == CL_SUCCESS)
        status = ww_cl_check_mem(&order, mem);
    if (status == CL_SUCCESS && !ww_cl_mem_has(mem, offset, size))
        status = CL_INVALID_VALUE;
    if (status == CL_SUCCESS)
        status = check_flags(mem, flags);
    if (status != CL_SUCCESS)
        return ww_cl_none(code, status);
    void *pointer = ww_cl_mem_host(mem) + offset;
    ww_vec_push(&mem->mappings, ((ww_cl_mapping){pointer, offset, size, flags}));
    ww_cl_command *command = ww_cl_command_create(sizeof(*command), do_nothing);
    ww_cl_command_use(command, mem);
    status = ww_cl_enqueue(&order, CL_COMMAND_MAP_BUFFER, command);
    ww_cl_none(code, status);
    return status == CL_SUCCESS ? pointer : NULL;
}

typedef struct unmap {
    ww_cl_command command;
    const ww_buffer *written; /* NULL: it was mapped for reading */
} unmap;

static cl_int run_unmap(ww_cl_command *command, cl_event event)
{
    const unmap *u = (const unmap *)command;
    (void)event;
    if (u->written)
        ww_cl_host_wrote(u->written);
    return CL_SUCCESS;
}

/* Takes the newest mapping with this pointer; false: there is none. */
static bool take_mapping(cl_mem mem, const void *pointer, ww_cl_mapping *mapping)
{
    for (size_t i = mem->mappings.count; i-- > 0;)
        if (mem->mappings.items[i].pointer == pointer) {
            *mapping = mem->mappings.items[i];
            mem->mappings.items[i] = mem->mappings.items[--mem->mappings.count];
            return true;
        }
    return false;
}

cl_int CL_API_CALL clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem mem, void *pointer,
                                           cl_uint count, const cl_event *list, cl_event *event)
{
    WW_CL_ENTER;
    ww_cl_order order = {queue, count, list, event, .blocking = false};
    ww_cl_mapping mapping;
    cl_int status = ww_cl_check_order(&order);
    if (status == CL_SUCCESS)
        status = ww_cl_check_mem(&order, mem);
    if (status != CL_SUCCESS)
        return status;
    if (!take_mapping(mem, pointer, &mapping))
        return CL_INVALID_VALUE;
    unmap *u = ww_cl_command_create(sizeof(*u), run_unmap);
    u->written = mapping.flags & MAP_WRITES ? mem->buffer : NULL;
    ww_cl_command_use(&u->command, mem);
    return ww_cl_enqueue(&order, CL_COMMAND_UNMAP_MEM_OBJECT, &u->command);
}

/* ---- markers, barriers, migrations: commands that only have an order ---- */

static cl_int enqueue_nothing(const ww_cl_order *order, cl_command_type type)
{
    cl_int status = ww_cl_check_order(order);
    if (status != CL_SUCCESS)
        return status;
    return ww_cl_enqueue(order, type, ww_cl_command_create(sizeof(ww_cl_command), do_nothing));
}

cl_int CL_API_CALL clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint count,
                                               const cl_event *list, cl_event *event)
{
    WW_CL_ENTER;
    ww_cl_order order = {queue, count, list, event, .after_all = count == 0};
    return enqueue_nothing(&order, CL_COMMAND_MARKER);
}

cl_int CL_API_CALL clEnqueueMarker(cl_command_queue queue, cl_event *event)
{
    WW_CL_ENTER;
    ww_cl_order order = {queue, 0, NULL, event, .after_all = true};
    return event ? enqueue_nothing(&order, CL_COMMAND_MARKER) : CL_INVALID_VALUE;
}

cl_int CL_API_CALL clEnqueueBarrierWithWaitList(cl_command_queue queue, cl_uint count,
                                                const cl_event *list, cl_event *event)
{
    WW_CL_ENTER;
    ww_cl_order order = {queue, count, list, event, .after_all = count == 0, .before_all = true};
    return enqueue_nothing(&order, CL_COMMAND_BARRIER);
}

cl_int CL_API_CALL clEnqueueBarrier(cl_command_queue queue)
{
    WW_CL_ENTER;
    ww_cl_order order = {queue, 0, NULL, NULL, .after_all = true, .before_all = true};
    return enqueue_nothing(&order, CL_COMMAND_BARRIER);
}

cl_int CL_API_CALL clEnqueueWaitForEvents(cl_command_queue queue, cl_uint count,
                                          const cl_event *list)
{
    WW_CL_ENTER;
    ww_cl_order order = {queue, count, list, NULL, .before_all = true};
    if (ww_cl_is(queue, WW_CL_QUEUE) && (count == 0 || !list))
        return CL_INVALID_VALUE;
    cl_int status = enqueue_nothing(&order, CL_COMMAND_BARRIER);
    return status == CL_INVALID_EVENT_WAIT_LIST ? CL_INVALID_EVENT : status;
}

/* All buffers are where the device needs them: paging moves pages when it does. */
cl_int CL_API_CALL clEnqueueMigrateMemObjects(cl_command_queue queue, cl_uint mem_count,
                                              const cl_mem *mems, cl_mem_migration_flags flags,
                                              cl_uint count, const cl_event *list, cl_event *event)
{
    const cl_mem_migration_flags known =
        CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
    WW_CL_ENTER;
    ww_cl_order order = {queue, count, list, event, .blocking = false};
    cl_int status = ww_cl_check_order(&order);
    if (status == CL_SUCCESS && (mem_count == 0 || !mems || flags & ~known))
        status = CL_INVALID_VALUE;
    for (cl_uint i = 0; status == CL_SUCCESS && i < mem_count; i++)
        status = ww_cl_check_mem(&order, mems[i]);
    return status == CL_SUCCESS ? enqueue_nothing(&order, CL_COMMAND_MIGRATE_MEM_OBJECTS) : status;
}
