/* What a slot runs: a stream of instructions, one after the other.
 *
 * stream   a warp of a kernel, with its launch: the one kind that there is
 * next     the slot asks whether the stream can run, and for its next instruction: a program
 * counter and the timed op there (code.h). A stream that cannot run waits for others of its group.
 * step     executes the next instruction for its values. What it accessed (lanes, space, addresses,
 *          bytes) is the result, which the timing model charges.
 * compute  likewise, for one that only computes (exec/compute.h): the first of several in a row
 *          executes them all, and the others are only counted when they issue. Nothing can observe
 *          that, because another warp never changes which split of this one runs.
 * Issue, execute, the front end and the load/store unit know a stream by the functions below, and
 * by its launch. Observers, checked mode and the search for endless loops look at the warp itself.
 */
#ifndef WW_CORE_STREAM_H
#define WW_CORE_STREAM_H

#include "core/core.h"

typedef struct ww_stream {
    ww_warp *warp;
    const ww_cu_launch *launch;
    uint32_t ahead; /* instructions before the warp's program counter that have not issued */
    uint32_t lanes; /* of each of them */
} ww_stream;

static inline bool ww_stream_can_run(const ww_stream *stream)
{
    return stream->ahead || ww_warp_is_ready(stream->warp);
}

static inline bool ww_stream_has_ended(const ww_stream *stream)
{
    return !stream->warp->live;
}

static inline uint32_t ww_stream_pc(const ww_stream *stream)
{
    return stream->warp->splits[stream->warp->current].pc - stream->ahead;
}

/* The instruction at a program counter of the stream. */
static inline const ww_timed_op *ww_stream_op(const ww_stream *stream, uint32_t pc)
{
    return &stream->launch->code->ops[pc];
}

/* After other streams of its group have run: whether it can run now. */
static inline bool ww_stream_reconverge(const ww_stream *stream)
{
    if (!stream->ahead)
        ww_warp_reconverge(stream->launch->executor, stream->warp);
    return ww_stream_can_run(stream);
}

/* Executes the next instruction; the stream can run. *access: what a memory instruction accessed,
 * until the next step. *lanes: how many executed it. *others: streams of its group may be able to
 * run now that could not, or this one cannot. A status that is not WW_OK is the program's fault,
 * and the stream stays as it is. */
static inline int ww_stream_step(ww_stream *stream, const ww_access **access, uint64_t *lanes,
                                 bool *others)
{
    ww_executor *x = stream->launch->executor;
    uint64_t before = x->counters->thread_instructions;
    x->released = false;
    int status = ww_warp_step(x, stream->warp);
    *access = &x->access;
    *lanes = x->counters->thread_instructions - before;
    *others = x->released || !ww_warp_is_ready(stream->warp);
    return status;
}

/* Executes the next instruction, which only computes, unless it has been executed with one before
 * it. Returns how many lanes do. */
static inline uint64_t ww_stream_compute(ww_stream *stream)
{
    ww_executor *x = stream->launch->executor;
    if (!stream->ahead) {
        const ww_warp *w = stream->warp;
        stream->lanes = (uint32_t)ww_warp_count_lanes(w, w->splits[w->current].lanes);
        stream->ahead = ww_warp_compute(x, stream->warp);
    }
    ww_count_computed(x, stream->lanes);
    if (--stream->ahead == 0)
        ww_warp_reconverge(x, stream->warp);
    return stream->lanes;
}

#endif
