#include "vm/walk_buffer.h"

#include "base/memory.h"

#include <assert.h>

#define NOT_IN_HEAP UINT32_MAX
#define NO_ADDRESS UINT64_MAX

typedef struct ww_walk_bundle {
    ww_walk_record *record;
    uint32_t score;
    uint64_t oldest;       /* number of its oldest eligible walk */
    uint32_t in_heap;      /* its index in the heap; NOT_IN_HEAP: all its walks are held */
    ww_walk *first, *last; /* by age */
    struct ww_walk_bundle *spare;
} ww_walk_bundle;

struct ww_walk_buffer {
    uint32_t capacity, count;
    bool scored;
    ww_walk *walks;
    uint64_t *addresses;    /* by entry; NO_ADDRESS: it is free */
    uint32_t *free_entries; /* a stack */
    ww_walk **eligible;     /* walks that are not held, in no order */
    uint32_t eligible_count;
    ww_walk *oldest, *youngest;
    uint64_t passed; /* of the oldest */
    ww_walk_bundle *bundles, *spare;
    ww_walk_bundle **heap; /* by score, then age: bundles with an eligible walk */
    uint32_t heap_count;
    uint64_t followed_number;
    ww_walk_bundle *followed;
};

ww_walk_buffer *ww_walk_buffer_create(uint32_t capacity, bool scored)
{
    ww_walk_buffer *b = ww_calloc(1, sizeof(*b));
    b->capacity = capacity;
    b->scored = scored;
    b->walks = ww_calloc(capacity, sizeof(*b->walks));
    b->addresses = ww_calloc(capacity, sizeof(*b->addresses));
    b->free_entries = ww_calloc(capacity, sizeof(*b->free_entries));
    b->eligible = ww_calloc(capacity, sizeof(ww_walk *));
    b->bundles = ww_calloc(capacity, sizeof(*b->bundles));
    b->heap = ww_calloc(capacity, sizeof(ww_walk_bundle *));
    for (uint32_t i = capacity; i-- > 0;) {
        b->addresses[i] = NO_ADDRESS;
        b->free_entries[capacity - 1 - i] = i;
        b->bundles[i].spare = b->spare;
        b->spare = &b->bundles[i];
    }
    return b;
}

void ww_walk_buffer_destroy(ww_walk_buffer *b)
{
    if (!b)
        return;
    free(b->walks);
    free(b->addresses);
    free(b->free_entries);
    free(b->eligible);
    free(b->bundles);
    free(b->heap);
    free(b);
}

bool ww_walk_buffer_is_full(const ww_walk_buffer *b)
{
    return b->count == b->capacity;
}

uint32_t ww_walk_buffer_count(const ww_walk_buffer *b)
{
    return b->count;
}

uint32_t ww_walk_buffer_eligible(const ww_walk_buffer *b)
{
    return b->eligible_count;
}

/* ---- bundles by score and age ---- */

static bool goes_before(const ww_walk_bundle *a, const ww_walk_bundle *b)
{
    return a->score != b->score ? a->score < b->score : a->oldest < b->oldest;
}

static void put(ww_walk_buffer *b, uint32_t index, ww_walk_bundle *bundle)
{
    b->heap[index] = bundle;
    bundle->in_heap = index;
}

static void sift_up(ww_walk_buffer *b, uint32_t index)
{
    ww_walk_bundle *bundle = b->heap[index];
    for (; index && goes_before(bundle, b->heap[(index - 1) / 2]); index = (index - 1) / 2)
        put(b, index, b->heap[(index - 1) / 2]);
    put(b, index, bundle);
}

static void sift_down(ww_walk_buffer *b, uint32_t index)
{
    ww_walk_bundle *bundle = b->heap[index];
    for (uint32_t child; (child = 2 * index + 1) < b->heap_count; index = child) {
        if (child + 1 < b->heap_count && goes_before(b->heap[child + 1], b->heap[child]))
            child++;
        if (!goes_before(b->heap[child], bundle))
            break;
        put(b, index, b->heap[child]);
    }
    put(b, index, bundle);
}

static void leave_heap(ww_walk_buffer *b, ww_walk_bundle *bundle)
{
    uint32_t index = bundle->in_heap;
    ww_walk_bundle *last = b->heap[--b->heap_count];
    bundle->in_heap = NOT_IN_HEAP;
    if (last == bundle)
        return;
    put(b, index, last);
    sift_up(b, index);
    sift_down(b, last->in_heap);
}

static ww_walk *oldest_of(const ww_walk_bundle *bundle)
{
    ww_walk *walk = bundle->first;
    while (walk && walk->held)
        walk = walk->later;
    return walk;
}

/* Called after a walk of the bundle was added, removed, held or released, or the score changed. */
static void update_heap(ww_walk_buffer *b, ww_walk_bundle *bundle)
{
    if (!b->scored)
        return;
    const ww_walk *oldest = oldest_of(bundle);
    if (!oldest) {
        if (bundle->in_heap != NOT_IN_HEAP)
            leave_heap(b, bundle);
        return;
    }
    bundle->oldest = oldest->number;
    if (bundle->in_heap == NOT_IN_HEAP)
        put(b, b->heap_count++, bundle);
    sift_up(b, bundle->in_heap);
    sift_down(b, bundle->in_heap);
}

static ww_walk_bundle *bundle_of(ww_walk_buffer *b, ww_walk_record *record)
{
    if (record->bundle)
        return record->bundle;
    ww_walk_bundle *bundle = b->spare;
    b->spare = bundle->spare;
    *bundle = (ww_walk_bundle){.record = record, .in_heap = NOT_IN_HEAP};
    record->bundle = bundle;
    if (record->number == b->followed_number)
        b->followed = bundle;
    return bundle;
}

static void close_bundle(ww_walk_buffer *b, ww_walk_bundle *bundle)
{
    bundle->record->bundle = NULL;
    if (b->followed == bundle)
        b->followed = NULL;
    bundle->spare = b->spare;
    b->spare = bundle;
}

/* At the younger end. Held walks stay in the list. */
static void join_bundle(ww_walk_bundle *bundle, ww_walk *walk)
{
    walk->bundle = bundle;
    walk->earlier = bundle->last;
    walk->later = NULL;
    if (bundle->last)
        bundle->last->later = walk;
    else
        bundle->first = walk;
    bundle->last = walk;
}

static void leave_bundle(ww_walk_buffer *b, ww_walk *walk)
{
    ww_walk_bundle *bundle = walk->bundle;
    if (walk->earlier)
        walk->earlier->later = walk->later;
    else
        bundle->first = walk->later;
    if (walk->later)
        walk->later->earlier = walk->earlier;
    else
        bundle->last = walk->earlier;
    update_heap(b, bundle);
    if (!bundle->first)
        close_bundle(b, bundle);
}

/* ---- all walks by age ---- */

static void join_ages(ww_walk_buffer *b, ww_walk *walk)
{
    walk->passed = 0;
    walk->younger = NULL;
    walk->older = b->youngest;
    if (b->youngest)
        b->youngest->younger = walk;
    else
        b->oldest = walk;
    b->youngest = walk;
}

/* `passed` is kept as differences: a selection passes all older walks, and changes one number. */
static void leave_ages(ww_walk_buffer *b, ww_walk *walk, bool selected)
{
    if (walk->older) {
        walk->older->passed += walk->passed + selected;
        walk->older->younger = walk->younger;
        b->passed += selected;
    } else {
        b->passed -= walk->passed;
        b->oldest = walk->younger;
    }
    if (walk->younger)
        walk->younger->older = walk->older;
    else
        b->youngest = walk->older;
}

/* ---- eligible walks ---- */

static void add_eligible(ww_walk_buffer *b, ww_walk *walk)
{
    walk->eligible_index = b->eligible_count;
    b->eligible[b->eligible_count++] = walk;
}

static void remove_eligible(ww_walk_buffer *b, ww_walk *walk)
{
    ww_walk *last = b->eligible[--b->eligible_count];
    b->eligible[walk->eligible_index] = last;
    last->eligible_index = walk->eligible_index;
}

/* ---- adding and removing ---- */

ww_walk *ww_walk_buffer_add(ww_walk_buffer *b, const ww_walk *what, uint32_t estimate)
{
    assert(!ww_walk_buffer_is_full(b));
    uint32_t entry = b->free_entries[b->capacity - ++b->count];
    ww_walk *walk = &b->walks[entry];
    *walk = *what;
    walk->held = false;
    walk->entry = entry;
    b->addresses[entry] = walk->address;
    join_ages(b, walk);
    add_eligible(b, walk);
    ww_walk_bundle *bundle = bundle_of(b, walk->record);
    bundle->score =
        bundle->score + estimate < WW_MOST_SCORE ? bundle->score + estimate : WW_MOST_SCORE;
    join_bundle(bundle, walk);
    update_heap(b, bundle);
    return walk;
}

void ww_walk_buffer_remove(ww_walk_buffer *b, ww_walk *walk, bool selected)
{
    if (!walk->held)
        remove_eligible(b, walk);
    leave_ages(b, walk, selected);
    leave_bundle(b, walk);
    b->addresses[walk->entry] = NO_ADDRESS;
    b->free_entries[b->capacity - b->count--] = walk->entry;
}

void ww_walk_buffer_hold(ww_walk_buffer *b, ww_walk *walk)
{
    walk->held = true;
    remove_eligible(b, walk);
    update_heap(b, walk->bundle);
}

void ww_walk_buffer_release(ww_walk_buffer *b, ww_walk *walk)
{
    walk->held = false;
    add_eligible(b, walk);
    update_heap(b, walk->bundle);
}

void ww_walk_buffer_follow(ww_walk_buffer *b, const ww_walk_record *record)
{
    b->followed_number = record->number;
    b->followed = record->bundle;
}

/* ---- queries ---- */

ww_walk *ww_walk_buffer_oldest(const ww_walk_buffer *b)
{
    ww_walk *walk = b->oldest;
    while (walk && walk->held)
        walk = walk->younger;
    return walk;
}

ww_walk *ww_walk_buffer_least(const ww_walk_buffer *b)
{
    assert(b->scored);
    return b->heap_count ? oldest_of(b->heap[0]) : NULL;
}

ww_walk *ww_walk_buffer_followed(const ww_walk_buffer *b)
{
    return b->followed ? oldest_of(b->followed) : NULL;
}

ww_walk *ww_walk_buffer_any(const ww_walk_buffer *b, uint32_t index)
{
    assert(index < b->eligible_count);
    return b->eligible[index];
}

ww_walk *ww_walk_buffer_starved(const ww_walk_buffer *b, uint64_t passed)
{
    uint64_t so_often = b->passed;
    ww_walk *walk = b->oldest;
    for (; walk && so_often >= passed; walk = walk->younger) {
        if (!walk->held)
            return walk;
        so_often -= walk->passed;
    }
    return NULL;
}

uint32_t ww_walk_buffer_score(const ww_walk *walk)
{
    return walk->bundle->score;
}

bool ww_walk_buffer_has(const ww_walk_buffer *b, uint64_t number, unsigned shift)
{
    for (uint32_t i = 0; i < b->capacity; i++)
        if (b->addresses[i] >> shift == number && b->addresses[i] != NO_ADDRESS)
            return true;
    return false;
}

void ww_walk_buffer_each(ww_walk_buffer *b, uint64_t number, unsigned shift,
                         void (*visit)(void *owner, ww_walk *walk), void *owner)
{
    for (uint32_t i = 0; i < b->capacity; i++)
        if (b->addresses[i] >> shift == number && b->addresses[i] != NO_ADDRESS)
            visit(owner, &b->walks[i]);
}
