#include "support/walk_bench.h"

#include "base/memory.h"
#include "config/config.h"
#include "sim/components.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

const ww_walksched *walk_bench_scheduler(const char *name)
{
    const ww_policy *policy = ww_policy_find(&ww_walksched_family, name);
    assert_non_null(policy);
    return (const ww_walksched *)(const void *)policy;
}

walk_bench *walk_bench_create(const char *scheduler, uint32_t capacity, uint64_t aging,
                              uint64_t seed)
{
    walk_bench *b = ww_calloc(1, sizeof(*b));
    b->scheduler = walk_bench_scheduler(scheduler);
    b->config = ww_config_create(&ww_all_schemas);
    b->state = ww_policy_create(&b->scheduler->policy, &(ww_policy_start){.config = b->config,
                                                                          .prefix = "walk",
                                                                          .seed = seed,
                                                                          .entries = capacity});
    b->buffer = ww_walk_buffer_create(capacity, b->scheduler->scores);
    b->aging = aging;
    for (unsigned i = 0; i < WALK_BENCH_RECORDS; i++)
        b->records[i].number = i + 1;
    return b;
}

void walk_bench_destroy(walk_bench *b)
{
    ww_walk_buffer_destroy(b->buffer);
    free(b->state);
    ww_config_destroy(b->config);
    free(b);
}

void walk_bench_arrive(walk_bench *b, unsigned name, unsigned instruction, uint32_t estimate)
{
    assert_null(b->walks[name]);
    b->translations[name] = (ww_translation){.page = name};
    ww_walk walk = {.translation = &b->translations[name],
                    .record = &b->records[instruction % WALK_BENCH_RECORDS],
                    .address = (uint64_t)name << 12,
                    .number = ++b->came};
    b->walks[name] = ww_walk_buffer_add(b->buffer, &walk, b->scheduler->scores ? estimate : 0);
}

static void remove_walk(walk_bench *b, ww_walk *walk, bool selected)
{
    b->walks[walk->translation->page] = NULL;
    ww_walk_buffer_remove(b->buffer, walk, selected);
}

int walk_bench_serve(walk_bench *b)
{
    if (!ww_walk_buffer_eligible(b->buffer))
        return -1;
    ww_walk *walk = b->scheduler->ages ? ww_walk_buffer_starved(b->buffer, b->aging) : NULL;
    walk = walk ? walk : ww_walksched_choose(b->scheduler, b->state, b->buffer);
    assert_false(walk->held);
    const ww_walk_record *record = walk->record;
    uint64_t name = walk->translation->page;
    remove_walk(b, walk, true);
    ww_walk_buffer_follow(b->buffer, record);
    return (int)name;
}

void walk_bench_at_once(walk_bench *b, unsigned instruction)
{
    ww_walk_buffer_follow(b->buffer, &b->records[instruction % WALK_BENCH_RECORDS]);
}

void walk_bench_hold(walk_bench *b, unsigned name)
{
    ww_walk_buffer_hold(b->buffer, b->walks[name]);
}

void walk_bench_release(walk_bench *b, unsigned name)
{
    ww_walk_buffer_release(b->buffer, b->walks[name]);
}

void walk_bench_answer(walk_bench *b, unsigned name)
{
    remove_walk(b, b->walks[name], false);
}

uint32_t walk_bench_score(const walk_bench *b, unsigned name)
{
    return ww_walk_buffer_score(b->walks[name]);
}
