/* Walk records: what the walkers count about each memory instruction, over all of its walks.
 *
 * record   of an instruction that has had a walk and has pages that are not translated yet, by the
 *          instruction's number. The first walk allocates it; ww_walk_records_end (vm.h) adds it to
 *          the counters and frees it.
 *
 * The pool is as large as the GPU's load/store units together. It grows if instructions outside of
 * them (parked ones) have records, too. */
#ifndef WW_VM_WALK_RECORDS_H
#define WW_VM_WALK_RECORDS_H

#include "vm/vm.h"

typedef struct ww_walk_record {
    uint64_t number;               /* of the instruction */
    uint32_t walks;                /* its requests that missed in every TLB */
    uint32_t done;                 /* of them, answered */
    uint32_t reads;                /* of page-table entries, by these walks */
    bool interleaved;              /* another instruction's walk came between its walks */
    uint64_t last_walk;            /* number of its latest walk, among all walks */
    ww_tick missed;                /* when its first walk missed in the last TLB */
    ww_tick first_answer;          /* from then to its first answer */
    ww_tick last_answer;           /* from then to its last answer */
    ww_tick first_latency;         /* of the first answered walk, from its own miss */
    ww_tick last_latency;          /* of the last answered walk, likewise */
    struct ww_walk_bundle *bundle; /* used by the walk buffer alone */
    struct ww_walk_record *next;   /* in its bucket, or of the free ones */
} ww_walk_record;

/* Of instructions that have ended. X(field, statistic, unit, doc) */
#define WW_INSTRUCTION_COUNTERS(X)                                                            \
    X(instructions, "instructions", "instructions", "memory instructions with a walk")        \
    X(several, "several", "instructions", "of them, with two walks or more")                  \
    X(interleaved, "interleaved", "instructions",                                             \
      "of those, with another one's walk between theirs, as they came to the buffer")         \
    X(first_latency, "first_latency_ticks", "ticks",                                          \
      "latency of the walk of each that was answered first, from its own miss to its answer") \
    X(last_latency, "last_latency_ticks", "ticks", "likewise of the one answered last")       \
    X(first_answer, "first_answer_ticks", "ticks",                                            \
      "from the miss of their first walk in the last TLB to their first answer")              \
    X(last_answer, "last_answer_ticks", "ticks", "likewise to their last answer")             \
    X(work_16, "work_16", "instructions", "whose walks read 1 to 16 entries")                 \
    X(work_32, "work_32", "instructions", "likewise 17 to 32")                                \
    X(work_48, "work_48", "instructions", "likewise 33 to 48")                                \
    X(work_64, "work_64", "instructions", "likewise 49 to 64")                                \
    X(work_80, "work_80", "instructions", "likewise 65 to 80")                                \
    X(work_256, "work_256", "instructions", "likewise 81 or more")                            \
    X(work_0, "work_0", "instructions", "likewise none: other walks read what they needed")

typedef struct ww_instruction_counters {
#define WW_INSTRUCTION_COUNTER_FIELD(field, statistic, unit, doc) uint64_t field;
    WW_INSTRUCTION_COUNTERS(WW_INSTRUCTION_COUNTER_FIELD)
#undef WW_INSTRUCTION_COUNTER_FIELD
} ww_instruction_counters;

/* For `capacity` instructions at a time. */
ww_walk_records *ww_walk_records_create(uint32_t capacity);
void ww_walk_records_destroy(ww_walk_records *records);

/* A walk of the instruction has arrived: its record. `walk`: its number, among all walks. */
ww_walk_record *ww_walk_records_arrive(ww_walk_records *records,
                                       const ww_instruction_id *instruction, uint64_t walk,
                                       ww_tick missed);
/* A walk that missed at `missed` is answered now, after so many reads. */
void ww_walk_record_answer(ww_walk_record *record, uint32_t reads, ww_tick missed, ww_tick now);
/* NULL: the instruction has none. */
const ww_walk_record *ww_walk_records_find(const ww_walk_records *records, uint64_t number);
uint32_t ww_walk_records_used(const ww_walk_records *records);
const ww_instruction_counters *ww_walk_records_count(const ww_walk_records *records);

#endif
