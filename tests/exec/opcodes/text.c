#include "text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void compare(const text_case *c, kernel_config config, const uint32_t *got)
{
    for (size_t i = 0; i < c->want_count; i++)
        if (got[i] != c->want[i]) {
            print_error("%s\n", c->text);
            fail_msg("width %u, level %s: word %zu is 0x%x, not 0x%x", config.width,
                     ww_lane_level_name(config.level), i, got[i], c->want[i]);
        }
}

void check_text(const text_case *c)
{
    ww_module *module = kernel_parse(c->text);
    size_t count, want_bytes = c->want_count * sizeof(uint32_t);
    const kernel_config *configs =
        c->warps_only ? kernel_warp_configs(&count) : kernel_configs(&count);
    for (size_t i = 0; i < count; i++) {
        uint32_t *out = ww_calloc(c->want_count + 1, sizeof(uint32_t));
        uint8_t *in = ww_calloc(c->in_bytes + 1, 1);
        if (c->in_bytes)
            memcpy(in, c->in, c->in_bytes);
        kernel_launch launch = {.groups = c->groups,
                                .group = c->group,
                                .blocks = {{"in", in, c->in_bytes}, {"out", out, want_bytes}},
                                .block_count = 2,
                                .values = c->values,
                                .value_bytes = c->value_bytes,
                                .dynamic_shared = c->dynamic_shared};
        kernel_run(module, configs[i], &launch);
        compare(c, configs[i], out);
        free(in);
        free(out);
    }
    cover_module(module);
    ww_module_destroy(module);
}
