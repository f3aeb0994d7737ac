#include "mem/tags.h"

#include "base/memory.h"

#include <assert.h>
#include <string.h>

#define NOT_A_POWER 64u

ww_tags *ww_tags_create(const ww_tags_config *config)
{
    assert(config->sets && config->ways && config->ways <= WW_MAX_WAYS);
    ww_tags *tags = ww_calloc(1, sizeof(*tags));
    size_t count = (size_t)config->sets * config->ways;
    bool power = (config->sets & (config->sets - 1)) == 0;
    tags->config = *config;
    tags->set_bits = power ? (uint32_t)__builtin_ctz(config->sets) : NOT_A_POWER;
    tags->numbers = ww_calloc_rows(count * sizeof(*tags->numbers));
    memset(tags->numbers, 0xff, count * sizeof(*tags->numbers));
    tags->lines = ww_calloc(count, sizeof(*tags->lines));
    tags->reserved = ww_calloc(config->sets, sizeof(*tags->reserved));
    tags->used = ww_calloc(config->sets, sizeof(*tags->used));
    tags->is_used = ww_calloc(config->sets, sizeof(*tags->is_used));
    tags->state = ww_calloc(1, config->replace->state_size(config->sets, config->ways));
    config->replace->start(tags->state, config->sets, config->ways, config->seed);
    return tags;
}

void ww_tags_destroy(ww_tags *tags)
{
    if (!tags)
        return;
    free(tags->numbers);
    free(tags->lines);
    free(tags->reserved);
    free(tags->used);
    free(tags->is_used);
    free(tags->state);
    free(tags);
}

/* A line's number among those of its slice. */
static uint64_t local_number(const ww_tags_config *config, uint64_t number)
{
    if (config->slices == 1)
        return number;
    uint64_t turn = number / ((uint64_t)config->slices * config->slice_lines);
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
    uint64_t local = local_number(&tags->config, number);
    uint32_t sets = tags->config.sets;
    if (sets == 1)
        return 0;
    if (tags->config.index == WW_INDEX_XOR)
        local = fold(local, tags->set_bits != NOT_A_POWER ? tags->set_bits
                                                          : 32u - (uint32_t)__builtin_clz(sets));
    return (uint32_t)(tags->set_bits != NOT_A_POWER ? local & (sets - 1) : local % sets);
}

ww_place ww_tags_find(const ww_tags *tags, uint64_t number)
{
    ww_place place = {ww_tags_set(tags, number), WW_NO_WAY};
    uint32_t ways = tags->config.ways;
    const uint64_t *numbers = &tags->numbers[(size_t)place.set * ways];
    for (uint32_t way = 0; way < ways; way++)
        if (numbers[way] == number) {
            place.way = way;
            break;
        }
    return place;
}

ww_place ww_tags_choose(ww_tags *tags, uint32_t set, uint64_t allowed, const ww_request *request)
{
    uint32_t ways = tags->config.ways;
    const uint64_t *numbers = &tags->numbers[(size_t)set * ways];
    allowed &= ~tags->reserved[set] & ~0ull >> (WW_MAX_WAYS - ways);
    for (uint64_t left = allowed; left; left &= left - 1) {
        uint32_t way = (uint32_t)__builtin_ctzll(left);
        if (numbers[way] == WW_NO_LINE)
            return (ww_place){set, way};
    }
    if (!allowed)
        return (ww_place){set, WW_NO_WAY};
    uint32_t way = tags->config.replace->victim(tags->state, set, allowed, request);
    assert(allowed >> way & 1);
    return (ww_place){set, way};
}

void ww_tags_insert(ww_tags *tags, ww_place place, uint64_t number, const ww_request *request)
{
    size_t slot = ww_tags_slot(tags, place);
    tags->numbers[slot] = number;
    tags->lines[slot] = (ww_line){0, 0};
    tags->config.replace->insert(tags->state, place.set, place.way, request);
    if (tags->is_used[place.set])
        return;
    tags->is_used[place.set] = true;
    tags->used[tags->used_count++] = place.set;
}

void ww_tags_remove(ww_tags *tags, ww_place place)
{
    size_t slot = ww_tags_slot(tags, place);
    tags->numbers[slot] = WW_NO_LINE;
    tags->lines[slot] = (ww_line){0, 0};
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
        tags->is_used[place.set] = false;
        tags->used[i] = tags->used[--tags->used_count];
    }
}
