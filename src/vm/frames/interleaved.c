/* Frames from several equal regions of the memory, round robin. The remainder comes last. */
#include "vm/frames.h"

typedef struct interleaved {
    uint64_t regions;
    uint64_t each; /* frames in a region */
} interleaved;

static void start(void *state, const ww_policy_start *start)
{
    interleaved *s = state;
    s->regions = ww_policy_u64(start, "regions");
    s->each = start->frames / s->regions;
}

static uint64_t frame(void *state, uint64_t n)
{
    const interleaved *s = state;
    return n < s->each * s->regions ? n % s->regions * s->each + n / s->regions : n;
}

static const ww_key keys[] = {
    {.key = "regions",
     .type = WW_KEY_U64,
     .unit = "regions",
     .min = "1",
     .max = "65536",
     .initial = "4",
     .doc = "equal parts of the memory that frames come from, round robin"},
};

extern const ww_frame_order ww_frame_order_interleaved;
const ww_frame_order ww_frame_order_interleaved = {
    .policy = {.name = "interleaved",
               .doc = "from several regions of the memory, round robin",
               WW_POLICY_KEYS(keys),
               .state_size = sizeof(interleaved),
               .start = start},
    .frame = frame,
};
