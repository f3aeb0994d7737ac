/* The ready times of the banks' next commands, as far as the state of their own bank decides them.
 *
 * ready    of a bank: the ready time of its next command has come
 * slot     a bank that is ready within 64 cycles is in the slot of its cycle, a later one in `far`
 *
 * Time only advances: ww_dram_ready_advance moves banks whose time has come to `ready`. */
#ifndef WW_MEM_DRAM_READY_H
#define WW_MEM_DRAM_READY_H

#include "mem/dram_device.h"

#define WW_DRAM_SLOTS 64

typedef struct ww_dram_ready_times {
    uint64_t cycle;      /* the present one */
    uint64_t ready, far; /* banks, a bit for each, as in the slots */
    uint64_t filled;     /* slots that have banks, or had some */
    uint64_t slot[WW_DRAM_SLOTS];
    uint64_t time[WW_DRAM_BANKS]; /* the ready time of each */
} ww_dram_ready_times;

/* The slots that have banks, from the next cycle's on. */
static inline uint64_t ww_dram_ready_ahead(const ww_dram_ready_times *r)
{
    unsigned next = (unsigned)(r->cycle + 1) % WW_DRAM_SLOTS;
    return r->filled >> next | r->filled << (-next % WW_DRAM_SLOTS);
}

static inline void ww_dram_ready_add(ww_dram_ready_times *r, uint32_t bank, uint64_t time)
{
    uint64_t bit = UINT64_C(1) << bank;
    r->time[bank] = time;
    if (time <= r->cycle) {
        r->ready |= bit;
    } else if (time - r->cycle <= WW_DRAM_SLOTS) {
        r->slot[time % WW_DRAM_SLOTS] |= bit;
        r->filled |= UINT64_C(1) << time % WW_DRAM_SLOTS;
    } else {
        r->far |= bit;
    }
}

/* The bank may be absent. */
static inline void ww_dram_ready_remove(ww_dram_ready_times *r, uint32_t bank)
{
    uint64_t bit = UINT64_C(1) << bank;
    if (r->ready & bit) { /* the usual case */
        r->ready &= ~bit;
        return;
    }
    r->far &= ~bit;
    r->slot[r->time[bank] % WW_DRAM_SLOTS] &= ~bit;
}

/* Moves banks from `far` into slots. */
static inline void ww_dram_ready_sort_far(ww_dram_ready_times *r)
{
    uint64_t far = r->far;
    for (r->far = 0; far; far &= far - 1) {
        uint32_t bank = (uint32_t)__builtin_ctzll(far);
        ww_dram_ready_add(r, bank, r->time[bank]);
    }
}

static inline void ww_dram_ready_advance(ww_dram_ready_times *r, uint64_t cycle)
{
    uint64_t passed = cycle - r->cycle, due = ww_dram_ready_ahead(r);
    unsigned next = (unsigned)r->cycle + 1;
    r->cycle = cycle;
    if (passed < WW_DRAM_SLOTS)
        due &= (UINT64_C(1) << passed) - 1;
    for (; due; due &= due - 1) {
        unsigned slot = (next + (unsigned)__builtin_ctzll(due)) % WW_DRAM_SLOTS;
        r->ready |= r->slot[slot];
        r->slot[slot] = 0;
        r->filled &= ~(UINT64_C(1) << slot);
    }
    if (r->far)
        ww_dram_ready_sort_far(r);
}

#endif
