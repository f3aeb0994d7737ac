#include "vm/frames.h"

#include "base/memory.h"
#include "base/number_map.h"

typedef struct node {
    uint64_t entry[WW_NODE_BYTES / sizeof(uint64_t)];
} node;

struct ww_frames {
    ww_frames_config config;
    uint64_t count;            /* frames of the memory */
    void *order;               /* state of the policy */
    uint64_t fresh;            /* frames that were allocated at least once */
    WW_VEC(uint64_t) freed;    /* a stack */
    ww_number_map generations; /* of frames that were freed */
    uint64_t next_node;        /* its address, if `node_bytes` is not 0 */
    uint64_t node_bytes;       /* that remain in the frame of `next_node` */
    WW_VEC(node *) nodes;
    ww_number_map indices; /* of nodes in `nodes`, by their address over their size */
};

ww_frames *ww_frames_create(const ww_frames_config *config)
{
    ww_frames *frames = ww_calloc(1, sizeof(*frames));
    frames->config = *config;
    frames->count = config->memory / config->frame;
    frames->config.start.frames = frames->count;
    frames->order = ww_policy_create(&config->order->policy, &frames->config.start);
    return frames;
}

void ww_frames_destroy(ww_frames *frames)
{
    if (!frames)
        return;
    ww_policy_destroy(&frames->config.order->policy, &frames->config.start, frames->order);
    for (size_t i = 0; i < frames->nodes.count; i++)
        free(frames->nodes.items[i]);
    ww_vec_free(&frames->nodes);
    ww_number_map_clear(&frames->indices);
    ww_vec_free(&frames->freed);
    ww_number_map_clear(&frames->generations);
    free(frames);
}

uint64_t ww_frames_allocate(ww_frames *frames)
{
    const ww_frames_config *c = &frames->config;
    if (frames->freed.count)
        return frames->freed.items[--frames->freed.count];
    if (frames->fresh == frames->count)
        return WW_NO_FRAME;
    return c->order->frame(frames->order, frames->fresh++) * c->frame;
}

uint64_t ww_frames_allocate_node(ww_frames *frames)
{
    if (!frames->node_bytes) {
        frames->next_node = ww_frames_allocate(frames);
        if (frames->next_node == WW_NO_FRAME)
            return WW_NO_FRAME;
        frames->node_bytes = frames->config.frame;
    }
    uint64_t address = frames->next_node;
    frames->next_node += WW_NODE_BYTES;
    frames->node_bytes -= WW_NODE_BYTES;
    ww_number_map_set(&frames->indices, address / WW_NODE_BYTES, frames->nodes.count);
    ww_vec_push(&frames->nodes, ww_calloc(1, sizeof(node)));
    return address;
}

uint64_t *ww_frames_entry(const ww_frames *frames, uint64_t address)
{
    uint64_t index = ww_number_map_get(&frames->indices, address / WW_NODE_BYTES);
    return index == WW_NO_NUMBER
               ? NULL
               : &frames->nodes.items[index]->entry[address % WW_NODE_BYTES / sizeof(uint64_t)];
}

void ww_frames_free(ww_frames *frames, uint64_t address)
{
    ww_number_map_set(&frames->generations, address / frames->config.frame,
                      (uint64_t)ww_frames_generation(frames, address) + 1);
    ww_vec_push(&frames->freed, address);
}

uint32_t ww_frames_generation(const ww_frames *frames, uint64_t address)
{
    uint64_t generation = ww_number_map_get(&frames->generations, address / frames->config.frame);
    return generation == WW_NO_NUMBER ? 0 : (uint32_t)generation;
}

uint64_t ww_frames_bytes(const ww_frames *frames)
{
    return frames->config.frame;
}

uint64_t ww_frames_allocated(const ww_frames *frames)
{
    return frames->fresh - frames->freed.count;
}
