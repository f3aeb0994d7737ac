/* The timings of a DRAM channel, and tables of them for known kinds of DRAM.
 *
 * cycle        of the command clock; a channel takes at most one command a cycle
 * burst        what one read or write command moves: `width` bits times `burst_length` transfers
 * rank         the chips that answer together; ranks share the channel's buses
 * bank group   banks of a rank that share circuits: commands to one group are further apart (_l)
 *              than commands to different ones (_s); DRAM without groups has one, and both
 *              distances are equal
 * type         a table: an organisation and its timings at one clock. What a device needs is time,
 *              so at another clock its cycles are scaled and rounded up.
 *
 * Limits of the model: no power-down states, no refresh that is postponed or pulled in, no mode in
 * which a read and a write differ in tRCD; a refresh of one bank does not count as an activate. The
 * two pseudo channels of an HBM2 channel are two channels here, each with a command bus of its
 * own. */
#ifndef WW_MEM_DRAM_TIMING_H
#define WW_MEM_DRAM_TIMING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* X(field, scales with the clock, doc); the key is dram.t<field> */
#define WW_DRAM_TIMINGS(X)                                                             \
    X(rcd, true, "activate to read or write, of a bank")                               \
    X(rp, true, "precharge to activate, of a bank")                                    \
    X(ras, true, "activate to precharge, of a bank")                                   \
    X(rc, true, "activate to activate, of a bank")                                     \
    X(rrd_s, true, "activate to activate, banks of different groups")                  \
    X(rrd_l, true, "activate to activate, banks of one group")                         \
    X(faw, true, "window that holds at most four activates of a rank")                 \
    X(ccd_s, false, "read to read or write to write, banks of different groups")       \
    X(ccd_l, false, "read to read or write to write, banks of one group")              \
    X(cl, true, "read to the start of its data")                                       \
    X(cwl, true, "write to the start of its data")                                     \
    X(wr, true, "end of written data to precharge, of a bank")                         \
    X(wtr_s, true, "end of written data to read, banks of different groups of a rank") \
    X(wtr_l, true, "end of written data to read, banks of one group")                  \
    X(rtp, true, "read to precharge, of a bank")                                       \
    X(bta, false, "idle data bus between the data of a read and of a write after it")  \
    X(rtrs, false, "idle data bus between the data of two ranks")                      \
    X(refi, true, "average time between the refreshes of a rank")                      \
    X(rfc, true, "refresh of all banks of a rank to its next command")                 \
    X(rfc_bank, true, "refresh of one bank to that bank's next command")

/* In cycles. */
typedef struct ww_dram_timing {
#define WW_DRAM_TIMING_FIELD(field, scales, doc) uint32_t field;
    WW_DRAM_TIMINGS(WW_DRAM_TIMING_FIELD)
#undef WW_DRAM_TIMING_FIELD
    uint32_t burst; /* the data bus is busy for this long */
} ww_dram_timing;

typedef enum ww_dram_refresh {
    WW_DRAM_REFRESH_NONE,
    WW_DRAM_REFRESH_ALL_BANKS, /* of a rank at once, every tREFI; ranks one after the other */
    WW_DRAM_REFRESH_PER_BANK,  /* one bank after the other, every tREFI / banks */
} ww_dram_refresh;

typedef struct ww_dram_type {
    const char *name;
    uint64_t hertz; /* of the command clock */
    uint32_t width; /* of a channel, in bits */
    uint32_t burst_length;
    uint32_t transfers; /* on each wire in a cycle of the command clock: 2 for double data rate */
    uint32_t ranks;
    uint32_t bank_groups;
    uint32_t banks; /* of a rank */
    uint32_t row_bytes;
    ww_dram_refresh refresh;
    ww_dram_timing timing; /* without `burst`, which follows from the rest */
} ww_dram_type;

extern const ww_dram_type ww_dram_types[];
extern const size_t ww_dram_type_count;

/* The type at another clock. */
void ww_dram_type_scale(ww_dram_type *type, uint64_t hertz);

uint32_t ww_dram_burst_bytes(const ww_dram_type *type);
/* The bursts that the sectors of a line are in, a bit for each. */
uint32_t ww_dram_bursts_of(uint32_t sectors, uint32_t sector_bytes, uint32_t burst_bytes);
/* Of one channel, in bytes a second. */
uint64_t ww_dram_peak(const ww_dram_type *type);

#endif
