#include "energy/energy.h"

/* Sources and errors of the values are in docs/energy.md. */
#define PRICE(name, what, value, text)                                                            \
    {                                                                                             \
        .key = "energy." name, .type = WW_KEY_DOUBLE, .unit = what, .min = "0", .max = "1000000", \
        .initial = value, .doc = text                                                             \
    }
/* Of a component that the machine does not have while `idle` is `at`. */
#define PRICE_OF(name, what, value, idle, at, text)                                               \
    {                                                                                             \
        .key = "energy." name, .type = WW_KEY_DOUBLE, .unit = what, .min = "0", .max = "1000000", \
        .initial = value, .idle_key = idle, .idle_value = at, .doc = text                         \
    }

static const ww_key keys[] = {
    PRICE("int_lane", "pJ", "25",
          "an integer instruction, move or comparison, for each active lane"),
    PRICE("fp32_lane", "pJ", "18", "a floating-point instruction of up to 32 bits, likewise"),
    PRICE("sfu_lane", "pJ", "36", "an instruction of the special-function unit, likewise"),
    PRICE("fp64_lane", "pJ", "57", "an instruction of the fp64 unit, likewise"),
    PRICE("memory_lane", "pJ", "0",
          "a memory instruction, likewise, besides what caches and DRAM spend on it"),
    PRICE_OF("scalar_instruction", "pJ", "30", "core.scalar_unit", "false",
             "an instruction of the scalar unit, for the warp"),
    PRICE("branch_instruction", "pJ", "30", "control flow and synchronisation, for the warp"),
    PRICE("lds_lane", "pJ", "51", "an access to the local data share, for each active lane"),
    PRICE("l1_bit", "pJ/bit", "1.59", "data that L1 data and scalar caches deliver or accept"),
    PRICE("l2_bit", "pJ/bit", "4.71", "data that the L2 delivers or accepts"),
    PRICE("dram_device_bit", "pJ/bit", "3.92", "data that the DRAM's devices deliver or accept"),
    PRICE("dram_path_bit", "pJ/bit", "9.19", "the same data between the devices and the L2"),
    PRICE("network_bit", "pJ/bit", "0.08", "packets of the networks, with headers"),
    PRICE_OF("link_bit", "pJ/bit", "0.5", "machine.clusters", "1",
             "packets of links between clusters, with headers"),
    PRICE_OF("pcie_bit", "pJ/bit", "10", "paging.mode", "resident", "data between host and GPU"),
    PRICE_OF("l1_tlb_access", "pJ", "10", "translation", "ideal",
             "a lookup or a fill of an L1 TLB"),
    PRICE_OF("l2_tlb_access", "pJ", "20", "translation", "ideal",
             "a lookup or a fill of an L2 TLB"),
    PRICE_OF("walk_cache_access", "pJ", "10", "translation", "ideal",
             "a lookup or a fill of a walk cache, or of the PTE cache"),
    PRICE_OF("mshr_access", "pJ", "10", "translation", "ideal",
             "an access to the miss registers of a TLB, or to the walk buffer"),
    PRICE("constant_power", "W", "32.3", "static power of the board, without compute units"),
    PRICE("cu_power", "W", "0.467", "static power of each compute unit"),
};

const ww_schema ww_energy_schema = {
    .name = "energy",
    .doc = "energies of events (docs/energy.md)",
    .keys = keys,
    .count = sizeof(keys) / sizeof(keys[0]),
};
