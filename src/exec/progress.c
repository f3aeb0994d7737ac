/* Loops without progress: when no memory changes and every warp returns to an earlier state, the
 * kernel never ends. */
#include "base/hash.h"
#include "exec/warp.h"

#define FIRST_STATES 64 /* compared after ww_warp_watch, and so many in each later period */
#define LATER_STATES 8
#define PERIOD 4096

void ww_warp_watch(ww_warp *w)
{
    w->looping = false;
    w->fingerprint_count = 0;
}

/* Whether this warp has been in its present state since ww_warp_watch. The state to compare with is
 * renewed at powers of two (Brent's cycle finding). A warp that waits repeats a state within a few
 * iterations of its loop; one that has come to wait later is found in a later period. */
bool ww_warp_was_here_before(const ww_executor *x, ww_warp *w)
{
    uint64_t n = w->fingerprint_count++;
    n = n < FIRST_STATES ? n : n % PERIOD;
    if (n >= LATER_STATES && w->fingerprint_count > FIRST_STATES)
        return false;
    uint64_t hash = ww_hash64(w->rows, x->kernel->register_bytes, w->carry);
    hash = ww_hash64(w->predicates, x->kernel->predicate_count * sizeof(uint64_t), hash);
    for (uint32_t i = 0; i < w->split_capacity; i++) {
        const ww_split *s = &w->splits[i];
        uint64_t parts[] = {s->lanes, s->pc, s->state};
        if (s->state != WW_SPLIT_FREE)
            hash = ww_hash64(parts, sizeof(parts), hash);
    }
    if (n && hash == w->fingerprint)
        return true;
    if ((n & (n - 1)) == 0)
        w->fingerprint = hash;
    return false;
}

/* Live lanes of the warp that are not in the running split. */
static uint64_t waiting_lanes(const ww_warp *w)
{
    return w->live & ~w->splits[w->current].lanes;
}

const ww_warp *ww_warp_to_show(const ww_warp *shown, const ww_warp *w)
{
    if (!ww_warp_is_ready(w))
        return shown;
    return !shown || (!waiting_lanes(shown) && waiting_lanes(w)) ? w : shown;
}

int ww_report_no_progress(ww_executor *x, const ww_warp *w)
{
    int lane = __builtin_ctzll(w->splits[w->current].lanes);
    uint64_t waiting = waiting_lanes(w);
    if (waiting)
        return ww_fault(x, w, lane,
                        "no progress: this loop waits for memory that no warp changes, while %d "
                        "lanes of its warp wait for it to reconverge (a spin lock in lock-step)",
                        __builtin_popcountll(waiting));
    return ww_fault(x, w, lane, "no progress: this loop waits for memory that no warp changes");
}
