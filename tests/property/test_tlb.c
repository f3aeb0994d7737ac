/* A TLB against one that does everything anew in every tick with plain lists: the same answers at
 * the same ticks, and the same counts, at any size. */
#include "base/rng.h"
#include "support/tlb_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { REQUESTS = 400, MOST = 64 };

typedef struct naive_request {
    uint64_t page;
    ww_tick planned, arrival; /* at the TLB, or below */
    ww_tick due;              /* of a fill */
    ww_tick answered;
    bool missed;
} naive_request;

typedef struct list {
    size_t items[REQUESTS];
    size_t count;
} list;

typedef struct naive {
    const tlb_rig_config *c;
    naive_request r[REQUESTS];
    uint64_t known[MOST]; /* pages, in order of use, the last one first; all sets in one list */
    size_t known_count;
    list in, unsent, down, below, missing;
    size_t fed;
    uint64_t hits, misses, merged, evictions;
} naive;

static void remove_at(list *l, size_t index)
{
    memmove(&l->items[index], &l->items[index + 1], (--l->count - index) * sizeof(l->items[0]));
}

static size_t sets_of(const naive *n)
{
    const ww_lru_config *e = &n->c->tlb.entries;
    return e->ways ? e->entries / e->ways : 1;
}

static bool look(naive *n, uint64_t page)
{
    for (size_t i = 0; i < n->known_count; i++) {
        if (n->known[i] != page)
            continue;
        memmove(&n->known[1], &n->known[0], i * sizeof(n->known[0]));
        n->known[0] = page;
        return true;
    }
    return false;
}

static void learn(naive *n, uint64_t page)
{
    size_t sets = sets_of(n), in_set = 0, last = 0;
    size_t ways = n->c->tlb.entries.entries / sets;
    if (!ways || look(n, page))
        return;
    for (size_t i = 0; i < n->known_count; i++)
        if (n->known[i] % sets == page % sets) {
            in_set++;
            last = i;
        }
    if (in_set == ways) {
        memmove(&n->known[last], &n->known[last + 1],
                (--n->known_count - last) * sizeof(n->known[0]));
        n->evictions++;
    }
    memmove(&n->known[1], &n->known[0], n->known_count++ * sizeof(n->known[0]));
    n->known[0] = page;
}

static void answer_page(naive *n, size_t first, ww_tick now)
{
    learn(n, n->r[first].page);
    for (size_t i = 0; i < n->missing.count;) {
        naive_request *r = &n->r[n->missing.items[i]];
        if (r->page != n->r[first].page) {
            i++;
            continue;
        }
        r->answered = now;
        remove_at(&n->missing, i);
    }
}

static size_t pages_missing(const naive *n, uint64_t page, bool *has)
{
    size_t misses = 0;
    *has = false;
    for (size_t i = 0; i < n->missing.count; i++) {
        const naive_request *r = &n->r[n->missing.items[i]];
        misses += r->missed;
        *has |= r->page == page;
    }
    return misses;
}

/* The first of the queue. False: it cannot go on. */
static bool look_up_first(naive *n, ww_tick now)
{
    size_t index = n->in.items[0];
    naive_request *r = &n->r[index];
    bool merges;
    if (look(n, r->page)) {
        n->hits++;
        r->answered = now;
        remove_at(&n->in, 0);
        return true;
    }
    size_t misses = pages_missing(n, r->page, &merges);
    if (!merges) {
        if (misses == n->c->tlb.mshrs)
            return false;
        r->missed = true;
        n->unsent.items[n->unsent.count++] = index;
    }
    n->misses += !merges;
    n->merged += merges;
    n->missing.items[n->missing.count++] = index;
    remove_at(&n->in, 0);
    return true;
}

static void send_down(naive *n, ww_tick now)
{
    while (n->unsent.count && n->down.count < n->c->down_queue) {
        size_t index = n->unsent.items[0];
        remove_at(&n->unsent, 0);
        n->r[index].arrival = now + n->c->down_latency;
        n->down.items[n->down.count++] = index;
    }
}

static void tick(naive *n, ww_tick now)
{
    while (n->down.count && n->r[n->down.items[0]].arrival <= now) {
        size_t index = n->down.items[0];
        remove_at(&n->down, 0);
        n->r[index].due = now + tlb_rig_below_time(n->c, index);
        n->below.items[n->below.count++] = index;
    }
    for (size_t i = 0; i < n->below.count;) {
        size_t index = n->below.items[i];
        if (n->r[index].due > now) {
            i++;
            continue;
        }
        remove_at(&n->below, i);
        answer_page(n, index, now);
    }
    for (uint32_t lookup = 0; lookup < n->c->tlb.lookups; lookup++)
        if (!n->in.count || n->r[n->in.items[0]].arrival > now || !look_up_first(n, now))
            break;
    send_down(n, now);
    uint32_t capacity = n->c->tlb.queue + n->c->tlb.latency * n->c->tlb.lookups;
    while (n->fed < REQUESTS && n->r[n->fed].planned <= now + 1 && n->in.count < capacity) {
        n->r[n->fed].arrival = now + 1;
        n->in.items[n->in.count++] = n->fed++;
    }
}

static void compare(const tlb_rig_config *c, ww_rng *rng)
{
    static naive n;
    tlb_rig_request *requests[REQUESTS];
    tlb_rig *rig = tlb_rig_create(c, REQUESTS);
    ww_tick now = 1;
    uint64_t pages = 1 + ww_rng_below(rng, 40);
    memset(&n, 0, sizeof(n));
    n.c = c;
    tlb_rig_silence(rig);
    for (size_t i = 0; i < REQUESTS; i++) {
        now += ww_rng_below(rng, 3) ? 0 : ww_rng_below(rng, 8);
        n.r[i] = (naive_request){.page = ww_rng_below(rng, pages), .planned = now};
        requests[i] = tlb_rig_plan(rig, now, 'r', n.r[i].page);
    }
    tlb_rig_run(rig);
    for (now = 0; n.fed < REQUESTS || n.in.count || n.missing.count; now++)
        tick(&n, now);
    for (size_t i = 0; i < REQUESTS; i++)
        assert_int_equal(requests[i]->answered, n.r[i].answered);
    const ww_tlb_counters *counters = ww_tlb_count(tlb_rig_tlb(rig));
    assert_int_equal(counters->hits, n.hits);
    assert_int_equal(counters->misses, n.misses);
    assert_int_equal(counters->merged, n.merged);
    assert_int_equal(counters->evictions, n.evictions);
    tlb_rig_destroy(rig);
}

static void it_answers_when_a_naive_one_does(void **state)
{
    static const ww_lru_config entries[] = {{0, 0, false},  {1, 0, false}, {4, 0, false},
                                            {32, 0, false}, {8, 2, false}, {16, 1, false},
                                            {6, 2, false}};
    (void)state;
    ww_rng rng;
    ww_rng_seed(&rng, 9);
    for (int round = 0; round < 400; round++) {
        tlb_rig_config c = tlb_rig_plain();
        c.tlb.entries = entries[ww_rng_below(&rng, 7)];
        c.tlb.latency = 1 + (uint32_t)ww_rng_below(&rng, 4);
        c.tlb.lookups = 1 + (uint32_t)ww_rng_below(&rng, 4);
        c.tlb.mshrs = 1 + (uint32_t)ww_rng_below(&rng, 12);
        c.tlb.queue = 1 + (uint32_t)ww_rng_below(&rng, 6);
        c.down_latency = 1 + (uint32_t)ww_rng_below(&rng, 5);
        c.down_queue = 1 + (uint32_t)ww_rng_below(&rng, 5);
        c.below_time = ww_rng_below(&rng, 40);
        c.below_more = ww_rng_below(&rng, 2) * ww_rng_below(&rng, 40);
        compare(&c, &rng);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(it_answers_when_a_naive_one_does)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
