/* B+ tree: many queries for a key, then many for a range of keys. */
#include "workload/workload.h"

#define MOST_LEVELS 32

typedef struct btree {
    uint64_t keys, queries, ranges, range, order;
    uint64_t fill; /* children of an inner node, and keys of a leaf */
    uint64_t height, node_count;
    uint64_t level_nodes[MOST_LEVELS], level_first[MOST_LEVELS]; /* [0] is the root's */
    ww_array *nodes, *records;
    ww_array *current, *next, *wanted, *answers;                     /* of queries */
    ww_array *from, *from_next, *to, *to_next, *starts, *ends;       /* of range queries */
    ww_array *firsts, *counts;
} btree;

/* The levels of a tree built by inserting keys in ascending order: splits leave nodes half full. */
static void plan_levels(btree *s)
{
    uint64_t levels = 0, counts[MOST_LEVELS], count = s->keys;
    s->fill = s->order / 2;
    do {
        count = (count + s->fill - 1) / s->fill;
        counts[levels++] = count;
    } while (count > 1);
    s->height = levels - 1;
    for (uint64_t level = 0; level < levels; level++) {
        s->level_nodes[level] = counts[levels - 1 - level];
        s->level_first[level] = s->node_count;
        s->node_count += s->level_nodes[level];
    }
}

static void allocate_range_queries(ww_host *host, btree *s)
{
    uint64_t n = s->ranges;
    s->from = ww_host_array(host, "from", WW_SCRATCH, sizeof(int64_t), n);
    s->from_next = ww_host_array(host, "from_next", WW_SCRATCH, sizeof(int64_t), n);
    s->to = ww_host_array(host, "to", WW_SCRATCH, sizeof(int64_t), n);
    s->to_next = ww_host_array(host, "to_next", WW_SCRATCH, sizeof(int64_t), n);
    s->starts = ww_host_array(host, "starts", WW_INPUT, sizeof(int32_t), n);
    s->ends = ww_host_array(host, "ends", WW_INPUT, sizeof(int32_t), n);
    s->firsts = ww_host_array(host, "firsts", WW_OUTPUT, sizeof(int32_t), n);
    s->counts = ww_host_array(host, "counts", WW_OUTPUT, sizeof(int32_t), n);
}

static void allocate(ww_host *host, void *state)
{
    btree *s = state;
    s->keys = ww_host_number(host, "keys");
    s->queries = ww_host_number(host, "queries");
    s->ranges = ww_host_number(host, "ranges");
    s->range = ww_host_number(host, "range");
    s->order = ww_host_number(host, "order");
    if (s->range > s->keys)
        ww_host_refuse(host, "range is %u (at most keys, which is %u)", (unsigned)s->range,
                       (unsigned)s->keys);
    plan_levels(s);
    s->nodes = ww_host_array(host, "nodes", WW_INPUT, sizeof(int32_t),
                             s->node_count * (2 * s->order + 5));
    s->records = ww_host_array(host, "records", WW_INPUT, sizeof(int32_t), s->keys);
    s->current = ww_host_array(host, "current", WW_INOUT, sizeof(int64_t), s->queries);
    s->next = ww_host_array(host, "next", WW_SCRATCH, sizeof(int64_t), s->queries);
    s->wanted = ww_host_array(host, "wanted", WW_INPUT, sizeof(int32_t), s->queries);
    s->answers = ww_host_array(host, "answers", WW_INOUT, sizeof(int32_t), s->queries);
    allocate_range_queries(host, s);
}

/* Keys are 0 or 1, 2 or 3, 4 or 5 and so on. */
static int32_t key_of(const btree *s, uint64_t record)
{
    return (int32_t)(2 * record + ww_random_below(s->nodes, record, 2));
}

/* One node; `reach` is how many records a child has (1 in a leaf), `below` where the level of its
 * children begins (0 in a leaf: children are records). */
static void fill_node(const btree *s, uint64_t node, uint64_t place, uint64_t reach, uint64_t below,
                      bool leaf)
{
    int32_t *words = (int32_t *)s->nodes->host + node * (2 * s->order + 5);
    int32_t *indices = words + 1, *keys = words + s->order + 2;
    uint64_t used = 0;
    words[0] = (int32_t)node;
    for (uint64_t i = 0; i <= s->order; i++) {
        uint64_t child = place * s->fill + i;
        keys[i] = INT32_MAX;
        if (i >= s->fill || child * reach >= s->keys)
            continue;
        indices[i] = (int32_t)(below + child);
        keys[i] = !leaf && i == 0 ? INT32_MIN : key_of(s, child * reach);
        used++;
    }
    words[2 * s->order + 3] = leaf;
    words[2 * s->order + 4] = (int32_t)used;
}

static void fill_tree(const btree *s)
{
    uint64_t reach = 1;
    for (uint64_t level = s->height + 1; level-- > 0; reach *= s->fill) {
        bool leaf = level == s->height;
        for (uint64_t i = 0; i < s->level_nodes[level]; i++)
            fill_node(s, s->level_first[level] + i, i, reach, leaf ? 0 : s->level_first[level + 1],
                      leaf);
    }
}

/* Any key, which may be in the tree; every fourth time a leaf's first one, by which inner nodes tell
 * their children apart. */
static int32_t wanted_key(const btree *s, uint64_t query)
{
    if (query % 4)
        return (int32_t)ww_random_below(s->wanted, query, 2 * s->keys);
    uint64_t leaf = ww_random_below(s->wanted, query, s->level_nodes[s->height]);
    return key_of(s, leaf * s->fill);
}

static void fill(ww_host *host, void *state)
{
    btree *s = state;
    int32_t *records = s->records->host, *wanted = s->wanted->host, *answers = s->answers->host;
    int32_t *starts = s->starts->host, *ends = s->ends->host;
    (void)host;
    fill_tree(s);
    for (uint64_t i = 0; i < s->keys; i++)
        records[i] = (int32_t)ww_random_below(s->records, i, INT32_MAX);
    for (uint64_t i = 0; i < s->queries; i++) {
        wanted[i] = wanted_key(s, i);
        answers[i] = -1;
    }
    for (uint64_t i = 0; i < s->ranges; i++) {
        uint64_t first = ww_random_below(s->starts, i, s->keys - s->range + 1);
        starts[i] = key_of(s, first);
        ends[i] = key_of(s, first + s->range - 1);
    }
}

static void run(ww_host *host, void *state)
{
    btree *s = state;
    ww_host_launch(host, "btree_find", ww_range1(s->queries * s->order, s->order),
                   ww_mem(s->nodes), ww_u32(s->node_count), ww_u32(s->order), ww_u32(s->height),
                   ww_mem(s->records), ww_mem(s->current), ww_mem(s->next), ww_mem(s->wanted),
                   ww_mem(s->answers));
    ww_host_launch(host, "btree_find_range", ww_range1(s->ranges * s->order, s->order),
                   ww_mem(s->nodes), ww_u32(s->node_count), ww_u32(s->order), ww_u32(s->height),
                   ww_mem(s->from), ww_mem(s->from_next), ww_mem(s->to), ww_mem(s->to_next),
                   ww_mem(s->starts), ww_mem(s->ends), ww_mem(s->firsts), ww_mem(s->counts));
}

/* The leaf where a key is, or would be: that of the last record whose key is not above it. */
static uint64_t leaf_of(const btree *s, int32_t key)
{
    uint64_t record = (uint64_t)key / 2;
    if (record && key_of(s, record) > key)
        record--;
    return s->level_first[s->height] + record / s->fill;
}

/* From the rule that makes the keys, without the tree. */
static void verify(ww_host *host, void *state)
{
    btree *s = state;
    const int32_t *records = s->records->host;
    (void)host;
    for (uint64_t i = 0; i < s->queries; i++) {
        int32_t key = ((const int32_t *)s->wanted->host)[i];
        uint64_t record = (uint64_t)key / 2;
        ww_expect_u64(s->current, i, leaf_of(s, key));
        ww_expect_i32(s->answers, i, key_of(s, record) == key ? records[record] : -1);
    }
    for (uint64_t i = 0; i < s->ranges; i++) {
        int32_t start = ((const int32_t *)s->starts->host)[i];
        ww_expect_i32(s->firsts, i, start / 2);
        ww_expect_i32(s->counts, i, (int32_t)s->range);
    }
}

static const ww_parameter parameters[] = {
    WW_NUMBER_PARAMETER("keys", "500000", 1, 16777216, "keys in the tree"),
    WW_NUMBER_PARAMETER("queries", "2000", 1, 16777216, "queries for a key"),
    WW_NUMBER_PARAMETER("ranges", "1000", 1, 16777216, "queries for a range of keys"),
    WW_NUMBER_PARAMETER("range", "3000", 1, 16777216, "keys in a range"),
    WW_NUMBER_PARAMETER("order", "256", 4, 1024, "keys that fit into a node: the work-group"),
};

static const ww_named_size sizes[] = {
    {"tiny", "keys=10000,queries=64,ranges=32,range=300", 2, 0},
    {"small", "keys=500000", 2, 0},
    {"cawa", "keys=1000000,queries=10000,ranges=6000", 2, 0},
    {"ctrlc", "keys=1000000,queries=10000,ranges=6000", 2, 0},
    {"latency", "keys=1000000,queries=10000,ranges=6000", 2, 0},
};

WW_WORKLOAD(btree) = {
    .name = "btree",
    .suite = "Rodinia",
    .doc = "B+ tree: queries for keys and for ranges, a work-group each",
    .papers = "latency cawa ctrlc",
    .irregular = false,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(btree),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
