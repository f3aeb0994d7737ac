#include "paging/driver/transfer_sets.h"

static const char *const services[] = {"pipelined", "batched", NULL};
static const char *const kinds[] = {"replayable", "blocking", NULL};
static const char *const ends[] = {"all", "first", "arrival", NULL};
static const char *const evict_times[] = {"sending", "inside", "outside", NULL};
static const char *const limits[] = {"link", "all", NULL};

const ww_key ww_transfer_sets_keys[WW_TRANSFER_SETS_KEYS] = {
    {.key = "faults",
     .type = WW_KEY_CHOICE,
     .choices = kinds,
     .initial = "replayable",
     .doc = "what a compute unit's TLBs do from a far-fault to its end: serve all other requests, "
            "or none"},
    {.key = "blocked_until",
     .type = WW_KEY_CHOICE,
     .choices = ends,
     .initial = "all",
     .doc = "blocking far-faults: what ends them; all refused requests are translated, the one "
            "with the register is, or its page has come"},
    {.key = "faults_per_cu",
     .type = WW_KEY_U64,
     .unit = "registers",
     .min = "1",
     .max = "65536",
     .initial = "16",
     .infinite = true,
     .doc = "far-faults of a compute unit that the MMU keeps; blocking ones have one"},
    {.key = "merged_faults",
     .type = WW_KEY_BOOL,
     .initial = "false",
     .doc = "whether a fault on a page that has a far-fault register already takes one, too"},
    {.key = "fault_latency",
     .type = WW_KEY_TIME,
     .min = "1ns",
     .max = "1s",
     .initial = "20us",
     .doc = "from a far-fault that the driver has seen to the resident page"},
    {.key = "service",
     .type = WW_KEY_CHOICE,
     .choices = services,
     .initial = "pipelined",
     .doc = "without a prefetcher: whether faults overlap, or are served in batches of all that "
            "are queued"},
    {.key = "evict_time",
     .type = WW_KEY_CHOICE,
     .choices = evict_times,
     .initial = "sending",
     .doc = "on demand: when pages leave for one that faulted; when it is about to be sent, from "
            "the begin of fault_latency on (inside), or before fault_latency begins (outside)"},
    {.key = "interval",
     .type = WW_KEY_TIME,
     .min = "1ns",
     .max = "1s",
     .initial = "20us",
     .doc = "with a prefetcher: time between sets of pages"},
    {.key = "selection_cost",
     .type = WW_KEY_TIME,
     .min = "0ns",
     .max = "1s",
     .initial = "0ns",
     .doc = "time that choosing the pages of a set takes"},
    {.key = "interrupt_latency",
     .type = WW_KEY_TIME,
     .min = "0ns",
     .max = "1s",
     .initial = "0ns",
     .doc = "until an idle driver sees a fault; assumed 0, a part of fault_latency"},
    {.key = "dma_channels",
     .type = WW_KEY_U64,
     .unit = "channels",
     .min = "1",
     .max = "64",
     .initial = "1",
     .doc = "n: sets of an n-th of the pages, n times as often"},
    {.key = "full_prefetch",
     .type = WW_KEY_CHOICE,
     .choices = limits,
     .initial = "link",
     .doc = "pages that a prefetcher adds to a set when memory is full: as many as the link passes "
            "until the next set, or all that it finds"},
};

ww_transfer_sets_config ww_transfer_sets_read(const ww_policy_start *start)
{
    return (ww_transfer_sets_config){
        .faults = {.blocking = ww_policy_choice(start, "faults") == 1,
                   .blocked_until = (ww_blocked_until)ww_policy_choice(start, "blocked_until"),
                   .registers = ww_policy_u64(start, "faults_per_cu"),
                   .merged_count = ww_policy_bool(start, "merged_faults")},
        .latency = ww_policy_time(start, "fault_latency"),
        .interval = ww_policy_time(start, "interval"),
        .selection = ww_policy_time(start, "selection_cost"),
        .interrupt = ww_policy_time(start, "interrupt_latency"),
        .channels = ww_policy_u64(start, "dma_channels"),
        .service = (ww_fault_service)ww_policy_choice(start, "service"),
        .evict_time = (ww_evict_time)ww_policy_choice(start, "evict_time"),
        .full_all = ww_policy_choice(start, "full_prefetch") == 1};
}
