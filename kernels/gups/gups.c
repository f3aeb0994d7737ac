/* GUPS: random updates of a large table. */
#include "workload/workload.h"

#include "base/memory.h"

#include <inttypes.h>

#define MOST_UPDATES_A_WORD 16

typedef struct gups {
    uint64_t words, items, updates, group;
    bool atomic;
    ww_array *table, *numbers;
} gups;

/* ---- the sequence of pseudo-random numbers: number k is x^k modulo x^64 + x^2 + x + 1 ---- */

static uint64_t next(uint64_t number)
{
    return (number << 1) ^ (number >> 63 ? 7 : 0);
}

static uint64_t multiply(uint64_t a, uint64_t b)
{
    uint64_t product = 0;
    for (; b; b >>= 1, a = next(a))
        if (b & 1)
            product ^= a;
    return product;
}

static uint64_t nth_number(uint64_t n)
{
    uint64_t number = 1;
    for (uint64_t power = 2; n; n >>= 1, power = multiply(power, power))
        if (n & 1)
            number = multiply(number, power);
    return number;
}

/* The run's seed decides where in the sequence the first work-item starts. */
static uint64_t first_number(const gups *s)
{
    return nth_number(ww_random_u64(s->numbers, 0));
}

/* ---- the host side ---- */

static void allocate(ww_host *host, void *state)
{
    gups *s = state;
    s->words = ww_host_number(host, "n");
    s->items = ww_host_number(host, "items");
    s->updates = ww_host_number(host, "updates");
    s->group = ww_host_number(host, "group");
    s->atomic = ww_host_number(host, "atomic");
    if (s->words & (s->words - 1))
        ww_host_refuse(host, "n is %" PRIu64 " (a power of two is needed)", s->words);
    if (s->items * s->updates > MOST_UPDATES_A_WORD * s->words)
        ww_host_refuse(host, "items * updates is %" PRIu64 " (at most %d times n can be verified)",
                       s->items * s->updates, MOST_UPDATES_A_WORD);
    s->table = ww_host_array(host, "table", WW_INOUT, sizeof(uint64_t), s->words);
    s->numbers = ww_host_array(host, "numbers", WW_INOUT, sizeof(uint64_t), s->items);
}

static void fill(ww_host *host, void *state)
{
    gups *s = state;
    uint64_t *table = s->table->host, *numbers = s->numbers->host;
    uint64_t number = first_number(s), stride = nth_number(s->updates);
    (void)host;
    for (uint64_t i = 0; i < s->words; i++)
        table[i] = i;
    for (uint64_t i = 0; i < s->items; i++, number = multiply(number, stride))
        numbers[i] = number;
}

static void run(ww_host *host, void *state)
{
    gups *s = state;
    ww_host_launch(host, s->atomic ? "gups_atomic" : "gups_plain", ww_range1(s->items, s->group),
                   ww_mem(s->table), ww_mem(s->numbers), ww_u64(s->words - 1), ww_u32(s->items),
                   ww_u32(s->updates));
}

/* ---- what is right ---- */

/* The work-items' numbers follow each other in the sequence, so that one walk along it makes all
 * updates again. Made twice an update cancels: the table is as it was before the run, except where
 * updates were lost. */
static void undo(gups *s)
{
    uint64_t *table = s->table->host;
    uint64_t number = first_number(s);
    for (uint64_t i = 0; i < s->items; i++) {
        for (uint64_t k = 0; k < s->updates; k++) {
            number = next(number);
            table[number & (s->words - 1)] ^= number;
        }
        ww_expect_u64(s->numbers, i, number);
    }
}

/* A word that is not as it was before the run. The updates that reached it are kept as a basis of
 * the words that they can make, each at the place of its highest bit. */
typedef struct suspect {
    uint64_t word;
    uint64_t all; /* of its updates, one after the other */
    bool dependent; /* some of them cancel each other */
    uint64_t basis[64];
} suspect;

#define MOST_SUSPECTS (1u << 18)

typedef struct suspects {
    uint64_t *bits; /* which words are suspect */
    suspect *items; /* by word */
    size_t count;
    uint64_t end; /* the word after the last one that was looked at */
} suspects;

/* The first ones from word `from` on. */
static suspects find_suspects(const gups *s, uint64_t from)
{
    const uint64_t *table = s->table->host;
    suspects found = {.bits = ww_calloc(s->words / 64 + 1, sizeof(uint64_t)), .end = from};
    size_t room = 0;
    for (; found.end < s->words && found.count < MOST_SUSPECTS; found.end++) {
        uint64_t word = found.end;
        if (table[word] == word)
            continue;
        if (found.count == room)
            found.items = ww_vec_grow(found.items, &room, sizeof(*found.items));
        found.items[found.count++] = (suspect){.word = word};
        found.bits[word / 64] |= (uint64_t)1 << word % 64;
    }
    return found;
}

static uint64_t reduce(const suspect *one, uint64_t value)
{
    for (int bit = 63; bit >= 0 && value; bit--)
        if (value >> bit & 1)
            value ^= one->basis[bit];
    return value;
}

static int by_word(const void *a, const void *b)
{
    uint64_t one = *(const uint64_t *)a, other = ((const suspect *)b)->word;
    return one < other ? -1 : one > other;
}

static void note_update(suspects *among, uint64_t word, uint64_t number)
{
    if (!(among->bits[word / 64] >> word % 64 & 1))
        return;
    suspect *one = bsearch(&word, among->items, among->count, sizeof(*one), by_word);
    uint64_t rest = reduce(one, number);
    one->all ^= number;
    if (rest)
        one->basis[63 - __builtin_clzll(rest)] = rest;
    else
        one->dependent = true;
}

/* What was written last is there: some of the updates, not none, make the word's change. */
static bool is_explained(const suspect *one, uint64_t lost)
{
    uint64_t there = lost ^ one->all;
    return reduce(one, there) == 0 && (there != 0 || one->dependent);
}

/* Puts right, from word `from` on, what lost updates explain. Returns where to go on. */
static uint64_t explain(gups *s, uint64_t from)
{
    uint64_t *table = s->table->host;
    uint64_t number = first_number(s);
    suspects found = find_suspects(s, from);
    for (uint64_t k = 0; found.count && k < s->items * s->updates; k++) {
        number = next(number);
        note_update(&found, number & (s->words - 1), number);
    }
    for (size_t i = 0; i < found.count; i++) {
        const suspect *one = &found.items[i];
        if (is_explained(one, table[one->word] ^ one->word))
            table[one->word] = one->word;
    }
    free(found.items);
    free(found.bits);
    return found.end;
}

static void verify(ww_host *host, void *state)
{
    gups *s = state;
    (void)host;
    undo(s);
    if (!s->atomic)
        for (uint64_t from = 0; from < s->words;)
            from = explain(s, from);
    for (uint64_t i = 0; i < s->words; i++)
        ww_expect_u64(s->table, i, i);
}

static const ww_parameter parameters[] = {
    WW_NUMBER_PARAMETER("n", "1048576", 1, 1u << 30, "words of 8 bytes, a power of two"),
    WW_NUMBER_PARAMETER("items", "8192", 1, 1 << 24, "work-items, each with its own numbers"),
    WW_NUMBER_PARAMETER("updates", "512", 1, 1 << 24, "updates that a work-item makes"),
    WW_CHOICE_PARAMETER("atomic", "no", "no|yes", "updates that cannot be lost"),
    WW_GROUP_PARAMETER("64"),
};

static const ww_named_size sizes[] = {
    {"tiny", "n=65536,items=512,updates=256", 1, 0},
    {"small", "n=2097152,items=8192,updates=512", 1, 0},
    {"cuptw", "n=134217728,items=131072,updates=512", 1, 1025},
};

WW_WORKLOAD(gups) = {
    .name = "gups",
    .suite = "HPCC",
    .doc = "random updates of a large table (RandomAccess)",
    .papers = "cuptw",
    .irregular = true,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(gups),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
