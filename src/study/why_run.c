/* The runs behind the answer: the base, then its relaxations, several at once. */
#include "base/text.h"
#include "host/scratch.h"
#include "mem/blame.h"
#include "study/job.h"
#include "study/screen.h"
#include "study/why.h"

#include <poll.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#define WATCH_MILLISECONDS 500
#define BASE SIZE_MAX /* of a job: which run it is, if none of the relaxations */

typedef struct runs {
    ww_why *why;
    char *folder;
    ww_hold hold;
    ww_job *jobs; /* pid 0: free */
    size_t count, busy;
    size_t next, ended; /* relaxations */
    bool terminal;
    ww_screen screen;
    ww_errors *errors;
} runs;

/* ---- progress ---- */

static const char *name_of(const runs *r, size_t run)
{
    return run == BASE ? "the machine as it is" : r->why->relaxations.items[run].settings[0];
}

/* What runs now, on a terminal. */
static void draw(runs *r)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = r->terminal ? open_memstream(&text, &length) : NULL;
    if (!out)
        return;
    for (size_t i = 0; i < r->count; i++) {
        if (!r->jobs[i].pid)
            continue;
        char *progress = ww_job_progress(&r->jobs[i]);
        fprintf(out, "  %s: %s\n", name_of(r, r->jobs[i].run), progress);
        free(progress);
    }
    fclose(out);
    ww_screen_draw(&r->screen, text);
    free(text);
}

static void note_end(runs *r, const ww_relaxation *done)
{
    const ww_why *why = r->why;
    if (r->terminal)
        ww_screen_erase(&r->screen);
    fprintf(why->options->log, "%zu of %zu: %s: ", r->ended, why->relaxations.count,
            done->settings[0]);
    if (done->cycles)
        fprintf(why->options->log, "%.3f times as fast\n",
                json_number_value(json_object_get(why->base, "cycles")) / (double)done->cycles);
    else
        fprintf(why->options->log, "failed\n");
    fflush(why->options->log);
}

/* ---- jobs ---- */

/* Whether a word is a --set whose value the relaxation leaves out. */
static bool is_left_out(const ww_relaxation *r, const ww_words *words, size_t word)
{
    if (word + 1 >= words->count || strcmp(words->items[word], "--set") != 0)
        return false;
    for (size_t i = 0; i < r->without.count; i++)
        if (strcmp(words->items[word + 1], r->without.items[i]) == 0)
            return true;
    return false;
}

static int begin(runs *r, ww_job *job, size_t run)
{
    const ww_why *why = r->why;
    ww_words words = {0};
    char name[32];
    const ww_words *given = &why->options->words;
    for (size_t i = 0; i < given->count; i++) {
        if (run != BASE && is_left_out(&why->relaxations.items[run], given, i))
            i++; /* its value */
        else
            ww_words_add(&words, given->items[i]);
    }
    for (size_t i = 0; run != BASE && why->relaxations.items[run].settings[i]; i++) {
        ww_words_add(&words, "-s");
        ww_words_add(&words, why->relaxations.items[run].settings[i]);
    }
    if (run != BASE)
        ww_words_add(&words, "--no-verify");
    snprintf(name, sizeof(name), "%zu", run == BASE ? 0 : run + 1);
    job->run = run;
    int status = ww_job_start(job, &words, r->folder, name, &r->hold, r->errors);
    r->busy += status == WW_OK;
    ww_words_free(&words);
    return status;
}

/* The base's own message: an error for each of its lines. */
static int fail_as(runs *r, const ww_job_end *end)
{
    int status = end->exit_status == WW_BAD_INPUT ? WW_BAD_INPUT : WW_FAILED;
    const char *line = end->message;
    for (const char *stop; (stop = strchr(line, '\n')) && stop[1]; line = stop + 1)
        ww_fail(r->errors, status, WW_NOWHERE, "%.*s", (int)(stop - line), line);
    return ww_fail(r->errors, status, WW_NOWHERE, "%.*s", (int)strcspn(line, "\n"), line);
}

static int end_base(runs *r, ww_job_end *end)
{
    if (!end->result)
        return fail_as(r, end);
    r->why->base = json_incref(end->result);
    if (json_integer_value(json_object_get(end->result, "cycles")) > 0)
        return WW_OK;
    return ww_fail(r->errors, WW_FAILED, WW_NOWHERE, "the run took no cycles: nothing to explain");
}

static int end_run(runs *r, size_t run, ww_job_end *end)
{
    if (run == BASE)
        return end_base(r, end);
    ww_relaxation *done = &r->why->relaxations.items[run];
    r->ended++;
    done->cycles = (uint64_t)json_integer_value(json_object_get(end->result, "cycles"));
    if (!done->cycles)
        done->failure = ww_strdup(end->message ? end->message : "no result");
    note_end(r, done);
    return WW_OK;
}

/* A result is read when its process has ended; nobody needs its file after that. */
static int take_ended(runs *r)
{
    int status = WW_OK;
    for (size_t i = 0; i < r->count && !status; i++) {
        ww_job_end end;
        size_t run = r->jobs[i].run;
        char *path = r->jobs[i].pid ? ww_strdup(r->jobs[i].result_path) : NULL;
        if (path && ww_job_finish(&r->jobs[i], &end)) {
            r->busy--;
            unlink(path);
            status = end_run(r, run, &end);
            ww_job_end_clear(&end);
        }
        free(path);
    }
    return status;
}

static void wait_for_any(runs *r)
{
    struct pollfd *polled = ww_calloc(r->count + 1, sizeof(*polled));
    struct signalfd_siginfo signal;
    polled[0] = (struct pollfd){.fd = r->hold.fd, .events = POLLIN};
    for (size_t i = 0; i < r->count; i++)
        polled[1 + i] =
            (struct pollfd){.fd = r->jobs[i].pid ? r->jobs[i].fd : -1, .events = POLLIN};
    if (poll(polled, r->count + 1, WATCH_MILLISECONDS) > 0 && (polled[0].revents & POLLIN) &&
        read(r->hold.fd, &signal, sizeof(signal)) > 0)
        r->why->interrupted = (int)signal.ssi_signo;
    free(polled);
}

static int begin_more(runs *r)
{
    int status = WW_OK;
    for (size_t i = 0; i < r->count && !status && r->next < r->why->relaxations.count; i++)
        if (!r->jobs[i].pid)
            status = begin(r, &r->jobs[i], r->next++);
    return status;
}

static int run_until_done(runs *r)
{
    int status = WW_OK;
    while (!status && !r->why->interrupted) {
        status = begin_more(r);
        if (status || !r->busy)
            break;
        wait_for_any(r);
        status = take_ended(r);
        draw(r);
    }
    return status;
}

/* Leaves no process behind. */
static void stop(runs *r)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->jobs[i].pid)
            ww_job_kill(&r->jobs[i], "interrupted");
    for (size_t i = 0; i < r->count; i++) {
        ww_job_end end;
        if (!r->jobs[i].pid)
            continue;
        char *path = ww_strdup(r->jobs[i].result_path);
        while (!ww_job_finish(&r->jobs[i], &end))
            poll(&(struct pollfd){.fd = r->jobs[i].fd, .events = POLLIN}, 1, WATCH_MILLISECONDS);
        ww_job_end_clear(&end);
        unlink(path);
        free(path);
    }
    if (r->terminal)
        ww_screen_erase(&r->screen);
}

static int run_all(runs *r)
{
    ww_why *why = r->why;
    int status = begin(r, &r->jobs[0], BASE);
    if (!status)
        status = run_until_done(r);
    if (status || !why->base || why->interrupted)
        return status;
    ww_why_choose(why);
    fprintf(why->options->log, "%s on %s: %.0f cycles; %zu run%s will show what would help\n",
            why->options->workload, why->options->machine,
            json_number_value(json_object_get(why->base, "cycles")), why->relaxations.count,
            why->relaxations.count == 1 ? "" : "s");
    return run_until_done(r);
}

int ww_why_run(ww_why *why, ww_errors *errors)
{
    ww_scratch *scratch = ww_scratch_create();
    int status = ww_scratch_make(scratch, errors);
    if (status != WW_OK) {
        ww_scratch_destroy(scratch);
        return status;
    }
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    runs r = {.why = why,
              .folder = ww_scratch_path(scratch, "."),
              .count = why->options->jobs ? why->options->jobs
                       : processors > 0   ? (size_t)processors
                                          : 1,
              .terminal = ww_screen_can_draw(why->options->log),
              .screen = {.out = why->options->log},
              .errors = errors};
    r.jobs = ww_calloc(r.count, sizeof(*r.jobs));
    ww_hold_start(&r.hold);
    status = run_all(&r);
    stop(&r);
    ww_hold_end(&r.hold);
    ww_vec_free(&r.screen.lengths);
    free(r.jobs);
    free(r.folder);
    ww_scratch_destroy(scratch);
    return status;
}

/* ---- what the base says ---- */

double ww_why_stat(const ww_why *why, const char *name)
{
    return json_number_value(json_object_get(json_object_get(why->base, "stats"), name));
}

static double ratio(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

double ww_why_request_share(const ww_why *why, unsigned cause)
{
    static const char *const names[] = {
#define NAME(id, statistic, doc) "blame." statistic,
        WW_CAUSES(NAME)
#undef NAME
    };
    return ratio(ww_why_stat(why, names[cause]), ww_why_stat(why, "latency.total"));
}

double ww_why_warp_share(const ww_why *why, unsigned cause)
{
    static const char *const names[] = {
#define NAME(id, statistic, doc) "core.blame_" statistic,
        WW_CAUSES(NAME)
#undef NAME
    };
    return ratio(ww_why_stat(why, names[cause]), ww_why_stat(why, "core.warp_lifetime"));
}

void ww_why_clear(ww_why *why)
{
    for (size_t i = 0; i < why->relaxations.count; i++) {
        ww_relaxation *r = &why->relaxations.items[i];
        for (size_t s = 0; r->settings[s]; s++)
            free(r->settings[s]);
        ww_words_free(&r->without);
        free(r->failure);
    }
    ww_vec_free(&why->relaxations);
    json_decref(why->base);
}
