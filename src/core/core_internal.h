/* A compute unit: its parts, shared by the files of this folder. Each part has a header that says
 * which file alone changes it; other files read it, and call its functions. */
#ifndef WW_CORE_CORE_INTERNAL_H
#define WW_CORE_CORE_INTERNAL_H

#include "core/attribution.h"
#include "core/core.h"
#include "core/cu_walks.h"
#include "core/disparity.h"
#include "core/front_end.h"
#include "core/issue.h"
#include "core/load_store.h"
#include "core/observer.h"
#include "core/predict.h"
#include "core/residency.h"
#include "core/scoreboard.h"
#include "core/stream.h"
#include "core/units.h"

/* What the parts keep for a slot's warp. What every instruction needs is in two adjacent lines of
 * the host's cache. */
typedef struct ww_slot_state {
    _Alignas(64) ww_scoreboard scoreboard;
    ww_stream stream;
    ww_issue_slot issue;
    ww_instruction_buffer buffer;
    ww_attribution_slot attribution; /* first: instructions */
    ww_outstanding outstanding;
    ww_resident_slot resident;
} ww_slot_state;
_Static_assert(offsetof(ww_slot_state, attribution.issued) < 128, "two lines of the host's cache");

/* The parts begin with what every cycle needs; what is large is at their end. */
struct ww_cu {
    ww_issue issue;
    ww_units units;
    ww_front_end front_end;
    ww_attribution attribution;
    ww_residency residency;
    ww_predictor predictor;
    uint32_t outstanding;   /* memory instructions whose warps are resident (load_store.c) */
    bool broken;            /* the program is at fault (core.c) */
    uint64_t issued_before; /* cycles before this one have issued, perhaps early (tick.c) */
    ww_cu_walks walks;
    unsigned number;
    ww_cu_config config;
    ww_cu_wiring wiring;
    ww_task task;
    ww_load_store memory;
    ww_load_store scalar_memory;
    ww_cu_counters counters;
    ww_disparity disparity;
    ww_slot_state slots[WW_MOST_SLOTS];
};

/* Not inlined: what nearly all instructions pass stays short. */
#define WW_CU_APART __attribute__((noinline))
#define WW_CU_SELDOM __attribute__((noinline, cold))

/* Whether the load/store unit can take a memory instruction. */
static inline bool ww_load_store_can_accept(const ww_load_store *m)
{
    return m->count < m->limit && m->translator.pending.count < m->cu->config.address_queue;
}

static inline unsigned ww_cu_slot_of(const ww_cu *cu, const ww_slot_state *slot)
{
    return (unsigned)(slot - cu->slots);
}

/* The cycle that starts now, or next. */
static inline uint64_t ww_cu_cycle(const ww_cu *cu)
{
    ww_clock clock = cu->config.clock;
    return ww_clock_cycle(clock, ww_clock_next(clock, ww_engine_now(cu->wiring.engine)));
}

/* The first cycle that does not start before the tick. */
static inline uint64_t ww_cu_cycle_from(const ww_cu *cu, ww_tick tick)
{
    ww_clock clock = cu->config.clock;
    return tick == WW_NEVER ? WW_NEVER : ww_clock_cycle(clock, ww_clock_next(clock, tick));
}

/* Asks the owner of frames about an address of the launch's program. */
static inline bool ww_cu_touch(const ww_cu *cu, const ww_cu_launch *launch, uint64_t address,
                               uint64_t *physical)
{
    *physical = address;
    return !cu->wiring.touch ||
           cu->wiring.touch(cu->wiring.context, launch->asid, address, physical);
}

/* core.c */
void ww_cu_wake(ww_cu *cu, uint64_t cycle);
void ww_cu_fail(ww_cu *cu, int status);

/* tick.c */
void ww_cu_tick(void *cu);

/* local_share.c: how many passes through the banks an access takes, at least 1. *steps: the same
 * without conflicts. */
unsigned ww_lds_passes(const ww_cu_config *config, uint64_t lanes, const uint64_t *address,
                       unsigned bytes, bool atomic, unsigned *steps);

/* observe.c: only when there are observers. */
WW_CU_SELDOM void ww_cu_notify_start(const ww_cu *cu, unsigned slot, uint64_t cycle);
WW_CU_SELDOM void ww_cu_notify_issue(const ww_cu *cu, unsigned slot, uint64_t cycle);
WW_CU_SELDOM void ww_cu_notify_access(const ww_cu *cu, const ww_memory_op *op, uint64_t cycle);
WW_CU_SELDOM void ww_cu_notify_end(const ww_cu *cu, unsigned slot, uint64_t cycle);

#endif
