/* What the files of the load/store unit share: load_store.c (instructions and requests) and
 * load_store_replies.c. */
#ifndef WW_CORE_LOAD_STORE_INTERNAL_H
#define WW_CORE_LOAD_STORE_INTERNAL_H

#include "core/core_internal.h"

#define WW_OPS_OF_BLOCK 64 /* operations that are allocated at a time */

/* Scalar loads complete in any order; only vector instructions may be kept in order. */
static inline bool ww_load_store_is_ordered(const ww_load_store *m)
{
    return m->cu->config.in_order && m->class == WW_CLASS_DATA;
}

/* The slot still has the warp that issued the instruction. */
static inline bool ww_memory_op_is_alive(const ww_cu *cu, const ww_memory_op *op)
{
    return cu->residency.present >> op->slot & 1 && cu->slots[op->slot].resident.born == op->born;
}

/* Takes the replies that have arrived. False: checked mode found a fault. */
bool ww_load_store_receive_replies(ww_load_store *m, uint64_t cycle);

#endif
