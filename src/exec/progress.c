/* Loops without progress: when no memory changes and every warp comes back to a state it was in before, nothing can ever
 * happen. */
#include "base/hash.h"
#include "exec/warp.h"

#define MOST_FINGERPRINTS 64

void ww_warp_watch(ww_warp *w)
{
    w->looping = false;
    w->fingerprint_turn = 0;
}

/* While watching for loops without progress: has this warp been in this very state before? The
 * state to compare with is renewed at powers of two (Brent's cycle finding). A warp that waits
 * shows it within a few turns of its loop; one that does not is left alone for this round. */
bool ww_warp_was_here_before(const ww_executor *x, ww_warp *w)
{
    if (w->fingerprint_turn > MOST_FINGERPRINTS)
        return false;
    uint64_t hash = ww_hash64(w->rows, x->kernel->register_bytes, w->carry);
    hash = ww_hash64(w->predicates, x->kernel->predicate_count * sizeof(uint64_t), hash);
    for (uint32_t i = 0; i < w->split_capacity; i++) {
        const ww_split *s = &w->splits[i];
        uint64_t parts[] = {s->lanes, s->pc, s->state};
        if (s->state != WW_SPLIT_FREE)
            hash = ww_hash64(parts, sizeof(parts), hash);
    }
    if (w->fingerprint_turn && hash == w->fingerprint)
        return true;
    if ((w->fingerprint_turn & (w->fingerprint_turn - 1)) == 0)
        w->fingerprint = hash;
    w->fingerprint_turn++;
    return false;
}

/* Lanes that wait for others of their warp that run. */
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
                        "no progress: this loop waits for memory that nobody changes, while %d "
                        "lanes of its warp wait for it to reconverge (a spin lock in lock-step)",
                        __builtin_popcountll(waiting));
    return ww_fault(x, w, lane, "no progress: this loop waits for memory that nobody changes");
}
