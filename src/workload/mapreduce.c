#include "workload/mapreduce.h"

#include <stdio.h>

/* Work-groups of the original. */
#define SCAN_GROUP 256
#define SCAN_VALUES (2 * SCAN_GROUP)
#define SORT_GROUP 256
#define MOVE_GROUP 128
#define STREAM_GROUP 512

#define OUTPUT_BUFFER 20 /* bytes of local memory of each task */

enum { KEYS, VALUES, RECORDS, SIZES };

static const char *const size_names[] = {"key_sizes", "value_sizes", "counts"};
static const char *const start_names[] = {"key_starts", "value_starts", "first"};
static const char *const sum_names[WW_SCAN_LEVELS] = {"sums", "sums2", "sums3", "sums4"};

static uint64_t divide_up(uint64_t a, uint64_t b)
{
    return (a + b - 1) / b;
}

static uint64_t padded(uint64_t count)
{
    uint64_t size = SORT_GROUP;
    while (size < count)
        size *= 2;
    return size;
}

static void allocate_tasks(ww_host *host, ww_mapreduce *job)
{
    const ww_mapreduce_shape *s = &job->shape;
    uint64_t scanned = s->sorts && s->most_records > job->tasks ? s->most_records : job->tasks;
    for (int i = 0; i < SIZES; i++) {
        job->sizes[i] = ww_host_array(host, size_names[i], WW_SCRATCH, 4, job->tasks);
        job->starts[i] = ww_host_array(host, start_names[i], WW_SCRATCH, 4, job->tasks);
    }
    job->written = ww_host_array(host, "written", WW_SCRATCH, 8, job->tasks);
    job->done = ww_host_array(host, "emitted", WW_SCRATCH, 4, job->tasks);
    for (int level = 0; level < WW_SCAN_LEVELS; level++) {
        scanned = divide_up(scanned, SCAN_VALUES);
        job->sums[level] = ww_host_array(host, sum_names[level], WW_SCRATCH, 4, scanned);
    }
}

static void allocate_sort(ww_host *host, ww_mapreduce *job)
{
    const ww_mapreduce_shape *s = &job->shape;
    uint64_t n = s->most_records;
    job->sorted.keys = ww_host_array(host, "sorted_keys", WW_OUTPUT, s->key_element, s->most_keys);
    job->sorted.values =
        ww_host_array(host, "sorted_values", WW_OUTPUT, s->value_element, s->most_values);
    job->sorted.index = ww_host_array(host, "sorted_index", WW_OUTPUT, 4, 4 * n);
    job->order = ww_host_array(host, "order", WW_SCRATCH, 16, padded(n));
    job->spans = ww_host_array(host, "spans", WW_SCRATCH, 8, n);
    job->lengths = ww_host_array(host, "lengths", WW_SCRATCH, 4, n);
    job->offsets = ww_host_array(host, "offsets", WW_SCRATCH, 4, n);
    job->bounds = ww_host_array(host, "bounds", WW_SCRATCH, 4, n);
    job->ranges = ww_host_array(host, "ranges", WW_OUTPUT, 4, 2 * n);
}

void ww_mapreduce_allocate(ww_host *host, ww_mapreduce *job, const ww_mapreduce_shape *shape)
{
    ww_role role = shape->sorts ? WW_SCRATCH : WW_OUTPUT;
    uint64_t n = shape->records;
    job->shape = *shape;
    job->tasks = divide_up(n, shape->group) * shape->group;
    job->input.keys = ww_host_array(host, "keys", WW_INPUT, 1, n * shape->key_size);
    job->input.values = ww_host_array(host, "values", WW_INPUT, 1, n * shape->value_size);
    job->input.index = ww_host_array(host, "index", WW_INPUT, 4, 4 * n);
    allocate_tasks(host, job);
    job->emitted.keys = ww_host_array(host, "out_keys", role, shape->key_element, shape->most_keys);
    job->emitted.values =
        ww_host_array(host, "out_values", role, shape->value_element, shape->most_values);
    job->emitted.index = ww_host_array(host, "out_index", role, 4, 4 * shape->most_records);
    if (shape->sorts)
        allocate_sort(host, job);
}

void ww_mapreduce_fill(ww_mapreduce *job)
{
    const ww_mapreduce_shape *s = &job->shape;
    uint32_t *entry = job->input.index->host;
    for (uint64_t i = 0; i < s->records; i++, entry += 4) {
        entry[0] = (uint32_t)(i * s->key_size);
        entry[1] = (uint32_t)s->key_size;
        entry[2] = (uint32_t)(i * s->value_size);
        entry[3] = (uint32_t)s->value_size;
    }
}

/* ---- the job ---- */

/* out[i] = in[0] + ... + in[i - 1] */
static void scan(ww_host *host, const ww_mapreduce *job, const ww_array *in, const ww_array *out,
                 uint64_t n, int level)
{
    uint64_t parts = divide_up(n, SCAN_VALUES);
    ww_range range = ww_range1(parts * SCAN_GROUP, SCAN_GROUP);
    const ww_array *sums = job->sums[level];
    ww_host_launch(host, "mars_scan", range, ww_mem(in), ww_mem(out), ww_mem(sums), ww_u32(n));
    if (parts == 1)
        return;
    scan(host, job, sums, sums, parts, level + 1);
    ww_host_launch(host, "mars_scan_add", range, ww_mem(out), ww_mem(sums), ww_u32(n));
}

/* The sum of all values, of which `starts` are the prefix sums; at most `most`. */
static uint64_t total(ww_host *host, const ww_array *values, const ww_array *starts, uint64_t n,
                      uint64_t most)
{
    uint64_t sum =
        (uint64_t)ww_host_read_u32(host, starts, n - 1) + ww_host_read_u32(host, values, n - 1);
    return sum < most ? sum : most;
}

static void map(ww_host *host, ww_mapreduce *job)
{
    const ww_mapreduce_shape *s = &job->shape;
    ww_array *const *sizes = job->sizes, *const *starts = job->starts;
    ww_range range = ww_range1(job->tasks, s->group);
    char count_entry[64], map_entry[64];
    snprintf(count_entry, sizeof(count_entry), "%s_count", s->name);
    snprintf(map_entry, sizeof(map_entry), "%s_map", s->name);
    ww_host_launch(host, count_entry, range, ww_mem(job->input.keys), ww_mem(job->input.values),
                   ww_mem(job->input.index), ww_mem(sizes[KEYS]), ww_mem(sizes[VALUES]),
                   ww_mem(sizes[RECORDS]), ww_u32(s->records));
    for (int i = 0; i < SIZES; i++)
        scan(host, job, sizes[i], starts[i], job->tasks, 0);
    job->count = total(host, sizes[RECORDS], starts[RECORDS], job->tasks, s->most_records);
    ww_host_launch(host, map_entry, range, ww_mem(job->input.keys), ww_mem(job->input.values),
                   ww_mem(job->input.index), ww_mem(starts[KEYS]), ww_mem(starts[VALUES]),
                   ww_mem(starts[RECORDS]), ww_mem(job->written), ww_mem(job->done),
                   ww_mem(job->emitted.keys), ww_mem(job->emitted.values),
                   ww_mem(job->emitted.index), ww_local(s->group * OUTPUT_BUFFER),
                   ww_u32(s->records));
}

static void sort_step(ww_host *host, const ww_mapreduce *job, uint64_t size, uint64_t run,
                      uint64_t reach)
{
    ww_host_launch(host, "mars_sort_step", ww_range1(size, SORT_GROUP), ww_mem(job->emitted.keys),
                   ww_mem(job->order), ww_u32(run), ww_u32(reach));
}

/* All steps in global memory. */
static void sort_in_steps(ww_host *host, const ww_mapreduce *job, uint64_t size)
{
    for (uint64_t run = 2; run <= size; run *= 2)
        for (uint64_t reach = run / 2; reach > 0; reach /= 2)
            sort_step(host, job, size, run, reach);
}

/* Steps within a tile in local memory. */
static void sort_in_tiles(ww_host *host, const ww_mapreduce *job, uint64_t size)
{
    ww_range range = ww_range1(size, SORT_GROUP);
    ww_host_launch(host, "mars_sort_tiles", range, ww_mem(job->emitted.keys), ww_mem(job->order));
    for (uint64_t run = 2 * SORT_GROUP; run <= size; run *= 2) {
        for (uint64_t reach = run / 2; reach >= SORT_GROUP; reach /= 2)
            sort_step(host, job, size, run, reach);
        ww_host_launch(host, "mars_merge_tiles", range, ww_mem(job->emitted.keys),
                       ww_mem(job->order), ww_u32(run / SORT_GROUP));
    }
}

/* Keys or values to where the sort has put their entries. */
static void move(ww_host *host, const ww_mapreduce *job, bool values)
{
    uint64_t n = job->count;
    ww_range range = ww_range1(n, STREAM_GROUP);
    const ww_array *from = values ? job->emitted.values : job->emitted.keys;
    const ww_array *to = values ? job->sorted.values : job->sorted.keys;
    ww_host_launch(host, "mars_take", range, ww_mem(job->order), ww_u32(padded(n) - n),
                   ww_u32(values), ww_mem(job->spans), ww_mem(job->lengths), ww_u32(n));
    scan(host, job, job->lengths, job->offsets, n, 0);
    ww_host_launch(host, "mars_move", ww_range1(n, MOVE_GROUP), ww_mem(from), ww_mem(job->spans),
                   ww_mem(job->offsets), ww_mem(to), ww_u32(n));
    ww_host_launch(host, "mars_put", range, ww_mem(job->spans), ww_u32(values),
                   ww_mem(job->sorted.index), ww_u32(n));
}

static void find_groups(ww_host *host, ww_mapreduce *job)
{
    uint64_t n = job->count;
    ww_range range = ww_range1(n, STREAM_GROUP);
    ww_host_launch(host, "mars_group_starts", range, ww_mem(job->sorted.keys),
                   ww_mem(job->sorted.index), ww_mem(job->lengths), ww_u32(n));
    scan(host, job, job->lengths, job->offsets, n, 0);
    job->groups = total(host, job->lengths, job->offsets, n, n);
    ww_host_launch(host, "mars_group_bounds", range, ww_mem(job->lengths), ww_mem(job->offsets),
                   ww_mem(job->bounds), ww_u32(n));
    if (job->groups)
        ww_host_launch(host, "mars_group_ranges", ww_range1(job->groups, STREAM_GROUP),
                       ww_mem(job->bounds), ww_mem(job->ranges), ww_u32(job->groups), ww_u32(n));
}

void ww_mapreduce_run(ww_host *host, ww_mapreduce *job)
{
    map(host, job);
    if (!job->shape.sorts || !job->count)
        return;
    uint64_t size = padded(job->count);
    ww_host_launch(host, "mars_order", ww_range1(size, SORT_GROUP), ww_mem(job->emitted.index),
                   ww_mem(job->order), ww_u32(job->count));
    if (job->shape.tiles || size == SORT_GROUP)
        sort_in_tiles(host, job, size);
    else
        sort_in_steps(host, job, size);
    move(host, job, true);
    move(host, job, false);
    find_groups(host, job);
}

/* ---- what is right ---- */

void ww_mapreduce_expect_entry(ww_records *records, uint64_t record, uint64_t key,
                               uint64_t key_size, uint64_t value, uint64_t value_size)
{
    const uint64_t want[] = {key, key_size, value, value_size};
    for (uint64_t i = 0; i < 4; i++)
        ww_expect_u32(records->index, 4 * record + i, (uint32_t)want[i]);
}

void ww_mapreduce_expect_no_entry(const ww_mapreduce *job, ww_records *records, uint64_t first)
{
    for (uint64_t i = first; i < job->shape.most_records; i++)
        ww_mapreduce_expect_entry(records, i, 0, 0, 0, 0);
}

void ww_mapreduce_expect_ranges(ww_mapreduce *job, const bool *begins, uint64_t count)
{
    uint64_t group = 0;
    for (uint64_t i = 0, first = 0; i < count; i++)
        if (i + 1 == count || begins[i + 1]) {
            ww_expect_u32(job->ranges, 2 * group, (uint32_t)first);
            ww_expect_u32(job->ranges, 2 * group + 1, (uint32_t)(i + 1));
            first = i + 1;
            group++;
        }
    for (uint64_t i = 2 * group; i < 2 * job->shape.most_records; i++)
        ww_expect_u32(job->ranges, i, 0);
}
