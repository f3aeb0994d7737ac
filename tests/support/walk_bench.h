/* A walk buffer and a scheduler without walkers: walks come, are served, held, released and
 * answered by hand.
 *
 * A walk has a letter or any other number as its name, and an instruction, by number. */
#ifndef WW_TESTS_SUPPORT_WALK_BENCH_H
#define WW_TESTS_SUPPORT_WALK_BENCH_H

#include "vm/walksched.h"

enum { WALK_BENCH_RECORDS = 1024, WALK_BENCH_WALKS = 256 };

typedef struct walk_bench {
    const ww_walksched *scheduler;
    void *state;
    ww_walk_buffer *buffer;
    uint64_t aging;
    uint64_t came;
    ww_walk_record records[WALK_BENCH_RECORDS];
    ww_translation translations[WALK_BENCH_WALKS]; /* by name */
    ww_walk *walks[WALK_BENCH_WALKS];              /* where those that wait are; NULL */
    struct ww_config *config;
} walk_bench;

const ww_walksched *walk_bench_scheduler(const char *name);
walk_bench *walk_bench_create(const char *scheduler, uint32_t capacity, uint64_t aging,
                              uint64_t seed);
void walk_bench_destroy(walk_bench *b);

void walk_bench_arrive(walk_bench *b, unsigned name, unsigned instruction, uint32_t estimate);
/* The one that goes next, which is taken out. -1: none can. */
int walk_bench_serve(walk_bench *b);
/* A walk of the instruction found a walker idle. */
void walk_bench_at_once(walk_bench *b, unsigned instruction);
void walk_bench_hold(walk_bench *b, unsigned name);
void walk_bench_release(walk_bench *b, unsigned name);
/* Answered while it waits. */
void walk_bench_answer(walk_bench *b, unsigned name);
uint32_t walk_bench_score(const walk_bench *b, unsigned name);

#endif
