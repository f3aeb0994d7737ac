/* Frames: physical pages, and their allocation.
 *
 * order        a policy (vm.frames): maps the n-th fresh allocation to a frame
 * generation   of a frame: how often it was freed; a translation of an older generation is stale
 * node         4 KiB for a node of a page table, from the same memory; never freed. Its bytes are
 * here, whichever table it belongs to.
 *
 * The frame that was freed last is allocated next. */
#ifndef WW_VM_FRAMES_H
#define WW_VM_FRAMES_H

#include "config/policy.h"

#define WW_NO_FRAME UINT64_MAX
#define WW_NODE_BYTES 4096u

typedef struct ww_frame_order {
    ww_policy policy;
    /* One-to-one from [0, frames) to [0, frames); `frames` is in the policy's start. */
    uint64_t (*frame)(void *state, uint64_t n);
} ww_frame_order;

extern const ww_policy_family ww_frame_order_family;

typedef struct ww_frames_config {
    uint64_t memory; /* bytes */
    uint64_t frame;  /* bytes; a power of two, at least WW_NODE_BYTES */
    const ww_frame_order *order;
    ww_policy_start start; /* for the order; its geometry is set here */
} ww_frames_config;

typedef struct ww_frames ww_frames;

ww_frames *ww_frames_create(const ww_frames_config *config);
void ww_frames_destroy(ww_frames *frames);

/* Physical addresses; WW_NO_FRAME: out of memory. */
uint64_t ww_frames_allocate(ww_frames *frames);
uint64_t ww_frames_allocate_node(ww_frames *frames);
/* The entry of 8 bytes at an address in a node; NULL: there is no node. */
uint64_t *ww_frames_entry(const ww_frames *frames, uint64_t address);
void ww_frames_free(ww_frames *frames, uint64_t address);
uint64_t ww_frames_bytes(const ww_frames *frames);     /* of one */
uint64_t ww_frames_allocated(const ww_frames *frames); /* how many are, now */
uint32_t ww_frames_generation(const ww_frames *frames, uint64_t address);

#endif
