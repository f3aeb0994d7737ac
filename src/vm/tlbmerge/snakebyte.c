/* Recursive merging of contiguous pages (SnakeByte, HPCA 2023, Lee et al.).
 *
 * block   8^size aligned pages: 4 KiB, 32 KiB, 256 KiB, 2 MiB, 16 MiB, 128 MiB, 1 GiB, 8 GiB
 * entry   of a block: the frame of its first page, and which of its eighths are valid. A page joins
 *         the entry of its block of eight if it is contiguous with the pages there. A block whose
 *         eighths are all valid is one eighth of the next larger block: it joins the entry of that,
 *         or founds it. What is not contiguous with the entry of the larger block has one of its
 *         own.
 * break   a page that is removed leaves all others: the eighth with the page becomes an entry of
 *         its own size without the eighth with the page, and so on down to the page.
 *
 * All sizes are looked up at once; the largest that has the page is used. The authors' paper is not
 * public but for its abstract: that all TLBs merge, and merge at fills, is assumed. */
#include "stats/stats.h"
#include "vm/page_table.h"
#include "vm/tlbmerge.h"
#include "vm/vm_schema.h"

#define SIZES (WW_MOST_RUN + 1)
#define SIZE_SHIFT 45 /* in the key of an entry: above the page's number, below the space's */
#define VALID_SHIFT 52
#define ALL 0xffu
#define FLAGS (WW_PTE_PRESENT | WW_PTE_WRITABLE)

typedef struct snakebyte {
    uint64_t merges[WW_MOST_RUN]; /* by size - 1 */
    uint64_t breaks;
    double entries[SIZES]; /* of a TLB that is shared */
    double reach;          /* likewise */
    uint64_t count[SIZES]; /* entries, by size */
    unsigned largest;      /* size of a block */
    unsigned page_shift;
    bool shared;
} snakebyte;

/* An entry, taken apart. */
typedef struct block {
    unsigned size;
    uint64_t frame; /* of its first page, or of where that would be */
    uint64_t flags;
    unsigned valid; /* eighths, as bits; of a page: ALL */
} block;

typedef struct tlb {
    snakebyte *state;
    ww_lru *entries;
    uint64_t key; /* of the page that this is about */
    uint32_t evictions;
} tlb;

/* ---- blocks ---- */

static uint64_t page_of(const tlb *t)
{
    return t->key & ((1ull << SIZE_SHIFT) - 1);
}

static uint64_t key_of(const tlb *t, unsigned size)
{
    return t->key >> WW_ASID_SHIFT << WW_ASID_SHIFT | (uint64_t)size << SIZE_SHIFT |
           page_of(t) >> 3 * size;
}

/* The eighth of a block of this size that has the page, as a bit. */
static unsigned eighth_of(const tlb *t, unsigned size)
{
    return size ? 1u << (page_of(t) >> 3 * (size - 1) & 7) : ALL;
}

/* From the first byte of its block to the page. */
static uint64_t offset_of(const tlb *t, unsigned size)
{
    return (page_of(t) & ((1ull << 3 * size) - 1)) << t->state->page_shift;
}

/* The block of this size around a page with these bits. */
static block block_around(const tlb *t, unsigned size, uint64_t bits, unsigned valid)
{
    return (block){size, (bits - offset_of(t, size)) & WW_PTE_FRAME, bits & FLAGS, valid};
}

static bool is_contiguous(const block *a, const block *b)
{
    return a->frame == b->frame && a->flags == b->flags;
}

/* ---- entries ---- */

static block take_apart(unsigned size, uint64_t value)
{
    return (block){size, value & WW_PTE_FRAME, value & FLAGS,
                   (unsigned)(value >> VALID_SHIFT) & ALL};
}

static void count(snakebyte *s, const block *b, bool more)
{
    double pages =
        b->size ? (double)__builtin_popcount(b->valid) * (double)(1ull << 3 * (b->size - 1)) : 1;
    s->count[b->size] += more ? 1 : UINT64_MAX;
    if (!s->shared)
        return;
    s->entries[b->size] += more ? 1 : -1;
    s->reach += more ? pages : -pages;
}

static bool get(const tlb *t, unsigned size, block *b)
{
    uint64_t value;
    if (!t->state->count[size] || !ww_lru_get(t->entries, key_of(t, size), &value))
        return false;
    *b = take_apart(size, value);
    return true;
}

static void drop(tlb *t, const block *b)
{
    ww_lru_remove(t->entries, key_of(t, b->size));
    count(t->state, b, false);
}

/* Instead of the block's entry, if it has one. */
static void put(tlb *t, const block *b)
{
    block old;
    uint64_t value = b->frame | b->flags | (uint64_t)b->valid << VALID_SHIFT;
    ww_lru_evicted evicted;
    if (get(t, b->size, &old))
        count(t->state, &old, false);
    if (ww_lru_exchange(t->entries, key_of(t, b->size), value, &evicted)) {
        old = take_apart((unsigned)(evicted.key >> SIZE_SHIFT) & 7, evicted.value);
        count(t->state, &old, false);
        t->evictions++;
    }
    count(t->state, b, true);
}

/* ---- the policy ---- */

static bool find(void *state, ww_lru *entries, uint64_t key, uint64_t *bits, ww_page_run *run)
{
    tlb t = {state, entries, key, 0};
    block b;
    for (unsigned size = SIZES; size-- > 0;) {
        if (!get(&t, size, &b) || !(b.valid & eighth_of(&t, size)))
            continue;
        uint64_t unused;
        ww_lru_find(entries, key_of(&t, size), &unused);
        *bits = ((b.frame + offset_of(&t, size)) & WW_PTE_FRAME) | b.flags;
        *run = (ww_page_run){(uint8_t)size, (uint8_t)b.valid};
        return true;
    }
    return false;
}

/* The valid eighths of a block join its entry; when it is full, it joins the next larger one. */
static void join(tlb *t, uint64_t bits, unsigned size, unsigned valid)
{
    for (;; size++) {
        block old, b = block_around(t, size, bits, valid);
        bool has = get(t, size, &old);
        if (has && !is_contiguous(&old, &b)) {
            b = block_around(t, size - 1, bits, ALL);
            put(t, &b);
            return;
        }
        b.valid |= has ? old.valid : 0;
        if (b.valid == ALL)
            t->state->merges[size - 1]++;
        if (b.valid != ALL || size >= t->state->largest) {
            put(t, &b);
            return;
        }
        if (has)
            drop(t, &old);
        valid = eighth_of(t, size + 1);
    }
}

static void remove_page(void *state, ww_lru *entries, uint64_t key)
{
    tlb t = {state, entries, key, 0};
    for (unsigned size = 0; size < SIZES; size++) {
        block b, smaller;
        unsigned eighth = eighth_of(&t, size);
        if (!get(&t, size, &b) || !(b.valid & eighth))
            continue;
        uint64_t bits = ((b.frame + offset_of(&t, size)) & WW_PTE_FRAME) | b.flags;
        drop(&t, &b);
        b.valid &= ~eighth;
        t.state->breaks += b.valid || size > 1;
        if (b.valid)
            put(&t, &b);
        for (unsigned at = size; at-- > 1;) {
            b = block_around(&t, at, bits, ALL & ~eighth_of(&t, at));
            if (get(&t, at, &smaller) && is_contiguous(&smaller, &b))
                b.valid |= smaller.valid;
            put(&t, &b);
        }
    }
}

/* Whether an entry has all pages of a run around the same page. */
static bool has_run(ww_page_run entry, ww_page_run run)
{
    return entry.size > run.size || (entry.size == run.size && !(run.valid & ~entry.valid));
}

static uint32_t fill(void *state, ww_lru *entries, uint64_t key, uint64_t bits, ww_page_run run)
{
    tlb t = {state, entries, key, 0};
    uint64_t old;
    ww_page_run known;
    if (!entries->sets)
        return 0;
    if (find(state, entries, key, &old, &known)) {
        bool right = old == (bits & (WW_PTE_FRAME | FLAGS));
        if (right && has_run(known, run))
            return 0;
        if (!right || !known.size)
            remove_page(state, entries, key);
    }
    join(&t, bits, run.size ? run.size : 1, run.size ? run.valid : eighth_of(&t, 1));
    return t.evictions;
}

static void remove_space(void *state, ww_lru *entries, uint16_t asid)
{
    for (uint32_t i = 0; i < entries->sets * entries->ways; i++) {
        const ww_lru_entry *e = &entries->entries[i];
        if (e->key == UINT64_MAX || e->key >> WW_ASID_SHIFT != asid)
            continue;
        block b = take_apart((unsigned)(e->key >> SIZE_SHIFT) & 7, e->value);
        count(state, &b, false);
        ww_lru_remove(entries, e->key);
    }
}

static void start(void *state, const ww_policy_start *start)
{
    snakebyte *s = state;
    s->largest = (unsigned)ww_policy_u64(start, "most_merges");
    s->page_shift = (unsigned)__builtin_ctzll(ww_vm_page_bytes(start->config));
    s->shared = start->shared;
}

/* For each entry a vector of 8 bits and a size of 3. */
static uint64_t storage_bits(const ww_policy_start *start)
{
    return ww_config_u64(start->config, "l2_tlb.entries") * (8 + 3);
}

static const char *const fills[] = {"line", "page", "walkers", NULL};

static const ww_key keys[] = {
    {.key = "merge_fill",
     .type = WW_KEY_CHOICE,
     .choices = fills,
     .initial = "line",
     .idle_key = "page_size", /* a page has sixteen entries: a line has no other page */
     .idle_value = "64KiB",
     .doc = "pages that a walk brings: those in its line of eight page-table entries that are "
            "contiguous with its own (assumed), or its own; walkers: those of walkers bring the "
            "line's, and those of compute units their own"},
    {.key = "most_merges",
     .type = WW_KEY_U64,
     .unit = "merges",
     .min = "1",
     .max = "7",
     .initial = "7",
     .doc = "times that entries merge, eight into one; 1: blocks of eight pages, all that memory "
            "offers whose contiguous runs are shorter than 64 pages"},
};

#define OF(member, index) (offsetof(snakebyte, member) + (index) * sizeof(uint64_t))
#define MERGES(pages, index, text)                                                          \
    {                                                                                       \
        .name = "merges_" #pages, .unit = "merges", .doc = (text), .kind = WW_STAT_COUNTER, \
        .offset = OF(merges, index)                                                         \
    }
#define ENTRIES(pages, index, text)                                                         \
    {                                                                                       \
        .name = "entries_" #pages, .unit = "entries", .doc = (text), .kind = WW_STAT_GAUGE, \
        .is_level = true, .offset = OF(entries, index)                                      \
    }

static const ww_stat stats[] = {
    MERGES(8, 0, "of pages into a block of 8, in all TLBs; 32 KiB with pages of 4 KiB"),
    MERGES(64, 1, "of 8 such blocks into one of 64 pages: 256 KiB"),
    MERGES(512, 2, "likewise of 512 pages: 2 MiB"),
    MERGES(4096, 3, "likewise of 4096 pages: 16 MiB"),
    MERGES(32768, 4, "likewise of 32768 pages: 128 MiB"),
    MERGES(262144, 5, "likewise of 262144 pages: 1 GiB"),
    MERGES(2097152, 6, "likewise of 2097152 pages: 8 GiB"),
    {.name = "breaks",
     .unit = "entries",
     .doc = "merged entries that an invalidated page broke up, in all TLBs",
     .kind = WW_STAT_COUNTER,
     .offset = offsetof(snakebyte, breaks)},
    ENTRIES(1, 0,
            "at the end, less those at the start: of a page that fits no merged entry, in TLBs "
            "that compute units share"),
    ENTRIES(8, 1, "likewise for up to 8 pages"),
    ENTRIES(64, 2, "likewise for up to 8 blocks of 8 pages"),
    ENTRIES(512, 3, "likewise for up to 8 blocks of 64 pages"),
    ENTRIES(4096, 4, "likewise for up to 8 blocks of 512 pages"),
    ENTRIES(32768, 5, "likewise for up to 8 blocks of 4096 pages"),
    ENTRIES(262144, 6, "likewise for up to 8 blocks of 32768 pages"),
    ENTRIES(2097152, 7, "likewise for up to 8 blocks of 262144 pages"),
    {.name = "reach",
     .unit = "pages",
     .doc = "that these entries are for",
     .kind = WW_STAT_GAUGE,
     .is_level = true,
     .offset = offsetof(snakebyte, reach)},
};

extern const ww_tlbmerge ww_tlbmerge_snakebyte;
const ww_tlbmerge ww_tlbmerge_snakebyte = {
    .policy = {.name = "snakebyte",
               .doc = "eight contiguous pages share one, eight such blocks again, up to 8^7 pages",
               WW_POLICY_KEYS(keys),
               WW_POLICY_STATS(stats),
               .state_size = sizeof(snakebyte),
               .start = start,
               .storage_bits = storage_bits},
    .find = find,
    .fill = fill,
    .remove = remove_page,
    .remove_space = remove_space,
};
