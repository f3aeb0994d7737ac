#include "engine/port.h"

#include "base/memory.h"

#include <assert.h>

void ww_port_init(ww_port *port, ww_engine *engine, uint32_t capacity, uint32_t producers)
{
    assert(capacity > 0);
    *port =
        (ww_port){.engine = engine, .next = WW_NEVER, .capacity = capacity, .producers = producers};
    port->items =
        ww_realloc(NULL, capacity, sizeof(*port->items)); /* not zeroed: most stay unused */
    port->waiters = ww_calloc(producers, sizeof(*port->waiters));
}

void ww_port_clear(ww_port *port)
{
    free(port->items);
    free(port->waiters);
    *port = (ww_port){0};
}

void ww_port_connect(ww_port *port, ww_task *consumer)
{
    port->consumer = consumer;
}

void ww_port_pace(ww_port *port, const ww_clock *clock)
{
    port->pace = clock;
}

void ww_port_expect(ww_port *port, ww_expect_fn *expect, const void *owner)
{
    port->expect = expect;
    port->expect_owner = owner;
}

void ww_port_mark(ww_port *port, uint64_t *set, size_t index)
{
    port->marks = &set[index / 64];
    port->mark = 1ull << index % 64;
}

static __attribute__((noinline)) void call_at_edge(ww_port *port, ww_tick arrival)
{
    ww_wake(port->engine, port->consumer, ww_clock_next(*port->pace, arrival));
}

void ww_port_call_consumer(ww_port *port, ww_tick arrival)
{
    port->next = arrival;
    if (port->marks)
        *port->marks |= port->mark;
    if (__builtin_expect(port->pace != NULL, 0))
        call_at_edge(port, arrival);
    else
        ww_wake(port->engine, port->consumer, arrival);
}

void ww_port_wait(ww_port *port, ww_task *producer)
{
    for (uint32_t i = 0; i < port->waiting; i++)
        if (port->waiters[i] == producer)
            return;
    assert(port->waiting < port->producers);
    port->waiters[port->waiting++] = producer;
}

void ww_port_seat(ww_port *port, uint32_t seats, const ww_clock *clock)
{
    free(port->waiters);
    port->seats = seats;
    port->seat_clock = clock;
    port->waiters = ww_calloc(seats, sizeof(*port->waiters));
}

void ww_port_wait_in(ww_port *port, uint32_t seat, ww_task *producer)
{
    assert(seat < port->seats);
    port->waiting += port->waiters[seat] == NULL;
    port->waiters[seat] = producer;
}

/* As many as there are free entries. */
static __attribute__((noinline)) void call_seats(ww_port *port)
{
    ww_tick now = ww_engine_now(port->engine);
    uint32_t seat = (uint32_t)(ww_clock_cycle(*port->seat_clock, now) % port->seats);
    for (uint32_t room = port->capacity - port->count; port->waiting && room;) {
        ww_task *producer = port->waiters[seat];
        if (producer) {
            port->waiters[seat] = NULL;
            port->waiting--;
            room--;
            ww_wake(port->engine, producer, now);
        }
        seat = seat + 1 < port->seats ? seat + 1 : 0;
    }
}

void ww_port_call_waiters(ww_port *port)
{
    if (port->seats) {
        call_seats(port);
        return;
    }
    for (uint32_t i = 0; i < port->waiting; i++)
        ww_wake(port->engine, port->waiters[i], ww_engine_now(port->engine));
    port->waiting = 0;
}
