/* Residency (paging/residency.h) against a naive model: an array of states. */
#include "paging/residency.h"

#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PAGES = 3000, STEPS = 20000, BUFFERS = 40 };

typedef struct model {
    unsigned buffers[PAGES];
    ww_page_state state[PAGES];
    bool chosen[PAGES];
    struct {
        unsigned first, count; /* 0: no buffer */
    } buffer[BUFFERS];
} model;

static model m;
static ww_page_residency r;
static ww_rng rng;

static unsigned below(unsigned bound)
{
    return (unsigned)ww_rng_below(&rng, bound);
}

/* Pages on their way stay so. */
static void forget(void *context, ww_page_record *record)
{
    (void)context;
    if (record->state == WW_PAGE_ON_HOST || record->state == WW_PAGE_RESIDENT)
        ww_page_residency_set_state(&r, record, WW_PAGE_NONE);
}

/* Addresses within pages: a buffer has all pages that it touches. */
static void add_or_remove(void)
{
    unsigned i = below(BUFFERS), inset = below(4096);
    if (m.buffer[i].count) {
        ww_page_residency_remove(&r, m.buffer[i].first * 4096ull + 5,
                                 m.buffer[i].count * 4096ull - 5, forget, NULL);
        for (unsigned p = m.buffer[i].first; p < m.buffer[i].first + m.buffer[i].count; p++)
            if (!--m.buffers[p] && m.state[p] != WW_PAGE_COMING && m.state[p] != WW_PAGE_LEAVING)
                m.state[p] = WW_PAGE_NONE;
        m.buffer[i].count = 0;
        return;
    }
    unsigned first = below(PAGES - 200), count = 1 + below(199);
    m.buffer[i].first = first;
    m.buffer[i].count = count;
    ww_page_residency_add(&r, first * 4096ull + inset, count * 4096ull - inset);
    for (unsigned p = first; p < first + count; p++)
        if (!m.buffers[p]++ && m.state[p] == WW_PAGE_NONE)
            m.state[p] = WW_PAGE_ON_HOST;
}

static void change_page(void)
{
    static const ww_page_state next[] = {[WW_PAGE_ON_HOST] = WW_PAGE_COMING,
                                         [WW_PAGE_COMING] = WW_PAGE_RESIDENT,
                                         [WW_PAGE_RESIDENT] = WW_PAGE_LEAVING,
                                         [WW_PAGE_LEAVING] = WW_PAGE_ON_HOST};
    unsigned p = below(PAGES);
    if (m.state[p] == WW_PAGE_NONE)
        return;
    ww_page_record *record = ww_page_residency_find(&r, p);
    if (below(4) == 0) {
        m.chosen[p] = record->chosen = !record->chosen;
        return;
    }
    m.state[p] = m.buffers[p] ? next[m.state[p]] : WW_PAGE_NONE;
    ww_page_residency_set_state(&r, record, m.state[p]);
}

static bool is_candidate(unsigned p)
{
    return m.state[p] == WW_PAGE_ON_HOST && !m.chosen[p];
}

static void compare_candidates(void)
{
    unsigned from = below(PAGES), p = from;
    while (p < PAGES && !is_candidate(p))
        p++;
    const ww_page_record *record = ww_page_residency_next_candidate(&r, from);
    assert_int_equal(record ? ww_page_residency_page(&r, record) : PAGES, p);
    record = ww_page_residency_any_candidate(&r, &rng);
    for (p = 0; p < PAGES && !is_candidate(p);)
        p++;
    assert_int_equal(!record, p == PAGES);
    assert_true(!record || is_candidate((unsigned)ww_page_residency_page(&r, record)));
}

static void compare_all(void)
{
    size_t on_host = 0, resident = 0, pages = 0;
    for (unsigned p = 0; p < PAGES; p++) {
        const ww_page_record *record = ww_page_residency_find(&r, p);
        assert_int_equal(record ? record->state : WW_PAGE_NONE, m.state[p]);
        assert_true(!record || ww_page_residency_page(&r, record) == p);
        assert_true(!record || record->buffers == m.buffers[p]);
        on_host += m.state[p] == WW_PAGE_ON_HOST;
        resident += m.state[p] == WW_PAGE_RESIDENT;
        pages += m.buffers[p] > 0;
    }
    assert_int_equal(r.on_host.count, on_host);
    assert_int_equal(r.resident.count, resident);
    assert_int_equal(r.pages, pages);
    for (size_t i = 0; i < r.resident.count; i++)
        assert_int_equal(r.resident.items[i]->state, WW_PAGE_RESIDENT);
    for (size_t i = 0; i < r.on_host.count; i++)
        assert_int_equal(r.on_host.items[i]->state, WW_PAGE_ON_HOST);
}

static void compare_blocks(void)
{
    for (size_t i = 0; i < r.block_count; i++) {
        const ww_page_block *block = r.blocks[i];
        unsigned count[WW_PAGE_LEAVING + 1] = {0};
        assert_true(!i || r.blocks[i - 1]->number < block->number);
        for (unsigned p = 0; p < 512 && block->number * 512 + p < PAGES; p++)
            count[m.state[block->number * 512 + p]]++;
        assert_int_equal(block->on_host, count[WW_PAGE_ON_HOST]);
        assert_int_equal(block->resident, count[WW_PAGE_RESIDENT]);
        assert_int_equal(block->moving, count[WW_PAGE_COMING] + count[WW_PAGE_LEAVING]);
    }
}

static void states_are_those_of_the_model(void **state)
{
    (void)state;
    memset(&m, 0, sizeof(m));
    ww_rng_seed(&rng, 7);
    ww_page_residency_init(&r, 12);
    for (unsigned i = 0; i < STEPS; i++) {
        if (below(20) == 0)
            add_or_remove();
        else
            change_page();
        if (i % 16 == 0)
            compare_candidates();
        if (i % 500 == 0) {
            compare_all();
            compare_blocks();
        }
    }
    ww_page_residency_clear(&r);
}

/* The list: an array in the model, in which a page is moved to the end. */
static void the_list_is_that_of_the_model(void **state)
{
    (void)state;
    unsigned order[64], count = 0;
    ww_rng_seed(&rng, 8);
    ww_page_residency_init(&r, 12);
    ww_page_residency_add(&r, 0, 64 * 4096);
    for (unsigned i = 0; i < 5000; i++) {
        unsigned p = below(64), at = 0;
        ww_page_record *record = ww_page_residency_find(&r, p);
        while (at < count && order[at] != p)
            at++;
        if (at < count) {
            ww_page_residency_unlink(&r, record);
            memmove(&order[at], &order[at + 1], (--count - at) * sizeof(order[0]));
        }
        if (below(2)) {
            ww_page_residency_append(&r, record);
            order[count++] = p;
        }
        const ww_page_record *it = r.oldest;
        for (unsigned k = 0; k < count; k++, it = it->newer)
            assert_int_equal(ww_page_residency_page(&r, it), order[k]);
        assert_null(it);
        assert_true(count ? r.newest == ww_page_residency_find(&r, order[count - 1]) : !r.newest);
    }
    ww_page_residency_clear(&r);
}

/* Of 512 pages, all but the last 8 of the bag are chosen: the others come with the same chance.
 * Chi-square of 8 classes and 8000 draws: below 24.3 with a chance of 0.999. */
static void any_candidate_has_the_same_chance(void **state)
{
    (void)state;
    unsigned count[512] = {0};
    ww_rng_seed(&rng, 1);
    ww_page_residency_init(&r, 12);
    ww_page_residency_add(&r, 0, 512 * 4096);
    for (unsigned i = 0; i < 504; i++)
        ww_page_residency_find(&r, i)->chosen = true;
    for (unsigned i = 0; i < 8000; i++)
        count[ww_page_residency_page(&r, ww_page_residency_any_candidate(&r, &rng))]++;
    double chi = 0;
    for (unsigned i = 0; i < 512; i++)
        chi += i < 504 ? 1e9 * count[i] : (count[i] - 1000.0) * (count[i] - 1000.0) / 1000;
    assert_true(chi < 24.3);
    ww_page_residency_clear(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_are_those_of_the_model),
        cmocka_unit_test(the_list_is_that_of_the_model),
        cmocka_unit_test(any_candidate_has_the_same_chance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
