/* What the programs of Mars share, a MapReduce framework for GPUs: how a work-item emits records.
 *
 * record   a key and a value, any number of bytes; all keys are in one array, all values in another
 * index    of a record: where its key is, its size, where its value is, its size
 * task     a work-item, which maps one record and emits any number of new ones
 *
 * Nothing can be allocated while a kernel runs. So a first kernel counts what each task will emit,
 * prefix sums of these counts say where its records go, and a second kernel emits them. */

/* The parameters of a kernel that emits, and what they are to one of its tasks. */
#define MARS_OUTPUT                                                                              \
    __global const int *key_starts, __global const int *value_starts, __global const int *first, \
        __global int2 *written, __global int *emitted, __global char *out_keys,                  \
        __global char *out_values, __global int4 *out_index
#define MARS_TASK(number)                                                                \
    {                                                                                    \
        number, key_starts, value_starts, first, written, emitted, out_keys, out_values, \
            out_index                                                                    \
    }

typedef struct mars_task {
    int number;
    __global const int *key_starts, *value_starts; /* where each task's bytes begin */
    __global const int *first;                     /* where its index entries begin */
    __global int2 *written;                        /* bytes of keys and values so far */
    __global int *emitted;                         /* records so far */
    __global char *keys, *values;
    __global int4 *index;
} mars_task;

/* Notes that the task will emit a record of these sizes. */
static void mars_count(int task, int key_size, int value_size, __global int *key_sizes,
                       __global int *value_sizes, __global int *counts)
{
    key_sizes[task] += key_size;
    value_sizes[task] += value_size;
    counts[task]++;
}

static __global char *mars_key(const mars_task *t)
{
    return t->keys + t->key_starts[t->number] + t->written[t->number].x;
}

static __global char *mars_value(const mars_task *t)
{
    return t->values + t->value_starts[t->number] + t->written[t->number].y;
}

/* After the bytes of a record: its index entry, next to that of the task's last one. */
static void mars_end_record(const mars_task *t, int key_size, int value_size)
{
    int count = t->emitted[t->number];
    int at = t->first[t->number] + count;
    int4 entry = (int4)(t->key_starts[t->number], key_size, t->value_starts[t->number], value_size);
    if (count) {
        int4 last = t->index[at - 1];
        entry.x = last.x + last.y;
        entry.z = last.z + last.w;
    }
    t->index[at] = entry;
    t->written[t->number] += (int2)(key_size, value_size);
    t->emitted[t->number] = count + 1;
}

/* Byte by byte, as all copies of records are. */
static void mars_copy(__global char *to, __local const char *from, int size)
{
    for (int i = 0; i < size; i++)
        to[i] = from[i];
}

/* Emits a record that the task has put together in local memory. */
static void mars_emit(const mars_task *t, __local const void *key, __local const void *value,
                      int key_size, int value_size)
{
    mars_copy(mars_key(t), key, key_size);
    mars_copy(mars_value(t), value, value_size);
    mars_end_record(t, key_size, value_size);
}

/* Likewise; the key is a part of the input. */
static void mars_emit_text(const mars_task *t, __global const char *key, __local const void *value,
                           int key_size, int value_size)
{
    __global char *to = mars_key(t);
    for (int i = 0; i < key_size; i++)
        to[i] = key[i];
    mars_copy(mars_value(t), value, value_size);
    mars_end_record(t, key_size, value_size);
}

/* ---- prefix sums ---- */

#define SCAN_GROUP 256
#define SCAN_VALUES (2 * SCAN_GROUP)
#define SPREAD(i) ((i) + ((i) >> 4)) /* over the banks of local memory */

/* out[i]: the sum of the values before i within its part of SCAN_VALUES, a work-group each; sums:
 * that of the whole part. `in` may be `out`. */
__kernel void mars_scan(__global const int *in, __global int *out, __global int *sums, int n)
{
    __local int tree[SPREAD(SCAN_VALUES)];
    int item = get_local_id(0);
    int low = SCAN_VALUES * get_group_id(0) + item, high = low + SCAN_GROUP, step = 1;
    tree[SPREAD(item)] = low < n ? in[low] : 0;
    tree[SPREAD(item + SCAN_GROUP)] = high < n ? in[high] : 0;
    for (int pairs = SCAN_GROUP; pairs > 0; pairs /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < pairs)
            tree[SPREAD(step * (2 * item + 2) - 1)] += tree[SPREAD(step * (2 * item + 1) - 1)];
        step *= 2;
    }
    if (item == 0) {
        sums[get_group_id(0)] = tree[SPREAD(SCAN_VALUES - 1)];
        tree[SPREAD(SCAN_VALUES - 1)] = 0;
    }
    for (int pairs = 1; pairs <= SCAN_GROUP; pairs *= 2) {
        step /= 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < pairs) {
            int left = SPREAD(step * (2 * item + 1) - 1), right = SPREAD(step * (2 * item + 2) - 1);
            int sum = tree[left];
            tree[left] = tree[right];
            tree[right] += sum;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (low < n)
        out[low] = tree[SPREAD(item)];
    if (high < n)
        out[high] = tree[SPREAD(item + SCAN_GROUP)];
}

/* Adds what is before each part, the prefix sums of `sums`. */
__kernel void mars_scan_add(__global int *out, __global const int *sums, int n)
{
    int low = SCAN_VALUES * get_group_id(0) + get_local_id(0), high = low + SCAN_GROUP;
    int before = sums[get_group_id(0)];
    if (low < n)
        out[low] += before;
    if (high < n)
        out[high] += before;
}
