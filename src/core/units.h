/* Functional units: until when each is busy.
 *
 * unit      simd, sfu and fp64 belong to a scheduler; the others to the compute unit
 * interval  cycles from an instruction to when its unit takes the next one
 * needs     a slot needs the unit of its warp's next instruction
 * blocked   of the slots: those whose unit is busy
 * Only the functions below change ww_units. The load/store units have queues of their own
 * (load_store.h). */
#ifndef WW_CORE_UNITS_H
#define WW_CORE_UNITS_H

#include "core/code.h"
#include "core/ring.h"

#define WW_MOST_SCHEDULERS 8
#define WW_UNIT_BITS 8

typedef struct ww_units {
    uint64_t busy;        /* bit WW_UNIT_BITS x scheduler + unit: takes no instruction */
    uint64_t busy_longer; /* those that may stay busy after their entry in the ring */
    uint64_t ticked;      /* the last cycle whose units were freed */
    uint64_t blocked;     /* slots that need a busy unit */
    uint64_t needed_by[WW_UNIT_BITS]; /* by unit: slots */
    uint64_t taken[WW_UNIT_BITS];     /* by unit: slots of schedulers whose unit is busy */
    unsigned shared;                  /* a bit for each ww_unit that all schedulers share */
    ww_ring freed;                    /* bits of `busy` */
    /* By bit of `busy`. */
    uint64_t bits[WW_MOST_SCHEDULERS * WW_UNIT_BITS];    /* of the same unit: several if shared */
    uint64_t slots[WW_MOST_SCHEDULERS * WW_UNIT_BITS];   /* that use the unit */
    uint64_t free_at[WW_MOST_SCHEDULERS * WW_UNIT_BITS]; /* at the unit's first bit: when */
} ww_units;

void ww_units_create(ww_units *units, unsigned schedulers);
/* Frees units whose time has come in the `span` cycles up to, and including, `cycle`. */
void ww_units_free(ww_units *units, uint64_t cycle, uint64_t span);

/* The scheduler's busy units: a bit for each ww_unit. */
static inline unsigned ww_units_busy(const ww_units *units, unsigned scheduler)
{
    return (unsigned)(units->busy >> scheduler * WW_UNIT_BITS) & ((1u << WW_UNIT_BITS) - 1);
}

/* The slot of this bit needs another unit; WW_UNIT_COUNT: none. */
static inline void ww_units_need(ww_units *units, uint64_t bit, unsigned before, unsigned unit)
{
    units->needed_by[before] &= ~bit;
    units->needed_by[unit] |= bit;
    units->blocked = (units->blocked & ~bit) | (units->taken[unit] & bit);
}

/* The bit of a unit, of the first scheduler if it is shared. */
static inline unsigned ww_units_index(const ww_units *units, unsigned scheduler, unsigned unit)
{
    return (unsigned)__builtin_ctzll(units->bits[scheduler * WW_UNIT_BITS + unit]);
}

/* The cycle from which the unit is free; it may be over. */
static inline uint64_t ww_units_free_at(const ww_units *units, unsigned scheduler, unsigned unit)
{
    return units->free_at[ww_units_index(units, scheduler, unit)];
}

/* The unit takes no instruction before cycle `until`, which is later than `now`. */
static inline void ww_units_occupy(ww_units *units, unsigned scheduler, unsigned unit, uint64_t now,
                                   uint64_t until)
{
    unsigned index = scheduler * WW_UNIT_BITS + unit;
    uint64_t bits = units->bits[index];
    if (__builtin_expect(until - now >= WW_RING || units->busy & bits, 0))
        units->busy_longer |= bits;
    units->busy |= bits;
    units->taken[unit] |= units->slots[index];
    units->blocked |= units->needed_by[unit] & units->slots[index];
    units->free_at[__builtin_ctzll(bits)] = until;
    ww_ring_add(&units->freed, ww_ring_reach(now, until), bits);
}

/* Frees units whose time has come since the last call. */
static inline void ww_units_tick(ww_units *units, uint64_t cycle)
{
    uint64_t span = cycle - units->ticked;
    units->ticked = cycle;
    if (span == 1 ? units->freed.used >> cycle % WW_RING & 1 : units->freed.used != 0)
        ww_units_free(units, cycle, span);
}

#endif
