/* Eviction policies: which resident page leaves when a page needs memory and none is free.
 *
 * victim    the page that leaves. Where memory is in chunks (paging.chunk), its whole block leaves.
 * test      which pages may leave now: not those that are being moved, nor those that a compute
 *           unit waits for or the driver brings at present (migration.h) */
#ifndef WW_PAGING_EVICT_H
#define WW_PAGING_EVICT_H

#include "config/policy.h"
#include "paging/residency.h"

typedef struct ww_victim_test {
    bool (*may_leave)(const void *context, const ww_page_record *record);
    const void *context;
} ww_victim_test;

static inline bool ww_may_leave(const ww_victim_test *test, const ww_page_record *record)
{
    return test->may_leave(test->context, record);
}

typedef struct ww_evict {
    ww_policy policy;
    /* The page is resident from now on; it is about to leave. NULL: the policy need not know. */
    void (*arrived)(void *state, ww_page_residency *residency, ww_page_record *record);
    void (*leaving)(void *state, ww_page_residency *residency, ww_page_record *record);
    /* A kernel accesses the page. NULL: likewise. */
    void (*accessed)(void *state, ww_page_residency *residency, ww_page_record *record);
    /* A resident page that passes the test; NULL: no page does. */
    ww_page_record *(*choose)(void *state, const ww_page_residency *residency,
                              const ww_victim_test *test);
} ww_evict;

extern const ww_policy_family ww_evict_family;

#endif
