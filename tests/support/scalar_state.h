/* The state of the scalar interpreter, private to scalar*.c.
 *
 * item         a work-item
 * activation   one call of a function that has not returned: its registers and its frame in the
 *              item's local memory */
#ifndef WW_TESTS_SCALAR_STATE_H
#define WW_TESTS_SCALAR_STATE_H

#include "support/scalar.h"

enum { SCALAR_LANES = 16, SCALAR_BARRIERS = 16 };

typedef struct scalar_activation {
    struct scalar_activation *caller; /* NULL: the entry */
    const ww_code *code;
    uint32_t call_pc; /* in the caller */
    uint64_t frame;   /* offset in local memory */
    uint8_t *rows;
    bool *predicates;
} scalar_activation;

typedef enum scalar_item_state { SCALAR_RUNS, SCALAR_WAITS, SCALAR_ENDED } scalar_item_state;

typedef struct scalar_item {
    uint32_t number; /* in its group */
    scalar_item_state state;
    uint32_t pc;
    scalar_activation *top;
    uint8_t *local;
    bool carry;
    unsigned barrier; /* that it waits at */
    uint64_t executed;
} scalar_item;

typedef struct scalar_barrier {
    uint32_t arrived, expected, yes;
} scalar_barrier;

typedef struct scalar_group {
    const ww_kernel *kernel;
    ww_memory *memory;
    const ww_launch *launch;
    ww_errors *errors;
    uint8_t *constants; /* the kernel's rows, with the values of this launch */
    uint32_t id[3];
    uint8_t *shared;
    uint64_t shared_bytes;
    scalar_item *items;
    uint32_t item_count;
    scalar_barrier barriers[SCALAR_BARRIERS];
} scalar_group;

/* A row, of which lane 0 is the work-item's. */
static inline void *scalar_row(const scalar_group *g, const scalar_item *item, ww_slot slot)
{
    return slot >= 0 ? item->top->rows + slot : g->constants + ~slot;
}

static inline uint64_t scalar_get(const scalar_group *g, const scalar_item *item, ww_slot slot,
                                  bool wide)
{
    const void *row = scalar_row(g, item, slot);
    return wide ? *(const uint64_t *)row : *(const uint32_t *)row;
}

static inline void scalar_set(scalar_item *item, ww_slot slot, bool wide, uint64_t value)
{
    void *row = item->top->rows + slot;
    if (wide)
        *(uint64_t *)row = value;
    else
        *(uint32_t *)row = (uint32_t)value;
}

static inline bool scalar_predicate(const scalar_item *item, const ww_uop *u)
{
    return item->top->predicates[u->c] != !!(u->flags & WW_UOP_NEGATE_C);
}

int scalar_fault(const scalar_group *g, const scalar_item *item, const char *what);

/* Everything that only writes registers. */
void scalar_compute(const scalar_group *g, scalar_item *item, const ww_uop *u);
/* Loads, stores, atomics, copies. */
int scalar_access(const scalar_group *g, scalar_item *item, const ww_uop *u);
/* Calls and returns; they set the program counter. */
int scalar_call(const scalar_group *g, scalar_item *item, const ww_code *callee);
void scalar_return(const scalar_group *g, scalar_item *item);
scalar_activation *scalar_activate(const scalar_group *g, const scalar_item *item,
                                   const ww_code *code, scalar_activation *caller);
void scalar_drop(scalar_item *item); /* the top activation */

#endif
