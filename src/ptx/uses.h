/* Where a function's registers are read and written, by register, and where they are live.
 *
 * occurrence   one read or write of a register by an instruction
 * sure write   a write in every active lane: one without a guard
 * live         its present value may still be read
 * The carry of add.cc and similar is one more register, after the declared ones. A return reads the
 * registers that hold its function's results. */
#ifndef WW_PTX_USES_H
#define WW_PTX_USES_H

#include "ptx/flow.h"

enum ww_use { WW_USE_READ, WW_USE_WRITE, WW_USE_SURE_WRITE };

typedef struct ww_occurrence {
    uint32_t instruction;
    uint8_t use; /* ww_use */
} ww_occurrence;

typedef struct ww_uses {
    const ww_flow *flow;
    uint32_t register_count; /* declared ones and the carry */
    uint32_t *first;         /* by register: its part of `list`; one more at the end */
    ww_occurrence *list;     /* by register and instruction; reads before writes */
} ww_uses;

ww_uses *ww_uses_create(const ww_flow *flow);
void ww_uses_destroy(ww_uses *uses);

/* The registers of an instruction, the carry and return values included. */
void ww_uses_reads(const ww_function *f, uint32_t instruction, ww_visit_register *visit,
                   void *context);
void ww_uses_writes(const ww_function *f, uint32_t instruction, ww_visit_register *visit,
                    void *context);

/* Blocks at whose start, or end, one register is live; reusable for the next register. */
typedef struct ww_live_blocks {
    const ww_uses *uses;
    uint32_t reg;
    uint32_t *blocks; /* live at their start */
    uint32_t count;
    uint32_t *in;   /* by block: reg + 1 when live at its start */
    uint32_t *out;  /* likewise at its end */
    uint32_t *kill; /* likewise when it surely writes it */
} ww_live_blocks;

ww_live_blocks *ww_live_blocks_create(const ww_uses *uses);
void ww_live_blocks_destroy(ww_live_blocks *live);
void ww_live_blocks_find(ww_live_blocks *live, uint32_t reg);

#endif
