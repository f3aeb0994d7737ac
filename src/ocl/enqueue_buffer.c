/* Reads, writes, copies and fills of buffers. */
#include "ocl/transfer.h"

#define HIDDEN_FROM_READS (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)
#define HIDDEN_FROM_WRITES (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)

/* `hidden`: flags of buffers that the host may not access so. */
static cl_int check_access(const ww_cl_order *order, cl_mem mem, const void *host,
                           cl_mem_flags hidden)
{
    cl_int status = ww_cl_check_order(order);
    if (status == CL_SUCCESS)
        status = ww_cl_check_mem(order, mem);
    if (status != CL_SUCCESS)
        return status;
    if (!host)
        return CL_INVALID_VALUE;
    return mem->flags & hidden ? CL_INVALID_OPERATION : CL_SUCCESS;
}

cl_int CL_API_CALL clEnqueueReadBuffer(cl_command_queue queue, cl_mem mem, cl_bool blocking,
                                       size_t offset, size_t size, void *host, cl_uint count,
                                       const cl_event *list, cl_event *event)
{
    WW_CL_ENTER;
    ww_cl_order order = {queue, count, list, event, .blocking = blocking};
    cl_int status = check_access(&order, mem, host, HIDDEN_FROM_READS);
    if (status == CL_SUCCESS && !ww_cl_mem_has(mem, offset, size))
        status = CL_INVALID_VALUE;
    if (status != CL_SUCCESS)
        return status;
    ww_cl_transfer *t =
        ww_cl_transfer_create(ww_cl_mem_host(mem) + offset, host, size, NULL, mem, NULL);
    return ww_cl_enqueue(&order, CL_COMMAND_READ_BUFFER, &t->command);
}

cl_int CL_API_CALL clEnqueueWriteBuffer(cl_command_queue queue, cl_mem mem, cl_bool blocking,
                                        size_t offset, size_t size, const void *host, cl_uint count,
                                        const cl_event *list, cl_event *event)
{
    WW_CL_ENTER;
    ww_cl_order order = {queue, count, list, event, .blocking = blocking};
    cl_int status = check_access(&order, mem, host, HIDDEN_FROM_WRITES);
    if (status == CL_SUCCESS && !ww_cl_mem_has(mem, offset, size))
        status = CL_INVALID_VALUE;
    if (status != CL_SUCCESS)
        return status;
    ww_cl_transfer *t =
        ww_cl_transfer_create(host, ww_cl_mem_host(mem) + offset, size, mem->buffer, mem, NULL);
    return ww_cl_enqueue(&order, CL_COMMAND_WRITE_BUFFER, &t->command);
}

cl_int CL_API_CALL clEnqueueFillBuffer(cl_command_queue queue, cl_mem mem, const void *pattern,
                                       size_t bytes, size_t offset, size_t size, cl_uint count,
                                       const cl_event *list, cl_event *event)
{
    WW_CL_ENTER;
    ww_cl_order order = {queue, count, list, event, .blocking = false};
    cl_int status = check_access(&order, mem, mem, 0);
    if (status != CL_SUCCESS)
        return status;
    if (!ww_cl_is_pattern(pattern, bytes) || offset % bytes || size % bytes)
        return CL_INVALID_VALUE;
    if (offset > mem->size || size > mem->size - offset)
        return CL_INVALID_VALUE;
    ww_cl_fill *f =
        ww_cl_fill_create(ww_cl_mem_host(mem) + offset, size, pattern, bytes, mem->buffer, mem);
    return ww_cl_enqueue(&order, CL_COMMAND_FILL_BUFFER, &f->command);
}

static cl_int check_copy(const ww_cl_order *order, cl_mem from, cl_mem to)
{
    cl_int status = ww_cl_check_order(order);
    if (status == CL_SUCCESS)
        status = ww_cl_check_mem(order, from);
    return status == CL_SUCCESS ? ww_cl_check_mem(order, to) : status;
}

cl_int CL_API_CALL clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to,
                                       size_t from_offset, size_t to_offset, size_t size,
                                       cl_uint count, const cl_event *list, cl_event *event)
{
    WW_CL_ENTER;
    ww_cl_order order = {queue, count, list, event, .blocking = false};
    cl_int status = check_copy(&order, from, to);
    if (status != CL_SUCCESS)
        return status;
    if (!ww_cl_mem_has(from, from_offset, size) || !ww_cl_mem_has(to, to_offset, size))
        return CL_INVALID_VALUE;
    const uint8_t *source = ww_cl_mem_host(from) + from_offset;
    uint8_t *target = ww_cl_mem_host(to) + to_offset;
    if (from->buffer == to->buffer && source < target + size && target < source + size)
        return CL_MEM_COPY_OVERLAP;
    ww_cl_transfer *t = ww_cl_transfer_create(source, target, size, to->buffer, from, to);
    return ww_cl_enqueue(&order, CL_COMMAND_COPY_BUFFER, &t->command);
}

/* ---- blocks ---- */

/* Sets pitches that are 0; false when the block is wrong. */
static bool complete_pitches(const size_t region[3], size_t *row_pitch, size_t *slice_pitch)
{
    *row_pitch = *row_pitch ? *row_pitch : region[0];
    if (*row_pitch < region[0])
        return false;
    *slice_pitch = *slice_pitch ? *slice_pitch : region[1] * *row_pitch;
    return *slice_pitch >= region[1] * *row_pitch && *slice_pitch % *row_pitch == 0;
}

static size_t offset_of(const size_t origin[3], size_t row_pitch, size_t slice_pitch)
{
    return origin[2] * slice_pitch + origin[1] * row_pitch + origin[0];
}

/* From the first byte to the last. */
static size_t extent_of(const size_t region[3], size_t row_pitch, size_t slice_pitch)
{
    return (region[2] - 1) * slice_pitch + (region[1] - 1) * row_pitch + region[0];
}

static bool is_region(const size_t *region)
{
    return region && region[0] && region[1] && region[2];
}

/* A block of a buffer: its first byte, or NULL when it is wrong or not in the buffer. */
static uint8_t *block_of(cl_mem mem, const size_t *origin, const size_t *region, size_t *row_pitch,
                         size_t *slice_pitch)
{
    if (!origin || !is_region(region) || !complete_pitches(region, row_pitch, slice_pitch))
        return NULL;
    size_t offset = offset_of(origin, *row_pitch, *slice_pitch);
    if (!ww_cl_mem_has(mem, offset, extent_of(region, *row_pitch, *slice_pitch)))
        return NULL;
    return ww_cl_mem_host(mem) + offset;
}

static void set_block(ww_cl_transfer *t, const size_t *region, ww_cl_side from, ww_cl_side to)
{
    for (int d = 0; d < 3; d++)
        t->region[d] = region[d];
    t->from = from;
    t->to = to;
}

cl_int CL_API_CALL clEnqueueReadBufferRect(cl_command_queue queue, cl_mem mem, cl_bool blocking,
                                           const size_t *origin, const size_t *host_origin,
                                           const size_t *region, size_t row, size_t slice,
                                           size_t host_row, size_t host_slice, void *host,
                                           cl_uint count, const cl_event *list, cl_event *event)
{
    WW_CL_ENTER;
    ww_cl_order order = {queue, count, list, event, .blocking = blocking};
    cl_int status = check_access(&order, mem, host, HIDDEN_FROM_READS);
    if (status != CL_SUCCESS)
        return status;
    uint8_t *from = block_of(mem, origin, region, &row, &slice);
    if (!from || !host_origin || !complete_pitches(region, &host_row, &host_slice))
        return CL_INVALID_VALUE;
    uint8_t *to = (uint8_t *)host + offset_of(host_origin, host_row, host_slice);
    ww_cl_transfer *t = ww_cl_transfer_create(from, to, 0, NULL, mem, NULL);
    set_block(t, region, (ww_cl_side){from, row, slice}, (ww_cl_side){to, host_row, host_slice});
    return ww_cl_enqueue(&order, CL_COMMAND_READ_BUFFER_RECT, &t->command);
}

cl_int CL_API_CALL clEnqueueWriteBufferRect(cl_command_queue queue, cl_mem mem, cl_bool blocking,
                                            const size_t *origin, const size_t *host_origin,
                                            const size_t *region, size_t row, size_t slice,
                                            size_t host_row, size_t host_slice, const void *host,
                                            cl_uint count, const cl_event *list, cl_event *event)
{
    WW_CL_ENTER;
    ww_cl_order order = {queue, count, list, event, .blocking = blocking};
    cl_int status = check_access(&order, mem, host, HIDDEN_FROM_WRITES);
    if (status != CL_SUCCESS)
        return status;
    uint8_t *to = block_of(mem, origin, region, &row, &slice);
    if (!to || !host_origin || !complete_pitches(region, &host_row, &host_slice))
        return CL_INVALID_VALUE;
    uint8_t *from = (uint8_t *)(uintptr_t)host + offset_of(host_origin, host_row, host_slice);
    ww_cl_transfer *t = ww_cl_transfer_create(from, to, 0, mem->buffer, mem, NULL);
    set_block(t, region, (ww_cl_side){from, host_row, host_slice}, (ww_cl_side){to, row, slice});
    return ww_cl_enqueue(&order, CL_COMMAND_WRITE_BUFFER_RECT, &t->command);
}

static const uint8_t *row_of(const ww_cl_side *side, const size_t region[3], size_t index)
{
    return side->base + index / region[1] * side->slice_pitch + index % region[1] * side->row_pitch;
}

/* Rows of a block are in the order of their addresses. */
static bool blocks_meet(const ww_cl_side *a, const ww_cl_side *b, const size_t region[3])
{
    size_t rows = region[1] * region[2];
    for (size_t i = 0, j = 0; i < rows && j < rows;) {
        const uint8_t *of_a = row_of(a, region, i), *of_b = row_of(b, region, j);
        if (of_a + region[0] <= of_b)
            i++;
        else if (of_b + region[0] <= of_a)
            j++;
        else
            return true;
    }
    return false;
}

cl_int CL_API_CALL clEnqueueCopyBufferRect(cl_command_queue queue, cl_mem from, cl_mem to,
                                           const size_t *from_origin, const size_t *to_origin,
                                           const size_t *region, size_t from_row, size_t from_slice,
                                           size_t to_row, size_t to_slice, cl_uint count,
                                           const cl_event *list, cl_event *event)
{
    WW_CL_ENTER;
    ww_cl_order order = {queue, count, list, event, .blocking = false};
    cl_int status = check_copy(&order, from, to);
    if (status != CL_SUCCESS)
        return status;
    uint8_t *source = block_of(from, from_origin, region, &from_row, &from_slice);
    uint8_t *target = block_of(to, to_origin, region, &to_row, &to_slice);
    if (!source || !target)
        return CL_INVALID_VALUE;
    ww_cl_side source_side = {source, from_row, from_slice},
               target_side = {target, to_row, to_slice};
    if (from == to && (from_row != to_row || from_slice != to_slice))
        return CL_INVALID_VALUE;
    if (from->buffer == to->buffer && blocks_meet(&source_side, &target_side, region))
        return CL_MEM_COPY_OVERLAP;
    ww_cl_transfer *t = ww_cl_transfer_create(source, target, 0, to->buffer, from, to);
    set_block(t, region, source_side, target_side);
    return ww_cl_enqueue(&order, CL_COMMAND_COPY_BUFFER_RECT, &t->command);
}
