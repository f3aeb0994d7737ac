/* Which resources are relaxed: a table of all, of which the base's blame chooses. */
#include "base/text.h"
#include "mem/blame.h"
#include "study/why.h"

#include <string.h>

/* A cause with less than this is not looked into. */
#define SMALL_SHARE 0.01

#define BIT(cause) (1u << WW_CAUSE_##cause)
#define BELOW_L1                                                                             \
    (BIT(NETWORK) | BIT(NETWORK_LATENCY) | BIT(L2_PORTS) | BIT(L2_LATENCY) | BIT(DRAM_BUS) | \
     BIT(DRAM_BANK) | BIT(DRAM_LATENCY))
#define BELOW_L2 (BIT(DRAM_BUS) | BIT(DRAM_BANK) | BIT(DRAM_LATENCY))
#define TRANSLATING (BIT(TLB) | BIT(WALKERS) | BIT(WALK))
#define ANY (BELOW_L1 | TRANSLATING | BIT(L1_LATENCY))

/* Bits of an entry. Assumed: physical addresses of 48 bits, 16 for what a miss register keeps of
 * each request that it holds, and twice a page's number with 12 bits of state in a TLB. */
#define ADDRESS_BITS 48
#define MERGED_BITS 16
#define TLB_BITS (2 * 36 + 12)
#define WALK_BITS (36 + ADDRESS_BITS)

typedef enum per { PER_GPU, PER_CLUSTER, PER_UNIT, PER_SLICE } per;

typedef struct resource {
    const char *what;
    const char *keys[WW_WHY_SETTINGS]; /* all of them are scaled */
    const char *ideal;                 /* NULL, or KEY=VALUE instead of a scale */
    unsigned factors[3];               /* ended by 0 */
    bool less;                         /* divided, not multiplied: a latency */
    unsigned causes;                   /* a bit for each that gives it a share */
    const char *only_if;               /* a statistic that is not 0, or NULL */
    const char *or_if;                 /* another, or NULL */
    bool by_size;                      /* may matter though nothing waits for it */
    unsigned bits;                     /* of an entry that the first key counts; 0: not known */
    const char *bits_times; /* a key: entries have MERGED_BITS for each of these; NULL: none */
    per instances;
} resource;

static const resource resources[] = {
    {.what = "L1 size",
     .keys = {"l1d.size"},
     .factors = {2, 4, 8},
     .causes = BELOW_L1,
     .bits = 8,
     .instances = PER_UNIT},
    {.what = "L1 miss registers",
     .keys = {"l1d.mshrs", "l1d.queue"},
     .factors = {4},
     .causes = BELOW_L1,
     .only_if = "l1d.stall_mshr",
     .bits = ADDRESS_BITS,
     .bits_times = "l1d.merges",
     .instances = PER_UNIT},
    {.what = "L1 ports",
     .keys = {"l1d.ports", "l1d.requests_per_cycle"},
     .factors = {2, 4},
     .causes = BIT(COALESCER) | BIT(L1_PORTS)},
    {.what = "L1 banks", .keys = {"l1d.banks"}, .factors = {4}, .causes = BIT(L1_PORTS)},
    {.what = "L1 latency",
     .keys = {"l1d.latency"},
     .factors = {2},
     .less = true,
     .causes = BIT(L1_LATENCY)},
    {.what = "network width", .keys = {"network.width"}, .factors = {2, 4}, .causes = BIT(NETWORK)},
    {.what = "network latency",
     .keys = {"network.latency"},
     .factors = {2},
     .less = true,
     .causes = BIT(NETWORK_LATENCY)},
    {.what = "link bandwidth",
     .keys = {"link.bandwidth"},
     .factors = {2, 4},
     .causes = BIT(NETWORK),
     .only_if = "link.packets"},
    {.what = "link latency",
     .keys = {"link.latency"},
     .factors = {2},
     .less = true,
     .causes = BIT(NETWORK_LATENCY),
     .only_if = "link.packets"},
    {.what = "L2 size",
     .keys = {"l2.size"},
     .factors = {2, 4},
     .causes = BELOW_L2,
     .bits = 8,
     .instances = PER_GPU},
    {.what = "L2 miss registers",
     .keys = {"l2.mshrs"},
     .factors = {4},
     .causes = BELOW_L2 | BIT(L2_PORTS),
     .only_if = "l2.stall_mshr",
     .bits = ADDRESS_BITS,
     .bits_times = "l2.merges",
     .instances = PER_SLICE},
    {.what = "L2 ports", .keys = {"l2.ports"}, .factors = {2, 4}, .causes = BIT(L2_PORTS)},
    {.what = "atomic interval",
     .keys = {"l2.atomic_interval"},
     .factors = {2},
     .less = true,
     .causes = BIT(L2_PORTS)},
    {.what = "L2 latency",
     .keys = {"l2.latency"},
     .factors = {2},
     .less = true,
     .causes = BIT(L2_LATENCY)},
    {.what = "DRAM channels",
     .keys = {"dram.channels"},
     .factors = {2, 4},
     .causes = BELOW_L2 | BIT(NETWORK) | BIT(L2_PORTS)},
    {.what = "DRAM banks", .keys = {"dram.banks"}, .factors = {2}, .causes = BIT(DRAM_BANK)},
    {.what = "DRAM latency",
     .keys = {"dram.latency"},
     .factors = {2},
     .less = true,
     .causes = BIT(DRAM_LATENCY)},
    {.what = "L1 TLB",
     .keys = {"l1_tlb.entries"},
     .factors = {2, 4},
     .causes = TRANSLATING,
     .bits = TLB_BITS,
     .instances = PER_UNIT},
    {.what = "L1 TLB miss registers",
     .keys = {"l1_tlb.mshrs"},
     .factors = {4},
     .causes = TRANSLATING,
     .only_if = "l1_tlb.stall_mshr",
     .bits = ADDRESS_BITS,
     .instances = PER_UNIT},
    {.what = "L1 TLB lookups", .keys = {"l1_tlb.lookups"}, .factors = {4}, .causes = BIT(TLB)},
    {.what = "L2 TLB",
     .keys = {"l2_tlb.entries"},
     .factors = {2, 4},
     .causes = TRANSLATING,
     .bits = TLB_BITS,
     .instances = PER_CLUSTER},
    {.what = "L2 TLB miss registers",
     .keys = {"l2_tlb.mshrs"},
     .factors = {4},
     .causes = TRANSLATING,
     .only_if = "l2_tlb.stall_mshr",
     .or_if = "l2_tlb.forwarded",
     .bits = ADDRESS_BITS,
     .instances = PER_CLUSTER},
    {.what = "L2 TLB lookups", .keys = {"l2_tlb.lookups"}, .factors = {4}, .causes = BIT(TLB)},
    {.what = "L2 TLB latency",
     .keys = {"l2_tlb.latency"},
     .factors = {2},
     .less = true,
     .causes = BIT(TLB)},
    {.what = "IOMMU L2 TLB",
     .keys = {"iommu_l2_tlb.entries"},
     .factors = {4},
     .causes = TRANSLATING,
     .bits = TLB_BITS,
     .instances = PER_CLUSTER},
    {.what = "page-walk caches",
     .keys = {"walk.cache_entries"},
     .factors = {4},
     .causes = BIT(WALK) | BIT(WALKERS)},
    {.what = "walkers",
     .keys = {"walk.walkers"},
     .factors = {2, 4},
     .causes = BIT(WALKERS),
     .bits = WALK_BITS,
     .instances = PER_GPU},
    {.what = "walk buffer",
     .keys = {"walk.buffer"},
     .factors = {4},
     .causes = BIT(WALKERS),
     .only_if = "walk.full_ticks",
     .bits = WALK_BITS,
     .instances = PER_CLUSTER},
    {.what = "walk threads", .keys = {"cuptw.threads"}, .factors = {2, 4}, .causes = TRANSLATING},
    {.what = "walk warp threads",
     .keys = {"softwalker.threads"},
     .factors = {2},
     .causes = TRANSLATING},
    {.what = "walk warp requests",
     .keys = {"softwalker.requests"},
     .factors = {4, 16},
     .causes = TRANSLATING},
    {.what = "walk warp latency",
     .keys = {"softwalker.latency"},
     .factors = {2},
     .less = true,
     .causes = TRANSLATING},
    {.what = "address queue",
     .keys = {"core.address_queue"},
     .factors = {4},
     .causes = TRANSLATING},
    {.what = "translation", .ideal = "translation=ideal", .causes = TRANSLATING},
    {.what = "PCIe bandwidth",
     .keys = {"paging.link_bandwidth"},
     .factors = {2, 4},
     .causes = BIT(PAGING)},
    {.what = "fault latency",
     .keys = {"paging.fault_latency", "paging.interval"},
     .factors = {2},
     .less = true,
     .causes = BIT(PAGING)},
    {.what = "far-fault registers",
     .keys = {"paging.faults_per_cu"},
     .factors = {4},
     .causes = BIT(PAGING),
     .only_if = "paging.untracked",
     .bits = ADDRESS_BITS,
     .instances = PER_UNIT},
    {.what = "resident pages", .ideal = "paging.mode=resident", .causes = BIT(PAGING)},
    {.what = "registers",
     .keys = {"core.registers", "core.scalar_registers"},
     .factors = {2},
     .causes = ANY,
     .by_size = true,
     .bits = 32,
     .instances = PER_UNIT},
    {.what = "warps and groups",
     .keys = {"core.wavefronts", "core.groups"},
     .factors = {2},
     .causes = ANY,
     .by_size = true},
};
#define RESOURCES (sizeof(resources) / sizeof(resources[0]))

/* ---- values ---- */

/* NULL: the key has no number that can be scaled. The caller frees it. */
static char *scaled(const ww_config *config, const char *key, unsigned factor, bool less)
{
    const ww_setting *setting = ww_config_find(config, key);
    double number = 0;
    if (!setting || setting->key->type == WW_KEY_TIME) {
        uint64_t time = setting ? ww_config_picoseconds(config, key) : 0;
        return time ? ww_format("%s=%lluns", key, (unsigned long long)(time / 1000 / factor))
                    : NULL;
    }
    if (!ww_config_number(config, key, &number) || number < 1 || number > 1e15)
        return NULL;
    uint64_t from = (uint64_t)number, to = less ? from / factor : from * factor;
    if (!to || to == from)
        return NULL;
    if (setting->key->type == WW_KEY_BYTES && to % (1024 * 1024) == 0)
        return ww_format("%s=%lluMiB", key, (unsigned long long)(to / 1024 / 1024));
    if (setting->key->type == WW_KEY_BYTES && to % 1024 == 0)
        return ww_format("%s=%lluKiB", key, (unsigned long long)(to / 1024));
    return ww_format("%s=%llu", key, (unsigned long long)to);
}

/* Settings of the command line that have no effect on the relaxed machine: they are refused, one
 * line each, and left out of its run. */
static void leave_out(const ww_why *why, const ww_config *relaxed, ww_relaxation *r)
{
    const ww_words *given = &why->options->settings;
    ww_words_free(&r->without);
    r->without = (ww_words){0};
    for (size_t i = 0; i < given->count; i++) {
        char *key = ww_format("%.*s", (int)strcspn(given->items[i], "="), given->items[i]);
        const ww_setting *setting = ww_config_find(relaxed, key);
        if (setting && !ww_config_has_effect(relaxed, setting))
            ww_words_add(&r->without, given->items[i]);
        free(key);
    }
}

/* Whether the machine can be so, but for what is left out. */
static bool is_allowed(const ww_why *why, ww_relaxation *r)
{
    ww_config *copy = ww_config_copy(why->options->config);
    ww_errors *refused = ww_errors_create();
    int status = WW_OK;
    for (size_t i = 0; r->settings[i]; i++)
        status |= ww_config_set(copy, r->settings[i], refused);
    if (!status) {
        leave_out(why, copy, r);
        ww_config_check(copy, refused);
    }
    bool allowed = !status && ww_errors_count(refused) == r->without.count;
    ww_errors_destroy(refused);
    ww_config_destroy(copy);
    return allowed;
}

/* ---- storage ---- */

static uint64_t instances_of(const ww_config *config, per instances)
{
    return instances == PER_UNIT      ? ww_config_u64(config, "gpu.compute_units")
           : instances == PER_SLICE   ? ww_config_u64(config, "dram.channels")
           : instances == PER_CLUSTER ? ww_config_u64(config, "machine.clusters")
                                      : 1;
}

static void count_storage(const ww_config *config, const resource *what, ww_relaxation *r)
{
    double entries = 0, merges = 0;
    if (!what->bits || !ww_config_number(config, what->keys[0], &entries))
        return;
    if (what->bits_times)
        ww_config_number(config, what->bits_times, &merges);
    double bits = (what->bits + merges * MERGED_BITS) * entries * (r->factor - 1);
    r->bytes = (uint64_t)(bits * (double)instances_of(config, what->instances) / 8);
    r->stored = true;
}

/* ---- the choice ---- */

static double share_of(const ww_why *why, unsigned causes)
{
    double requests = 0, warps = 0;
    for (unsigned cause = 0; cause < WW_CAUSE_COUNT; cause++) {
        requests += causes >> cause & 1 ? ww_why_request_share(why, cause) : 0;
        warps += causes >> cause & 1 ? ww_why_warp_share(why, cause) : 0;
    }
    return requests > warps ? requests : warps;
}

static void clear_settings(ww_relaxation *r)
{
    for (size_t i = 0; r->settings[i]; i++)
        free(r->settings[i]);
    ww_words_free(&r->without);
}

static void add(ww_why *why, const resource *what, unsigned factor, double share)
{
    ww_relaxation r = {.what = what->what, .factor = factor, .less = what->less, .share = share};
    size_t count = 0;
    if (what->ideal)
        r.settings[count++] = ww_strdup(what->ideal);
    for (size_t i = 0; i < WW_WHY_SETTINGS && what->keys[i] && factor; i++) {
        r.settings[count] = scaled(why->options->config, what->keys[i], factor, what->less);
        count += r.settings[count] != NULL;
    }
    const char *first = what->ideal ? what->ideal : what->keys[0];
    bool complete = count && strncmp(r.settings[0], first, strlen(first)) == 0;
    while (complete && count > 1 && !is_allowed(why, &r)) { /* the first key alone? */
        free(r.settings[--count]);
        r.settings[count] = NULL;
    }
    if (!complete || !is_allowed(why, &r)) {
        clear_settings(&r);
        return;
    }
    if (factor)
        count_storage(why->options->config, what, &r);
    ww_vec_push(&why->relaxations, r);
}

void ww_why_choose(ww_why *why)
{
    for (size_t i = 0; i < RESOURCES; i++) {
        const resource *what = &resources[i];
        double share = share_of(why, what->causes);
        if (share < SMALL_SHARE && !what->by_size)
            continue;
        if (what->only_if && ww_why_stat(why, what->only_if) <= 0 &&
            !(what->or_if && ww_why_stat(why, what->or_if) > 0))
            continue;
        if (what->ideal)
            add(why, what, 0, share);
        for (size_t f = 0; f < 3 && what->factors[f]; f++)
            add(why, what, what->factors[f], share);
    }
}
