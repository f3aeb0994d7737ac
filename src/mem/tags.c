#include "mem/tags.h"

#include "base/memory.h"

#include <assert.h>
#include <stddef.h>

#define PREFETCHED_WAYS 24 /* lines of sets with more ways are too many to prefetch */

static bool is_power(uint64_t value)
{
    return (value & (value - 1)) == 0;
}

static void note_geometry(ww_tags *tags)
{
    const ww_tags_config *config = &tags->config;
    uint64_t round = (uint64_t)config->slices * config->slice_lines;
    tags->has_binary_sets = is_power(config->sets);
    tags->has_binary_rounds = is_power(round);
    tags->round_lines = round;
    tags->is_folded = config->index == WW_INDEX_XOR && config->sets > 1;
    tags->fold_bits = 32u - (uint32_t)__builtin_clz(config->sets) - tags->has_binary_sets;
    tags->round_bits = (uint32_t)__builtin_ctzll(round);
    tags->slice_bits = (uint32_t)__builtin_ctz(config->slice_lines);
    tags->all_ways = ~0ull >> (WW_MAX_WAYS - config->ways);
}

static void create_sets(ww_tags *tags)
{
    const ww_tags_config *config = &tags->config;
    size_t count = (size_t)config->sets * config->ways;
    tags->mark_bytes = (config->ways + WW_MARKS - 1) / WW_MARKS * WW_MARKS;
    tags->set_bytes = (uint32_t)offsetof(ww_set, marks) + tags->mark_bytes;
    tags->lines = ww_calloc_rows(count * sizeof(*tags->lines));
    for (size_t i = 0; i < count; i++)
        tags->lines[i].number = WW_NO_LINE;
    if (config->ways <= PREFETCHED_WAYS)
        tags->line_bytes = config->ways * (uint32_t)sizeof(*tags->lines);
    tags->sets = ww_calloc_rows((size_t)config->sets * tags->set_bytes);
    for (uint32_t i = 0; i < config->sets; i++)
        ww_tags_set_at(tags, i)->free = tags->all_ways;
}

ww_tags *ww_tags_create(const ww_tags_config *config)
{
    assert(config->sets && config->ways && config->ways <= WW_MAX_WAYS);
    assert(config->slices && config->slice_lines && is_power(config->slice_lines));
    ww_tags *tags = ww_calloc(1, sizeof(*tags));
    tags->config = *config;
    note_geometry(tags);
    create_sets(tags);
    tags->used = ww_calloc(config->sets, sizeof(*tags->used));
    tags->config.start.sets = config->sets;
    tags->config.start.ways = config->ways;
    if (config->replace->evict || config->keeps_pc_tags)
        tags->pc_tags = ww_calloc((size_t)config->sets * config->ways, sizeof(*tags->pc_tags));
    tags->state = ww_policy_create(&config->replace->policy, &tags->config.start);
    return tags;
}

void ww_tags_destroy(ww_tags *tags)
{
    if (!tags)
        return;
    free(tags->lines);
    free(tags->sets);
    free(tags->used);
    free(tags->pc_tags);
    ww_policy_destroy(&tags->config.replace->policy, &tags->config.start, tags->state);
    free(tags);
}

static uint64_t fold(uint64_t number, uint32_t bits)
{
    uint64_t folded = 0;
    for (; number; number >>= bits)
        folded ^= number;
    return folded;
}

/* The set by a line's number among those of its slice. */
static inline uint32_t set_of(const ww_tags *tags, uint64_t number)
{
    const ww_tags_config *config = &tags->config;
    uint64_t rounds =
        tags->has_binary_rounds ? number >> tags->round_bits : number / tags->round_lines;
    uint64_t local = rounds << tags->slice_bits | (number & (config->slice_lines - 1));
    if (tags->is_folded)
        local = fold(local, tags->fold_bits);
    return (uint32_t)(tags->has_binary_sets ? local & (config->sets - 1) : local % config->sets);
}

uint32_t ww_tags_set(const ww_tags *tags, uint64_t number)
{
    return set_of(tags, number);
}

ww_tags_entry ww_tags_find_in(const ww_tags *tags, uint32_t set, uint64_t number)
{
    const uint8_t *marks = ww_tags_set_at(tags, set)->marks;
    const ww_cache_line *lines = &tags->lines[(size_t)set * tags->config.ways];
    ww_marks wanted = ww_marks_of(ww_tags_mark(number));
    for (uint32_t first = 0; first < tags->mark_bytes; first += WW_MARKS)
        for (uint32_t same = ww_marks_equal(marks + first, wanted); same; same &= same - 1) {
            uint32_t way = first + (uint32_t)__builtin_ctz(same);
            if (way < tags->config.ways && lines[way].number == number)
                return (ww_tags_entry){set, way};
        }
    return (ww_tags_entry){set, WW_NO_WAY};
}

ww_tags_entry ww_tags_find(const ww_tags *tags, uint64_t number)
{
    return ww_tags_find_in(tags, set_of(tags, number), number);
}

void ww_tags_prefetch(const ww_tags *tags, uint32_t set)
{
    const char *lines = (const char *)&tags->lines[(size_t)set * tags->config.ways];
    const char *state = (const char *)ww_tags_set_at(tags, set);
    __builtin_prefetch(state);
    __builtin_prefetch(state + tags->set_bytes - 1);
    if (tags->config.replace->prefetch)
        tags->config.replace->prefetch(tags->state, set);
    for (const char *end = lines + tags->line_bytes; lines < end; lines += 64)
        __builtin_prefetch(lines);
}

ww_evicted ww_tags_leaving(const ww_tags *tags, ww_tags_entry entry, bool invalidated)
{
    const ww_cache_line *line = ww_tags_line(tags, entry);
    return (ww_evicted){.number = line->number,
                        .pc_tag = tags->pc_tags[ww_tags_slot(tags, entry)],
                        .was_hit = ww_tags_is_reused(tags, entry),
                        .dirty = line->dirty != 0,
                        .invalidated = invalidated};
}

void ww_tags_remove(ww_tags *tags, ww_tags_entry entry)
{
    ww_tags_evict(tags, entry, true);
    *ww_tags_line(tags, entry) = (ww_cache_line){.number = WW_NO_LINE};
    ww_tags_set_at(tags, entry.set)->free |= 1ull << entry.way;
}

void ww_tags_each(ww_tags *tags, void (*visit)(void *owner, ww_tags_entry entry), void *owner)
{
    for (uint32_t i = tags->used_count; i-- > 0;) {
        ww_tags_entry entry = {tags->used[i], 0};
        bool is_empty = true;
        for (; entry.way < tags->config.ways; entry.way++) {
            if (ww_tags_number(tags, entry) != WW_NO_LINE)
                visit(owner, entry);
            is_empty &= ww_tags_number(tags, entry) == WW_NO_LINE;
        }
        if (!is_empty)
            continue;
        ww_tags_set_at(tags, entry.set)->is_used = false;
        tags->used[i] = tags->used[--tags->used_count];
    }
}
