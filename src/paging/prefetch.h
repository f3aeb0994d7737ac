/* Prefetchers: which pages a driver brings besides those that faulted.
 *
 * set         the pages that the driver is about to move: those that faulted first
 * candidate   a page on the host that is in no set and not on its way (residency.h)
 * full        every frame is in use: a page that comes makes another one leave
 *
 * The driver calls `next` until the set is full or no page is returned; each page that it returned
 * is in the set from then on. */
#ifndef WW_PAGING_PREFETCH_H
#define WW_PAGING_PREFETCH_H

#include "config/policy.h"
#include "paging/residency.h"

#define WW_NO_FAULT UINT64_MAX

typedef struct ww_prefetch_view {
    const ww_page_residency *residency;
    ww_page_record *const *faults; /* of the set, in the order of arrival */
    size_t fault_count;
    uint64_t last_fault; /* the page that faulted last in the whole run, or WW_NO_FAULT */
    bool full;
    /* Pages in the order of their first access in a first pass; NULL: there was none. */
    const uint64_t *order;
    size_t order_count;
} ww_prefetch_view;

typedef struct ww_prefetch {
    ww_policy policy;
    bool when_full; /* it goes on when memory is full */
    /* A new set is to be filled. NULL: the policy need not know. */
    void (*begin)(void *state, const ww_prefetch_view *view);
    /* A candidate; NULL: no more for this set. NULL function: never one. */
    ww_page_record *(*next)(void *state, const ww_prefetch_view *view);
} ww_prefetch;

extern const ww_policy_family ww_prefetch_family; /* paging.prefetch */
extern const ww_policy_family ww_warm_family;     /* paging.warm: until memory is full */

#endif
