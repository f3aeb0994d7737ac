#include "sim/machine.h"

#include "base/memory.h"
#include "core/core_schema.h"
#include "mem/dram_schema.h"
#include "vm/cuptw/cuptw_schema.h"
#include "vm/vm_schema.h"

static void configure(ww_machine *m)
{
    const ww_config *config = m->config;
    uint64_t cu_hertz = ww_config_hertz(config, "gpu.clock");
    uint64_t dram_hertz = ww_dram_resolve(config).hertz;
    uint64_t network_hertz = ww_config_hertz(config, "network.clock");
    m->base_hertz = cu_hertz > dram_hertz ? cu_hertz : dram_hertz;
    m->base_hertz = network_hertz > m->base_hertz ? network_hertz : m->base_hertz;
    m->clock = ww_clock_make(cu_hertz, m->base_hertz);
    m->network_clock = ww_clock_make(network_hertz, m->base_hertz);
    m->cu_count = (unsigned)ww_config_u64(config, "gpu.compute_units");
    m->slice_count = (unsigned)ww_config_u64(config, "dram.channels");
    m->cluster_count = (unsigned)ww_config_u64(config, "machine.clusters");
    m->energy_prices = ww_energy_read_prices(config);
    ww_cu_configure(config, &m->core_config);
    m->core_config.registers -= ww_cuptw_reserved_registers(config);
    m->core_config.lds_bytes -= ww_cuptw_reserved_lds(config);
    m->core_config.clock = m->clock;
    m->core_config.line = (unsigned)ww_config_bytes(config, "l1d.line");
    m->core_config.sector = (unsigned)ww_config_bytes(config, "l1d.sector");
    if (m->core_config.scalar_unit && ww_config_choice(config, "core.arguments") == 1)
        m->core_config.argument_block = m->core_config.sector;
    m->core_config.page_shift = (unsigned)__builtin_ctzll(ww_vm_page_bytes(config));
    ww_dram_configure(config, m->base_hertz, m->core_config.line, m->core_config.sector,
                      &m->dram_config);
}

static void create_clusters(ww_machine *m)
{
    m->clusters = ww_calloc(m->cluster_count, sizeof(*m->clusters));
    m->cus = ww_calloc(m->cu_count, sizeof(ww_cu *));
    m->instructions_before = ww_calloc(m->cu_count, sizeof(*m->instructions_before));
    for (unsigned i = 0; i < m->cluster_count; i++) {
        ww_cluster *cluster = &m->clusters[i];
        ww_cluster_create(cluster, m, i);
        for (unsigned cu = 0; cu < cluster->cu_count; cu++)
            m->cus[cluster->first_cu + cu] = cluster->cus[cu];
    }
}

static void create_dispatcher(ww_machine *m)
{
    const ww_config *config = m->config;
    ww_dispatcher_config dispatch = {
        .clock = m->clock,
        .interval = (uint32_t)ww_config_u64(config, "gpu.dispatch_interval"),
        .warps = (uint32_t)ww_config_u64(config, "gpu.dispatch_warps"),
        .jitter = (uint32_t)ww_config_u64(config, "gpu.dispatch_jitter"),
        .seed = m->seed,
        .latency = (uint32_t)ww_config_u64(config, "gpu.launch_latency"),
        .begin = m->wiring.begin,
        .context = m->wiring.context};
    m->dispatcher = ww_dispatcher_create(&dispatch, m->engine, m->cus, m->cu_count);
}

ww_policy_start ww_machine_policy_start(const ww_machine *m, const char *prefix)
{
    ww_policy_start start = m->policy_start;
    start.prefix = prefix;
    return start;
}

ww_machine *ww_machine_create(const ww_config *config, uint64_t seed, ww_policies *policies,
                              const ww_machine_wiring *wiring)
{
    ww_machine *m = ww_calloc(1, sizeof(*m));
    ww_driver_config driver;
    m->config = config;
    m->wiring = *wiring;
    m->seed = seed;
    m->policy_start = (ww_policy_start){.config = config, .seed = seed, .instances = policies};
    configure(m);
    m->dram_config.start = ww_machine_policy_start(m, "dram");
    m->engine = ww_engine_create();
    m->pool = ww_request_pool_create();
    ww_driver_configure(config, seed, &driver);
    driver.managed = ww_paging_mode_of(config) != WW_PAGING_RESIDENT;
    driver.frames.start = ww_machine_policy_start(m, "vm");
    m->driver = ww_driver_create(&driver);
    ww_driver_add_space(m->driver, WW_PROGRAM_ASID);
    ww_mapping mapping = ww_driver_mapping(m->driver);
    if (ww_config_bool(config, "checked"))
        m->check = ww_checker_create(&mapping);
    ww_machine_create_links(m);
    ww_machine_create_paging(m);
    create_clusters(m);
    ww_machine_connect_links(m);
    ww_machine_connect_paging(m);
    create_dispatcher(m);
    return m;
}

void ww_machine_destroy(ww_machine *m)
{
    if (!m)
        return;
    ww_dispatcher_destroy(m->dispatcher);
    for (unsigned i = 0; i < m->cluster_count; i++)
        ww_cluster_destroy(&m->clusters[i]);
    ww_machine_destroy_links(m);
    ww_machine_destroy_paging(m);
    free(m->clusters);
    free(m->cus);
    free(m->instructions_before);
    ww_driver_destroy(m->driver);
    ww_checker_destroy(m->check);
    ww_request_pool_destroy(m->pool);
    ww_engine_destroy(m->engine);
    free(m);
}

ww_cluster *ww_machine_cluster(const ww_machine *m, unsigned cu)
{
    return &m->clusters[cu / m->clusters[0].cu_count];
}
