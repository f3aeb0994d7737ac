/* Reorder buffers before the scalar caches of a cluster. */
#include "base/memory.h"
#include "sim/machine.h"

static uint32_t number(const ww_cluster *c, const char *key)
{
    return (uint32_t)ww_config_u64(c->config, key);
}

uint32_t ww_cluster_reorder_flight(const ww_cluster *c)
{
    bool there = c->l1s_count && number(c, "l1s.reorder");
    return there ? number(c, "l1s.reorder_latency") * number(c, "l1s.reorder_width") : 0;
}

void ww_cluster_create_reorder(ww_cluster *c, unsigned producers)
{
    ww_reorder_config config = {.clock = c->machine->clock,
                                .entries = number(c, "l1s.reorder"),
                                .width = number(c, "l1s.reorder_width"),
                                .latency = number(c, "l1s.reorder_latency"),
                                .queue = number(c, "l1s.queue"),
                                .producers = producers};
    if (!config.entries || !c->l1s_count)
        return;
    c->l1s_reorder = ww_calloc(c->l1s_count, sizeof(ww_reorder *));
    c->l1s_reorder_replies = ww_calloc(c->l1s_count, sizeof(ww_port *));
    for (unsigned i = 0; i < c->l1s_count; i++) {
        c->l1s_reorder[i] = ww_reorder_create(&config, c->engine);
        c->l1s_reorder_replies[i] = ww_reorder_replies(c->l1s_reorder[i]);
    }
}

void ww_cluster_destroy_reorder(ww_cluster *c)
{
    for (unsigned i = 0; c->l1s_reorder && i < c->l1s_count; i++)
        ww_reorder_destroy(c->l1s_reorder[i]);
    free(c->l1s_reorder);
    free(c->l1s_reorder_replies);
}

ww_port *ww_cluster_scalar_in(const ww_cluster *c, unsigned cache)
{
    return c->l1s_reorder ? ww_reorder_in(c->l1s_reorder[cache]) : ww_cache_in(c->l1s[cache]);
}

void ww_cluster_connect_reorder(ww_cluster *c, ww_port **replies, unsigned shared_by,
                                uint32_t route(const void *context, const ww_request *request))
{
    for (unsigned i = 0; i < c->l1s_count; i++)
        ww_reorder_connect(c->l1s_reorder[i],
                           &(ww_reorder_wiring){.cache = ww_cache_in(c->l1s[i]),
                                                .outs = replies + (size_t)i * shared_by,
                                                .route = route});
}
