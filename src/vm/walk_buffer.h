/* The walk buffer: requests that wait for a walker, and the orders in which they can be looked at.
 *
 * walk       a request that came to the walkers; it waits here until one takes it up, or until it is answered without
 * age        by `number`, in the order of coming
 * job        the waiting walks of one instruction. Its score estimates the reads that all of them need: each new one's are
 *            added, up to WW_MOST_SCORE, and nothing is ever subtracted; it starts over when none waits (ISCA 2018, IV).
 * held       a walk that must not be taken up now; it keeps its age and counts in its job. What is asked for below is always
 *            one that is not held; NULL: there is none.
 * followed   the instruction that was served last
 * passed     of a walk: how many younger ones were selected before it
 *
 * Nothing here depends on how many walks wait, but for steps over held ones. */
#ifndef WW_VM_WALK_BUFFER_H
#define WW_VM_WALK_BUFFER_H

#include "vm/vm.h"
#include "vm/walk_cache.h"

#define WW_MOST_SCORE 256u

typedef struct ww_walk {
    ww_translation *translation;
    uint64_t address; /* virtual: of the page's first byte */
    uint64_t number;
    ww_walk_start
        resume; /* level 0: it is not known yet; else a walk has found this much of its way */
    uint32_t reads;
    uint32_t holder; /* the walker that it is held back for */
    bool held;
    /* The buffer's own. */
    uint32_t place;
    uint32_t free_place;             /* among those that are not held */
    uint64_t passed;                 /* more than the next younger one was */
    struct ww_walk *older, *younger; /* of all */
    struct ww_walk *earlier, *later; /* of the job */
    struct ww_walk_job *job;
} ww_walk;

typedef struct ww_walk_buffer ww_walk_buffer;

/* `scored`: ww_walk_buffer_least is asked for. */
ww_walk_buffer *ww_walk_buffer_create(uint32_t capacity, bool scored);
void ww_walk_buffer_destroy(ww_walk_buffer *buffer);

static inline bool ww_walk_is_known(const ww_walk *walk)
{
    return walk->resume.level != 0;
}

bool ww_walk_buffer_is_full(const ww_walk_buffer *buffer);
uint32_t ww_walk_buffer_count(const ww_walk_buffer *buffer);
uint32_t ww_walk_buffer_free(const ww_walk_buffer *buffer); /* that are not held */

/* There is room. `estimate`: the reads that it needs on its own. Returns where it waits. */
ww_walk *ww_walk_buffer_add(ww_walk_buffer *buffer, const ww_walk *walk, uint32_t estimate);
/* Takes it out; what the pointer shows is gone with the next that is added. `selected`: it goes before those that are
 * older. */
void ww_walk_buffer_remove(ww_walk_buffer *buffer, ww_walk *walk, bool selected);
void ww_walk_buffer_hold(ww_walk_buffer *buffer, ww_walk *walk);
void ww_walk_buffer_release(ww_walk_buffer *buffer, ww_walk *walk);
/* An instruction is served: after a walk of it was taken out, or did not have to wait. */
void ww_walk_buffer_follow(ww_walk_buffer *buffer, const ww_story *story);

ww_walk *ww_walk_buffer_oldest(const ww_walk_buffer *buffer);
ww_walk *ww_walk_buffer_least(const ww_walk_buffer *buffer);               /* score, then age */
ww_walk *ww_walk_buffer_followed(const ww_walk_buffer *buffer);            /* the oldest of them */
ww_walk *ww_walk_buffer_any(const ww_walk_buffer *buffer, uint32_t index); /* below _free */
/* The oldest that was passed at least so often. */
ww_walk *ww_walk_buffer_starved(const ww_walk_buffer *buffer, uint64_t passed);
uint32_t ww_walk_buffer_score(const ww_walk *walk); /* of its job */

/* Whether a walk that waits, held or not, has this number, as below. */
bool ww_walk_buffer_has(const ww_walk_buffer *buffer, uint64_t number, unsigned shift);
/* Calls back for every walk, held or not, whose address over 2 to the power `shift` is `number`; the call may remove it,
 * hold it or release it. */
void ww_walk_buffer_each(ww_walk_buffer *buffer, uint64_t number, unsigned shift,
                         void (*visit)(void *owner, ww_walk *walk), void *owner);

#endif
