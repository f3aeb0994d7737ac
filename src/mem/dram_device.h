/* The DRAM behind one channel's pins: which command is allowed when, and what it does.
 *
 * command     activate opens a row of a bank, precharge closes it, read and write move a burst of
 *             the open row, refresh needs closed rows
 * ready       the first cycle at which the commands issued so far allow a command
 * due         when a rank's next refresh should be. From then on its banks (all, or one) accept
 *             only the commands that the refresh needs.
 *
 * Times are absolute cycles. An issued command stores its distances to later commands in its bank
 * and in every group, so that the ready time of a command is the larger of two numbers. */
#ifndef WW_MEM_DRAM_DEVICE_H
#define WW_MEM_DRAM_DEVICE_H

#include "mem/dram_timing.h"

#define WW_DRAM_BANKS 64 /* the most banks of a channel, over its ranks */
#define WW_DRAM_NO_ROW UINT64_MAX
#define WW_DRAM_NEVER UINT64_MAX

/* Read and write first: they index what is kept for each direction. */
typedef enum ww_dram_op {
    WW_DRAM_READ,
    WW_DRAM_WRITE,
    WW_DRAM_ACTIVATE,
    WW_DRAM_PRECHARGE,
    WW_DRAM_PRECHARGE_ALL, /* open rows of a rank */
    WW_DRAM_REFRESH,       /* all banks of a rank */
    WW_DRAM_REFRESH_BANK,
    WW_DRAM_OPS
} ww_dram_op;

/* A command as it is issued. */
typedef struct ww_dram_command {
    uint64_t cycle;
    uint64_t row;  /* of an activate, a read or a write */
    uint32_t bank; /* counted over the channel; of a command to a whole rank: its first */
    ww_dram_op op;
    bool closes; /* a read or write with auto-precharge */
} ww_dram_command;

typedef struct ww_dram_bank {
    uint64_t row; /* open, or WW_DRAM_NO_ROW */
    uint64_t activate, column, precharge;
} ww_dram_bank;

/* Ready times that hold for all banks of a group, by read, write and activate; precharges depend on
 * their bank alone. */
typedef struct ww_dram_group {
    uint64_t ready[WW_DRAM_ACTIVATE + 1];
    uint64_t members; /* its banks, a bit for each */
} ww_dram_group;

/* Which distance applies between two reads or writes. */
typedef enum ww_dram_distance {
    WW_DRAM_SAME_GROUP,
    WW_DRAM_SAME_RANK,
    WW_DRAM_OTHER_RANK,
    WW_DRAM_DISTANCES
} ww_dram_distance;

typedef struct ww_dram_rank {
    uint64_t window[4]; /* of the last four activates: when each leaves tFAW */
    uint32_t window_next;
    uint32_t refresh_bank; /* the next one to refresh */
    uint64_t refresh_due;
} ww_dram_rank;

typedef struct ww_dram_device {
    ww_dram_timing timing;
    ww_dram_refresh refresh;
    uint32_t ranks, banks; /* banks of a rank */
    uint32_t rank_bits;    /* a bank's number shifted right by these is its rank */
    uint32_t group_bits;   /* and by these its group, counted over the channel */
    uint32_t groups;       /* of the channel */
    uint32_t column_gap[2][WW_DRAM_DISTANCES][2]; /* from a read or write to a later one, */
    uint32_t data_start[2], data_end_after[2];    /* to its data, */
    uint32_t precharge_after[2];                  /* and to a precharge */
    uint64_t first_due;                           /* the first refresh of all ranks */
    uint64_t data_end;                            /* of the last burst on the data bus */
    ww_dram_bank bank[WW_DRAM_BANKS];
    ww_dram_group group[WW_DRAM_BANKS];
    ww_dram_rank rank[WW_DRAM_BANKS];
} ww_dram_device;

void ww_dram_device_init(ww_dram_device *device, const ww_dram_type *type);

/* For ww_dram_issue. */
void ww_dram_issue_column(ww_dram_device *device, const ww_dram_command *command);
void ww_dram_issue_activate(ww_dram_device *device, const ww_dram_command *command);
void ww_dram_issue_refresh(ww_dram_device *device, const ww_dram_command *command);

/* The row is closed from this cycle on. */
static inline void ww_dram_close_row(const ww_dram_device *device, ww_dram_bank *bank,
                                     uint64_t cycle)
{
    uint64_t closed = cycle + device->timing.rp;
    bank->row = WW_DRAM_NO_ROW;
    bank->activate = bank->activate > closed ? bank->activate : closed;
}

/* The command is allowed at its cycle. */
static inline void ww_dram_issue(ww_dram_device *device, const ww_dram_command *command)
{
    if (command->op <= WW_DRAM_WRITE)
        ww_dram_issue_column(device, command);
    else if (command->op == WW_DRAM_ACTIVATE)
        ww_dram_issue_activate(device, command);
    else if (command->op == WW_DRAM_PRECHARGE)
        ww_dram_close_row(device, &device->bank[command->bank], command->cycle);
    else
        ww_dram_issue_refresh(device, command);
}

/* The banks, a bit for each, whose refresh is due at a cycle: they accept nothing else. */
uint64_t ww_dram_refreshing(const ww_dram_device *device, uint64_t cycle);

/* The next command of a rank's next refresh; `cycle` is the first at which it is allowed. */
ww_dram_command ww_dram_refresh_step(const ww_dram_device *device, uint32_t rank);

/* Skips refreshes of an idle rank before `cycle`, and returns how many: its rows are closed, and
 * each bank is refreshed once more after them, so only the next bank to refresh changes. */
uint64_t ww_dram_refresh_skip(ww_dram_device *device, uint32_t rank, uint64_t cycle);

#endif
