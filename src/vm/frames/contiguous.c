/* Frames in the order of the memory: neighbouring pages of a buffer have neighbouring frames. */
#include "vm/frames.h"

static uint64_t frame(uint64_t n, uint64_t count, const struct ww_config *config, uint64_t seed)
{
    (void)count;
    (void)config;
    (void)seed;
    return n;
}

extern const ww_frame_order ww_frame_order_contiguous;
const ww_frame_order ww_frame_order_contiguous = {
    .policy = {.name = "contiguous", .doc = "one after the other"},
    .frame = frame,
};
