#include "vm/frames.h"

#include "base/memory.h"
#include "base/number_map.h"

struct ww_frames {
    ww_frames_config config;
    uint64_t count; /* frames of the memory */
    uint64_t given; /* for the first time */
    WW_VEC(uint64_t) back;
    ww_number_map generations; /* of frames that came back */
    uint64_t nodes;            /* where the next node is, if `node_room` is not 0 */
    uint64_t node_room;        /* bytes left in the frame that nodes come from */
};

ww_frames *ww_frames_create(const ww_frames_config *config)
{
    ww_frames *frames = ww_calloc(1, sizeof(*frames));
    frames->config = *config;
    frames->count = config->memory / config->frame;
    return frames;
}

void ww_frames_destroy(ww_frames *frames)
{
    if (!frames)
        return;
    ww_vec_free(&frames->back);
    ww_number_map_clear(&frames->generations);
    free(frames);
}

uint64_t ww_frames_take(ww_frames *frames)
{
    const ww_frames_config *c = &frames->config;
    if (frames->back.count)
        return frames->back.items[--frames->back.count];
    if (frames->given == frames->count)
        return WW_NO_FRAME;
    return c->order->frame(frames->given++, frames->count, c->config, c->seed) * c->frame;
}

uint64_t ww_frames_take_node(ww_frames *frames)
{
    if (!frames->node_room) {
        frames->nodes = ww_frames_take(frames);
        if (frames->nodes == WW_NO_FRAME)
            return WW_NO_FRAME;
        frames->node_room = frames->config.frame;
    }
    uint64_t node = frames->nodes;
    frames->nodes += WW_NODE_BYTES;
    frames->node_room -= WW_NODE_BYTES;
    return node;
}

void ww_frames_give(ww_frames *frames, uint64_t address)
{
    ww_number_map_set(&frames->generations, address / frames->config.frame,
                      (uint64_t)ww_frames_generation(frames, address) + 1);
    ww_vec_push(&frames->back, address);
}

uint32_t ww_frames_generation(const ww_frames *frames, uint64_t address)
{
    uint64_t generation = ww_number_map_get(&frames->generations, address / frames->config.frame);
    return generation == WW_NO_NUMBER ? 0 : (uint32_t)generation;
}

uint64_t ww_frames_taken(const ww_frames *frames)
{
    return frames->given - frames->back.count;
}
