#include "sim/summary.h"

#include "base/fold.h"
#include "core/core.h"
#include "energy/energy.h"
#include "mem/dram_schema.h"
#include "paging/paging_schema.h"
#include "vm/cuptw/cuptw_schema.h"
#include "vm/vm_schema.h"

#define BAR 40
#define INDENT 4 /* of the further lines of one that is folded */
/* A share below this is not worth a line. */
#define SMALL 0.0005

static double stat(const ww_result *r, const char *name)
{
    const ww_reading *reading = ww_stats_find(r->stats, name);
    if (!reading)
        return 0;
    return reading->whole ? (double)reading->count : reading->real;
}

static double seconds(const ww_result *r)
{
    return (double)r->cycles / (double)ww_config_hertz(r->config, "gpu.clock");
}

/* 12.3 us, 4.56 mJ */
static void write_scaled(double value, const char *unit, FILE *out)
{
    static const char *const prefixes[] = {"", "m", "u", "n"};
    size_t i = 0;
    for (; i < 3 && value < 1; i++)
        value *= 1000;
    fprintf(out, "%.4g %s%s", value, prefixes[i], unit);
}

static void write_sample(const ww_result *r, size_t width, FILE *out)
{
    const ww_sampler_result *s = &r->sample;
    ww_fold_line(
        out, width, INDENT,
        "a sample: %llu of %llu launches were timed, of %llu classes that are alike; other "
        "statistics are scaled, and have no interval",
        (unsigned long long)s->timed, (unsigned long long)s->launches,
        (unsigned long long)s->classes);
}

static void write_overview(const ww_result *r, size_t width, FILE *out)
{
    if (r->region.measure)
        ww_fold_line(out, width, INDENT,
                     "a region: %llu warp instructions, after %llu that were skipped and %llu that "
                     "were not counted",
                     (unsigned long long)r->warp_instructions, (unsigned long long)r->region.skip,
                     (unsigned long long)r->region.warm);
    if (r->confidence > 0)
        write_sample(r, width, out);
    fprintf(out, "%llu cycles", (unsigned long long)r->cycles);
    if (r->confidence > 0)
        fprintf(out, " \302\261 %.2g%% (%.3g%%)",
                100 * ww_ratio(r->sample.half_width, r->sample.cycles), 100 * r->confidence);
    fputs(", ", out);
    write_scaled(seconds(r), "s", out);
    fprintf(out, "; %.3g warp instructions a cycle\n", stat(r, "core.ipc"));
    ww_fold_line(out, width, INDENT,
                 "%.1f%% of the warp slots in use; no warp could issue in %.1f%% of a compute "
                 "unit's cycles",
                 100 * stat(r, "core.occupancy"),
                 100 * ww_ratio(stat(r, "core.stall_cycles"), stat(r, "core.resident_cycles")));
}

#define GROUPS_SHOWN 3

/* "energy, an estimate: 12.3 mJ, 182 W (dram 41%, static 30%, core 20%)": the largest groups. */
static void write_energy(const ww_result *r, FILE *out)
{
    ww_energy energy;
    double joules[WW_ENERGY_GROUP_COUNT], all = stat(r, "energy.total");
#define READ(name, statistic, group, doc) \
    energy.spent[WW_ENERGY_##name] = stat(r, "energy." statistic);
    WW_ENERGY_COMPONENTS(READ)
#undef READ
    ww_energy_by_group(&energy, joules);
    fputs("energy, an estimate: ", out);
    write_scaled(all, "J", out);
    fprintf(out, ", %.3g W", stat(r, "energy.power"));
    for (unsigned shown = 0; shown < GROUPS_SHOWN; shown++) {
        unsigned most = 0;
        for (unsigned i = 1; i < WW_ENERGY_GROUP_COUNT; i++)
            most = joules[i] > joules[most] ? i : most;
        fprintf(out, "%s%s %.0f%%", shown ? ", " : " (", ww_energy_group_names[most],
                100 * ww_ratio(joules[most], all));
        joules[most] = -1;
    }
    fputs(")\n", out);
}

static void write_share(const char *name, double share, FILE *out)
{
    int length = (int)(share * BAR + 0.5);
    if (share < SMALL)
        return;
    fprintf(out, "  %-16s %5.1f%%  %.*s\n", name, 100 * share, length,
            "########################################");
}

/* X(name, statistic, doc) */
#define SHARE_OF_WARPS(name, statistic, doc) \
    write_share(statistic, ww_ratio(stat(r, "core.warp_" statistic), lifetime), out);
#define SHARE_OF_REQUESTS(name, statistic, doc) \
    write_share(statistic, ww_ratio(stat(r, "latency." statistic), total), out);

#define CAUSE_OF_WARPS(name, statistic, doc) \
    write_share(statistic, ww_ratio(stat(r, "core.blame_" statistic), lifetime), out);
#define CAUSE_OF_REQUESTS(name, statistic, doc) \
    write_share(statistic, ww_ratio(stat(r, "blame." statistic), total), out);

static void write_shares(const ww_result *r, FILE *out)
{
    double lifetime = stat(r, "core.warp_lifetime"), total = stat(r, "latency.total");
    fputs("\nwhere the warps' time went (docs/stats.md: core.warp_*)\n", out);
    WW_REASONS(SHARE_OF_WARPS)
    fputs("\nof it, waits for units and memory by what was waited for in the end (core.blame_*)\n",
          out);
    write_share("units", ww_ratio(stat(r, "core.blame_units"), lifetime), out);
    WW_CAUSES(CAUSE_OF_WARPS)
    if (total > 0) {
        fprintf(out,
                "\nwhere the time of memory requests went (%.0f cycles for a load, on average)\n",
                stat(r, "core.load_latency_mean"));
        WW_STAGES(SHARE_OF_REQUESTS)
        fputs(
            "\nwhat they waited for (blame.*: a full queue passes the blame on to its consumer)\n",
            out);
        WW_CAUSES(CAUSE_OF_REQUESTS)
    }
}

static void write_cache(const ww_result *r, const char *name, const char *prefix, FILE *out)
{
    char accesses[32], hits[32];
    snprintf(accesses, sizeof(accesses), "%s.accesses", prefix);
    snprintf(hits, sizeof(hits), "%s.hits", prefix);
    if (stat(r, accesses) > 0)
        fprintf(out, "  %-16s %5.1f%% of %.0f requests hit\n", name,
                100 * ww_ratio(stat(r, hits), stat(r, accesses)), stat(r, accesses));
}

static void write_memory(const ww_result *r, FILE *out)
{
    ww_dram_type type = ww_dram_resolve(r->config);
    double peak = (double)ww_dram_peak(&type) * (double)ww_config_u64(r->config, "dram.channels");
    double rate = ww_ratio(stat(r, "dram.bytes"), seconds(r));
    fputs("\nmemory\n", out);
    write_cache(r, "L1 data", "l1d", out);
    write_cache(r, "L1 scalar", "l1s", out);
    write_cache(r, "L1 instruction", "l1i", out);
    write_cache(r, "L2", "l2", out);
    fprintf(out, "  %-16s %.4g of %.4g GB/s (%.1f%%), %.1f%% of requests found their row open\n",
            "DRAM", rate / 1e9, peak / 1e9, 100 * ww_ratio(rate, peak),
            100 * stat(r, "dram.row_hit_rate"));
}

static void write_walks(const ww_result *r, FILE *out)
{
    fprintf(out, "  %-16s %.0f, of %.2f reads; %.0f cycles each, %.1f wait, ", "page walks",
            stat(r, "walk.count"), stat(r, "walk.pte_reads_mean"),
            stat(r, "walk.latency_mean") * (double)r->cycles / stat(r, "walk.ticks"),
            stat(r, "walk.queue_mean"));
    fprintf(out, "%.1f walkers at work\n", stat(r, "walk.busy_mean"));
}

/* What a user wants to know who turned walks on compute units on, and sees none. */
static const char *why_no_cu_walks(const ww_result *r)
{
    if (ww_cuptw_is_softwalker(r->config))
        return "nothing missed in the last TLB";
    if (stat(r, "cuptw.launches") > 0 && stat(r, "cuptw.room_mean") <= 0)
        return "the kernel leaves no registers to translation wavefronts";
    return "the L2 TLB forwarded no miss (cuptw.forward)";
}

static void write_cu_walks(const ww_result *r, FILE *out)
{
    double walks = stat(r, "cuptw.walks");
    double cycles = (double)r->cycles / stat(r, "walk.ticks"); /* in a tick */
    if (walks <= 0) {
        fprintf(out, "  %-16s 0: %s\n", "on compute units", why_no_cu_walks(r));
        return;
    }
    fprintf(out, "  %-16s %.0f, of %.2f reads; %.0f cycles each, %.0f of them for a thread\n",
            "on compute units", walks, stat(r, "cuptw.pte_reads") / walks,
            stat(r, "cuptw.latency_mean") * cycles, stat(r, "cuptw.waiting_mean") * cycles);
    if (stat(r, "cuptw.delay") > 0)
        fprintf(out, "  %-16s ready warps waited %.2f%% of their time for units that walks used\n",
                "", 100 * ww_ratio(stat(r, "cuptw.delay"), stat(r, "core.warp_lifetime")));
}

static void write_translation(const ww_result *r, size_t width, FILE *out)
{
    if (ww_vm_is_ideal(r->config)) {
        fputc('\n', out);
        ww_fold_line(out, width, INDENT,
                     "translation: ideal (TLBs and page walks cost no time; -s translation=full "
                     "models them)");
        return;
    }
    if (stat(r, "translation.requests") == 0)
        return;
    fputs("\ntranslation\n", out);
    write_cache(r, "L1 TLB", "l1_tlb", out);
    write_cache(r, "scalar L1 TLB", "l1s_tlb", out);
    write_cache(r, "L2 TLB", "l2_tlb", out);
    write_cache(r, "IOMMU's L1 TLB", "iommu_l1_tlb", out);
    write_cache(r, "IOMMU's L2 TLB", "iommu_l2_tlb", out);
    if (stat(r, "walk.count") > 0)
        write_walks(r, out);
    if (ww_cuptw_is_on(r->config) && stat(r, "walk.ticks") > 0)
        write_cu_walks(r, out);
}

/* "3 of 5 prefetched pages were never used": those that left unused, and those that still are. */
static void write_prefetches(const ww_result *r, FILE *out)
{
    double all = stat(r, "paging.prefetched");
    if (all > 0)
        fprintf(out, "  %-16s %.0f pages, %.0f of them not used\n", "prefetched", all,
                all - stat(r, "paging.prefetched_used"));
}

static void write_paging(const ww_result *r, FILE *out)
{
    ww_paging_mode mode = ww_paging_mode_of(r->config);
    if (mode == WW_PAGING_RESIDENT)
        return;
    double warps = ww_ratio(stat(r, "core.blame_paging"), stat(r, "core.warp_lifetime"));
    fputs("\npaging\n", out);
    fprintf(out, "  %-16s %.0f to the GPU, %.0f to the host; %.0f evicted of %.0f in %.0f frames\n",
            "pages", stat(r, "paging.pages_in"), stat(r, "paging.written_back"),
            stat(r, "paging.evictions"), stat(r, "paging.pages"), stat(r, "paging.capacity"));
    if (mode == WW_PAGING_DEMAND)
        fprintf(out, "  %-16s %.0f, of %.0f pages refused to compute units\n", "far-faults",
                stat(r, "paging.faults"), stat(r, "paging.nacks"));
    write_prefetches(r, out);
    fprintf(out, "  %-16s to the GPU %.1f%%, to the host %.1f%% of the time\n", "PCIe in use",
            100 * stat(r, "pcie.utilisation"), 100 * stat(r, "pcie.utilisation_out"));
    if (mode == WW_PAGING_DEMAND)
        fprintf(out, "  %-16s %.1f%% of the warps' time\n", "waits for pages", 100 * warps);
    if (stat(r, "paging.copy_ticks") > 0)
        fprintf(out, "  %-16s %.1f%% of the time\n", "copies",
                100 * ww_ratio(stat(r, "paging.copy_ticks"), stat(r, "paging.ticks")));
}

void ww_summary_write(const ww_result *r, size_t width, FILE *out)
{
    write_overview(r, width, out);
    write_energy(r, out);
    write_shares(r, out);
    write_memory(r, out);
    write_translation(r, width, out);
    write_paging(r, out);
    fputs("\nEvery statistic: --json -\n", out);
}
