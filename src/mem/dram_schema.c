#include "mem/dram_schema.h"

#include "mem/dram_constraints.h"

/* In the order of ww_dram_types. */
static const char *const type_choices[] = {"ddr3-1600", "gddr5", "hbm2", NULL};
/* In the order of WW_DRAM_REFRESH_*, after `auto`. */
static const char *const refresh_choices[] = {"auto", "none", "all_bank", "per_bank", NULL};
static const char *const page_choices[] = {"open", "closed", NULL};

#define OVERRIDE(name, key_unit, key_max, key_doc) \
    {.key = name,                                  \
     .type = WW_KEY_U64,                           \
     .unit = key_unit,                             \
     .max = key_max,                               \
     .initial = "0",                               \
     .doc = key_doc "; 0: as dram.type says"},

#define TIMING(field, scales, doc) OVERRIDE("dram.t" #field, "DRAM cycles", "1000000", doc)

static const ww_key keys[] = {
    {.key = "dram.type",
     .type = WW_KEY_CHOICE,
     .choices = type_choices,
     .initial = "ddr3-1600",
     .doc = "kind of DRAM: what the keys below say when they are 0 or auto"},
    {.key = "dram.channels",
     .type = WW_KEY_U64,
     .unit = "channels",
     .min = "1",
     .max = "1024",
     .initial = "2",
     .doc = "independent channels; of HBM2: pseudo channels"},
    {.key = "dram.clock",
     .type = WW_KEY_FREQUENCY,
     .max = "20GHz",
     .initial = "0",
     .doc = "command clock, to which the type's timings are scaled; 0: as dram.type says"},
    /* clang-format off */
    OVERRIDE("dram.width", "bits", "4096", "data bus of a channel")
    OVERRIDE("dram.burst_length", "transfers", "256", "transfers of a read or write command")
    OVERRIDE("dram.transfers_per_cycle", "transfers", "16", "on a wire, in a command cycle")
    OVERRIDE("dram.ranks", "ranks", "64", "ranks of a channel")
    OVERRIDE("dram.bank_groups", "groups", "64", "bank groups of a rank")
    OVERRIDE("dram.banks", "banks", "64", "banks of a rank, in all its groups")
    /* clang-format on */
    {.key = "dram.row_size",
     .type = WW_KEY_BYTES,
     .max = "1MiB",
     .initial = "0",
     .doc = "what a bank has open at a time, over all chips of a rank; 0: as dram.type says"},
    /* clang-format off */
    WW_DRAM_TIMINGS(TIMING)
    /* clang-format on */
    {.key = "dram.refresh",
     .type = WW_KEY_CHOICE,
     .choices = refresh_choices,
     .initial = "auto",
     .doc = "what is refreshed at a time; auto: as dram.type says"},
    {.key = "dram.page_policy",
     .type = WW_KEY_CHOICE,
     .choices = page_choices,
     .initial = "open",
     .doc = "whether a row stays open when no request waits for it"},
    {.key = "dram.interleave",
     .type = WW_KEY_BYTES,
     .min = "32",
     .max = "1MiB",
     .initial = "256",
     .doc = "consecutive bytes in one channel"},
    {.key = "dram.spread",
     .type = WW_KEY_BOOL,
     .initial = "true",
     .doc = "choose the channel by all higher bits of an address, not only the lowest"},
    {.key = "dram.order",
     .type = WW_KEY_TEXT,
     .initial = "row:rank:bank:column:group",
     .doc = "parts of an address within a channel, from the highest bits, row first"},
    {.key = "dram.hash",
     .type = WW_KEY_BOOL,
     .initial = "true",
     .doc = "combine rank, bank and group with the low bits of the row"},
    {.key = "dram.scheduler",
     .type = WW_KEY_POLICY,
     .family = &ww_dramsched_family,
     .initial = "frfcfs",
     .doc = "which waiting request of a channel has the next command"},
    {.key = "dram.read_queue",
     .type = WW_KEY_U64,
     .unit = "requests",
     .min = "1",
     .max = "4096",
     .initial = "64",
     .doc = "reads that a channel can hold"},
    {.key = "dram.write_queue",
     .type = WW_KEY_U64,
     .unit = "requests",
     .min = "1",
     .max = "4096",
     .initial = "64",
     .doc = "writes that a channel can hold"},
    {.key = "dram.write_high",
     .type = WW_KEY_U64,
     .unit = "requests",
     .min = "1",
     .max = "4096",
     .initial = "56",
     .doc = "waiting writes from which on they are served before reads"},
    {.key = "dram.write_low",
     .type = WW_KEY_U64,
     .unit = "requests",
     .max = "4096",
     .initial = "32",
     .doc = "waiting writes at which reads are served again"},
    {.key = "dram.latency",
     .type = WW_KEY_TIME,
     .max = "1ms",
     .initial = "0",
     .doc = "time in the controller and on the wires, added to every read"},
};

const ww_schema ww_dram_schema = {
    .name = "dram",
    .doc = "DRAM channels",
    .keys = keys,
    .count = sizeof(keys) / sizeof(keys[0]),
    .check = ww_dram_check,
    .resolve = ww_dram_resolve_keys,
};
