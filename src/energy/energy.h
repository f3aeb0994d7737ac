/* An estimate of the energy of a run: events that components counted, times an energy for each.
 *
 * event       something that costs energy: an instruction of a lane, a byte that a cache delivers,
 *             a lookup in a TLB
 * price       the energy of an event, a key (energy.*): docs/energy.md has their sources and errors
 * component   what the energy is spent in; the components add up to the whole, as do groups of them
 * static      what is spent in every second, whatever happens
 * translation the energy of all that translation does: TLBs and walks, and the part of caches and
 *             DRAM that reads page-table entries
 *
 * Nothing is computed while the machine runs: sim/machine_energy.c collects the events. */
#ifndef WW_ENERGY_ENERGY_H
#define WW_ENERGY_ENERGY_H

#include "config/config.h"
#include "stats/stats.h"

/* X(name, statistic, group, doc) */
#define WW_ENERGY_COMPONENTS(X)                                                            \
    X(CORE, "core", CORE, "instructions: fetch, registers and functional units")           \
    X(LDS, "lds", CORE, "the local data share")                                            \
    X(L1D, "l1d", L1, "L1 data caches")                                                    \
    X(L1S, "l1s", L1, "L1 scalar caches")                                                  \
    X(L2, "l2", L2, "the L2")                                                              \
    X(DRAM, "dram", DRAM, "DRAM, its channels, and the way from them to the L2")           \
    X(NETWORK, "network", NETWORK, "the networks between L1 and L2")                       \
    X(LINK, "link", NETWORK, "links between clusters")                                     \
    X(PCIE, "pcie", NETWORK, "the link between host and GPU")                              \
    X(TLB, "tlb", TLB, "TLBs and their miss registers")                                    \
    X(WALK, "walk", TLB, "walk caches and the walk buffer, without reads of page tables")  \
    X(CUPTW, "cuptw", TLB, "translation wavefronts, and their walk cache in local memory") \
    X(STATIC, "static", STATIC, "leakage, refresh and all else that takes power at all times")

typedef enum ww_energy_component {
#define WW_ENERGY_NAME(name, statistic, group, doc) WW_ENERGY_##name,
    WW_ENERGY_COMPONENTS(WW_ENERGY_NAME)
#undef WW_ENERGY_NAME
        WW_ENERGY_COUNT
} ww_energy_component;

/* X(name, text): components together, for pictures and for one line of text. */
#define WW_ENERGY_GROUPS(X) \
    X(CORE, "core")         \
    X(L1, "l1")             \
    X(L2, "l2")             \
    X(DRAM, "dram")         \
    X(NETWORK, "network")   \
    X(TLB, "tlb")           \
    X(STATIC, "static")

typedef enum ww_energy_group {
#define WW_ENERGY_GROUP_NAME(name, text) WW_ENERGY_GROUP_##name,
    WW_ENERGY_GROUPS(WW_ENERGY_GROUP_NAME)
#undef WW_ENERGY_GROUP_NAME
        WW_ENERGY_GROUP_COUNT
} ww_energy_group;

/* X(event, component, key, scale): events that have a price of their own, a key in picojoules for
 * each unit. The scale is the units of an event: a byte has 8 bits. */
#define WW_ENERGY_EVENTS(X)                                     \
    X(int_lanes, CORE, "energy.int_lane", 1)                    \
    X(float_lanes, CORE, "energy.fp32_lane", 1)                 \
    X(sfu_lanes, CORE, "energy.sfu_lane", 1)                    \
    X(fp64_lanes, CORE, "energy.fp64_lane", 1)                  \
    X(memory_lanes, CORE, "energy.memory_lane", 1)              \
    X(scalar_issues, CORE, "energy.scalar_instruction", 1)      \
    X(branch_issues, CORE, "energy.branch_instruction", 1)      \
    X(lds_lanes, LDS, "energy.lds_lane", 1)                     \
    X(l1d_bytes, L1D, "energy.l1_bit", 8)                       \
    X(l1s_bytes, L1S, "energy.l1_bit", 8)                       \
    X(l2_bytes, L2, "energy.l2_bit", 8)                         \
    X(dram_bytes, DRAM, "energy.dram_device_bit", 8)            \
    X(path_bytes, DRAM, "energy.dram_path_bit", 8)              \
    X(network_bytes, NETWORK, "energy.network_bit", 8)          \
    X(link_bytes, LINK, "energy.link_bit", 8)                   \
    X(pcie_bytes, PCIE, "energy.pcie_bit", 8)                   \
    X(l1_tlb_accesses, TLB, "energy.l1_tlb_access", 1)          \
    X(l2_tlb_accesses, TLB, "energy.l2_tlb_access", 1)          \
    X(tlb_mshr_accesses, TLB, "energy.mshr_access", 1)          \
    X(walk_cache_accesses, WALK, "energy.walk_cache_access", 1) \
    X(walk_buffer_accesses, WALK, "energy.mshr_access", 1)      \
    X(cuptw_lanes, CUPTW, "energy.int_lane", 1)                 \
    X(cuptw_scalars, CUPTW, "energy.scalar_instruction", 1)     \
    X(cuptw_branches, CUPTW, "energy.branch_instruction", 1)    \
    X(cuptw_words, CUPTW, "energy.lds_lane", 1)

/* Counts since the machine was made. */
typedef struct ww_energy_events {
#define WW_ENERGY_FIELD(event, component, key, scale) uint64_t event;
    WW_ENERGY_EVENTS(WW_ENERGY_FIELD)
#undef WW_ENERGY_FIELD
    uint64_t l1_pte_bytes, l2_pte_bytes, dram_pte_bytes; /* of these bytes: translation's */
    double seconds;
} ww_energy_events;

/* Joules for each event, and watts. */
typedef struct ww_energy_prices {
#define WW_ENERGY_FIELD(event, component, key, scale) double event;
    WW_ENERGY_EVENTS(WW_ENERGY_FIELD)
#undef WW_ENERGY_FIELD
    double static_watts;
} ww_energy_prices;

/* Joules. */
typedef struct ww_energy {
    double spent[WW_ENERGY_COUNT];
    double translation; /* a part of them */
    double seconds;
} ww_energy;

/* The configuration was checked. */
ww_energy_prices ww_energy_read_prices(const ww_config *config);
ww_energy ww_energy_of(const ww_energy_prices *prices, const ww_energy_events *events);
double ww_energy_total(const ww_energy *energy);
void ww_energy_by_group(const ww_energy *energy, double joules[WW_ENERGY_GROUP_COUNT]);
extern const char *const ww_energy_group_names[WW_ENERGY_GROUP_COUNT];

extern const ww_schema ww_energy_schema;
extern const ww_stat_table ww_energy_stats; /* reads a ww_energy */

#endif
