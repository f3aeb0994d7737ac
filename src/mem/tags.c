#include "mem/tags.h"

#include "base/memory.h"

#include <assert.h>

#define NOT_A_POWER 64u
#define EACH_BYTE UINT64_C(0x0101010101010101)

static uint32_t bits_of(uint64_t count)
{
    return count & (count - 1) ? NOT_A_POWER : (uint32_t)__builtin_ctzll(count);
}

static void create_sets(ww_tags *tags)
{
    const ww_tags_config *config = &tags->config;
    size_t count = (size_t)config->sets * config->ways;
    tags->mark_words = (config->ways + 7) / 8;
    tags->marks = ww_calloc_rows((size_t)config->sets * tags->mark_words * sizeof(*tags->marks));
    tags->lines = ww_calloc_rows(count * sizeof(*tags->lines));
    for (size_t i = 0; i < count; i++)
        tags->lines[i].number = WW_NO_LINE;
    tags->sets = ww_calloc(config->sets, sizeof(*tags->sets));
    for (size_t i = 0; i < config->sets; i++)
        tags->sets[i].free = ~0ull >> (WW_MAX_WAYS - config->ways);
}

ww_tags *ww_tags_create(const ww_tags_config *config)
{
    assert(config->sets && config->ways && config->ways <= WW_MAX_WAYS);
    ww_tags *tags = ww_calloc(1, sizeof(*tags));
    tags->config = *config;
    tags->set_bits = bits_of(config->sets);
    tags->turn_bits = bits_of((uint64_t)config->slices * config->slice_lines);
    create_sets(tags);
    tags->used = ww_calloc(config->sets, sizeof(*tags->used));
    tags->state = ww_calloc(1, config->replace->state_size(config->sets, config->ways));
    config->replace->start(tags->state, config->sets, config->ways, config->seed);
    return tags;
}

void ww_tags_destroy(ww_tags *tags)
{
    if (!tags)
        return;
    free(tags->marks);
    free(tags->lines);
    free(tags->sets);
    free(tags->used);
    free(tags->state);
    free(tags);
}

/* A line's number among those of its slice. */
static uint64_t local_number(const ww_tags *tags, uint64_t number)
{
    const ww_tags_config *config = &tags->config;
    if (config->slices == 1)
        return number;
    uint64_t turn = tags->turn_bits != NOT_A_POWER
                        ? number >> tags->turn_bits
                        : number / ((uint64_t)config->slices * config->slice_lines);
    return turn * config->slice_lines + number % config->slice_lines;
}

static uint64_t fold(uint64_t number, uint32_t bits)
{
    uint64_t folded = 0;
    for (; number; number >>= bits)
        folded ^= number;
    return folded;
}

uint32_t ww_tags_set(const ww_tags *tags, uint64_t number)
{
    uint64_t local = local_number(tags, number);
    uint32_t sets = tags->config.sets;
    if (sets == 1)
        return 0;
    if (tags->config.index == WW_INDEX_XOR)
        local = fold(local, tags->set_bits != NOT_A_POWER ? tags->set_bits
                                                          : 32u - (uint32_t)__builtin_clz(sets));
    return (uint32_t)(tags->set_bits != NOT_A_POWER ? local & (sets - 1) : local % sets);
}

/* The high bits of a product with 2^64 over the golden ratio: Fibonacci hashing (Knuth). */
static uint64_t mark_of(uint64_t number)
{
    return number * UINT64_C(0x9e3779b97f4a7c15) >> 56;
}

ww_place ww_tags_find(const ww_tags *tags, uint64_t number)
{
    ww_place place = {ww_tags_set(tags, number), WW_NO_WAY};
    const uint64_t *marks = &tags->marks[(size_t)place.set * tags->mark_words];
    const ww_line *lines = &tags->lines[(size_t)place.set * tags->config.ways];
    uint64_t wanted = mark_of(number) * EACH_BYTE;
    for (uint32_t word = 0; word < tags->mark_words; word++) {
        uint64_t other = marks[word] ^ wanted;
        /* The high bit of each byte that is zero, and perhaps of one above such a byte. */
        uint64_t same = (other - EACH_BYTE) & ~other & EACH_BYTE << 7;
        for (; same; same &= same - 1) {
            uint32_t way = word * 8 + (uint32_t)__builtin_ctzll(same) / 8;
            if (way < tags->config.ways && lines[way].number == number)
                return (ww_place){place.set, way};
        }
    }
    return place;
}

ww_place ww_tags_choose(ww_tags *tags, uint32_t set, uint64_t allowed, const ww_request *request)
{
    const ww_set *s = &tags->sets[set];
    allowed &= ~s->reserved & ~0ull >> (WW_MAX_WAYS - tags->config.ways);
    if (allowed & s->free)
        return (ww_place){set, (uint32_t)__builtin_ctzll(allowed & s->free)};
    if (!allowed)
        return (ww_place){set, WW_NO_WAY};
    uint32_t way = tags->config.replace->victim(tags->state, set, allowed, request);
    assert(allowed >> way & 1);
    return (ww_place){set, way};
}

void ww_tags_insert(ww_tags *tags, ww_place place, uint64_t number, const ww_request *request)
{
    ww_set *set = &tags->sets[place.set];
    uint64_t *marks = &tags->marks[(size_t)place.set * tags->mark_words + place.way / 8];
    unsigned shift = place.way % 8 * 8;
    *marks = (*marks & ~(UINT64_C(0xff) << shift)) | mark_of(number) << shift;
    *ww_tags_line(tags, place) = (ww_line){.number = number};
    set->free &= ~(1ull << place.way);
    tags->config.replace->insert(tags->state, place.set, place.way, request);
    if (set->is_used)
        return;
    set->is_used = true;
    tags->used[tags->used_count++] = place.set;
}

void ww_tags_remove(ww_tags *tags, ww_place place)
{
    *ww_tags_line(tags, place) = (ww_line){.number = WW_NO_LINE};
    tags->sets[place.set].free |= 1ull << place.way;
}

void ww_tags_each(ww_tags *tags, void (*visit)(void *owner, ww_place place), void *owner)
{
    for (uint32_t i = tags->used_count; i-- > 0;) {
        ww_place place = {tags->used[i], 0};
        bool is_empty = true;
        for (; place.way < tags->config.ways; place.way++) {
            if (ww_tags_number(tags, place) != WW_NO_LINE)
                visit(owner, place);
            is_empty &= ww_tags_number(tags, place) == WW_NO_LINE;
        }
        if (!is_empty)
            continue;
        tags->sets[place.set].is_used = false;
        tags->used[i] = tags->used[--tags->used_count];
    }
}
