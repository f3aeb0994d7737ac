/* Checked mode (`checked: true`): every access is held against what it must be, so that a fault of the timing model
 * cannot hide behind right values, which happen at issue.
 *
 * record    what a request was when it was sent; the reply must be the same request, once, to who sent it
 * lines     what the coalescer made of an instruction: recomputed here, sector by sector, in another way
 * place     of an address: the mapping's answer (mem/mapping.h), when a request is sent and when its reply comes
 *
 * A check that fails ends the run with one line that says which request of which warp is wrong, and how. The checks
 * change no time. A ww_check belongs to one GPU; compute units without one check nothing. */
#ifndef WW_CORE_CHECK_H
#define WW_CORE_CHECK_H

#include "base/error.h"
#include "mem/mem.h"

#include <stdbool.h>

struct ww_core;
struct ww_memory_op;
struct ww_lines;

typedef struct ww_check ww_check;

ww_check *ww_check_create(const ww_mapping *mapping);
void ww_check_destroy(ww_check *check);
/* Nothing is due any more: WW_OK when every request has come back. */
int ww_check_end(const ww_check *check, ww_errors *errors);

/* For compute units that have a ww_check. Each returns false when the run is over. */

/* The lines cover exactly the sectors that the access (of the executor) touches in its lanes. */
bool ww_check_lines(struct ww_core *core, const struct ww_memory_op *op,
                    const struct ww_lines *lines);
/* `request` is about to be sent for the instruction at `pc` of the warp in `slot`; its line is at the virtual `address`. */
bool ww_check_send(struct ww_core *core, ww_request *request, uint64_t address, unsigned slot,
                   uint32_t pc);
/* A reply came to the compute unit for requests of this class. */
bool ww_check_reply(struct ww_core *core, const ww_request *request, ww_request_class class);
/* The registers that a load of a warp brings are waited for until now, when it is complete. */
bool ww_check_release(struct ww_core *core, const struct ww_memory_op *op);

#endif
