#include "mem/dram_timing.h"

/* Sources
 *
 * ddr3-1600   Micron DDR3 SDRAM data sheet, speed grade -125 (11-11-11), eight 4 Gb x8 chips: a row
 *             is 8 x 1 KiB. tBTA: JESD79-3, read to write is CL + BL/2 + 2 - CWL. tRTRS assumed: 2,
 *             one cycle for each rank's strobe preamble, as gem5's tCS. No groups: tRRD, tCCD and
 *             tWTR are single values. One rank of 8 banks; machines with more say so. tRFC_bank:
 *             DDR3 cannot, tRFC.
 * gddr5       Hynix H5GQ1H24AFR (1 Gb x32) as GPGPU-Sim's GTX 480 has it: CCD 2, RRD 6, RCD 12, RAS
 *             28, RP 12, RC 40, CL 12, WL 4, CDLR (tWTR) 5, WR 12, four groups with CCDL 3 and RTPL
 *             2; two chips side by side: 64 bits and rows of 2 x 2 KiB; 924 MHz gives the GTX 480's
 *             6 x 29.6 GB/s. tFAW assumed: 23 ns, of 1 Gb parts, which four tRRD already take. tBTA
 *             assumed: 2, as GPGPU-Sim. tREFI: 8192 refreshes in 32 ms; tRFC: 65 ns, of 1 Gb parts.
 *             tRFC_bank assumed: tRFC.
 * hbm2        A pseudo channel: half of a 128-bit channel, burst length 4, rows of 1 KiB (JESD235).
 *             RCD 14, RAS 33, RP 14, RC 47, CL 14, WR 12, RTP 4 at 1 GHz: GPGPU-Sim, after JESD235
 *             and Chatterjee et al. (HPCA 2017). CCD: its 1 and 2 cycles for a burst of one,
 *             doubled for one of two. tRRD 4 and 6, tFAW 16, tWTR 4 and 9: gem5's HBM_2000_4H_1x64.
 *             CWL 4 and tRFC 260 (8 Gb): DRAMsim3's HBM2_8Gb_x128. tBTA assumed: 2, as the others.
 *             tRFC_bank assumed: 160 ns, the smaller array of a bank; refresh by bank assumed: what
 *             a bandwidth machine has it for. */
const ww_dram_type ww_dram_types[] = {
    {.name = "ddr3-1600",
     .hertz = 800000000,
     .width = 64,
     .burst_length = 8,
     .transfers = 2,
     .ranks = 1,
     .bank_groups = 1,
     .banks = 8,
     .row_bytes = 8192,
     .refresh = WW_DRAM_REFRESH_ALL_BANKS,
     .timing = {.rcd = 11,
                .rp = 11,
                .ras = 28,
                .rc = 39,
                .rrd_s = 5,
                .rrd_l = 5,
                .faw = 24,
                .ccd_s = 4,
                .ccd_l = 4,
                .cl = 11,
                .cwl = 8,
                .wr = 12,
                .wtr_s = 6,
                .wtr_l = 6,
                .rtp = 6,
                .bta = 2,
                .rtrs = 2,
                .refi = 6240,
                .rfc = 208,
                .rfc_bank = 208}},
    {.name = "gddr5",
     .hertz = 924000000,
     .width = 64,
     .burst_length = 8,
     .transfers = 4,
     .ranks = 1,
     .bank_groups = 4,
     .banks = 16,
     .row_bytes = 4096,
     .refresh = WW_DRAM_REFRESH_ALL_BANKS,
     .timing = {.rcd = 12,
                .rp = 12,
                .ras = 28,
                .rc = 40,
                .rrd_s = 6,
                .rrd_l = 6,
                .faw = 22,
                .ccd_s = 2,
                .ccd_l = 3,
                .cl = 12,
                .cwl = 4,
                .wr = 12,
                .wtr_s = 5,
                .wtr_l = 5,
                .rtp = 2,
                .bta = 2,
                .rtrs = 2,
                .refi = 3609,
                .rfc = 61,
                .rfc_bank = 61}},
    {.name = "hbm2",
     .hertz = 1000000000,
     .width = 64,
     .burst_length = 4,
     .transfers = 2,
     .ranks = 1,
     .bank_groups = 4,
     .banks = 16,
     .row_bytes = 1024,
     .refresh = WW_DRAM_REFRESH_PER_BANK,
     .timing = {.rcd = 14,
                .rp = 14,
                .ras = 33,
                .rc = 47,
                .rrd_s = 4,
                .rrd_l = 6,
                .faw = 16,
                .ccd_s = 2,
                .ccd_l = 4,
                .cl = 14,
                .cwl = 4,
                .wr = 12,
                .wtr_s = 4,
                .wtr_l = 9,
                .rtp = 4,
                .bta = 2,
                .rtrs = 2,
                .refi = 3900,
                .rfc = 260,
                .rfc_bank = 160}},
};

const size_t ww_dram_type_count = sizeof(ww_dram_types) / sizeof(ww_dram_types[0]);

static uint32_t scaled(uint32_t cycles, uint64_t from, uint64_t to)
{
    return (uint32_t)((cycles * to + from - 1) / from);
}

void ww_dram_type_scale(ww_dram_type *type, uint64_t hertz)
{
    ww_dram_timing *t = &type->timing;
#define SCALE(field, scales, doc) \
    if (scales)                   \
        t->field = scaled(t->field, type->hertz, hertz);
    WW_DRAM_TIMINGS(SCALE)
#undef SCALE
    type->hertz = hertz;
}

uint32_t ww_dram_burst_bytes(const ww_dram_type *type)
{
    return type->width / 8 * type->burst_length;
}

uint32_t ww_dram_bursts_of(uint32_t sectors, uint32_t sector_bytes, uint32_t burst_bytes)
{
    uint32_t bursts = 0;
    if (sector_bytes == burst_bytes)
        return sectors;
    for (; sectors; sectors &= sectors - 1) {
        uint32_t start = (uint32_t)__builtin_ctz(sectors) * sector_bytes;
        uint32_t first = start / burst_bytes, last = (start + sector_bytes - 1) / burst_bytes;
        bursts |= (uint32_t)((UINT64_C(2) << last) - (UINT64_C(1) << first));
    }
    return bursts;
}

uint64_t ww_dram_peak(const ww_dram_type *type)
{
    return type->hertz * type->transfers * (type->width / 8);
}
