/* Marching page walks (HPCA 2025, Lee et al.), as the authors of page walks on compute units
 * compare with them: each walker has a part of the queue. It takes the oldest walk of its part and
 * all others there whose next entries are of the same level, whatever their addresses, reads these
 * entries back to back, and takes the next batch when all have come. */
#include "config/config.h"
#include "stats/stats.h"
#include "vm/walkmerge.h"

typedef struct mpw {
    uint64_t batches[WW_LEVELS]; /* by level - 1 */
    uint64_t walks[WW_LEVELS];   /* in them */
    uint64_t waiting;            /* ticks, of walks that could read */
    uint32_t entries;            /* a walker */
} mpw;

static void start(void *state, const ww_policy_start *start)
{
    ((mpw *)state)->entries = (uint32_t)ww_policy_u64(start, "batch_entries");
}

static uint32_t walker_walks(const void *state)
{
    return ((const mpw *)state)->entries;
}

static uint64_t batch(void *state, const ww_ready_walks *ready)
{
    mpw *s = state;
    unsigned level = ready->walks[0].level;
    uint64_t chosen = 0;
    for (uint32_t i = 0; i < ready->count; i++) {
        if (ready->walks[i].level != level)
            continue;
        chosen |= 1ull << i;
        s->walks[level - 1]++;
        s->waiting += ready->now - ready->walks[i].since;
    }
    s->batches[level - 1]++;
    return chosen;
}

/* For each entry the virtual page (36 bits), the node (40) and the level (3). */
static uint64_t storage_bits(const ww_policy_start *start)
{
    uint64_t walkers = ww_config_u64(start->config, "walk.walkers");
    return walkers == WW_INFINITE ? 0
                                  : walkers * ww_policy_u64(start, "batch_entries") * (36 + 40 + 3);
}

static double walks_mean(const void *counters, const ww_config *config)
{
    const mpw *s = counters;
    uint64_t batches = 0, walks = 0;
    (void)config;
    for (unsigned i = 0; i < WW_LEVELS; i++) {
        batches += s->batches[i];
        walks += s->walks[i];
    }
    return ww_ratio((double)walks, (double)batches);
}

static const ww_key keys[] = {
    {.key = "batch_entries",
     .type = WW_KEY_U64,
     .unit = "walks",
     .min = "1",
     .max = "64",
     .initial = "8",
     .doc =
         "that a walker can have, filled in turn (assumed: 8, since only the abstract is public)"},
};

#define BY_LEVEL(n, batches_doc, walks_doc)                                                  \
    {.name = "batches_level" #n,                                                             \
     .unit = "batches",                                                                      \
     .doc = (batches_doc),                                                                   \
     .kind = WW_STAT_COUNTER,                                                                \
     .offset = offsetof(mpw, batches) + ((n)-1) * sizeof(uint64_t)},                         \
    {                                                                                        \
        .name = "batch_walks_level" #n, .unit = "walks", .doc = (walks_doc),                 \
        .kind = WW_STAT_COUNTER, .offset = offsetof(mpw, walks) + ((n)-1) * sizeof(uint64_t) \
    }

static const ww_stat stats[] = {
    BY_LEVEL(1, "batches of walks that read entries of level 1", "walks in them"),
    BY_LEVEL(2, "likewise of level 2", "walks in them"),
    BY_LEVEL(3, "likewise of level 3", "walks in them"),
    BY_LEVEL(4, "likewise of level 4", "walks in them"),
    {.name = "batch_waiting_ticks",
     .unit = "ticks",
     .doc = "at a walker, from the time when a walk could read to its batch, of all walks",
     .kind = WW_STAT_COUNTER,
     .offset = offsetof(mpw, waiting)},
    {.name = "batch_mean",
     .unit = "walks",
     .doc = "in a batch",
     .kind = WW_STAT_DERIVED,
     .derive = walks_mean},
};

extern const ww_walkmerge ww_walkmerge_mpw;
const ww_walkmerge ww_walkmerge_mpw = {
    .policy = {.name = "mpw",
               .doc = "a walker reads entries of one level for several walks at a time",
               WW_POLICY_KEYS(keys),
               WW_POLICY_STATS(stats),
               .state_size = sizeof(mpw),
               .start = start,
               .storage_bits = storage_bits},
    .walker_walks = walker_walks,
    .batch = batch,
};
