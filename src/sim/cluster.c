#include "sim/cluster.h"

#include "base/memory.h"
#include "sim/machine.h"
#include "vm/vm_schema.h"

static unsigned groups_of(unsigned count, unsigned shared_by)
{
    return (count + shared_by - 1) / shared_by;
}

static void configure(ww_cluster *c)
{
    const ww_machine *m = c->machine;
    const ww_config *config = m->config;
    c->cu_count = m->cu_count / m->cluster_count;
    c->slice_count = m->slice_count / m->cluster_count;
    c->first_cu = c->index * c->cu_count;
    c->first_slice = c->index * c->slice_count;
    c->slice_ports = (unsigned)ww_config_u64(config, "network.slice_ports");
    c->l1i_count = groups_of(c->cu_count, (unsigned)ww_config_u64(config, "l1i.shared_by"));
    c->l1s_count = m->core_config.scalar_unit
                       ? groups_of(c->cu_count, (unsigned)ww_config_u64(config, "l1s.shared_by"))
                       : 0;
    c->vm.ideal = ww_vm_is_ideal(config);
    c->source_count = c->cu_count + c->l1i_count + c->l1s_count + ww_cluster_walk_ports(c) +
                      (m->paging.paging != NULL);
    c->first_source = c->index * c->source_count;
    c->dram_flight = ww_dram_flight(&m->dram_config);
}

/* The line before those of its components. */
static void explain(const void *owner, FILE *out)
{
    fprintf(out, "cluster %u:\n", ((const ww_cluster *)owner)->index);
}

void ww_cluster_create(ww_cluster *c, ww_machine *machine, unsigned index)
{
    c->machine = machine;
    c->config = machine->config;
    c->engine = machine->engine;
    c->pool = machine->pool;
    c->index = index;
    configure(c);
    if (machine->cluster_count > 1)
        ww_engine_add_explainer(c->engine, explain, c);
    ww_cluster_vm_create(c);
    ww_cluster_create_caches(c);
    ww_cluster_create_network(c);
    ww_cluster_create_dram(c);
    ww_cluster_create_cus(c);
    ww_cluster_connect(c);
    ww_cluster_vm_connect(c);
}

static void destroy_caches(ww_cache **caches, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        ww_cache_destroy(caches[i]);
    free(caches);
}

void ww_cluster_destroy(ww_cluster *c)
{
    for (unsigned i = 0; i < c->cu_count; i++)
        ww_cu_destroy(c->cus[i]);
    for (unsigned i = 0; i < c->slice_count; i++) {
        ww_dram_destroy(c->dram[i]);
        ww_port_clear(&c->channels[i]);
    }
    ww_cluster_vm_destroy(c);
    ww_crossbar_destroy(c->down);
    ww_crossbar_destroy(c->up);
    destroy_caches(c->l1d, c->cu_count);
    destroy_caches(c->l1i, c->l1i_count);
    destroy_caches(c->l1s, c->l1s_count);
    ww_cluster_destroy_reorder(c);
    destroy_caches(c->l2, c->slice_count);
    for (size_t i = 0; i < sizeof(c->replies) / sizeof(c->replies[0]); i++)
        free(c->replies[i]);
    free(c->cus);
    free(c->l1s_launch);
    free(c->dram);
    free(c->channels);
}

void ww_cluster_begin(ww_cluster *c, unsigned cu, uint64_t launch)
{
    const ww_config *config = c->config;
    if (!ww_config_bool(config, "l1d.invalidate"))
        return;
    ww_cache_invalidate(c->l1d[cu]);
    if (!c->l1s_count)
        return;
    unsigned l1s = cu / (unsigned)ww_config_u64(config, "l1s.shared_by");
    if (c->l1s_launch[l1s] != launch)
        ww_cache_invalidate(c->l1s[l1s]);
    c->l1s_launch[l1s] = launch;
}
