/* The scoreboard: when the value of each register of each warp is ready.
 *
 * ready time   the cycle from which an instruction can use the value; WW_NEVER: a load is in
 *              flight, and its completion sets the time
 * registers    numbers of the timed code (code.h): operands, or the registers that are written
 * pending      a write whose ready time has not come. A kernel has hundreds of registers, of which
 *              few are pending: the scoreboard keeps these alone, in one line of the host's cache.
 * bits         a bit for each register, by its number modulo 64: two sets of registers without a
 *              common bit have no common register
 * Only the functions below change ww_scoreboard. */
#ifndef WW_CORE_SCOREBOARD_H
#define WW_CORE_SCOREBOARD_H

#include <stdbool.h>
#include <stdint.h>

#define WW_SCOREBOARD_NEAR 5
/* A pending write has its register in the lower bits and its ready time in the others, which are
 * enough for the cycles of a run. All of these are set while a load is in flight. */
#define WW_PENDING_REGISTER_BITS 16
#define WW_PENDING_LOAD (UINT64_MAX >> WW_PENDING_REGISTER_BITS)

/* Of the warp in a slot. */
typedef struct ww_scoreboard {
    uint64_t bits; /* of the registers in `writes` */
    uint32_t count;
    uint32_t capacity;
    uint64_t *writes; /* [capacity]: pending, and some that were; `near` or allocated */
    uint64_t near[WW_SCOREBOARD_NEAR];
} ww_scoreboard;

/* A warp starts: all registers are ready. */
void ww_scoreboard_start(ww_scoreboard *scoreboard);
void ww_scoreboard_destroy(ww_scoreboard *scoreboard);
void ww_scoreboard_grow(ww_scoreboard *scoreboard, uint32_t capacity); /* for _write */

static inline uint64_t ww_scoreboard_bits(const uint16_t *registers, unsigned count)
{
    uint64_t bits = 0;
    for (unsigned i = 0; i < count; i++)
        bits |= 1ull << registers[i] % 64;
    return bits;
}

static inline bool ww_scoreboard_is_one(uint16_t number, const uint16_t *registers, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (registers[i] == number)
            return true;
    return false;
}

/* The cycle in which the last of the registers, whose bits are given, is ready, or WW_NEVER. Any
 * cycle that has passed stands for all. */
static inline uint64_t ww_scoreboard_ready(const ww_scoreboard *scoreboard, uint64_t bits,
                                           const uint16_t *registers, unsigned count)
{
    uint64_t last = 0;
    if (!(scoreboard->bits & bits))
        return 0;
    for (uint32_t i = 0; i < scoreboard->count; i++) {
        uint64_t write = scoreboard->writes[i], at = write >> WW_PENDING_REGISTER_BITS;
        if (bits >> write % 64 & 1 && at > last &&
            ww_scoreboard_is_one((uint16_t)write, registers, count))
            last = at;
    }
    return last == WW_PENDING_LOAD ? UINT64_MAX : last;
}

/* An instruction that issues in cycle `now` writes registers that are ready: their values are ready
 * at `at`, or are loaded (WW_NEVER). Writes that are ready by `now` are forgotten. */
static inline void ww_scoreboard_write(ww_scoreboard *scoreboard, const uint16_t *registers,
                                       unsigned count, uint64_t now, uint64_t at)
{
    uint64_t *writes = scoreboard->writes, bits = 0;
    uint32_t kept = 0;
    if (!count)
        return;
    for (uint32_t i = 0; i < scoreboard->count; i++) {
        uint64_t write = writes[i];
        if (write >> WW_PENDING_REGISTER_BITS <= now)
            continue;
        writes[kept++] = write;
        bits |= 1ull << write % 64;
    }
    if (kept + count > scoreboard->capacity) {
        ww_scoreboard_grow(scoreboard, kept + count);
        writes = scoreboard->writes;
    }
    for (; count; count--) {
        writes[kept++] = at << WW_PENDING_REGISTER_BITS | *registers;
        bits |= 1ull << *registers++ % 64;
    }
    scoreboard->count = kept;
    scoreboard->bits = bits;
}

/* A load of the registers completes: their values are ready at `at`. */
void ww_scoreboard_complete(ww_scoreboard *scoreboard, const uint16_t *registers, unsigned count,
                            uint64_t at);

#endif
