/* Runs on this machine: several processes at once, which do not outlive this one. */
#include "study/backend.h"

#include <unistd.h>

#define WATCH_MILLISECONDS 200

typedef struct local {
    ww_job *jobs; /* pid 0: free */
    int *fds;
    size_t count;
} local;

static int start(ww_runner *r, void *state)
{
    local *l = state;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    l->count = r->options->jobs ? r->options->jobs : processors > 0 ? (size_t)processors : 1;
    l->jobs = ww_calloc(l->count, sizeof(*l->jobs));
    l->fds = ww_calloc(l->count, sizeof(*l->fds));
    return WW_OK;
}

/* Starts the next waiting run as this job, if there is one. */
static int begin_next(ww_runner *r, ww_job *job)
{
    size_t run = r->signal ? r->plan->runs.count : ww_runner_next(r);
    if (run == r->plan->runs.count)
        return WW_OK;
    char *name = ww_runner_name(r, run);
    job->run = run;
    int status =
        ww_job_start(job, &r->plan->runs.items[run]->words, r->folder, name, &r->hold, r->errors);
    free(name);
    return status;
}

static int begin(ww_runner *r, void *state)
{
    local *l = state;
    int status = WW_OK;
    for (size_t i = 0; i < l->count && !status; i++)
        if (!l->jobs[i].pid)
            status = begin_next(r, &l->jobs[i]);
    return status;
}

/* Starts the next run before it stores a result, so that no processor is idle meanwhile. */
static int report_ended(ww_runner *r, local *l)
{
    int status = WW_OK;
    for (size_t i = 0; i < l->count && !status; i++) {
        ww_job_end end;
        size_t run = l->jobs[i].run;
        if (!l->jobs[i].pid || !ww_job_finish(&l->jobs[i], &end))
            continue;
        int begun = begin_next(r, &l->jobs[i]);
        status = ww_runner_ended(r, run, &end);
        status = status ? status : begun;
        ww_job_end_clear(&end);
    }
    return status;
}

static void check_limits(const ww_runner *r, local *l)
{
    const ww_study *study = r->plan->study;
    double now = ww_seconds_now();
    for (size_t i = 0; i < l->count; i++) {
        ww_job *job = &l->jobs[i];
        if (!job->pid || job->killed)
            continue;
        if (study->limit_seconds && now - job->start > (double)study->limit_seconds)
            ww_job_kill(job, WW_OVER_TIME);
        else if (study->limit_bytes && ww_job_memory(job) > study->limit_bytes)
            ww_job_kill(job, WW_OVER_MEMORY);
    }
}

/* Sleeps until a process ends, a signal comes, or it is time to look at the limits. */
static int wait(ww_runner *r, void *state)
{
    local *l = state;
    for (size_t i = 0; i < l->count; i++)
        l->fds[i] = l->jobs[i].pid ? l->jobs[i].fd : -1;
    ww_runner_sleep(r, l->fds, l->count, WATCH_MILLISECONDS);
    check_limits(r, l);
    int status = report_ended(r, l);
    ww_board_show(&r->board, l->jobs, l->count, ww_runner_time_left(r));
    return status;
}

/* Kills all processes. Their runs are lost and will be made again. */
static void stop(ww_runner *r, void *state)
{
    local *l = state;
    (void)r;
    for (size_t i = 0; i < l->count; i++)
        if (l->jobs[i].pid)
            ww_job_kill(&l->jobs[i], "interrupted");
    for (size_t i = 0; i < l->count; i++) {
        ww_job_end end;
        if (!l->jobs[i].pid)
            continue;
        while (!ww_job_finish(&l->jobs[i], &end))
            poll(&(struct pollfd){.fd = l->jobs[i].fd, .events = POLLIN}, 1, WATCH_MILLISECONDS);
        ww_job_end_clear(&end);
    }
    free(l->jobs);
    free(l->fds);
}

extern const ww_backend ww_backend_local;
const ww_backend ww_backend_local = {
    .name = "local",
    .doc = "processes on this machine",
    .state_size = sizeof(local),
    .start = start,
    .begin = begin,
    .wait = wait,
    .stop = stop,
};
