/* Criticality-aware warp scheduling with an oracle (dissertation on warp criticality, section 3.4):
 * what its three variants share. They differ in which warps are critical.
 *
 * counter     of a warp: issues of others until it is due. The warp that issues has its counter
 *             reset, all others count down. The ready warp with the smallest issues.
 * pool        the number of warps that counters are sized for: the slots of a scheduler
 * reset       a usual warp is due once in as many issues as the pool has warps, a critical one more
 *             often: once in 48 and in 40 in a pool of 48. Counters are reset to one less, as the
 *             47 of round robin in the dissertation.
 * known       a warp whose time the first pass recorded; others are never critical or fast
 *
 * A counter stops at 0. Of several at 0 the first that got there is next: `due` does not stop,
 * which keeps that order. Of equal ones the older warp is next. A new warp is due behind the
 * resident ones, and no later than one that has just issued: the first 48 start from 0 to 47. */
#ifndef WW_CORE_SCHED_CAWS_H
#define WW_CORE_SCHED_CAWS_H

#include "core/scheduler.h"

typedef struct ww_caws {
    uint64_t present;            /* slots of this scheduler that hold a warp */
    uint64_t critical, fast;     /* slots of the compute unit */
    uint64_t issues;             /* so far, of this scheduler, or of all of a pool */
    uint64_t due[WW_MOST_SLOTS]; /* a counter is due - issues, or 0 */
    uint64_t usual_reset, critical_reset, fast_reset;
} ww_caws;

/* Functions of the contract that all variants have. The state starts with a ww_caws. */
void ww_caws_start(void *state, const ww_policy_start *start);
unsigned ww_caws_pick(void *state, const ww_scheduler_view *view, uint64_t candidates);
uint64_t ww_caws_before(const void *state, const ww_scheduler_view *view, unsigned picked);
void ww_caws_issued(void *state, unsigned slot);
void ww_caws_warp_ended(void *state, unsigned slot);
uint64_t ww_caws_due(const void *state, unsigned slot);
void ww_caws_other_issued(void *state);

/* The issues from one of the warp's to its next. */
uint64_t ww_caws_reset(const ww_caws *state, unsigned slot);
/* Adds new warps and removes ended ones; pool_changed then marks critical and fast warps. */
void ww_caws_update_pool(ww_caws *state, const ww_warp_pool *pool);
/* The known warp of `mask` with the longest time; of equal ones the lowest slot. WW_MOST_SLOTS:
 * none is known. */
unsigned ww_caws_longest(const ww_warp_pool *pool, uint64_t mask);
/* Mark the critical and the fast warps of a pool, each after its variant (caws_blk.c and so on). */
void ww_caws_mark_blk(ww_caws *state, const ww_warp_pool *pool);
void ww_caws_mark_sm(ww_caws *state, const ww_warp_pool *pool);

typedef struct ww_caws_average {
    double threshold;
    bool by_group;
} ww_caws_average;

ww_caws_average ww_caws_read_average(const ww_policy_start *start);
void ww_caws_mark_avg(ww_caws *state, const ww_caws_average *average, const ww_warp_pool *pool);
/* A counter for each warp of the pool, and which of 2^level_bits values to reset it to. The
 * dissertation gives no number. */
uint64_t ww_caws_storage_bits(const ww_policy_start *start, unsigned level_bits);

#define WW_CAWS_FUNCTIONS                                                     \
    .pick = ww_caws_pick, .before = ww_caws_before, .issued = ww_caws_issued, \
    .warp_ended = ww_caws_warp_ended, .due = ww_caws_due, .other_issued = ww_caws_other_issued

/* Keys of all variants. */
#define WW_CAWS_KEYS WW_CAWS_POOL_KEY, WW_CAWS_SHARE_KEY
#define WW_CAWS_POOL_KEY                                                                  \
    {                                                                                     \
        .key = "caws_pool", .type = WW_KEY_U64, .unit = "warps", .min = "0", .max = "64", \
        .initial = "0",                                                                   \
        .doc = "warps that the counters are sized for; 0: the slots of a scheduler"       \
    }
#define WW_CAWS_SHARE_KEY                                                                       \
    {                                                                                           \
        .key = "caws_share", .type = WW_KEY_DOUBLE, .min = "0", .max = "0.9", .initial = "0.2", \
        .doc = "how much more often a critical warp issues, and a fast one less often (0.2: "   \
               "dissertation, 3.4.2)"                                                           \
    }

/* Of the variants that compare with an average. */
extern const char *const ww_caws_averages[];
#define WW_CAWS_AVERAGE_KEYS                                                                     \
    {.key = "caws_threshold",                                                                    \
     .type = WW_KEY_DOUBLE,                                                                      \
     .min = "0",                                                                                 \
     .max = "1",                                                                                 \
     .initial = "0.2",                                                                           \
     .doc = "share of the average by which a critical warp took longer, and a fast one less "    \
            "(0.2: dissertation, 3.4.2)"},                                                       \
    {                                                                                            \
        .key = "caws_average", .type = WW_KEY_CHOICE, .choices = ww_caws_averages,               \
        .initial = "compute_unit",                                                               \
        .doc =                                                                                   \
            "whose average a warp is compared with: that of all in the compute unit, or of its " \
            "group"                                                                              \
    }

/* The first pass: the time of each warp under round robin (dissertation, section 3.5). */
extern const ww_first_pass_need ww_caws_first_pass;

#endif
