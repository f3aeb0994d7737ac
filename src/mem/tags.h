/* Tags: which lines a cache has, and in what state.
 *
 * line       as a number: its address divided by the size of a line
 * entry      a set and a way of it
 * sectors    a bit for each sector of a line, from its start; one sector means no sectors
 * valid      of a sector: all its bytes are known here
 * dirty      of a sector: some of its bytes are newer than below. A sector that is dirty but not
 *            valid is partial: written without being fetched, so that a read still has to fetch the
 *            rest
 * reserved   of a way: it must not be evicted, because a miss will need it
 * used       of a set: a line was inserted since the set was last found empty
 * reused     of a way: its line was hit since it was inserted, or a request merged with its miss
 * free       of a way: no line is there
 * mark       a hash byte of a line's number: a search compares the marks of a set, sixteen at a
 *            time (marks.h), and line numbers only where the mark matches
 * slice      one of several caches over which the lines of a memory are interleaved; a line's set
 *            follows from its number among the lines of its slice
 * round      consecutive lines of which every slice has slice_lines
 *
 * Nothing here takes time, and nothing is allocated after creation. */
#ifndef WW_MEM_TAGS_H
#define WW_MEM_TAGS_H

#include "mem/marks.h"
#include "mem/replace.h"

#define WW_MAX_SECTORS 32
#define WW_NO_WAY UINT32_MAX

typedef enum ww_index {
    WW_INDEX_LOW, /* the line's low bits (modulo, when the number of sets is not a power of two) */
    WW_INDEX_XOR, /* all its bits, folded by exclusive or: no power-of-two stride favours a set */
} ww_index;

typedef struct ww_tags_config {
    uint32_t sets;
    uint32_t ways;
    ww_index index;
    uint32_t slices;      /* 1: the cache sees all lines */
    uint32_t slice_lines; /* consecutive lines of one slice: a power of two */
    const ww_replace *replace;
    ww_policy_start start; /* for the policy; its geometry is set here */
    bool keeps_pc_tags;    /* of requests that lines are inserted for; else only for the policy */
} ww_tags_config;

typedef struct ww_tags_entry {
    uint32_t set;
    uint32_t way; /* WW_NO_WAY: none */
} ww_tags_entry;

typedef struct ww_cache_line {
    uint64_t number; /* WW_NO_LINE: free */
    uint32_t valid;
    uint32_t dirty;
} ww_cache_line;

typedef struct ww_set {
    uint64_t free; /* a bit for each way, as in the next two */
    uint64_t reserved;
    uint64_t reused;
    bool is_used;
    _Alignas(16) uint8_t marks[]; /* by way, up to a multiple of WW_MARKS */
} ww_set;

typedef struct ww_tags {
    ww_tags_config config;
    bool has_binary_sets;   /* their number is a power of two */
    bool has_binary_rounds; /* likewise, of the lines of a round */
    bool is_folded;         /* line numbers are folded to fold_bits */
    uint32_t fold_bits;     /* enough for the number of a set */
    uint32_t round_bits;
    uint64_t round_lines;
    uint32_t slice_bits;  /* of slice_lines */
    uint32_t mark_bytes;  /* of a set: the ways, and more up to a multiple of WW_MARKS */
    uint32_t set_bytes;   /* of a set with its marks */
    uint32_t line_bytes;  /* of the lines of a set, as far as they are prefetched */
    uint64_t all_ways;    /* a bit for each */
    ww_cache_line *lines; /* by set and way */
    char *sets;
    void *state;       /* of the replacement policy */
    uint16_t *pc_tags; /* of the requests that lines were inserted for, by set and way; or NULL */
    uint32_t used_count;
    uint32_t *used; /* the used sets, in any order */
} ww_tags;

ww_tags *ww_tags_create(const ww_tags_config *config);
void ww_tags_destroy(ww_tags *tags);

uint32_t ww_tags_set(const ww_tags *tags, uint64_t number);
/* The entry of a line; the set is right even when the line is absent. */
ww_tags_entry ww_tags_find(const ww_tags *tags, uint64_t number);
/* Likewise, of a line whose set is known. */
ww_tags_entry ww_tags_find_in(const ww_tags *tags, uint32_t set, uint64_t number);

/* Prefetches what a search in the set, and an insertion, read. */
void ww_tags_prefetch(const ww_tags *tags, uint32_t set);

static inline ww_set *ww_tags_set_at(const ww_tags *tags, uint32_t set)
{
    return (ww_set *)(void *)(tags->sets + (size_t)set * tags->set_bytes);
}

static inline size_t ww_tags_slot(const ww_tags *tags, ww_tags_entry entry)
{
    return (size_t)entry.set * tags->config.ways + entry.way;
}

static inline ww_cache_line *ww_tags_line(const ww_tags *tags, ww_tags_entry entry)
{
    return &tags->lines[ww_tags_slot(tags, entry)];
}

static inline uint64_t ww_tags_number(const ww_tags *tags, ww_tags_entry entry)
{
    return ww_tags_line(tags, entry)->number;
}

static inline bool ww_tags_is_reused(const ww_tags *tags, ww_tags_entry entry)
{
    return ww_tags_set_at(tags, entry.set)->reused >> entry.way & 1;
}

/* Notifies the policy. */
static inline void ww_tags_hit(ww_tags *tags, ww_tags_entry entry, const ww_request *request)
{
    ww_tags_set_at(tags, entry.set)->reused |= 1ull << entry.way;
    tags->config.replace->hit(tags->state, entry.set, entry.way, request);
}

/* Likewise: a request that merged with the line's miss has its data. */
static inline void ww_tags_merge(ww_tags *tags, ww_tags_entry entry, const ww_request *request)
{
    const ww_replace *policy = tags->config.replace;
    ww_tags_set_at(tags, entry.set)->reused |= 1ull << entry.way;
    if (policy->merge)
        policy->merge(tags->state, entry.set, entry.way, request);
}

/* The policy's entry for a new line among the allowed ways that are not reserved; WW_NO_WAY when
 * there is none. Changes nothing: the caller can still write the victim back. */
static inline ww_tags_entry ww_tags_choose(ww_tags *tags, uint32_t set, uint64_t allowed,
                                           const ww_request *request)
{
    const ww_set *s = ww_tags_set_at(tags, set);
    allowed &= ~s->reserved & tags->all_ways;
    if (!allowed)
        return (ww_tags_entry){set, WW_NO_WAY};
    ww_ways ways = {allowed, allowed & s->free};
    return (ww_tags_entry){set, tags->config.replace->choose(tags->state, set, ways, request)};
}

/* What policies are told of a line that leaves; pc_tags are kept. */
ww_evicted ww_tags_leaving(const ww_tags *tags, ww_tags_entry entry, bool invalidated);

/* Notifies the policy: the line of an entry is about to leave. */
static inline void ww_tags_evict(const ww_tags *tags, ww_tags_entry entry, bool invalidated)
{
    if (!tags->config.replace->evict)
        return;
    ww_evicted line = ww_tags_leaving(tags, entry, invalidated);
    tags->config.replace->evict(tags->state, entry.set, entry.way, &line);
}

/* The high bits of a product with 2^64 over the golden ratio: Fibonacci hashing (Knuth). */
static inline uint8_t ww_tags_mark(uint64_t number)
{
    return (uint8_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 56);
}

/* Replaces the line of an entry by a new one, neither valid nor dirty. */
static inline void ww_tags_insert(ww_tags *tags, ww_tags_entry entry, uint64_t number,
                                  const ww_request *request)
{
    ww_set *set = ww_tags_set_at(tags, entry.set);
    set->marks[entry.way] = ww_tags_mark(number);
    *ww_tags_line(tags, entry) = (ww_cache_line){.number = number};
    set->free &= ~(1ull << entry.way);
    set->reused &= ~(1ull << entry.way);
    if (!set->is_used) {
        set->is_used = true;
        tags->used[tags->used_count++] = entry.set;
    }
    if (tags->pc_tags)
        tags->pc_tags[ww_tags_slot(tags, entry)] = request->pc_tag;
    tags->config.replace->insert(tags->state, entry.set, entry.way, request);
}

/* Invalidates the line of an entry. */
void ww_tags_remove(ww_tags *tags, ww_tags_entry entry);
/* Calls back for every line; the call may remove it. The cost depends on the used sets, not on the
 * size of the cache. */
void ww_tags_each(ww_tags *tags, void (*visit)(void *owner, ww_tags_entry entry), void *owner);

static inline void ww_tags_reserve(ww_tags *tags, ww_tags_entry entry)
{
    ww_tags_set_at(tags, entry.set)->reserved |= 1ull << entry.way;
}

static inline void ww_tags_release(ww_tags *tags, ww_tags_entry entry)
{
    ww_tags_set_at(tags, entry.set)->reserved &= ~(1ull << entry.way);
}

static inline bool ww_tags_is_reserved(const ww_tags *tags, ww_tags_entry entry)
{
    return ww_tags_set_at(tags, entry.set)->reserved >> entry.way & 1;
}

#endif
