/* Frames from several equal regions of the memory, round robin. The remainder comes last. */
#include "config/config.h"
#include "vm/frames.h"

static uint64_t frame(uint64_t n, uint64_t count, const struct ww_config *config, uint64_t seed)
{
    (void)seed;
    uint64_t regions = ww_config_u64(config, "vm.regions");
    uint64_t each = count / regions;
    return n < each * regions ? n % regions * each + n / regions : n;
}

static const ww_key keys[] = {
    {.key = "vm.regions",
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
               .keys = keys,
               .key_count = sizeof(keys) / sizeof(keys[0])},
    .frame = frame,
};
