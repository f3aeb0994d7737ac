/* A GPU from its configuration: every component, and the ports between them. */
#include "base/memory.h"
#include "core/core_schema.h"
#include "mem/dram_schema.h"
#include "mem/mem_schema.h"
#include "sim/gpu_internal.h"
#include "vm/vm_schema.h"

/* Cycles from a load's issue to its arrival at the L1: one in the load/store unit, one after. */
#define LOAD_OVERHEAD 2

/* ---- callbacks ---- */

/* Called when a launch comes to a compute unit: invalidates its L1 caches. */
static void begin_cu(void *context, unsigned cu)
{
    ww_gpu *gpu = context;
    unsigned l1s = gpu->l1s_count ? cu / (unsigned)ww_config_u64(gpu->config, "l1s.shared_by") : 0;
    ww_cu_begin(gpu->cus[cu], &gpu->launch);
    gpu->begun[gpu->begun_count++] = cu;
    if (!ww_config_bool(gpu->config, "l1d.invalidate"))
        return;
    ww_cache_invalidate(gpu->l1d[cu]);
    if (gpu->l1s_count && gpu->l1s_launch[l1s] != gpu->launches)
        ww_cache_invalidate(gpu->l1s[l1s]);
    if (gpu->l1s_count)
        gpu->l1s_launch[l1s] = gpu->launches;
}

static void group_done(void *context, unsigned cu)
{
    ww_gpu *gpu = context;
    ww_dispatcher_group_done(gpu->dispatcher, cu);
}

static bool is_closed(void *context, unsigned cu)
{
    const ww_gpu *gpu = context;
    return ww_dispatcher_is_closed(gpu->dispatcher, cu);
}

static void failed(void *context, int status)
{
    ww_gpu *gpu = context;
    gpu->status = status;
    ww_engine_stop(gpu->engine);
}

static uint64_t mshr_cycles(void *context, unsigned cu, uint64_t cycle)
{
    const ww_gpu *gpu = context;
    return ww_cache_mshr_cycles(gpu->l1d[cu], cycle);
}

static uint32_t slice_of(const void *map, const ww_request *request)
{
    return ww_dram_map_channel(map, request->address);
}

/* The index of a slice's port to the network. */
static uint32_t slice_port_of(const void *context, const ww_request *request)
{
    const ww_gpu *gpu = context;
    return (uint32_t)((request->address >> gpu->map.line_bits) % gpu->slice_ports);
}

/* The index of a compute unit among those that share its cache. */
static uint32_t sharer_of(const void *context, const ww_request *request)
{
    (void)context;
    return request->warp >> WW_SHARER_SHIFT;
}

/* ---- building ---- */

static unsigned groups_of(unsigned count, unsigned shared_by)
{
    return (count + shared_by - 1) / shared_by;
}

static void configure(ww_gpu *gpu, ww_dram_config *dram)
{
    const ww_config *config = gpu->config;
    uint64_t cu_hertz = ww_config_hertz(config, "gpu.clock");
    uint64_t dram_hertz = ww_dram_resolve(config).hertz;
    gpu->base_hertz = cu_hertz > dram_hertz ? cu_hertz : dram_hertz;
    gpu->clock = ww_clock_make(cu_hertz, gpu->base_hertz);
    gpu->cu_count = (unsigned)ww_config_u64(config, "gpu.compute_units");
    gpu->slice_count = (unsigned)ww_config_u64(config, "dram.channels");
    gpu->slice_ports = (unsigned)ww_config_u64(config, "network.slice_ports");
    gpu->l1i_count = groups_of(gpu->cu_count, (unsigned)ww_config_u64(config, "l1i.shared_by"));
    gpu->l1s_count =
        ww_config_bool(config, "core.scalar_unit")
            ? groups_of(gpu->cu_count, (unsigned)ww_config_u64(config, "l1s.shared_by"))
            : 0;
    ww_cu_configure(config, &gpu->core_config);
    gpu->core_config.clock = gpu->clock;
    gpu->core_config.line = (unsigned)ww_config_bytes(config, "l1d.line");
    gpu->core_config.sector = (unsigned)ww_config_bytes(config, "l1d.sector");
    gpu->core_config.page_shift = (unsigned)__builtin_ctzll(ww_vm_page_bytes(config));
    ww_dram_configure(config, gpu->base_hertz, gpu->core_config.line, gpu->core_config.sector,
                      dram);
}

static ww_cache *create_cache(ww_gpu *gpu, const char *prefix, ww_cache_level level, uint64_t seed,
                              unsigned producers, unsigned overhead)
{
    ww_cache_config c;
    ww_cache_configure(gpu->config, prefix, &c);
    c.name = prefix;
    c.level = level;
    c.start = ww_gpu_policy_start(gpu, prefix);
    c.start.seed = seed;
    c.clock = gpu->clock;
    c.latency = c.latency > overhead ? c.latency - overhead : 1;
    c.producers = producers;
    c.atomics_here = level == WW_LEVEL_L2;
    c.fill_queue += level == WW_LEVEL_L2 ? gpu->dram_flight : gpu->flight;
    if (level == WW_LEVEL_L2) {
        c.in_queue += gpu->flight;
        c.size /= gpu->slice_count;
        c.slices = gpu->slice_count;
        c.slice_lines = (uint32_t)(1ull << (gpu->map.interleave_bits - gpu->map.line_bits));
        c.atomic_interval = (uint32_t)ww_config_u64(gpu->config, "l2.atomic_interval");
    }
    return ww_cache_create(&c, gpu->engine, gpu->pool);
}

static ww_cache **create_caches(ww_gpu *gpu, unsigned count, const char *prefix,
                                ww_cache_level level, uint64_t seed, unsigned producers,
                                unsigned overhead)
{
    ww_cache **caches = ww_calloc(count + 1, sizeof(ww_cache *));
    for (unsigned i = 0; i < count; i++)
        caches[i] = create_cache(gpu, prefix, level, seed + i, producers, overhead);
    return caches;
}

/* The ports of a slice are inputs of their own on the way up. On the way down they are one output
 * of all their bytes, since all of its requests go through one queue. */
static void configure_network(const ww_gpu *gpu, ww_crossbar_direction direction,
                              ww_crossbar_config *c)
{
    unsigned units = gpu->cu_count + gpu->l1i_count + gpu->l1s_count + ww_gpu_walk_ports(gpu);
    bool down = direction == WW_CROSSBAR_DOWN;
    ww_crossbar_configure(gpu->config, c);
    c->clock = gpu->clock;
    c->direction = direction;
    c->inputs = down ? units : gpu->slice_count * gpu->slice_ports;
    c->outputs = down ? gpu->slice_count : units;
    if (down)
        c->output_width *= gpu->slice_ports;
}

static void create_all_caches(ww_gpu *gpu, uint64_t seed)
{
    ww_crossbar_config network;
    configure_network(gpu, WW_CROSSBAR_DOWN, &network);
    gpu->flight = ww_crossbar_flight(&network);
    unsigned l1i_share = (unsigned)ww_config_u64(gpu->config, "l1i.shared_by");
    unsigned l1s_share = (unsigned)ww_config_u64(gpu->config, "l1s.shared_by");
    gpu->l1d = create_caches(gpu, gpu->cu_count, "l1d", WW_LEVEL_L1, seed, 1, LOAD_OVERHEAD);
    gpu->l1i = create_caches(gpu, gpu->l1i_count, "l1i", WW_LEVEL_L1, seed, l1i_share, 1);
    gpu->l1s =
        create_caches(gpu, gpu->l1s_count, "l1s", WW_LEVEL_L1, seed, l1s_share, LOAD_OVERHEAD);
    gpu->l2 = create_caches(gpu, gpu->slice_count, "l2", WW_LEVEL_L2, seed, 1, 0);
}

/* Most replies in flight from a slice to the network: one for each lookup in l2.latency cycles. */
static uint32_t replies_on_their_way(const ww_gpu *gpu)
{
    return (uint32_t)(ww_config_u64(gpu->config, "l2.latency") *
                      ww_config_u64(gpu->config, "l2.ports"));
}

static void create_network(ww_gpu *gpu)
{
    unsigned caches = gpu->cu_count + gpu->l1i_count + gpu->l1s_count;
    unsigned sources = caches + ww_gpu_walk_ports(gpu);
    ww_crossbar_config c;
    ww_port **slices = ww_calloc(gpu->slice_count, sizeof(ww_port *));
    ww_port **fills = ww_calloc(sources, sizeof(ww_port *));
    for (unsigned i = 0; i < gpu->slice_count; i++)
        slices[i] = ww_cache_in(gpu->l2[i]);
    if (sources > caches)
        fills[caches] = ww_mmu_replies(gpu->vm.mmu);
    for (unsigned i = 0; i < caches; i++) {
        unsigned other = i - gpu->cu_count;
        fills[i] = ww_cache_fill(i < gpu->cu_count        ? gpu->l1d[i]
                                 : other < gpu->l1i_count ? gpu->l1i[other]
                                                          : gpu->l1s[other - gpu->l1i_count]);
    }
    configure_network(gpu, WW_CROSSBAR_DOWN, &c);
    gpu->down =
        ww_crossbar_create(&c, &(ww_crossbar_wiring){gpu->engine, slices, slice_of, &gpu->map});
    configure_network(gpu, WW_CROSSBAR_UP, &c);
    c.queue += replies_on_their_way(gpu);
    gpu->up = ww_crossbar_create(
        &c, &(ww_crossbar_wiring){gpu->engine, fills, ww_crossbar_to_source, NULL});
    free(slices);
    free(fills);
}

static void create_dram(ww_gpu *gpu, const ww_dram_config *config)
{
    gpu->dram = ww_calloc(gpu->slice_count, sizeof(*gpu->dram));
    gpu->channels = ww_calloc(gpu->slice_count, sizeof(*gpu->channels));
    bool walks = gpu->vm.mmu && !ww_gpu_walk_ports(gpu);
    for (unsigned i = 0; i < gpu->slice_count; i++) {
        ww_port_init(&gpu->channels[i], gpu->engine, config->read_entries, walks ? 2 : 1);
        ww_dram_wiring wiring = {.engine = gpu->engine,
                                 .pool = gpu->pool,
                                 .in = &gpu->channels[i],
                                 .out = ww_cache_fill(gpu->l2[i]),
                                 .pte_out = walks ? ww_mmu_replies(gpu->vm.mmu) : NULL,
                                 .index = i};
        gpu->dram[i] = ww_dram_create(config, &wiring);
    }
}

static void create_cus(ww_gpu *gpu)
{
    unsigned l1i_share = (unsigned)ww_config_u64(gpu->config, "l1i.shared_by");
    unsigned l1s_share = (unsigned)ww_config_u64(gpu->config, "l1s.shared_by");
    gpu->cus = ww_calloc(gpu->cu_count, sizeof(*gpu->cus));
    gpu->begun = ww_calloc(gpu->cu_count, sizeof(*gpu->begun));
    gpu->l1s_launch = ww_calloc(gpu->l1s_count + 1, sizeof(*gpu->l1s_launch));
    for (unsigned i = 0; i < gpu->cu_count; i++) {
        unsigned l1i = i / l1i_share, l1s = i / l1s_share;
        ww_cu_wiring wiring = {.engine = gpu->engine,
                               .pool = gpu->pool,
                               .instructions = &gpu->instructions,
                               .start = ww_gpu_policy_start(gpu, "core"),
                               .data = {ww_cache_in(gpu->l1d[i]), (uint16_t)i, 0},
                               .instruction = {ww_cache_in(gpu->l1i[l1i]),
                                               (uint16_t)(gpu->cu_count + l1i),
                                               (uint16_t)(i % l1i_share)},
                               .mshr_cycles = mshr_cycles,
                               .is_closed = is_closed,
                               .group_done = group_done,
                               .failed = failed,
                               .context = gpu,
                               .observers = gpu->observer.observers,
                               .check = gpu->check};
        if (gpu->l1s_count)
            wiring.scalar = (ww_cu_link){ww_cache_in(gpu->l1s[l1s]),
                                         (uint16_t)(gpu->cu_count + gpu->l1i_count + l1s),
                                         (uint16_t)(i % l1s_share)};
        ww_gpu_vm_link(gpu, i, &wiring);
        gpu->cus[i] = ww_cu_create(i, &gpu->core_config, &wiring);
    }
}

/* Compute units that share a cache are neighbours in the list of its replies. */
static ww_port **list_replies(const ww_gpu *gpu, ww_port *replies_of(ww_cu *core))
{
    ww_port **replies = ww_calloc(gpu->cu_count, sizeof(ww_port *));
    for (unsigned i = 0; i < gpu->cu_count; i++)
        replies[i] = replies_of(gpu->cus[i]);
    return replies;
}

static void connect_caches(ww_gpu *gpu, ww_cache **caches, unsigned count, unsigned shared_by,
                           unsigned first_source, ww_port **replies)
{
    for (unsigned i = 0; i < count; i++) {
        ww_cache_wiring wiring = {.down = ww_crossbar_input(gpu->down, first_source + i),
                                  .outs = replies + (size_t)i * shared_by,
                                  .route = sharer_of};
        ww_cache_connect(caches[i], &wiring);
    }
}

static void connect(ww_gpu *gpu)
{
    unsigned l1i_share = (unsigned)ww_config_u64(gpu->config, "l1i.shared_by");
    unsigned l1s_share = (unsigned)ww_config_u64(gpu->config, "l1s.shared_by");
    unsigned cus = gpu->cu_count;
    gpu->replies[0] = list_replies(gpu, ww_cu_data_replies);
    gpu->replies[1] = list_replies(gpu, ww_cu_instruction_replies);
    gpu->replies[2] = list_replies(gpu, ww_cu_scalar_replies);
    gpu->replies[3] = ww_calloc((size_t)gpu->slice_count * gpu->slice_ports, sizeof(ww_port *));
    connect_caches(gpu, gpu->l1d, cus, 1, 0, gpu->replies[0]);
    connect_caches(gpu, gpu->l1i, gpu->l1i_count, l1i_share, cus, gpu->replies[1]);
    connect_caches(gpu, gpu->l1s, gpu->l1s_count, l1s_share, cus + gpu->l1i_count, gpu->replies[2]);
    for (unsigned i = 0; i < gpu->slice_count * gpu->slice_ports; i++)
        gpu->replies[3][i] = ww_crossbar_input(gpu->up, i);
    for (unsigned i = 0; i < gpu->slice_count; i++) {
        ww_cache_wiring wiring = {.down = &gpu->channels[i],
                                  .outs = &gpu->replies[3][(size_t)i * gpu->slice_ports],
                                  .route = gpu->slice_ports > 1 ? slice_port_of : NULL,
                                  .route_context = gpu};
        ww_cache_connect(gpu->l2[i], &wiring);
    }
}

ww_gpu *ww_gpu_create(const ww_config *config, uint64_t seed, ww_policies *policies,
                      const ww_gpu_observer *observer, const ww_first_pass *first_pass)
{
    ww_gpu *gpu = ww_calloc(1, sizeof(*gpu));
    ww_dram_config dram;
    gpu->config = config;
    gpu->policy_start = (ww_policy_start){.config = config, .seed = seed, .instances = policies};
    gpu->observer = observer ? *observer : (ww_gpu_observer){0};
    gpu->first_pass = first_pass;
    gpu->sample_at = gpu->observer.sample ? 0 : WW_NEVER;
    configure(gpu, &dram);
    dram.start = ww_gpu_policy_start(gpu, "dram");
    gpu->map = dram.map;
    gpu->dram_flight = ww_dram_flight(&dram);
    gpu->engine = ww_engine_create();
    gpu->pool = ww_request_pool_create();
    ww_gpu_vm_create(gpu, seed);
    ww_mapping mapping = ww_driver_mapping(gpu->vm.driver);
    if (ww_config_bool(config, "checked"))
        gpu->check = ww_checker_create(&mapping);
    create_all_caches(gpu, seed);
    create_network(gpu);
    create_dram(gpu, &dram);
    create_cus(gpu);
    connect(gpu);
    ww_gpu_vm_connect(gpu);
    ww_dispatcher_config dispatch = {
        .clock = gpu->clock,
        .interval = (uint32_t)ww_config_u64(config, "gpu.dispatch_interval"),
        .jitter = (uint32_t)ww_config_u64(config, "gpu.dispatch_jitter"),
        .seed = seed,
        .latency = (uint32_t)ww_config_u64(config, "gpu.launch_latency"),
        .begin = begin_cu,
        .context = gpu};
    gpu->dispatcher = ww_dispatcher_create(&dispatch, gpu->engine, gpu->cus, gpu->cu_count);
    return gpu;
}

static void destroy_caches(ww_cache **caches, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        ww_cache_destroy(caches[i]);
    free(caches);
}

void ww_gpu_destroy(ww_gpu *gpu)
{
    if (!gpu)
        return;
    ww_dispatcher_destroy(gpu->dispatcher);
    for (unsigned i = 0; i < gpu->cu_count; i++)
        ww_cu_destroy(gpu->cus[i]);
    for (unsigned i = 0; i < gpu->slice_count; i++) {
        ww_dram_destroy(gpu->dram[i]);
        ww_port_clear(&gpu->channels[i]);
    }
    ww_gpu_vm_destroy(gpu);
    ww_crossbar_destroy(gpu->down);
    ww_crossbar_destroy(gpu->up);
    destroy_caches(gpu->l1d, gpu->cu_count);
    destroy_caches(gpu->l1i, gpu->l1i_count);
    destroy_caches(gpu->l1s, gpu->l1s_count);
    destroy_caches(gpu->l2, gpu->slice_count);
    for (size_t i = 0; i < sizeof(gpu->replies) / sizeof(gpu->replies[0]); i++)
        free(gpu->replies[i]);
    free(gpu->cus);
    free(gpu->begun);
    free(gpu->l1s_launch);
    free(gpu->dram);
    free(gpu->channels);
    ww_checker_destroy(gpu->check);
    ww_request_pool_destroy(gpu->pool);
    ww_engine_destroy(gpu->engine);
    free(gpu);
}

bool ww_gpu_has_scalar_unit(const ww_gpu *gpu)
{
    return gpu->core_config.scalar_unit;
}
