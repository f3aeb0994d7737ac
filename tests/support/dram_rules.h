/* The rules between DRAM commands, said a second time: the least distance of any two, without the
 * state that the implementation keeps. */
#ifndef WW_TESTS_SUPPORT_DRAM_RULES_H
#define WW_TESTS_SUPPORT_DRAM_RULES_H

#include "base/rng.h"
#include "mem/dram.h"

/* No distance of random timings is longer. */
enum { RULE_FAR = 1000 };

bool rule_is_column(const ww_dram_command *c);
bool rule_is_refresh(const ww_dram_command *c);
bool rule_concerns_rank(const ww_dram_command *c); /* all its banks */
bool rule_closes_row(const ww_dram_command *c);

typedef struct rule_relation {
    bool rank, group, bank; /* the two commands are to the same */
} rule_relation;

rule_relation rule_relate(const ww_dram_type *type, const ww_dram_command *a,
                          const ww_dram_command *b);
/* From a read or write to a precharge of its bank. */
int64_t rule_recovery(const ww_dram_timing *t, const ww_dram_command *a);
/* The least distance of b after a. */
int64_t rule_least_distance(const ww_dram_type *type, const ww_dram_command *a,
                            const ww_dram_command *b);
/* Whether a command keeps its distance from all before it, and four activates their window. */
bool rule_is_legal(const ww_dram_type *type, const ww_dram_command *history, size_t count,
                   const ww_dram_command *next);

uint32_t rule_between(ww_rng *rng, uint32_t low, uint32_t high);
/* Any timings that fit together. */
void rule_random_timing(ww_dram_config *c, ww_rng *rng);

#endif
