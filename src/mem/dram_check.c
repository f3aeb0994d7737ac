#include "mem/dram_check.h"

#include "mem/dram_schema.h"

#include <inttypes.h>

static ww_where place_of(const ww_config *config, const char *key)
{
    return ww_config_find(config, key)->at;
}

static bool is_power_of_two(uint64_t number)
{
    return number && (number & (number - 1)) == 0;
}

static int need_power_of_two(const ww_config *config, const char *key, uint64_t value,
                             ww_errors *errors)
{
    if (is_power_of_two(value))
        return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT, place_of(config, key),
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
        status |=
            ww_fail(errors, WW_BAD_INPUT, place_of(config, "dram.bank_groups"),
                    "dram.bank_groups is %u, more than the %u banks (at most one group a bank)",
                    type->bank_groups, type->banks);
    if (type->ranks * type->banks > WW_DRAM_BANKS)
        status |= ww_fail(errors, WW_BAD_INPUT, place_of(config, "dram.banks"),
                          "%u ranks of %u banks (a channel has at most %d banks)", type->ranks,
                          type->banks, WW_DRAM_BANKS);
    return status;
}

static int check_bursts(const ww_config *config, const ww_dram_type *type, ww_errors *errors)
{
    int status = WW_OK;
    if (type->width % 8)
        status |= ww_fail(errors, WW_BAD_INPUT, place_of(config, "dram.width"),
                          "dram.width is %u (whole bytes: a multiple of 8)", type->width);
    if (type->burst_length % type->transfers)
        status |= ww_fail(errors, WW_BAD_INPUT, place_of(config, "dram.burst_length"),
                          "dram.burst_length is %u (whole cycles: a multiple of the %u transfers a "
                          "cycle)",
                          type->burst_length, type->transfers);
    if (status)
        return status;
    if (!is_power_of_two(ww_dram_burst_bytes(type)))
        return ww_fail(errors, WW_BAD_INPUT, place_of(config, "dram.width"),
                       "a burst of %u transfers of %u bits is %u bytes (a power of two is needed)",
                       type->burst_length, type->width, ww_dram_burst_bytes(type));
    if (ww_dram_burst_bytes(type) > type->row_bytes)
        return ww_fail(errors, WW_BAD_INPUT, place_of(config, "dram.row_size"),
                       "dram.row_size is %u, less than a burst of %u bytes", type->row_bytes,
                       ww_dram_burst_bytes(type));
    return WW_OK;
}

static int check_timings(const ww_config *config, const ww_dram_type *type, ww_errors *errors)
{
    const ww_dram_timing *t = &type->timing;
    uint32_t refresh = type->refresh == WW_DRAM_REFRESH_PER_BANK ? t->rfc_bank : t->rfc;
    int status = WW_OK;
    if (t->rc < t->ras)
        status |= ww_fail(errors, WW_BAD_INPUT, place_of(config, "dram.trc"),
                          "tRC is %u cycles (at least tRAS, which is %u)", t->rc, t->ras);
    if (t->ccd_s < t->burst || t->ccd_l < t->ccd_s)
        status |= ww_fail(errors, WW_BAD_INPUT, place_of(config, "dram.tccd_s"),
                          "tCCD_S is %u and tCCD_L %u cycles (a burst, which is %u, <= tCCD_S <= "
                          "tCCD_L)",
                          t->ccd_s, t->ccd_l, t->burst);
    if (t->rrd_l < t->rrd_s || t->wtr_l < t->wtr_s)
        status |=
            ww_fail(errors, WW_BAD_INPUT, place_of(config, "dram.trrd_l"),
                    "a distance within a bank group is smaller than between groups (tRRD_S <= "
                    "tRRD_L, tWTR_S <= tWTR_L)");
    if (type->refresh != WW_DRAM_REFRESH_NONE && t->refi < 2 * (refresh + t->ras + t->rp))
        status |=
            ww_fail(errors, WW_BAD_INPUT, place_of(config, "dram.trefi"),
                    "tREFI is %u cycles (at least twice a refresh, tRAS and tRP together: %u)",
                    t->refi, 2 * (refresh + t->ras + t->rp));
    return status;
}

static int check_queues(const ww_config *config, ww_errors *errors)
{
    uint64_t entries = ww_config_u64(config, "dram.write_queue");
    uint64_t high = ww_config_u64(config, "dram.write_high");
    uint64_t low = ww_config_u64(config, "dram.write_low");
    uint8_t order[WW_DRAM_PARTS];
    int status = WW_OK;
    if (high > entries)
        status |= ww_fail(errors, WW_BAD_INPUT, place_of(config, "dram.write_high"),
                          "dram.write_high is %" PRIu64 " (at most dram.write_queue, %" PRIu64 ")",
                          high, entries);
    if (low >= high)
        status |= ww_fail(errors, WW_BAD_INPUT, place_of(config, "dram.write_low"),
                          "dram.write_low is %" PRIu64 " (below dram.write_high, %" PRIu64 ")", low,
                          high);
    if (!ww_dram_order_parse(ww_config_text(config, "dram.order"), order))
        status |=
            ww_fail(errors, WW_BAD_INPUT, place_of(config, "dram.order"),
                    "dram.order is '%.60s' (row, then rank, bank, group and column in any order, "
                    "with colons between)",
                    ww_config_text(config, "dram.order"));
    return status;
}

int ww_dram_check(const ww_config *config, ww_errors *errors)
{
    ww_dram_type type = ww_dram_resolve(config);
    int status = check_organisation(config, &type, errors);
    int bursts = check_bursts(config, &type, errors);
    status |= bursts ? bursts : check_timings(config, &type, errors);
    return status | check_queues(config, errors);
}
