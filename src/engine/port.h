/* Ports: bounded queues between components, with a latency.
 *
 * producer   checks ww_port_has_room, then sends; else it calls ww_port_wait and sleeps
 * consumer   a task that the port wakes when an item arrives; it peeks at the first item and pops
 *            it when it can. Items arrive in the order in which they were sent.
 * room       free entries. Items in flight have an entry: a port never exceeds its capacity.
 * expect     a function of the consumer that the port calls for each item when it is sent: it
 *            prefetches what the item will need, and changes at most what the item keeps for it
 * mark       a bit that the port sets when it gets an item while it is empty: a consumer of many
 *            ports finds in a set of such bits the ports that have items
 * seats      which waiting producer gets a freed entry: without seats the one that began to
 *            wait first, until it has sent all that it can; with seats, the first at or after a
 *            pointer that moves by one seat in each cycle, whether somebody sits there or not
 * A freed entry can be used in the same tick if the producer's phase is later than the consumer's:
 * phases go from memory to compute units, so that a chain of full queues moves in one tick. Items
 * are pointers that the port does not own. */
#ifndef WW_ENGINE_PORT_H
#define WW_ENGINE_PORT_H

#include "engine/clock.h"

#include <assert.h>

typedef struct ww_port_item {
    void *item;
    ww_tick arrival;
} ww_port_item;

typedef void ww_expect_fn(const void *owner, void *item);

typedef struct ww_port {
    ww_engine *engine;
    ww_task *consumer;
    ww_port_item *items; /* a ring */
    ww_tick next;        /* arrival of the first item; WW_NEVER: none */
    uint32_t capacity;
    uint32_t first;
    uint32_t count;
    uint32_t waiting; /* producers that wait for room */
    uint32_t producers;
    uint32_t seats; /* 0: none */
    const ww_clock *seat_clock;
    ww_task **waiters;    /* with seats: by seat, NULL where nobody waits */
    ww_expect_fn *expect; /* NULL: none */
    const void *expect_owner;
    uint64_t *marks; /* NULL: no mark */
    uint64_t mark;
    const ww_clock *pace;               /* NULL: its consumer may run at any tick */
    const struct ww_blame_clock *blame; /* what its head waits for (mem/blame.h); NULL: not known */
} ww_port;

/* At most `producers` tasks wait for room at a time. */
void ww_port_init(ww_port *port, ww_engine *engine, uint32_t capacity, uint32_t producers);
void ww_port_clear(ww_port *port);
/* Once, before the first item. */
void ww_port_connect(ww_port *port, ww_task *consumer);
/* Once, before the first item: the consumer takes items at the edges of a clock only, which
 * outlives the port. An item that arrives between two edges wakes it at the second. */
void ww_port_pace(ww_port *port, const ww_clock *clock);
/* Once, before the first item: `expect` is called with `owner` and each item. */
void ww_port_expect(ww_port *port, ww_expect_fn *expect, const void *owner);
/* Once, before the first item: bit `index` of a set is the port's mark; the consumer clears it. */
void ww_port_mark(ww_port *port, uint64_t *set, size_t index);

static inline bool ww_port_has_room(const ww_port *port)
{
    return port->count < port->capacity;
}

void ww_port_call_consumer(ww_port *port, ww_tick arrival); /* for ww_port_send */

/* The port has room. `arrival` is not before that of the item sent last. */
static inline void ww_port_send(ww_port *port, void *item, ww_tick arrival)
{
    assert(ww_port_has_room(port));
    uint32_t index = port->first + port->count;
    if (index >= port->capacity)
        index -= port->capacity;
    port->items[index] = (ww_port_item){item, arrival};
    if (port->expect)
        port->expect(port->expect_owner, item);
    if (port->count++ == 0)
        ww_port_call_consumer(port, arrival);
}

/* Wakes the producer's task, once, when an entry becomes free. */
void ww_port_wait(ww_port *port, ww_task *producer);
/* Once, before the first item: producers wait in so many seats, each in one of its own; the
 * pointer moves with a clock, which outlives the port. */
void ww_port_seat(ww_port *port, uint32_t seats, const ww_clock *clock);
void ww_port_wait_in(ww_port *port, uint32_t seat, ww_task *producer);

/* The first item, if it has arrived by `now`, the present tick. */
static inline void *ww_port_arrived(const ww_port *port, ww_tick now)
{
    return port->next <= now ? port->items[port->first].item : NULL;
}

/* Likewise. */
static inline void *ww_port_peek(const ww_port *port)
{
    return ww_port_arrived(port, ww_engine_now(port->engine));
}

/* When the first item arrives or arrived; WW_NEVER: none. A consumer wakes its task for this after
 * it popped an item. */
static inline ww_tick ww_port_next(const ww_port *port)
{
    return port->next;
}

void ww_port_call_waiters(ww_port *port); /* for ww_port_pop */

/* Removes the first item, which has arrived. */
static inline void ww_port_pop(ww_port *port)
{
    assert(port->count > 0);
    if (--port->count) {
        port->first = port->first + 1 < port->capacity ? port->first + 1 : 0;
        const ww_port_item *next = &port->items[port->first];
        port->next = next->arrival;
        __builtin_prefetch(next->item); /* it is needed soon */
        __builtin_prefetch((const char *)next->item + 64);
    } else {
        port->next = WW_NEVER;
        port->first = 0; /* an empty ring starts over, where the host's cache has it */
    }
    if (port->waiting)
        ww_port_call_waiters(port);
}

#endif
