/* The host side of the programs of Mars, a MapReduce framework for GPUs (kernels/mars.h).
 *
 * records   keys, values, and an index: offset and size of each key and each value
 * map       kernel NAME_count notes what each input record will emit, prefix sums say where it
 *           goes, kernel NAME_map emits it
 * group     emitted records are sorted by key and cut into groups of equal keys
 *
 * The original allocates what it emits after counting. Here arrays are made first, for as many
 * records as there can be; what is left over stays 0. */
#ifndef WW_WORKLOAD_MAPREDUCE_H
#define WW_WORKLOAD_MAPREDUCE_H

#include "workload/host.h"

#define WW_SCAN_LEVELS 4

typedef struct ww_records {
    ww_array *keys, *values;
    ww_array *index; /* four of 32 bits each: key's offset and size, value's offset and size */
} ww_records;

/* What a program has in common with no other. */
typedef struct ww_mapreduce_shape {
    const char *name;              /* of the program */
    uint64_t records, group;       /* of the input; work-items in a work-group that maps */
    uint64_t key_size, value_size; /* of an input record */
    uint64_t most_records, most_keys, most_values; /* emitted; the last two count elements of: */
    size_t key_element, value_element;             /* bytes */
    bool sorts;
    bool tiles; /* sorts tiles in local memory first, as the original does above 2^18 records */
} ww_mapreduce_shape;

typedef struct ww_mapreduce {
    ww_mapreduce_shape shape;
    uint64_t tasks; /* whole work-groups */
    ww_records input, emitted, sorted;
    ww_array *sizes[3];       /* of each task: bytes of keys and of values, records */
    ww_array *starts[3];      /* their prefix sums */
    ww_array *written, *done; /* of each task, while it emits */
    ww_array *sums[WW_SCAN_LEVELS];
    ww_array *order, *spans, *lengths, *offsets; /* of the sort; a span is offset and size */
    ww_array *bounds, *ranges;                   /* groups: first record, and one after the last */
    uint64_t count, groups;                      /* of emitted records, when it ran */
} ww_mapreduce;

/* Makes all arrays. Without a sort the emitted records are the output, else the sorted ones and
 * `ranges`. */
void ww_mapreduce_allocate(ww_host *host, ww_mapreduce *job, const ww_mapreduce_shape *shape);
/* Fills the input's index. */
void ww_mapreduce_fill(ww_mapreduce *job);
/* The whole job. */
void ww_mapreduce_run(ww_host *host, ww_mapreduce *job);

/* Names the index entry of an output record, or 0 for all from `first` on. */
void ww_mapreduce_expect_entry(ww_records *records, uint64_t record, uint64_t key,
                               uint64_t key_size, uint64_t value, uint64_t value_size);
void ww_mapreduce_expect_no_entry(const ww_mapreduce *job, ww_records *records, uint64_t first);
/* Names `ranges`: begins[i] says that the sorted record i begins a group. */
void ww_mapreduce_expect_ranges(ww_mapreduce *job, const bool *begins, uint64_t count);

#endif
