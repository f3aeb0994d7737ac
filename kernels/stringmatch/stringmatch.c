/* Lines of a text that are equal to a keyword. */
#include "workload/mapreduce.h"
#include "workload/words.h"
#include "workload/workload.h"

#define LEAST_LETTERS 3
#define LENGTHS 11 /* of words: 3 to 13 letters */
#define RARITY 256 /* one word of so many is the keyword */

typedef struct stringmatch {
    uint64_t words, block;
    uint64_t size, blocks, matches; /* of the text */
    char *made;                     /* the text, as the host has it */
    char word[WW_LONGEST_WORD];     /* the keyword */
    uint64_t letters;
    ww_array *keyword, *text;
    ww_mapreduce job;
} stringmatch;

typedef struct record_key {
    uint64_t text, keyword;
} record_key;

typedef struct record_value {
    int32_t keyword_size, offset, size, unused;
} record_value;

/* One word a line. Word 0 is the keyword. */
static void make_text(stringmatch *s)
{
    for (uint64_t i = 0; i < s->words; i++) {
        bool match = ww_random_below(s->keyword, i, RARITY) == 0;
        uint64_t number = match ? 0 : s->words + i;
        s->size += ww_word(s->keyword, number, LEAST_LETTERS, LENGTHS, 'a', s->made + s->size);
        s->made[s->size++] = '\n';
    }
}

/* Whether the line that begins there is the keyword. */
static bool is_keyword(const stringmatch *s, uint64_t at)
{
    return at + s->letters < s->size && memcmp(s->made + at, s->word, s->letters) == 0 &&
           s->made[at + s->letters] == '\n';
}

static uint64_t after_line(const stringmatch *s, uint64_t at)
{
    while (s->made[at] != '\n')
        at++;
    return at + 1;
}

/* A block has at least `block` bytes, except the last one, and whole lines. */
static uint64_t after_block(const stringmatch *s, uint64_t at)
{
    return at + s->block < s->size ? after_line(s, at + s->block) : s->size;
}

static void allocate(ww_host *host, void *state)
{
    stringmatch *s = state;
    s->words = ww_host_number(host, "words");
    s->block = ww_host_number(host, "block");
    s->keyword = ww_host_array(host, "keyword", WW_INPUT, 1, LEAST_LETTERS + LENGTHS);
    s->made = ww_host_alloc(host, s->words * (LEAST_LETTERS + LENGTHS) + WW_LONGEST_WORD, 1);
    s->letters = ww_word(s->keyword, 0, LEAST_LETTERS, LENGTHS, 'a', s->word);
    make_text(s);
    for (uint64_t at = 0; at < s->size; at = after_line(s, at))
        s->matches += is_keyword(s, at);
    for (uint64_t at = 0; at < s->size; at = after_block(s, at))
        s->blocks++;
    s->text = ww_host_array(host, "text", WW_INPUT, 1, s->size);
    uint64_t most = s->matches ? s->matches : 1;
    const ww_mapreduce_shape shape = {.name = "stringmatch",
                                      .records = s->blocks,
                                      .group = ww_host_number(host, "group"),
                                      .key_size = sizeof(record_key),
                                      .value_size = sizeof(record_value),
                                      .most_records = most,
                                      .most_keys = most,
                                      .most_values = most,
                                      .key_element = sizeof(int32_t),
                                      .value_element = sizeof(int32_t)};
    ww_mapreduce_allocate(host, &s->job, &shape);
}

static void fill(ww_host *host, void *state)
{
    stringmatch *s = state;
    record_key *key = s->job.input.keys->host;
    record_value *value = s->job.input.values->host;
    (void)host;
    memcpy(s->text->host, s->made, s->size);
    memcpy(s->keyword->host, s->word, s->letters);
    for (uint64_t at = 0, next; at < s->size; at = next) {
        next = after_block(s, at);
        *key++ = (record_key){s->text->buffer->address, s->keyword->buffer->address};
        *value++ = (record_value){(int32_t)s->letters + 1, (int32_t)at, (int32_t)(next - at), 0};
    }
    ww_mapreduce_fill(&s->job);
}

static void run(ww_host *host, void *state)
{
    stringmatch *s = state;
    ww_mapreduce_run(host, &s->job);
}

static void verify(ww_host *host, void *state)
{
    stringmatch *s = state;
    ww_records *out = &s->job.emitted;
    uint64_t i = 0, size = sizeof(int32_t);
    (void)host;
    for (uint64_t at = 0; at < s->size; at = after_line(s, at)) {
        if (!is_keyword(s, at))
            continue;
        ww_expect_i32(out->keys, i, (int32_t)at);
        ww_expect_i32(out->values, i, (int32_t)(s->letters + 1));
        ww_mapreduce_expect_entry(out, i, size * i, size, size * i, size);
        i++;
    }
    if (i == 0) {
        ww_expect_i32(out->keys, 0, 0);
        ww_expect_i32(out->values, 0, 0);
    }
    ww_mapreduce_expect_no_entry(&s->job, out, i);
}

static const ww_parameter parameters[] = {
    WW_NUMBER_PARAMETER("words", "165000", 1, 16777216, "words of the text, one a line"),
    WW_NUMBER_PARAMETER("block", "1024", 1, 1048576, "bytes of a work-item's lines, at least"),
    WW_GROUP_PARAMETER("256"),
};

static const ww_named_size sizes[] = {
    {"tiny", "words=2000,block=64,group=64", 5, 0},
    {"small", "words=380000", 11, 0},
    {"ctrlc", "words=165000", 11, 0},
};

WW_WORKLOAD(stringmatch) = {
    .name = "stringmatch",
    .suite = "Mars",
    .doc = "lines of a text that are equal to a keyword, read byte by byte",
    .papers = "ctrlc",
    .irregular = false,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(stringmatch),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
