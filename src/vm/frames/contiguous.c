/* Frames in the order of the memory: neighbouring pages of a buffer have neighbouring frames. */
#include "vm/frames.h"

static uint64_t frame(void *state, uint64_t n)
{
    (void)state;
    return n;
}

extern const ww_frame_order ww_frame_order_contiguous;
const ww_frame_order ww_frame_order_contiguous = {
    .policy = {.name = "contiguous", .doc = "one after the other"},
    .frame = frame,
};
