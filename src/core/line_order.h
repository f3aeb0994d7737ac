/* The reorder buffer of vector memory instructions: lines take their entries in order, before their
 * pages are looked up, and leave in the same order: a line that is answered keeps its entry until
 * all older ones are answered. A compute unit of few entries has few lines on their way, however
 * many instructions its load/store unit holds.
 *
 * The oldest instruction always finds entries, so that one with more lines than entries goes on. */
#ifndef WW_CORE_LINE_ORDER_H
#define WW_CORE_LINE_ORDER_H

#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ww_line_order {
    uint32_t entries; /* 0: there is no buffer, and lines are answered in any order */
    uint32_t mask; /* of entries in the ring, which has room for an instruction beyond `entries` */
    uint32_t first, next;
    bool *answered;
} ww_line_order;

static inline ww_line_order ww_line_order_create(uint32_t entries, uint32_t most_lines)
{
    uint32_t ring = 1;
    while (entries && ring < entries + most_lines)
        ring *= 2;
    return (ww_line_order){
        .entries = entries, .mask = ring - 1, .answered = ww_calloc(ring, sizeof(bool))};
}

static inline bool ww_line_order_has_room(const ww_line_order *order, uint32_t lines, bool oldest)
{
    return !order->entries || oldest || order->next - order->first + lines <= order->entries;
}

/* Returns the line's entry. */
static inline uint16_t ww_line_order_enter(ww_line_order *order)
{
    return (uint16_t)(order->next++ & order->mask);
}

/* The line at this entry is answered. */
static inline void ww_line_order_answer(ww_line_order *order, uint16_t entry)
{
    order->answered[entry] = true;
    while (order->first != order->next && order->answered[order->first & order->mask])
        order->answered[order->first++ & order->mask] = false;
}

#endif
