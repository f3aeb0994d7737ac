/* The page whose last access is the longest ago (HPCA 2016, section 5.1): true LRU over all
 * accesses of kernels. */
#include "paging/evict.h"

static void arrived(void *own, ww_page_residency *r, ww_page_record *record)
{
    (void)own;
    ww_page_residency_append(r, record);
}

static void leaving(void *own, ww_page_residency *r, ww_page_record *record)
{
    (void)own;
    ww_page_residency_unlink(r, record);
}

static void accessed(void *own, ww_page_residency *r, ww_page_record *record)
{
    (void)own;
    if (r->newest == record)
        return;
    ww_page_residency_unlink(r, record);
    ww_page_residency_append(r, record);
}

static ww_page_record *choose(void *own, const ww_page_residency *r, const ww_victim_test *test)
{
    (void)own;
    for (ww_page_record *record = r->oldest; record; record = record->newer)
        if (ww_may_leave(test, record))
            return record;
    return NULL;
}

extern const ww_evict ww_evict_lru;
const ww_evict ww_evict_lru = {
    .policy = {.name = "lru", .doc = "the page whose last access is the longest ago"},
    .arrived = arrived,
    .leaving = leaving,
    .accessed = accessed,
    .choose = choose,
};
