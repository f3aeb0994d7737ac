#include "energy/energy.h"

#define PICO 1e-12

ww_energy_prices ww_energy_read_prices(const ww_config *config)
{
    ww_energy_prices p = {0};
#define READ(event, component, key, scale) p.event = (scale)*PICO * ww_config_double(config, key);
    WW_ENERGY_EVENTS(READ)
#undef READ
    p.static_watts = ww_config_double(config, "energy.constant_power") +
                     ww_config_double(config, "energy.cu_power") *
                         (double)ww_config_u64(config, "gpu.compute_units");
    return p;
}

ww_energy ww_energy_of(const ww_energy_prices *p, const ww_energy_events *e)
{
    ww_energy sum = {.seconds = e->seconds};
#define ADD(event, component, key, scale) \
    sum.spent[WW_ENERGY_##component] += (double)e->event * p->event;
    WW_ENERGY_EVENTS(ADD)
#undef ADD
    sum.spent[WW_ENERGY_STATIC] = p->static_watts * e->seconds;
    sum.translation = sum.spent[WW_ENERGY_TLB] + sum.spent[WW_ENERGY_WALK] +
                      sum.spent[WW_ENERGY_CUPTW] + (double)e->l1_pte_bytes * p->l1s_bytes +
                      (double)e->l2_pte_bytes * p->l2_bytes +
                      (double)e->dram_pte_bytes * (p->dram_bytes + p->path_bytes);
    return sum;
}

double ww_energy_total(const ww_energy *energy)
{
    double sum = 0;
    for (unsigned i = 0; i < WW_ENERGY_COUNT; i++)
        sum += energy->spent[i];
    return sum;
}

#define GROUP_NAME(name, text) text,
const char *const ww_energy_group_names[WW_ENERGY_GROUP_COUNT] = {WW_ENERGY_GROUPS(GROUP_NAME)};

void ww_energy_by_group(const ww_energy *energy, double joules[WW_ENERGY_GROUP_COUNT])
{
    for (unsigned i = 0; i < WW_ENERGY_GROUP_COUNT; i++)
        joules[i] = 0;
#define ADD(name, statistic, group, doc) \
    joules[WW_ENERGY_GROUP_##group] += energy->spent[WW_ENERGY_##name];
    WW_ENERGY_COMPONENTS(ADD)
#undef ADD
}
