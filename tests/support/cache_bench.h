/* A cache between two mocks: what is above sends at given ticks and notes when replies come; what
 * is below notes what comes down and answers some ticks later.
 *
 * log      what happened, in order: "5vR3" at tick 5 a read of line 3 arrived below, "9^a" at tick
 *          9 the reply of request a arrived above. Kinds: R read, W write, A atomic, B write-back;
 *          then the line, then ":" and the sectors in hexadecimal where they are not all, and "p"
 *          for a write that is not full.
 * hold     a mock takes nothing before this tick */
#ifndef TESTS_SUPPORT_CACHE_BENCH_H
#define TESTS_SUPPORT_CACHE_BENCH_H

#include "base/rng.h"
#include "mem/cache.h"

typedef struct cache_bench {
    ww_engine *engine;
    ww_request_pool *pool;
    ww_cache *cache;
    ww_cache_config config;
    ww_port out, other_out, down;
    ww_port *outs[2];
    ww_task above, other_above, below;
    ww_tick above_hold, below_hold;
    ww_tick below_latency;
    uint32_t above_rate, below_rate; /* items a tick */
    uint32_t all_sectors;
    uint64_t replies;
    /* Called for each reply that arrives above and each request that arrives below; may be NULL. */
    void (*on_reply)(struct cache_bench *bench, ww_request *request);
    void (*on_below)(struct cache_bench *bench, const ww_request *request);
    void *context;
    bool silent; /* keep no log */
    size_t used;
    char log[4096];
} cache_bench;

/* 4 sets of 2 ways of 64 bytes, no sectors, 4 ticks, 1 port, 4 miss registers for 2 requests each,
 * lru, write back, on fill, the base clock; large queues. */
ww_cache_config cache_bench_config(void);
const ww_replace *cache_bench_policy(const char *name);

void cache_bench_begin(cache_bench *bench, const ww_cache_config *config, uint32_t out_room,
                       uint32_t down_room);
/* With a second way up for odd warps. */
void cache_bench_connect(cache_bench *bench, bool two_outs);
/* Everything was answered and freed, the statistics obey their laws. */
void cache_bench_end(cache_bench *bench);

/* A request that arrives at `tick`; later ones not earlier. Its owner is its letter. */
ww_request *cache_bench_send(cache_bench *bench, ww_tick tick, char letter, ww_request_kind kind,
                             uint64_t line);
/* Runs until nothing is due, checks the log and empties it. */
void cache_bench_expect(cache_bench *bench, const char *log);

#endif
