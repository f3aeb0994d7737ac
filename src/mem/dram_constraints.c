#include "mem/dram_constraints.h"

#include "mem/dram_schema.h"

#include <inttypes.h>

#define SLOWEST_HERTZ 1000000

static bool is_power_of_two(uint64_t number)
{
    return number && (number & (number - 1)) == 0;
}

static int need_power_of_two(const ww_config *config, const char *key, uint64_t value,
                             ww_errors *errors)
{
    if (is_power_of_two(value))
        return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT, ww_config_location(config, key, NULL),
                   "%s is %" PRIu64 " (a power of two is needed)", key, value);
}

static int check_organisation(const ww_config *config, const ww_dram_type *type, ww_errors *errors)
{
    int status = need_power_of_two(config, "dram.ranks", type->ranks, errors);
    status |= need_power_of_two(config, "dram.bank_groups", type->bank_groups, errors);
    status |= need_power_of_two(config, "dram.banks", type->banks, errors);
    status |= need_power_of_two(config, "dram.row_size", type->row_bytes, errors);
    status |= need_power_of_two(config, "dram.interleave",
                                ww_config_bytes(config, "dram.interleave"), errors);
    if (type->bank_groups > type->banks)
        status |= ww_fail(errors, WW_BAD_INPUT,
                          ww_config_location(config, "dram.bank_groups", "dram.banks", NULL),
                          "dram.bank_groups is %u (at most dram.banks, %u)", type->bank_groups,
                          type->banks);
    if (type->ranks * type->banks > WW_DRAM_BANKS)
        status |= ww_fail(errors, WW_BAD_INPUT,
                          ww_config_location(config, "dram.banks", "dram.ranks", NULL),
                          "dram.ranks is %u and dram.banks %u (a channel has at most %d banks)",
                          type->ranks, type->banks, WW_DRAM_BANKS);
    return status;
}

static int check_bursts(const ww_config *config, const ww_dram_type *type, ww_errors *errors)
{
    int status = WW_OK;
    if (type->width % 8)
        status |= ww_fail(errors, WW_BAD_INPUT, ww_config_location(config, "dram.width", NULL),
                          "dram.width is %u (whole bytes: a multiple of 8)", type->width);
    if (type->burst_length % type->transfers)
        status |= ww_fail(
            errors, WW_BAD_INPUT,
            ww_config_location(config, "dram.burst_length", "dram.transfers_per_cycle", NULL),
            "dram.burst_length is %u (whole cycles: a multiple of "
            "dram.transfers_per_cycle, %u)",
            type->burst_length, type->transfers);
    if (status)
        return status;
    if (!is_power_of_two(ww_dram_burst_bytes(type)))
        return ww_fail(errors, WW_BAD_INPUT,
                       ww_config_location(config, "dram.width", "dram.burst_length", NULL),
                       "dram.burst_length is %u and dram.width %u bits, which is a burst of %u "
                       "bytes (a power of two is needed)",
                       type->burst_length, type->width, ww_dram_burst_bytes(type));
    if (ww_dram_burst_bytes(type) > type->row_bytes)
        return ww_fail(
            errors, WW_BAD_INPUT,
            ww_config_location(config, "dram.row_size", "dram.width", "dram.burst_length", NULL),
            "dram.row_size is %u (at least a burst, %u bytes: dram.width times "
            "dram.burst_length)",
            type->row_bytes, ww_dram_burst_bytes(type));
    return WW_OK;
}

/* One timing is at least another. */
static int need_at_least(const ww_config *config, const char *key, uint32_t cycles,
                         const char *other, uint32_t least, ww_errors *errors)
{
    if (cycles >= least)
        return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT, ww_config_location(config, key, other, NULL),
                   "%s is %u cycles (at least %s, %u)", key, cycles, other, least);
}

static int check_burst_time(const ww_config *config, const ww_dram_timing *t, ww_errors *errors)
{
    if (t->ccd_s >= t->burst)
        return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT,
                   ww_config_location(config, "dram.tccd_s", "dram.burst_length",
                                      "dram.transfers_per_cycle", NULL),
                   "dram.tccd_s is %u cycles (at least a burst, %u: dram.burst_length by "
                   "dram.transfers_per_cycle)",
                   t->ccd_s, t->burst);
}

/* Refreshes leave at least half of a bank's time, and of the command bus: a precharge and a refresh
 * of each bank. */
static int check_refresh(const ww_config *config, const ww_dram_type *type, ww_errors *errors)
{
    const ww_dram_timing *t = &type->timing;
    bool by_bank = type->refresh == WW_DRAM_REFRESH_PER_BANK;
    const char *key = by_bank ? "dram.trfc_bank" : "dram.trfc";
    uint32_t least = 2 * ((by_bank ? t->rfc_bank : t->rfc) + t->ras + t->rp);
    uint32_t commands = by_bank ? 4 * type->ranks * type->banks : 0;
    least = commands > least ? commands : least;
    if (type->refresh == WW_DRAM_REFRESH_NONE || t->refi >= least)
        return WW_OK;
    return ww_fail(
        errors, WW_BAD_INPUT,
        ww_config_location(config, "dram.trefi", key, "dram.tras", "dram.trp", "dram.clock",
                           "dram.refresh", "dram.banks", "dram.ranks", NULL),
        "dram.trefi is %u cycles, %s %u, dram.tras %u and dram.trp %u, dram.clock %" PRIu64
        " Hz (dram.trefi is at least %u: half of the time is not for refreshes)",
        t->refi, key, by_bank ? t->rfc_bank : t->rfc, t->ras, t->rp, type->hertz, least);
}

static int check_timings(const ww_config *config, const ww_dram_type *type, ww_errors *errors)
{
    const ww_dram_timing *t = &type->timing;
    int status = need_at_least(config, "dram.tras", t->ras, "dram.trcd", t->rcd, errors);
    status |= need_at_least(config, "dram.trc", t->rc, "dram.tras", t->ras, errors);
    status |= need_at_least(config, "dram.tccd_l", t->ccd_l, "dram.tccd_s", t->ccd_s, errors);
    status |= need_at_least(config, "dram.trrd_l", t->rrd_l, "dram.trrd_s", t->rrd_s, errors);
    status |= need_at_least(config, "dram.twtr_l", t->wtr_l, "dram.twtr_s", t->wtr_s, errors);
    status |= check_burst_time(config, t, errors);
    return status | check_refresh(config, type, errors);
}

static int check_queues(const ww_config *config, ww_errors *errors)
{
    uint64_t entries = ww_config_u64(config, "dram.write_queue");
    uint64_t high = ww_config_u64(config, "dram.write_high");
    uint64_t low = ww_config_u64(config, "dram.write_low");
    uint8_t order[WW_DRAM_PARTS];
    int status = WW_OK;
    if (high > entries)
        status |= ww_fail(errors, WW_BAD_INPUT,
                          ww_config_location(config, "dram.write_high", "dram.write_queue", NULL),
                          "dram.write_high is %" PRIu64 " (at most dram.write_queue, %" PRIu64 ")",
                          high, entries);
    if (low >= high)
        status |= ww_fail(errors, WW_BAD_INPUT,
                          ww_config_location(config, "dram.write_low", "dram.write_high", NULL),
                          "dram.write_low is %" PRIu64 " (below dram.write_high, %" PRIu64 ")", low,
                          high);
    if (!ww_dram_order_parse(ww_config_text(config, "dram.order"), order))
        status |=
            ww_fail(errors, WW_BAD_INPUT, ww_config_location(config, "dram.order", NULL),
                    "dram.order is '%.60s' (row, then rank, bank, group and column in any order, "
                    "with colons between)",
                    ww_config_text(config, "dram.order"));
    return status;
}

static int check_clock(const ww_config *config, ww_errors *errors)
{
    uint64_t hertz = ww_config_hertz(config, "dram.clock");
    if (!hertz || hertz >= SLOWEST_HERTZ)
        return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT, ww_config_location(config, "dram.clock", NULL),
                   "dram.clock is %" PRIu64 " Hz (at least 1MHz, or 0: as dram.type says)", hertz);
}

int ww_dram_check(const ww_config *config, ww_errors *errors)
{
    ww_dram_type type = ww_dram_resolve(config);
    if (check_clock(config, errors))
        return WW_BAD_INPUT;
    int status = check_organisation(config, &type, errors);
    int bursts = check_bursts(config, &type, errors);
    status |= bursts ? bursts : check_timings(config, &type, errors);
    return status | check_queues(config, errors);
}

int ww_dram_check_line(const ww_config *config, uint64_t line, ww_where at, ww_errors *errors)
{
    ww_dram_type type = ww_dram_resolve(config);
    uint64_t chunk = ww_config_bytes(config, "dram.interleave");
    uint32_t burst = ww_dram_burst_bytes(&type);
    int status = WW_OK;
    if (chunk < line)
        status |= ww_fail(errors, WW_BAD_INPUT, at,
                          "dram.interleave is %" PRIu64 " bytes (at least l1d.line, %" PRIu64 ")",
                          chunk, line);
    if (type.row_bytes < line)
        status |= ww_fail(errors, WW_BAD_INPUT, at,
                          "dram.row_size is %u bytes (at least l1d.line, %" PRIu64 ")",
                          type.row_bytes, line);
    if (burst && line / burst > 32)
        status |= ww_fail(errors, WW_BAD_INPUT, at,
                          "l1d.line is %" PRIu64 " bytes (at most 32 bursts of %u bytes: "
                          "dram.burst_length times dram.width)",
                          line, burst);
    return status;
}
