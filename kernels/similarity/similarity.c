/* Similarity of documents: the cosine between all pairs of feature vectors, sorted. */
#include "workload/mapreduce.h"
#include "workload/workload.h"

#define HIGHEST 100 /* features are below it */

typedef struct similarity {
    uint64_t documents, first, features; /* `first`: how many of them are compared with all later */
    uint64_t pairs;
    ww_array *vectors;
    ww_mapreduce job;
} similarity;

typedef struct record_value {
    float score;
    int32_t first, second, features;
} record_value;

static void allocate(ww_host *host, void *state)
{
    similarity *s = state;
    s->documents = ww_host_number(host, "documents");
    s->first = ww_host_number(host, "first");
    s->features = ww_host_number(host, "features");
    if (s->first >= s->documents)
        ww_host_refuse(host, "first is %u (below documents, which is %u)", (unsigned)s->first,
                       (unsigned)s->documents);
    if (s->features % 4)
        ww_host_refuse(host, "features is %u (a multiple of 4 is needed)", (unsigned)s->features);
    s->pairs = s->first * (2 * s->documents - s->first - 1) / 2;
    s->vectors =
        ww_host_array(host, "vectors", WW_INPUT, sizeof(float), s->documents * s->features);
    const ww_mapreduce_shape shape = {.name = "similarity",
                                      .records = s->pairs,
                                      .group = ww_host_number(host, "group"),
                                      .key_size = sizeof(uint64_t),
                                      .value_size = sizeof(record_value),
                                      .most_records = s->pairs,
                                      .most_keys = s->pairs,
                                      .most_values = 2 * s->pairs,
                                      .key_element = sizeof(float),
                                      .value_element = sizeof(int32_t),
                                      .sorts = true,
                                      .tiles = ww_host_number(host, "sort")};
    ww_mapreduce_allocate(host, &s->job, &shape);
}

static void fill(ww_host *host, void *state)
{
    similarity *s = state;
    uint64_t *key = s->job.input.keys->host;
    record_value *value = s->job.input.values->host;
    float *vectors = s->vectors->host;
    (void)host;
    for (uint64_t i = 0; i < s->documents * s->features; i++)
        vectors[i] = (float)ww_random_below(s->vectors, i, HIGHEST);
    for (uint64_t i = 0; i < s->first; i++)
        for (uint64_t j = i + 1; j < s->documents; j++) {
            *key++ = s->vectors->buffer->address;
            *value++ = (record_value){0, (int32_t)i, (int32_t)j, (int32_t)s->features};
        }
    ww_mapreduce_fill(&s->job);
}

static void run(ww_host *host, void *state)
{
    similarity *s = state;
    ww_mapreduce_run(host, &s->job);
}

static double score(const similarity *s, uint64_t first, uint64_t second)
{
    const float *a = (const float *)s->vectors->host + first * s->features;
    const float *b = (const float *)s->vectors->host + second * s->features;
    double product = 0, a_square = 0, b_square = 0;
    for (uint64_t i = 0; i < s->features; i++) {
        product += (double)a[i] * b[i];
        a_square += (double)a[i] * a[i];
        b_square += (double)b[i] * b[i];
    }
    return product / (sqrt(a_square) * sqrt(b_square));
}

/* Whether the record is of a pair that is asked for and was not seen before. */
static bool is_new_pair(const similarity *s, bool *seen, const int32_t *pair)
{
    if (pair[0] < 0 || (uint64_t)pair[0] >= s->first || pair[1] <= pair[0] ||
        (uint64_t)pair[1] >= s->documents)
        return false;
    bool *one = &seen[(uint64_t)pair[0] * s->documents + (uint64_t)pair[1]];
    bool is_new = !*one;
    *one = true;
    return is_new;
}

/* Each pair comes once and with its score, and scores descend; equal ones may be in any order. */
static void verify(ww_host *host, void *state)
{
    similarity *s = state;
    ww_records *sorted = &s->job.sorted;
    const float *keys = sorted->keys->host;
    const int32_t *pairs = sorted->values->host;
    bool *seen = ww_host_alloc(host, s->first * s->documents, sizeof(*seen));
    bool *begins = ww_host_alloc(host, s->pairs, sizeof(*begins));
    bool right = true;
    for (uint64_t i = 0; i < s->pairs && right; i++) {
        right = is_new_pair(s, seen, &pairs[2 * i]) && (i == 0 || keys[i] <= keys[i - 1]);
        ww_expect(host, right, "similarity: record %llu is out of order", (unsigned long long)i);
        if (!right)
            return;
        ww_expect_f32(sorted->keys, i, score(s, (uint64_t)pairs[2 * i], (uint64_t)pairs[2 * i + 1]),
                      ww_sum_slack(2 * s->features + 8, 1));
        ww_mapreduce_expect_entry(sorted, i, sizeof(float) * i, sizeof(float),
                                  2 * sizeof(int32_t) * i, 2 * sizeof(int32_t));
        begins[i] = i == 0 || keys[i] != keys[i - 1];
    }
    ww_array_vouch(sorted->values);
    ww_mapreduce_expect_ranges(&s->job, begins, s->pairs);
}

static const ww_parameter parameters[] = {
    WW_NUMBER_PARAMETER("documents", "4096", 2, 8192, "documents"),
    WW_NUMBER_PARAMETER("first", "2", 1, 8191, "so many are compared with all after them"),
    WW_NUMBER_PARAMETER("features", "512", 4, 65536, "features of a document"),
    WW_CHOICE_PARAMETER("sort", "tiles", "steps|tiles",
                        "steps within 256 records: in global, in local memory"),
    WW_GROUP_PARAMETER("256"),
};

static const ww_named_size sizes[] = {
    {"tiny", "documents=40,first=15,features=32,group=64", 21, 0},
    {"small", "", 51, 0},
    {"ctrlc", "documents=1024,first=64,features=256", 75, 0},
};

WW_WORKLOAD(similarity) = {
    .name = "similarity",
    .suite = "Mars",
    .doc = "similarity of documents: cosines of all pairs of vectors, sorted",
    .papers = "ctrlc",
    .irregular = false,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(similarity),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
