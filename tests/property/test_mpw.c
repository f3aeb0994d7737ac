/* Marching page walks against a naive model, which goes over all walks in every tick: each walk of
 * a random stream is answered in the tick that the model says, after as many reads. */
#include "support/mmu_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { REQUESTS = 100, MOST_WALKERS = 8 };

typedef enum where { OUTSIDE, BUFFER, LOOKUP, READY, CHOSEN, READING, DONE } where;

typedef struct model_walk {
    ww_tick comes, due; /* `due`: of its lookup, or of its line */
    where where;
    unsigned level, walker;
    ww_tick answered;
    unsigned reads;
} model_walk;

typedef struct model {
    unsigned walkers, entries, leaf;
    ww_tick read, lookup;
    unsigned turn;
    model_walk walks[REQUESTS]; /* in the order of arrival */
} model;

static bool is_at(const model_walk *w, unsigned walker)
{
    return w->where > BUFFER && w->where < DONE && w->walker == walker;
}

static unsigned count_at(const model *m, unsigned walker)
{
    unsigned count = 0;
    for (unsigned i = 0; i < REQUESTS; i++)
        count += is_at(&m->walks[i], walker);
    return count;
}

static void finish_steps(model *m, ww_tick now)
{
    for (unsigned i = 0; i < REQUESTS; i++) {
        model_walk *w = &m->walks[i];
        if (w->where == LOOKUP && w->due == now)
            w->where = READY;
        if (w->where != READING || w->due != now)
            continue;
        w->where = w->level == m->leaf ? DONE : READY;
        w->answered = now + 1;
        w->level--;
    }
}

static void fill(model *m, ww_tick now)
{
    for (unsigned i = 0; i < REQUESTS; i++) {
        model_walk *w = &m->walks[i];
        if (w->where == OUTSIDE && w->comes == now)
            w->where = BUFFER;
        if (w->where != BUFFER)
            continue;
        for (unsigned tries = 0; tries < m->walkers && w->where == BUFFER; tries++) {
            unsigned walker = (m->turn + tries) % m->walkers;
            if (count_at(m, walker) == m->entries)
                continue;
            *w = (model_walk){.comes = w->comes,
                              .due = now + m->lookup,
                              .where = m->lookup ? LOOKUP : READY,
                              .level = 4,
                              .walker = walker};
            m->turn = walker + 1;
        }
    }
}

static void choose(model *m, unsigned walker)
{
    unsigned level = 0;
    for (unsigned i = 0; i < REQUESTS; i++)
        if (is_at(&m->walks[i], walker) && m->walks[i].where > READY)
            return;
    for (unsigned i = 0; i < REQUESTS; i++) {
        model_walk *w = &m->walks[i];
        if (!is_at(w, walker) || w->where != READY)
            continue;
        level = level ? level : w->level;
        if (w->level == level)
            w->where = CHOSEN;
    }
}

static void read_one(model *m, unsigned walker, ww_tick now)
{
    for (unsigned i = 0; i < REQUESTS; i++) {
        model_walk *w = &m->walks[i];
        if (!is_at(w, walker) || w->where != CHOSEN)
            continue;
        w->where = READING;
        w->due = now + m->read;
        w->reads++;
        return;
    }
}

static void run_model(model *m)
{
    for (ww_tick now = 1; now < 1000000; now++) {
        unsigned done = 0;
        finish_steps(m, now);
        fill(m, now);
        for (unsigned walker = 0; walker < m->walkers; walker++) {
            choose(m, walker);
            read_one(m, walker, now);
        }
        for (unsigned i = 0; i < REQUESTS; i++)
            done += m->walks[i].where == DONE;
        if (done == REQUESTS)
            return;
    }
    fail_msg("the model does not end");
}

static void check(ww_rng *rng)
{
    static const char *const entries[] = {"1", "2", "3", "8"};
    static const unsigned counts[] = {1, 2, 3, 8};
    size_t chosen = ww_rng_below(rng, 4);
    bool large = ww_rng_below(rng, 4) == 0;
    model m = {.walkers = 1 + (unsigned)ww_rng_below(rng, MOST_WALKERS),
               .entries = counts[chosen],
               .leaf = large ? 2 : 1,
               .read = 1 + ww_rng_below(rng, 40),
               .lookup = ww_rng_below(rng, 2) * 7};
    mmu_rig_config c = mmu_rig_plain();
    mmu_rig_request *requests[REQUESTS];
    c.merge = "mpw";
    c.batch_entries = entries[chosen];
    c.page_bytes = large ? 2 << 20 : 4096;
    c.mmu.walkers = m.walkers;
    c.mmu.cache_latency = (uint32_t)m.lookup;
    c.mmu.buffer = c.mmu.queue = c.most = REQUESTS;
    c.memory_queue = REQUESTS;
    c.read_time = m.read;
    mmu_rig *rig = mmu_rig_create(&c, REQUESTS, 1);
    mmu_rig_silence(rig);
    ww_tick tick = 1;
    for (unsigned i = 0; i < REQUESTS; i++) {
        tick += ww_rng_below(rng, 3) ? 0 : ww_rng_below(rng, 40);
        m.walks[i].comes = tick;
        requests[i] = mmu_rig_plan(rig, tick, 'r', 0, ww_rng_below(rng, 1 << 24));
    }
    assert_true(mmu_rig_run(rig));
    run_model(&m);
    for (unsigned i = 0; i < REQUESTS; i++) {
        assert_int_equal(requests[i]->answered, m.walks[i].answered);
        assert_int_equal(requests[i]->reads, m.walks[i].reads);
    }
    mmu_rig_destroy(rig);
}

static void walks_are_answered_when_the_model_says(void **state)
{
    (void)state;
    ww_rng rng;
    ww_rng_seed(&rng, 7);
    for (unsigned i = 0; i < 30; i++)
        check(&rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(walks_are_answered_when_the_model_says)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
