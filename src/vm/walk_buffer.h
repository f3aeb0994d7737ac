/* The walk buffer: page walks that wait for a walker, by age, by instruction and by score.
 *
 * walk       a request that missed in every TLB; it waits here until it is selected or merged
 * age        by `number`, in order of arrival
 * bundle     the waiting walks of one instruction. Its score estimates the reads that they need:
 *            each new walk adds its own, up to WW_MOST_SCORE, and nothing is subtracted. It starts
 *            again at 0 when no walk of the instruction waits (ISCA 2018, IV).
 * held       a walk that must not start now; it keeps its age, and counts in its bundle
 * eligible   not held. The functions below return eligible walks only; NULL: there is none.
 * followed   the instruction that was served last
 * passed     of a walk: how many younger walks were selected before it
 *
 * All take constant time or log time in the number of bundles, except for steps over held walks. */
#ifndef WW_VM_WALK_BUFFER_H
#define WW_VM_WALK_BUFFER_H

#include "vm/vm.h"
#include "vm/walk_cache.h"
#include "vm/walk_records.h"

#define WW_MOST_SCORE 256u

typedef struct ww_walk {
    ww_translation *translation;
    ww_walk_record *record; /* of its instruction */
    uint64_t address;       /* of the page's first byte: ww_walk_address */
    uint64_t number;
    ww_walk_start resume; /* where it can start, from another walk's line; level 0: not known */
    uint32_t reads;
    uint32_t holder; /* the walker whose read releases it */
    bool held;
    /* Used by the buffer alone. */
    uint32_t entry;                  /* of the buffer: an index */
    uint32_t eligible_index;         /* among the walks that are not held */
    uint64_t passed;                 /* minus that of the next younger one */
    struct ww_walk *older, *younger; /* of all */
    struct ww_walk *earlier, *later; /* of the bundle */
    struct ww_walk_bundle *bundle;
} ww_walk;

/* A virtual address with its address space above it, so that addresses of two spaces are never
 * equal, nor in one neighbourhood. */
static inline uint64_t ww_walk_address(uint16_t asid, uint64_t address)
{
    return (uint64_t)asid << WW_ASID_SHIFT | address;
}

typedef struct ww_walk_buffer ww_walk_buffer;

/* `scored`: ww_walk_buffer_least will be called. */
ww_walk_buffer *ww_walk_buffer_create(uint32_t capacity, bool scored);
void ww_walk_buffer_destroy(ww_walk_buffer *buffer);

static inline bool ww_walk_is_known(const ww_walk *walk)
{
    return walk->resume.level != 0;
}

bool ww_walk_buffer_is_full(const ww_walk_buffer *buffer);
uint32_t ww_walk_buffer_count(const ww_walk_buffer *buffer);
uint32_t ww_walk_buffer_eligible(const ww_walk_buffer *buffer); /* how many */

/* The buffer is not full. `estimate`: the reads that this walk needs. Returns its entry. */
ww_walk *ww_walk_buffer_add(ww_walk_buffer *buffer, const ww_walk *walk, uint32_t estimate);
/* The pointer is invalid after the next add. `selected`: it passes the older walks. */
void ww_walk_buffer_remove(ww_walk_buffer *buffer, ww_walk *walk, bool selected);
void ww_walk_buffer_hold(ww_walk_buffer *buffer, ww_walk *walk);
void ww_walk_buffer_release(ww_walk_buffer *buffer, ww_walk *walk);
/* Sets the instruction that was served last: its walk was removed, or did not have to wait. */
void ww_walk_buffer_follow(ww_walk_buffer *buffer, const ww_walk_record *record);

ww_walk *ww_walk_buffer_oldest(const ww_walk_buffer *buffer);
ww_walk *ww_walk_buffer_least(const ww_walk_buffer *buffer);               /* score, then age */
ww_walk *ww_walk_buffer_followed(const ww_walk_buffer *buffer);            /* its oldest */
ww_walk *ww_walk_buffer_any(const ww_walk_buffer *buffer, uint32_t index); /* below _eligible */
/* The oldest that was passed at least that often. */
ww_walk *ww_walk_buffer_starved(const ww_walk_buffer *buffer, uint64_t passed);
uint32_t ww_walk_buffer_score(const ww_walk *walk); /* of its bundle */

/* Whether any walk, held or not, has this number, as below. */
bool ww_walk_buffer_has(const ww_walk_buffer *buffer, uint64_t number, unsigned shift);
/* Calls `visit` for every walk, held or not, with address >> shift == number; it may remove, hold
 * or release the walk. */
void ww_walk_buffer_each(ww_walk_buffer *buffer, uint64_t number, unsigned shift,
                         void (*visit)(void *owner, ww_walk *walk), void *owner);

#endif
