/* A small timing wheel, for a component that handles many events with one task. Each event is an
 * index that is in the wheel at most once. An event beyond the range is put again later. */
#ifndef WW_MEM_WHEEL_H
#define WW_MEM_WHEEL_H

#include "base/memory.h"
#include "engine/engine.h"

#define WW_WHEEL_SLOTS 64u /* its occupancy is one word */
#define WW_WHEEL_END UINT16_MAX

typedef struct ww_wheel_node {
    uint64_t due; /* a cycle; WW_NEVER: not in the wheel */
    uint16_t next;
} ww_wheel_node;

typedef struct ww_wheel {
    ww_wheel_node *nodes;
    uint64_t occupied; /* a bit for each slot */
    uint16_t slots[WW_WHEEL_SLOTS];
} ww_wheel;

static inline void ww_wheel_init(ww_wheel *wheel, uint32_t indices)
{
    wheel->occupied = 0;
    wheel->nodes = ww_calloc(indices, sizeof(*wheel->nodes));
    for (uint32_t i = 0; i < indices; i++)
        wheel->nodes[i] = (ww_wheel_node){WW_NEVER, WW_WHEEL_END};
    for (size_t slot = 0; slot < WW_WHEEL_SLOTS; slot++)
        wheel->slots[slot] = WW_WHEEL_END;
}

static inline void ww_wheel_clear(ww_wheel *wheel)
{
    free(wheel->nodes);
}

static inline bool ww_wheel_has(const ww_wheel *wheel, uint32_t index)
{
    return wheel->nodes[index].due != WW_NEVER;
}

/* Due in a cycle after `now`, or in `now` before its slot is emptied. */
static inline void ww_wheel_put(ww_wheel *wheel, uint32_t index, uint64_t now, uint64_t due)
{
    uint64_t ahead = due - now < WW_WHEEL_SLOTS ? due - now : WW_WHEEL_SLOTS - 1;
    size_t slot = (now + ahead) % WW_WHEEL_SLOTS;
    wheel->nodes[index] = (ww_wheel_node){due, wheel->slots[slot]};
    wheel->slots[slot] = (uint16_t)index;
    wheel->occupied |= 1ull << slot;
}

/* The next cycle whose slot has something, or WW_NEVER. */
static inline uint64_t ww_wheel_next(const ww_wheel *wheel, uint64_t now)
{
    if (!wheel->occupied)
        return WW_NEVER;
    unsigned start = (now + 1) % WW_WHEEL_SLOTS;
    uint64_t rotated = wheel->occupied >> start | wheel->occupied
                                                      << (WW_WHEEL_SLOTS - start) % WW_WHEEL_SLOTS;
    return now + 1 + (uint64_t)__builtin_ctzll(rotated);
}

/* Empties the slot of cycle `now`. Returns its first index, or WW_WHEEL_END; take each. */
static inline uint16_t ww_wheel_empty_slot(ww_wheel *wheel, uint64_t now)
{
    size_t slot = now % WW_WHEEL_SLOTS;
    uint16_t first = wheel->slots[slot];
    wheel->slots[slot] = WW_WHEEL_END;
    wheel->occupied &= ~(1ull << slot);
    return first;
}

/* Takes an index of an emptied slot; puts it again if it is not due yet. Returns the next. */
static inline uint16_t ww_wheel_take(ww_wheel *wheel, uint32_t index, uint64_t now)
{
    ww_wheel_node node = wheel->nodes[index];
    wheel->nodes[index].due = WW_NEVER;
    if (node.due > now)
        ww_wheel_put(wheel, index, now, node.due);
    return node.next;
}

#endif
