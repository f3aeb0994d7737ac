/* Groups run one after the other, each warp until it waits or ends. When all warps have used up
 * their quantum (a number of instructions), more groups start, so that groups which wait for each
 * other make progress. A kernel that cannot make progress is reported. */
#include "exec/run.h"

#include <string.h>

#define FIRST_QUANTUM (1u << 18)
#define LONGEST_QUANTUM (1u << 24)
#define MOST_RESIDENT_BYTES (1ull << 30)
#define MOST_RESIDENT 8192u
#define WINDOW 4096u

static size_t queue_count(const ww_queue *q)
{
    return q->items.count - q->first;
}

static uint64_t take(ww_run *run, ww_queue *q)
{
    uint64_t *list = q->items.items + q->first;
    size_t chosen = run->options->order->next(run->order_state, queue_count(q));
    uint64_t number = list[chosen];
    memmove(list + 1, list, chosen * sizeof(*list));
    q->first++;
    return number;
}

/* The next group to start: the order policy chooses among the first WINDOW that have not. */
static uint64_t choose_group(ww_run *run)
{
    ww_queue *q = &run->waiting;
    if (!queue_count(q)) {
        q->items.count = q->first = 0;
        for (unsigned i = 0; i < WINDOW && run->groups_listed < run->group_count; i++)
            ww_vec_push(&q->items, run->groups_listed++);
    }
    return take(run, q);
}

static void start_group(ww_run *run)
{
    ww_group *g;
    if (run->spare.count)
        g = run->spare.items[--run->spare.count];
    else
        g = ww_group_create(run->x);
    const uint32_t *groups = run->launch->groups;
    uint64_t n = choose_group(run);
    run->groups_started++;
    uint32_t id[3] = {(uint32_t)(n % groups[0]), (uint32_t)(n / groups[0] % groups[1]),
                      (uint32_t)(n / groups[0] / groups[1])};
    ww_group_start(run->x, g, n, id);
    run->x->counters->groups++;
    run->x->counters->warps += g->warp_count;
    ww_vec_push(&run->resident, g);
}

static void retire_groups(ww_run *run)
{
    size_t kept = 0;
    for (size_t i = 0; i < run->resident.count; i++) {
        ww_group *g = run->resident.items[i];
        if (g->running) {
            run->resident.items[kept++] = g;
        } else {
            ww_vec_push(&run->spare, g);
            run->groups_done++;
        }
    }
    run->resident.count = kept;
}

/* Lists the ready warps that have not used up their quantum, in launch order. */
static void list_ready(ww_run *run)
{
    run->ready.items.count = run->ready.first = 0;
    run->x->released = false;
    for (size_t i = 0; i < run->resident.count; i++) {
        ww_group *g = run->resident.items[i];
        for (uint32_t n = 0; n < g->warp_count; n++)
            if (ww_warp_is_ready(&g->warps[n]) && !g->warps[n].spent)
                ww_vec_push(&run->ready.items, (uint64_t)(uintptr_t)&g->warps[n]);
    }
}

static int stop_at_limit(ww_run *run, const ww_warp *w)
{
    return ww_fault(run->x, w, -1, "stopped after %llu warp instructions (--max-instructions)",
                    (unsigned long long)run->options->max_instructions);
}

static int run_warp(ww_run *run, ww_warp *w)
{
    uint64_t quantum = run->quantum;
    uint64_t limit = run->options->max_instructions;
    uint64_t done = run->x->counters->warp_instructions;
    if (limit && done >= limit)
        return stop_at_limit(run, w);
    if (limit && limit - done < quantum)
        quantum = limit - done;
    uint64_t before = w->executed;
    int status = ww_warp_run(run->x, w, quantum);
    w->spent = ww_warp_is_ready(w) && (w->executed - before >= quantum || w->looping);
    if (status == WW_OK && limit && w->spent && run->x->counters->warp_instructions >= limit)
        return stop_at_limit(run, w);
    if (status == WW_OK && run->options->progress &&
        run->options->progress(run->options->progress_context, run->x->counters, run->groups_done,
                               run->group_count))
        return ww_fail(run->x->errors, WW_FAILED, WW_NOWHERE, "interrupted");
    return status;
}

/* Runs every ready warp until it waits, ends or has used up its quantum. */
static int run_round(ww_run *run)
{
    int status = WW_OK;
    list_ready(run);
    while (queue_count(&run->ready) && status == WW_OK) {
        ww_warp *w = (ww_warp *)(uintptr_t)take(run, &run->ready);
        status = run_warp(run, w);
        if (!w->group->running)
            retire_groups(run);
        if (run->x->released)
            list_ready(run);
    }
    return status;
}

static const ww_split *waiting_split(const ww_group *g, const ww_warp **warp)
{
    for (uint32_t i = 0; i < g->warp_count; i++)
        for (uint32_t n = 0; n < g->warps[i].split_capacity; n++)
            if (g->warps[i].splits[n].state == WW_SPLIT_BARRIER) {
                *warp = &g->warps[i];
                return &g->warps[i].splits[n];
            }
    return NULL;
}

/* No warp of the group can run: lanes wait at a barrier for lanes that never arrive. */
int ww_group_report_barrier(ww_executor *x, const ww_group *g, uint32_t elsewhere)
{
    const ww_warp *w = &g->warps[0];
    const ww_split *at = waiting_split(g, &w);
    uint32_t waiting = 0;
    char location[300], others[340];
    for (uint32_t i = 0; i < g->warp_count; i++)
        for (uint32_t n = 0; n < g->warps[i].split_capacity; n++) {
            const ww_split *s = &g->warps[i].splits[n];
            if (s->state == WW_SPLIT_BARRIER && s->barrier == at->barrier)
                waiting += (uint32_t)__builtin_popcountll(s->lanes);
        }
    if (elsewhere != WW_NO_PC)
        snprintf(others, sizeof(others), "others have passed it by and are at %s",
                 ww_pc_location(x, elsewhere, location, sizeof(location)));
    else
        snprintf(others, sizeof(others), "others wait at another barrier");
    uint32_t needed = g->barriers[at->barrier].expected;
    return ww_fault_at(x, w, at->pc - 1, __builtin_ctzll(at->lanes),
                       "barrier %u is never complete: %u work-items wait, %u are needed; %s",
                       at->barrier, waiting, needed ? needed : g->live, others);
}

/* For groups without a ready warp: lets lanes end that can; if that completes no barrier, it never
 * completes. */
static int check_barriers(ww_run *run, bool *released)
{
    *released = false;
    for (size_t i = 0; i < run->resident.count; i++) {
        ww_group *g = run->resident.items[i];
        bool any = false;
        uint32_t elsewhere;
        for (uint32_t n = 0; n < g->warp_count; n++)
            any |= ww_warp_is_ready(&g->warps[n]);
        if (any)
            continue;
        int status = ww_group_unblock(run->x, g, &elsewhere);
        if (status != WW_OK)
            return status;
        if (!run->x->released)
            return ww_group_report_barrier(run->x, g, elsewhere);
        *released = true;
    }
    return WW_OK;
}

static int report_no_progress(ww_run *run)
{
    const ww_warp *shown = NULL;
    for (size_t i = 0; i < run->resident.count; i++)
        for (uint32_t n = 0; n < run->resident.items[i]->warp_count; n++)
            shown = ww_warp_to_show(shown, &run->resident.items[i]->warps[n]);
    return ww_report_no_progress(run->x, shown);
}

static bool can_admit(const ww_run *run)
{
    uint64_t each = (uint64_t)run->x->kernel->register_bytes *
                        ((run->x->group_size[0] * run->x->group_size[1] * run->x->group_size[2] +
                          run->x->width - 1) /
                         run->x->width) +
                    run->x->shared_bytes;
    return run->groups_started < run->group_count && run->resident.count < MOST_RESIDENT &&
           run->resident.count * each < MOST_RESIDENT_BYTES;
}

static void count_warps(const ww_run *run, size_t *ready, size_t *looping)
{
    *ready = *looping = 0;
    for (size_t i = 0; i < run->resident.count; i++)
        for (uint32_t n = 0; n < run->resident.items[i]->warp_count; n++) {
            const ww_warp *w = &run->resident.items[i]->warps[n];
            *ready += ww_warp_is_ready(w);
            *looping += ww_warp_is_ready(w) && w->looping;
        }
}

/* All warps have used up their quantum: they have much to do, or wait for memory to change. In the
 * second case starts more groups, because the warps may wait for one of these. */
static int next_round(ww_run *run)
{
    ww_executor *x = run->x;
    size_t ready, looping;
    count_warps(run, &ready, &looping);
    if (x->watching && !x->changed && ready == looping && !can_admit(run))
        return report_no_progress(run);
    for (size_t more = looping ? run->resident.count : 0; more && can_admit(run); more--)
        start_group(run);
    x->watching = true;
    x->changed = false;
    if (run->quantum < LONGEST_QUANTUM)
        run->quantum *= 2;
    for (size_t i = 0; i < run->resident.count; i++)
        for (uint32_t n = 0; n < run->resident.items[i]->warp_count; n++) {
            ww_warp *w = &run->resident.items[i]->warps[n];
            w->spent = false;
            ww_warp_watch(w);
        }
    return WW_OK;
}

static int run_all(ww_run *run)
{
    int status = WW_OK;
    while (status == WW_OK && (run->resident.count || run->groups_started < run->group_count)) {
        if (!run->resident.count) {
            run->x->watching = false;
            run->quantum = FIRST_QUANTUM;
            start_group(run);
        }
        bool released = false;
        status = run_round(run);
        if (status == WW_OK && run->resident.count)
            status = check_barriers(run, &released);
        if (status == WW_OK && run->resident.count && !released)
            status = next_round(run);
    }
    return status;
}

int ww_run_groups(ww_run *run)
{
    const ww_policy *order = &run->options->order->policy;
    ww_policy_start start = {.config = run->options->config,
                             .prefix = "exec",
                             .seed = run->options->seed,
                             .instances = run->options->policies};
    run->order_state = ww_policy_create(order, &start);
    run->x->watching = false;
    run->quantum = FIRST_QUANTUM;
    int status = run_all(run);
    for (size_t i = 0; i < run->resident.count; i++)
        ww_group_destroy(run->x, run->resident.items[i]);
    for (size_t i = 0; i < run->spare.count; i++)
        ww_group_destroy(run->x, run->spare.items[i]);
    ww_vec_free(&run->resident);
    ww_vec_free(&run->spare);
    ww_vec_free(&run->ready.items);
    ww_vec_free(&run->waiting.items);
    ww_policy_destroy(order, &start, run->order_state);
    return status;
}
