/* Checked mode (`checked: true`): compares every access with what it must be. Values are computed
 * at issue, so that without these checks a fault of the timing model could hide behind right
 * values.
 *
 * record    a request as it was sent; its sender must receive the same request as a reply, once
 * lines     what the coalescer made of an instruction: recomputed, sector by sector, in another way
 * location  the mapping's answer for an address (mem/mapping.h), at the request and at its reply
 *
 * A failed check ends the run with one line that says which request of which warp is wrong, and
 * how. The checks change no time. One GPU has one ww_checker; compute units without it check
 * nothing. */
#ifndef WW_CORE_CHECKED_MODE_H
#define WW_CORE_CHECKED_MODE_H

#include "base/error.h"
#include "mem/mem.h"

#include <stdbool.h>

struct ww_cu;
struct ww_memory_op;
struct ww_access;
struct ww_warp_lines;

typedef struct ww_checker ww_checker;

ww_checker *ww_checker_create(const ww_mapping *mapping);
void ww_checker_destroy(ww_checker *check);
/* After the run: WW_OK when every request has been answered. */
int ww_checker_end(const ww_checker *check, ww_errors *errors);

/* For compute units that have a ww_checker. Each returns false when the check failed. */

/* The lines cover exactly the sectors that the access touches in its lanes. */
bool ww_check_lines(struct ww_cu *cu, const struct ww_memory_op *op, const struct ww_access *access,
                    const struct ww_warp_lines *lines);
/* Before `request` is sent for the instruction at `pc` of the warp in `slot`. `address` is that of
 * its line: virtual, unless it is physical. */
bool ww_check_send(struct ww_cu *cu, ww_request *request, uint64_t address, bool physical,
                   unsigned slot, uint32_t pc);
/* A reply came to the compute unit for requests of this class. */
bool ww_check_reply(struct ww_cu *cu, const ww_request *request, ww_request_class class);
/* When a load completes: its destination registers must still be marked as outstanding. */
bool ww_check_release(struct ww_cu *cu, const struct ww_memory_op *op);

#endif
