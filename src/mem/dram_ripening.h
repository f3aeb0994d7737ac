/* Which banks' wishes are allowed as far as their own bank says, and when the others will be.
 *
 * ripe     its time has come
 * slot     a wish that ripens within the next 64 cycles is in the slot of its cycle; one that takes longer is `far`
 *
 * Time only goes on: ww_dram_ripening_advance brings it up to a cycle, and what is added ripens from there. */
#ifndef WW_MEM_DRAM_RIPENING_H
#define WW_MEM_DRAM_RIPENING_H

#include "mem/dram_device.h"

#define WW_DRAM_SLOTS 64

typedef struct ww_dram_ripening {
    uint64_t cycle;     /* it is up to date for this one */
    uint64_t ripe, far; /* banks, a bit for each, as in the slots */
    uint64_t filled;    /* slots that have banks, or had them */
    uint64_t slot[WW_DRAM_SLOTS];
    uint64_t time[WW_DRAM_BANKS]; /* when each ripens */
} ww_dram_ripening;

/* The slots that have banks, from the next cycle's on. */
static inline uint64_t ww_dram_ripening_ahead(const ww_dram_ripening *r)
{
    unsigned next = (unsigned)(r->cycle + 1) % WW_DRAM_SLOTS;
    return r->filled >> next | r->filled << (-next % WW_DRAM_SLOTS);
}

static inline void ww_dram_ripening_add(ww_dram_ripening *r, uint32_t bank, uint64_t time)
{
    uint64_t bit = UINT64_C(1) << bank;
    r->time[bank] = time;
    if (time <= r->cycle) {
        r->ripe |= bit;
    } else if (time - r->cycle <= WW_DRAM_SLOTS) {
        r->slot[time % WW_DRAM_SLOTS] |= bit;
        r->filled |= UINT64_C(1) << time % WW_DRAM_SLOTS;
    } else {
        r->far |= bit;
    }
}

/* The bank may be there or not. */
static inline void ww_dram_ripening_remove(ww_dram_ripening *r, uint32_t bank)
{
    uint64_t others = ~(UINT64_C(1) << bank);
    r->ripe &= others;
    r->far &= others;
    r->slot[r->time[bank] % WW_DRAM_SLOTS] &= others;
}

/* Those that were far may be near. */
static inline void ww_dram_ripening_sort_far(ww_dram_ripening *r)
{
    uint64_t far = r->far;
    for (r->far = 0; far; far &= far - 1) {
        uint32_t bank = (uint32_t)__builtin_ctzll(far);
        ww_dram_ripening_add(r, bank, r->time[bank]);
    }
}

static inline void ww_dram_ripening_advance(ww_dram_ripening *r, uint64_t cycle)
{
    uint64_t passed = cycle - r->cycle, due = ww_dram_ripening_ahead(r);
    unsigned next = (unsigned)r->cycle + 1;
    r->cycle = cycle;
    if (passed < WW_DRAM_SLOTS)
        due &= (UINT64_C(1) << passed) - 1;
    for (; due; due &= due - 1) {
        unsigned slot = (next + (unsigned)__builtin_ctzll(due)) % WW_DRAM_SLOTS;
        r->ripe |= r->slot[slot];
        r->slot[slot] = 0;
        r->filled &= ~(UINT64_C(1) << slot);
    }
    if (r->far)
        ww_dram_ripening_sort_far(r);
}

#endif
