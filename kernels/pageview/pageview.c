/* Pages sorted by the number of their views. */
#include "workload/mapreduce.h"
#include "workload/workload.h"

#define LEAST_LINE 20 /* bytes of a line: an address and a number */
#define LINES 60      /* so many lengths */
#define VIEW_BITS 16  /* counts are below 2^VIEW_BITS */

typedef struct pageview {
    uint64_t pages;
    ww_mapreduce job;
} pageview;

static void allocate(ww_host *host, void *state)
{
    pageview *s = state;
    s->pages = ww_host_number(host, "pages");
    const ww_mapreduce_shape shape = {.name = "pageview",
                                      .records = s->pages,
                                      .group = ww_host_number(host, "group"),
                                      .key_size = sizeof(int32_t),
                                      .value_size = sizeof(int32_t),
                                      .most_records = s->pages,
                                      .most_keys = s->pages,
                                      .most_values = s->pages,
                                      .key_element = sizeof(int32_t),
                                      .value_element = sizeof(int32_t),
                                      .sorts = true,
                                      .tiles = ww_host_number(host, "sort")};
    ww_mapreduce_allocate(host, &s->job, &shape);
}

/* As many pages have 1 view as 2 or 3, as 4 to 7, and so on. */
static int32_t views(const pageview *s, uint64_t page)
{
    uint64_t random = ww_random_u64(s->job.input.keys, page);
    uint32_t highest = 1u << random % VIEW_BITS;
    return (int32_t)(highest + (uint32_t)(random >> 32) % highest);
}

static void fill(ww_host *host, void *state)
{
    pageview *s = state;
    int32_t *keys = s->job.input.keys->host, *values = s->job.input.values->host;
    uint64_t offset = 0;
    (void)host;
    for (uint64_t i = 0; i < s->pages; i++) {
        keys[i] = views(s, i);
        values[i] = (int32_t)offset;
        offset += LEAST_LINE + ww_random_below(s->job.input.values, i, LINES);
    }
    ww_mapreduce_fill(&s->job);
}

static void run(ww_host *host, void *state)
{
    pageview *s = state;
    ww_mapreduce_run(host, &s->job);
}

/* The page whose line is there, or `pages`. */
static uint64_t page_at(const pageview *s, int32_t offset)
{
    const int32_t *offsets = s->job.input.values->host;
    uint64_t low = 0, high = s->pages;
    while (low < high) {
        uint64_t middle = (low + high) / 2;
        if (offsets[middle] < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low < s->pages && offsets[low] == offset ? low : s->pages;
}

/* Each page comes once, and counts descend; pages with equal counts may be in any order. */
static void verify(ww_host *host, void *state)
{
    pageview *s = state;
    ww_records *sorted = &s->job.sorted;
    const int32_t *keys = sorted->keys->host, *values = sorted->values->host;
    bool *seen = ww_host_alloc(host, s->pages, sizeof(*seen));
    bool *begins = ww_host_alloc(host, s->pages, sizeof(*begins));
    for (uint64_t i = 0; i < s->pages; i++) {
        uint64_t page = page_at(s, values[i]);
        bool right = page < s->pages && !seen[page] && (i == 0 || keys[i] <= keys[i - 1]);
        ww_expect(host, right, "pageview: record %llu is out of order", (unsigned long long)i);
        if (!right)
            return;
        seen[page] = true;
        ww_expect_i32(sorted->keys, i, views(s, page));
        ww_mapreduce_expect_entry(sorted, i, sizeof(int32_t) * i, sizeof(int32_t),
                                  sizeof(int32_t) * i, sizeof(int32_t));
        begins[i] = i == 0 || keys[i] != keys[i - 1];
    }
    ww_array_vouch(sorted->values);
    ww_mapreduce_expect_ranges(&s->job, begins, s->pages);
}

static const ww_parameter parameters[] = {
    WW_NUMBER_PARAMETER("pages", "16384", 1, 16777216, "pages to sort"),
    WW_CHOICE_PARAMETER("sort", "tiles", "steps|tiles",
                        "steps within 256 records: in global, in local memory"),
    WW_GROUP_PARAMETER("256"),
};

static const ww_named_size sizes[] = {
    {"tiny", "pages=500,group=64", 21, 0},
    {"small", "", 58, 0},
    {"ctrlc", "pages=65536", 75, 0},
};

WW_WORKLOAD(pageview) = {
    .name = "pageview",
    .suite = "Mars",
    .doc = "page view rank: records of counts and offsets, sorted by bitonic networks",
    .papers = "ctrlc",
    .irregular = false,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(pageview),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
