/* Commands that move bytes: reads, writes, copies and fills of buffers and of shared memory.
 *
 * block   up to three dimensions of bytes: rows of region[0] bytes, region[1] rows in a slice,
 *         region[2] slices; a pitch is the distance of two rows or slices */
#ifndef WW_OCL_TRANSFER_H
#define WW_OCL_TRANSFER_H

#include "ocl/event.h"

typedef struct ww_cl_side {
    uint8_t *base;
    size_t row_pitch, slice_pitch;
} ww_cl_side;

typedef struct ww_cl_transfer {
    ww_cl_command command;
    ww_cl_side from, to;
    size_t region[3];
    const ww_buffer *written; /* of the device; NULL: only the host's memory is */
} ww_cl_transfer;

/* Moves `size` bytes. The objects, which may be NULL, are used until then. */
ww_cl_transfer *ww_cl_transfer_create(const uint8_t *from, uint8_t *to, size_t size,
                                      const ww_buffer *written, void *object, void *other);

typedef struct ww_cl_fill {
    ww_cl_command command;
    uint8_t *to;
    size_t size;
    const ww_buffer *written;
    size_t pattern_bytes;
    uint8_t pattern[WW_CL_BASE_ALIGN];
} ww_cl_fill;

bool ww_cl_is_pattern(const void *pattern, size_t bytes);
ww_cl_fill *ww_cl_fill_create(uint8_t *to, size_t size, const void *pattern, size_t bytes,
                              const ww_buffer *written, void *object);

/* The host has written to the buffer: paging reads that. */
void ww_cl_host_wrote(const ww_buffer *buffer);

/* The buffer of an enqueueing function, after the order was checked. */
cl_int ww_cl_check_mem(const ww_cl_order *order, cl_mem mem);

#endif
