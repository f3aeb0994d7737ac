/* Words of a text, sorted, and how often each comes. */
#include "workload/mapreduce.h"
#include "workload/words.h"
#include "workload/workload.h"

#include <stdlib.h>

#define WORD_BITS 12 /* 1, 2, 4, ... 2^11 different words, equally frequent together */
#define LENGTHS 5    /* of words that are equally frequent */
#define LEAST_SIZE 7 /* of words that count, with the 0 after them */
#define LINE_WORDS 10

typedef struct wordcount {
    uint64_t bytes, block, blocks;
    char *made; /* the text, as the host has it */
    ww_array *text;
    ww_mapreduce job;
} wordcount;

typedef struct record_value {
    int32_t offset, size;
} record_value;

static bool is_letter(char c)
{
    return c >= 'A' && c <= 'Z';
}

/* Words are the shorter the more frequent they are. Commas, spaces and line ends between them. */
static void make_text(wordcount *s)
{
    char word[WW_LONGEST_WORD];
    uint64_t size = 0;
    for (uint64_t i = 0; size + 1 < s->bytes; i++) {
        uint64_t random = ww_random_u64(s->text, i), bits = random % WORD_BITS;
        uint64_t number = (1u << bits) + ((random >> 32) & ((1u << bits) - 1));
        uint64_t letters = ww_word(s->text, UINT64_MAX - number, 2 + bits / 3, LENGTHS, 'A', word);
        for (uint64_t j = 0; j < letters && size + 1 < s->bytes; j++)
            s->made[size++] = word[j];
        if ((random >> 16) % LINE_WORDS == 1 && size + 1 < s->bytes)
            s->made[size++] = ',';
        if (size + 1 < s->bytes)
            s->made[size++] = (random >> 16) % LINE_WORDS == 0 ? '\n' : ' ';
    }
    s->made[s->bytes - 1] = 0;
}

/* A block has more than `block` bytes, except the last one, and ends after a word. */
static uint64_t after_block(const wordcount *s, uint64_t at)
{
    at += s->block;
    if (at >= s->bytes)
        return s->bytes;
    while (is_letter(s->made[at]))
        at++;
    return at + 1;
}

static void allocate(ww_host *host, void *state)
{
    wordcount *s = state;
    s->bytes = ww_host_number(host, "bytes");
    s->block = ww_host_number(host, "block");
    s->text = ww_host_array(host, "text", WW_INOUT, 1, s->bytes);
    s->made = ww_host_alloc(host, s->bytes, 1);
    make_text(s);
    for (uint64_t at = 0; at < s->bytes; at = after_block(s, at))
        s->blocks++;
    uint64_t most = s->bytes / LEAST_SIZE + 1;
    const ww_mapreduce_shape shape = {.name = "wordcount",
                                      .records = s->blocks,
                                      .group = ww_host_number(host, "group"),
                                      .key_size = sizeof(uint64_t),
                                      .value_size = sizeof(record_value),
                                      .most_records = most,
                                      .most_keys = s->bytes,
                                      .most_values = most,
                                      .key_element = 1,
                                      .value_element = sizeof(int32_t),
                                      .sorts = true,
                                      .tiles = ww_host_number(host, "sort")};
    ww_mapreduce_allocate(host, &s->job, &shape);
}

static void fill(ww_host *host, void *state)
{
    wordcount *s = state;
    uint64_t *key = s->job.input.keys->host;
    record_value *value = s->job.input.values->host;
    (void)host;
    for (uint64_t at = 0, next; at < s->bytes; at = next) {
        next = after_block(s, at);
        s->made[next - 1] = 0;
        *key++ = s->text->buffer->address;
        *value++ = (record_value){(int32_t)at, (int32_t)(next - at)};
    }
    memcpy(s->text->host, s->made, s->bytes);
    ww_mapreduce_fill(&s->job);
}

static void run(ww_host *host, void *state)
{
    wordcount *s = state;
    ww_mapreduce_run(host, &s->job);
}

/* The text with a 0 after each word, and where a block begins with something else. */
static void cut_words(wordcount *s)
{
    for (uint64_t at = 0, next; at < s->bytes; at = next) {
        next = after_block(s, at);
        for (uint64_t i = next - 1; i > at; i--)
            if (is_letter(s->made[i - 1]) && !is_letter(s->made[i]))
                s->made[i] = 0;
        if (!is_letter(s->made[at]))
            s->made[at] = 0;
    }
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* All words that count, in order; how many. */
static uint64_t sort_words(const wordcount *s, char **words)
{
    uint64_t count = 0;
    for (uint64_t i = 0, length; i < s->bytes; i += length + 1) {
        for (length = 0; is_letter(s->made[i + length]);)
            length++;
        if (length + 1 >= LEAST_SIZE)
            words[count++] = s->made + i;
    }
    qsort(words, count, sizeof(*words), compare);
    return count;
}

static void verify(ww_host *host, void *state)
{
    wordcount *s = state;
    ww_records *sorted = &s->job.sorted;
    uint64_t most = s->job.shape.most_records, offset = 0;
    char **words = ww_host_alloc(host, most, sizeof(*words));
    bool *begins = ww_host_alloc(host, most, sizeof(*begins));
    cut_words(s);
    uint64_t count = sort_words(s, words);
    for (uint64_t i = 0; i < s->bytes; i++)
        ww_expect_u8(s->text, i, (uint8_t)s->made[i]);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t size = strlen(words[i]) + 1;
        ww_mapreduce_expect_entry(sorted, i, offset, size, sizeof(int32_t) * i, sizeof(int32_t));
        ww_expect_i32(sorted->values, i, (int32_t)size);
        for (uint64_t j = 0; j < size; j++)
            ww_expect_u8(sorted->keys, offset++, (uint8_t)words[i][j]);
        begins[i] = i == 0 || strcmp(words[i], words[i - 1]) != 0;
    }
    for (uint64_t i = count; i < most; i++)
        ww_expect_i32(sorted->values, i, 0);
    for (; offset < s->bytes; offset++)
        ww_expect_u8(sorted->keys, offset, 0);
    ww_mapreduce_expect_no_entry(&s->job, sorted, count);
    ww_mapreduce_expect_ranges(&s->job, begins, count);
}

static const ww_parameter parameters[] = {
    WW_NUMBER_PARAMETER("bytes", "88064", 2, 268435456, "bytes of the text"),
    WW_NUMBER_PARAMETER("block", "2048", 1, 1048576, "bytes that a work-item reads, at least"),
    WW_CHOICE_PARAMETER("sort", "steps", "steps|tiles",
                        "steps within 256 records: in global, in local memory"),
    WW_GROUP_PARAMETER("256"),
};

static const ww_named_size sizes[] = {
    {"tiny", "bytes=6000,block=128,group=64", 63, 0},
    {"small", "bytes=100000", 115, 0},
    {"ctrlc", "bytes=88064", 115, 0},
};

WW_WORKLOAD(wordcount) = {
    .name = "wordcount",
    .suite = "Mars",
    .doc = "words of a text, sorted and counted: strings of any length",
    .papers = "ctrlc",
    .irregular = false,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(wordcount),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
