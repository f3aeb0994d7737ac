#include "vm/walk_buffer.h"

#include "base/memory.h"

#include <assert.h>

#define NOWHERE UINT32_MAX
#define NO_ADDRESS UINT64_MAX

typedef struct ww_walk_job {
    ww_story *story;
    uint32_t score;
    uint64_t oldest;       /* number of its oldest walk that is not held */
    uint32_t in_heap;      /* its place there, or NOWHERE: all are held */
    ww_walk *first, *last; /* by age */
    struct ww_walk_job *spare;
} ww_walk_job;

struct ww_walk_buffer {
    uint32_t capacity, count;
    bool scored;
    ww_walk *walks;
    uint64_t *addresses; /* by place; NO_ADDRESS: nobody waits there */
    uint32_t *places;    /* that are free: a stack */
    ww_walk **free;      /* walks that are not held, in no order */
    uint32_t free_count;
    ww_walk *oldest, *youngest;
    uint64_t passed; /* of the oldest */
    ww_walk_job *jobs, *spare;
    ww_walk_job **heap; /* by score, then age: jobs with a walk that is not held */
    uint32_t heap_count;
    uint64_t followed_number;
    ww_walk_job *followed;
};

ww_walk_buffer *ww_walk_buffer_create(uint32_t capacity, bool scored)
{
    ww_walk_buffer *b = ww_calloc(1, sizeof(*b));
    b->capacity = capacity;
    b->scored = scored;
    b->walks = ww_calloc(capacity, sizeof(*b->walks));
    b->addresses = ww_calloc(capacity, sizeof(*b->addresses));
    b->places = ww_calloc(capacity, sizeof(*b->places));
    b->free = ww_calloc(capacity, sizeof(ww_walk *));
    b->jobs = ww_calloc(capacity, sizeof(*b->jobs));
    b->heap = ww_calloc(capacity, sizeof(ww_walk_job *));
    for (uint32_t i = capacity; i-- > 0;) {
        b->addresses[i] = NO_ADDRESS;
        b->places[capacity - 1 - i] = i;
        b->jobs[i].spare = b->spare;
        b->spare = &b->jobs[i];
    }
    return b;
}

void ww_walk_buffer_destroy(ww_walk_buffer *b)
{
    if (!b)
        return;
    free(b->walks);
    free(b->addresses);
    free(b->places);
    free(b->free);
    free(b->jobs);
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

uint32_t ww_walk_buffer_free(const ww_walk_buffer *b)
{
    return b->free_count;
}

/* ---- jobs by score and age ---- */

static bool goes_before(const ww_walk_job *a, const ww_walk_job *b)
{
    return a->score != b->score ? a->score < b->score : a->oldest < b->oldest;
}

static void put(ww_walk_buffer *b, uint32_t place, ww_walk_job *job)
{
    b->heap[place] = job;
    job->in_heap = place;
}

static void sift_up(ww_walk_buffer *b, uint32_t place)
{
    ww_walk_job *job = b->heap[place];
    for (; place && goes_before(job, b->heap[(place - 1) / 2]); place = (place - 1) / 2)
        put(b, place, b->heap[(place - 1) / 2]);
    put(b, place, job);
}

static void sift_down(ww_walk_buffer *b, uint32_t place)
{
    ww_walk_job *job = b->heap[place];
    for (uint32_t child; (child = 2 * place + 1) < b->heap_count; place = child) {
        if (child + 1 < b->heap_count && goes_before(b->heap[child + 1], b->heap[child]))
            child++;
        if (!goes_before(b->heap[child], job))
            break;
        put(b, place, b->heap[child]);
    }
    put(b, place, job);
}

static void leave_heap(ww_walk_buffer *b, ww_walk_job *job)
{
    uint32_t place = job->in_heap;
    ww_walk_job *last = b->heap[--b->heap_count];
    job->in_heap = NOWHERE;
    if (last == job)
        return;
    put(b, place, last);
    sift_up(b, place);
    sift_down(b, last->in_heap);
}

static ww_walk *oldest_of(const ww_walk_job *job)
{
    ww_walk *walk = job->first;
    while (walk && walk->held)
        walk = walk->later;
    return walk;
}

/* After a walk of the job has come or gone, was held or released, or its score has changed. */
static void settle(ww_walk_buffer *b, ww_walk_job *job)
{
    if (!b->scored)
        return;
    const ww_walk *oldest = oldest_of(job);
    if (!oldest) {
        if (job->in_heap != NOWHERE)
            leave_heap(b, job);
        return;
    }
    job->oldest = oldest->number;
    if (job->in_heap == NOWHERE)
        put(b, b->heap_count++, job);
    sift_up(b, job->in_heap);
    sift_down(b, job->in_heap);
}

static ww_walk_job *job_of(ww_walk_buffer *b, ww_story *story)
{
    if (story->job)
        return story->job;
    ww_walk_job *job = b->spare;
    b->spare = job->spare;
    *job = (ww_walk_job){.story = story, .in_heap = NOWHERE};
    story->job = job;
    if (story->number == b->followed_number)
        b->followed = job;
    return job;
}

static void close_job(ww_walk_buffer *b, ww_walk_job *job)
{
    job->story->job = NULL;
    if (b->followed == job)
        b->followed = NULL;
    job->spare = b->spare;
    b->spare = job;
}

/* At the younger end; held walks stay in the list. */
static void join_job(ww_walk_job *job, ww_walk *walk)
{
    walk->job = job;
    walk->earlier = job->last;
    walk->later = NULL;
    if (job->last)
        job->last->later = walk;
    else
        job->first = walk;
    job->last = walk;
}

static void leave_job(ww_walk_buffer *b, ww_walk *walk)
{
    ww_walk_job *job = walk->job;
    if (walk->earlier)
        walk->earlier->later = walk->later;
    else
        job->first = walk->later;
    if (walk->later)
        walk->later->earlier = walk->earlier;
    else
        job->last = walk->earlier;
    settle(b, job);
    if (!job->first)
        close_job(b, job);
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

/* How often each was passed is kept as differences, since a selection counts for all that are older. */
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

/* ---- those that are not held ---- */

static void join_free(ww_walk_buffer *b, ww_walk *walk)
{
    walk->free_place = b->free_count;
    b->free[b->free_count++] = walk;
}

static void leave_free(ww_walk_buffer *b, ww_walk *walk)
{
    ww_walk *last = b->free[--b->free_count];
    b->free[walk->free_place] = last;
    last->free_place = walk->free_place;
}

/* ---- coming and going ---- */

ww_walk *ww_walk_buffer_add(ww_walk_buffer *b, const ww_walk *what, uint32_t estimate)
{
    assert(!ww_walk_buffer_is_full(b));
    uint32_t place = b->places[b->capacity - ++b->count];
    ww_walk *walk = &b->walks[place];
    *walk = *what;
    walk->held = false;
    walk->place = place;
    b->addresses[place] = walk->address;
    join_ages(b, walk);
    join_free(b, walk);
    ww_walk_job *job = job_of(b, walk->translation->story);
    job->score = job->score + estimate < WW_MOST_SCORE ? job->score + estimate : WW_MOST_SCORE;
    join_job(job, walk);
    settle(b, job);
    return walk;
}

void ww_walk_buffer_remove(ww_walk_buffer *b, ww_walk *walk, bool selected)
{
    if (!walk->held)
        leave_free(b, walk);
    leave_ages(b, walk, selected);
    leave_job(b, walk);
    b->addresses[walk->place] = NO_ADDRESS;
    b->places[b->capacity - b->count--] = walk->place;
}

void ww_walk_buffer_hold(ww_walk_buffer *b, ww_walk *walk)
{
    walk->held = true;
    leave_free(b, walk);
    settle(b, walk->job);
}

void ww_walk_buffer_release(ww_walk_buffer *b, ww_walk *walk)
{
    walk->held = false;
    join_free(b, walk);
    settle(b, walk->job);
}

void ww_walk_buffer_follow(ww_walk_buffer *b, const ww_story *story)
{
    b->followed_number = story->number;
    b->followed = story->job;
}

/* ---- looking ---- */

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
    assert(index < b->free_count);
    return b->free[index];
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
    return walk->job->score;
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
