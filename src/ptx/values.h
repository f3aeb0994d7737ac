/* The values of a function's registers: static single assignment form, beside the instructions.
 *
 * value     one version of a register: what it holds at the entry, what an instruction writes, or
 *           what is merged at the start of a block from its predecessors
 * input     what a merged value may come from: one for each predecessor, in their order; block 0
 *           has one more, the value at the entry
 * kept      of a guarded write: the value that stays where the guard is false, or WW_NO_VALUE
 * user      what reads a value: an instruction, or a value merged or kept from it
 * Merges exist only where the register is live. Unreachable blocks have no values and no reads. */
#ifndef WW_PTX_VALUES_H
#define WW_PTX_VALUES_H

#include "ptx/uses.h"

#define WW_NO_VALUE UINT32_MAX

enum ww_ssa_value_kind { WW_VALUE_ENTRY, WW_VALUE_WRITTEN, WW_VALUE_MERGED };

typedef struct ww_ssa_value {
    uint8_t kind; /* ww_ssa_value_kind */
    uint32_t reg;
    uint32_t block;
    uint32_t instruction; /* WRITTEN */
    uint32_t kept;        /* WRITTEN */
    uint32_t input_at;    /* MERGED: its first in `inputs` */
} ww_ssa_value;

typedef struct ww_values {
    const ww_flow *flow;
    ww_ssa_value *values; /* values [0, register_count) are those at the entry, by register */
    uint32_t count;
    uint32_t register_count; /* the carry included */
    uint32_t *inputs;
    uint32_t *written_at; /* by instruction: its first value; it has written_count of them */
    uint16_t *written_count;
    uint32_t *merged_at; /* by block: its first merged value; one more at the end */
    uint32_t *user_at;   /* by value: its part of `users`; one more at the end */
    uint32_t *users;     /* an instruction, or instruction_count + a value */
} ww_values;

ww_values *ww_values_create(const ww_uses *uses);
void ww_values_destroy(ww_values *values);

static inline uint32_t ww_values_input_count(const ww_values *values, uint32_t block)
{
    return values->flow->blocks[block].predecessor_count + (block == 0);
}

#endif
