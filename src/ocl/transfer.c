#include "ocl/transfer.h"

#include "ocl/gpu.h"

#include <string.h>

void ww_cl_host_wrote(const ww_buffer *buffer)
{
    ww_errors *errors = ww_errors_create();
    ww_device_written(ww_cl_gpu_device(), buffer, errors);
    ww_errors_destroy(errors);
}

cl_int ww_cl_check_mem(const ww_cl_order *order, cl_mem mem)
{
    if (!ww_cl_is(mem, WW_CL_MEM))
        return CL_INVALID_MEM_OBJECT;
    return mem->context == order->queue->context ? CL_SUCCESS : CL_INVALID_CONTEXT;
}

static cl_int run_transfer(ww_cl_command *command, cl_event event)
{
    const ww_cl_transfer *t = (const ww_cl_transfer *)command;
    (void)event;
    for (size_t z = 0; z < t->region[2]; z++)
        for (size_t y = 0; y < t->region[1]; y++)
            memmove(t->to.base + z * t->to.slice_pitch + y * t->to.row_pitch,
                    t->from.base + z * t->from.slice_pitch + y * t->from.row_pitch, t->region[0]);
    if (t->written)
        ww_cl_host_wrote(t->written);
    return CL_SUCCESS;
}

ww_cl_transfer *ww_cl_transfer_create(const uint8_t *from, uint8_t *to, size_t size,
                                      const ww_buffer *written, void *object, void *other)
{
    ww_cl_transfer *t = ww_cl_command_create(sizeof(*t), run_transfer);
    t->from.base = (uint8_t *)(uintptr_t)from;
    t->to.base = to;
    t->region[0] = size;
    t->region[1] = t->region[2] = 1;
    t->written = written;
    if (object)
        ww_cl_command_use(&t->command, object);
    if (other)
        ww_cl_command_use(&t->command, other);
    return t;
}

bool ww_cl_is_pattern(const void *pattern, size_t bytes)
{
    return pattern && bytes > 0 && bytes <= WW_CL_BASE_ALIGN && (bytes & (bytes - 1)) == 0;
}

#define MOST_FILL_COPY ((size_t)64 << 10) /* bytes; the host's caches keep them */

/* What is filled already is the source of the rest. */
static cl_int run_fill(ww_cl_command *command, cl_event event)
{
    const ww_cl_fill *f = (const ww_cl_fill *)command;
    size_t done = f->size ? f->pattern_bytes : 0;
    (void)event;
    memcpy(f->to, f->pattern, done);
    while (done < f->size) {
        size_t more = done < MOST_FILL_COPY ? done : MOST_FILL_COPY;
        more = more < f->size - done ? more : f->size - done;
        memcpy(f->to + done, f->to, more);
        done += more;
    }
    ww_cl_host_wrote(f->written);
    return CL_SUCCESS;
}

ww_cl_fill *ww_cl_fill_create(uint8_t *to, size_t size, const void *pattern, size_t bytes,
                              const ww_buffer *written, void *object)
{
    ww_cl_fill *f = ww_cl_command_create(sizeof(*f), run_fill);
    f->to = to;
    f->size = size;
    f->written = written;
    f->pattern_bytes = bytes;
    memcpy(f->pattern, pattern, bytes);
    if (object)
        ww_cl_command_use(&f->command, object);
    return f;
}
