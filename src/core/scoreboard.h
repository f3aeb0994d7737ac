/* The scoreboard: when the value of each register of each warp is ready.
 *
 * ready time   the cycle from which an instruction can use the value; WW_NEVER: a load is in
 *              flight, and its completion sets the time
 * registers    numbers of the timed code (code.h): operands, or the registers that are written
 * Only the functions below change ww_scoreboard. */
#ifndef WW_CORE_SCOREBOARD_H
#define WW_CORE_SCOREBOARD_H

#include <stddef.h>
#include <stdint.h>

/* Of the warp in a slot. */
typedef struct ww_scoreboard {
    uint64_t *ready_at; /* by register */
} ww_scoreboard;

/* A warp with this many registers starts: all are ready. `capacity`: how many the slot has had at
 * most, which grows. */
void ww_scoreboard_start(ww_scoreboard *scoreboard, uint32_t *capacity, uint32_t registers);
void ww_scoreboard_destroy(ww_scoreboard *scoreboard);

/* The cycle in which the last of the registers is ready, or WW_NEVER. */
static inline uint64_t ww_scoreboard_ready(const ww_scoreboard *scoreboard,
                                           const uint16_t *registers, unsigned count)
{
    uint64_t last = 0;
    for (unsigned i = 0; i < count; i++) {
        uint64_t at = scoreboard->ready_at[registers[i]];
        last = at > last ? at : last;
    }
    return last;
}

static inline void ww_scoreboard_set(ww_scoreboard *scoreboard, const uint16_t *registers,
                                     unsigned count, uint64_t at)
{
    uint64_t *ready_at = scoreboard->ready_at;
    for (; count; count--)
        ready_at[*registers++] = at;
}

#endif
