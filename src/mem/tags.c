#include "mem/tags.h"

#include "base/memory.h"

#include <assert.h>

#define PREFETCHED_WAYS 24 /* sets of more ways are too large to prefetch */
#define EACH_BYTE UINT64_C(0x0101010101010101)

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
    tags->mark_words = (config->ways + 7) / 8;
    tags->marks = ww_calloc_rows((size_t)config->sets * tags->mark_words * sizeof(*tags->marks));
    tags->lines = ww_calloc_rows(count * sizeof(*tags->lines));
    for (size_t i = 0; i < count; i++)
        tags->lines[i].number = WW_NO_LINE;
    tags->sets = ww_calloc(config->sets, sizeof(*tags->sets));
    for (size_t i = 0; i < config->sets; i++)
        tags->sets[i].free = tags->all_ways;
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
    free(tags->marks);
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

/* The high bit of each byte that equals the wanted one, and perhaps of one above such a byte. */
static inline uint64_t matches(uint64_t marks, uint64_t wanted)
{
    uint64_t other = marks ^ wanted;
    return (other - EACH_BYTE) & ~other & EACH_BYTE << 7;
}

static inline uint64_t wanted_marks(uint64_t number)
{
    return ww_tags_mark(number) * EACH_BYTE;
}

static inline ww_tags_entry first_of(uint32_t set, uint32_t word, uint64_t same)
{
    return (ww_tags_entry){set, word * 8 + (uint32_t)__builtin_ctzll(same) / 8};
}

static inline bool is_at(const ww_tags *tags, ww_tags_entry entry, uint64_t number)
{
    return entry.way < tags->config.ways && ww_tags_number(tags, entry) == number;
}

/* Continues a search after the first match of a word. Rarely needed; not inlined, because the
 * search needs fewer registers without it. */
__attribute__((noinline)) static ww_tags_entry find_after(const ww_tags *tags, ww_tags_entry first,
                                                          uint64_t same, uint64_t number)
{
    const uint64_t *marks = &tags->marks[(size_t)first.set * tags->mark_words];
    uint32_t word = first.way / 8;
    for (same &= same - 1;; same = matches(marks[word], wanted_marks(number))) {
        for (; same; same &= same - 1)
            if (is_at(tags, first_of(first.set, word, same), number))
                return first_of(first.set, word, same);
        if (++word == tags->mark_words)
            return (ww_tags_entry){first.set, WW_NO_WAY};
    }
}

ww_tags_entry ww_tags_find(const ww_tags *tags, uint64_t number)
{
    uint32_t set = set_of(tags, number), words = tags->mark_words;
    const uint64_t *marks = &tags->marks[(size_t)set * words];
    uint64_t wanted = wanted_marks(number);
    for (uint32_t word = 0; word < words; word++) {
        uint64_t same = matches(marks[word], wanted);
        if (!same)
            continue;
        ww_tags_entry first = first_of(set, word, same);
        return is_at(tags, first, number) ? first : find_after(tags, first, same, number);
    }
    return (ww_tags_entry){set, WW_NO_WAY};
}

void ww_tags_prefetch(const ww_tags *tags, uint64_t number)
{
    uint32_t set = set_of(tags, number), ways = tags->config.ways;
    const ww_cache_line *lines = &tags->lines[(size_t)set * ways];
    __builtin_prefetch(&tags->marks[(size_t)set * tags->mark_words]);
    __builtin_prefetch(&tags->sets[set]);
    if (tags->config.replace->prefetch)
        tags->config.replace->prefetch(tags->state, set);
    if (ways <= PREFETCHED_WAYS)
        for (uint32_t way = 0; way < ways; way += 64 / sizeof(*lines))
            __builtin_prefetch(&lines[way]);
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
    tags->sets[entry.set].free |= 1ull << entry.way;
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
        tags->sets[entry.set].is_used = false;
        tags->used[i] = tags->used[--tags->used_count];
    }
}
