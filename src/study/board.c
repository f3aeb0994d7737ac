#include "study/board.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#define PAUSE_SECONDS 0.15
#define LOG_SECONDS 60.0 /* from a line to the next one where there is no terminal */

void ww_board_start(ww_board *b, const ww_plan *plan, size_t all, const double *usual, FILE *out)
{
    *b = (ww_board){.out = out,
                    .terminal = ww_screen_can_draw(out),
                    .screen = {.out = out},
                    .plan = plan,
                    .usual = usual,
                    .all = all,
                    .start = ww_seconds_now()};
}

void ww_board_end(ww_board *b)
{
    ww_screen_erase(&b->screen);
    fflush(b->out);
}

/* ---- texts ---- */

/* "atax tiny on gtx480-cawa core.scheduler=gto seed 2". */
static void write_run(const ww_board *b, size_t index, FILE *out)
{
    const ww_planned_run *run = b->plan->runs.items[index];
    fprintf(out, "%s%s%s on %s", run->workload, run->size[0] ? " " : "", run->size, run->machine);
    for (size_t i = 0; i + 1 < run->words.count; i++)
        if (strcmp(run->words.items[i], "-s") == 0)
            fprintf(out, " %s", run->words.items[i + 1]);
    if (run->seed != 1)
        fprintf(out, " seed %llu", (unsigned long long)run->seed);
}

/* "8 s", "3:20", "2:05:00", or "-". */
#define TIME_CHARS 24
static void time_text(double seconds, char text[TIME_CHARS])
{
    unsigned long long whole = seconds > 0 ? (unsigned long long)seconds : 0;
    if (isnan(seconds))
        snprintf(text, TIME_CHARS, "-");
    else if (whole < 60)
        snprintf(text, TIME_CHARS, "%llu s", whole);
    else if (whole < 3600)
        snprintf(text, TIME_CHARS, "%llu:%02llu", whole / 60, whole % 60);
    else
        snprintf(text, TIME_CHARS, "%llu:%02llu:%02llu", whole / 3600, whole / 60 % 60, whole % 60);
}

/* ---- lines that stay ---- */

void ww_board_ended(ww_board *b, size_t run, const ww_job_end *end)
{
    double now = ww_seconds_now();
    b->done += end->result != NULL;
    b->failed += end->result == NULL;
    size_t ended = b->done + b->failed;
    bool due = !b->terminal && (ended == 1 || ended == b->all || now - b->shown >= LOG_SECONDS);
    if (end->result && !due)
        return;
    if (!b->terminal)
        b->shown = now;
    ww_board_end(b);
    fprintf(b->out, "[%zu/%zu] ", ended, b->all);
    write_run(b, run, b->out);
    if (end->result)
        fprintf(b->out, ": %lld cycles, %.1f s\n",
                (long long)json_integer_value(json_object_get(end->result, "cycles")),
                end->seconds);
    else
        fprintf(b->out, ": FAILED: %.*s\n", (int)strcspn(end->message, "\n"), end->message);
    fflush(b->out);
}

void ww_board_note(ww_board *b, const char *format, ...)
{
    va_list args;
    ww_board_end(b);
    va_start(args, format);
    vfprintf(b->out, format, args);
    va_end(args);
    fputc('\n', b->out);
    fflush(b->out);
}

/* ---- the table ---- */

/* The time that running jobs still need, in seconds; NAN: not known. */
typedef struct running {
    size_t count;
    double all, longest;
} running;

static running count_running(const ww_board *b, const ww_job *jobs, size_t count, double now)
{
    running r = {0};
    for (size_t i = 0; i < count; i++) {
        if (!jobs[i].pid)
            continue;
        double left = b->usual[jobs[i].run] - (now - jobs[i].start);
        left = left < 0 ? 0 : left;
        r.count++;
        r.all += left;
        r.longest = left > r.longest ? left : r.longest;
    }
    return r;
}

/* "3 of 84 runs done, 1 failed, 2 running, 79 waiting; 0:40, about 12:00 left" */
static void write_counts(const ww_board *b, size_t now_running, double left, FILE *out)
{
    char since[TIME_CHARS], rest[TIME_CHARS];
    time_text(ww_seconds_now() - b->start, since);
    time_text(left, rest);
    fprintf(out, "%zu of %zu runs done", b->done, b->all);
    if (b->failed)
        fprintf(out, ", %zu failed", b->failed);
    size_t begun = b->done + b->failed + now_running;
    fprintf(out, ", %zu running, %zu waiting; %s", now_running, b->all > begun ? b->all - begun : 0,
            since);
    if (!isnan(left))
        fprintf(out, ", about %s left", rest);
    fputc('\n', out);
}

static void write_job(const ww_board *b, const ww_job *job, double now, FILE *out)
{
    char elapsed[TIME_CHARS], usual[TIME_CHARS];
    time_text(now - job->start, elapsed);
    time_text(b->usual[job->run], usual);
    fprintf(out, "%8s  %8s  ", elapsed, usual);
    write_run(b, job->run, out);
    char *progress = ww_job_progress(job);
    if (progress[0])
        fprintf(out, ": %s", progress);
    free(progress);
    fputc('\n', out);
}

/* Jobs that do not fit on the screen are only counted. */
static void write_jobs(const ww_board *b, const ww_job *jobs, size_t count, size_t all, double now,
                       FILE *out)
{
    size_t lines, columns, shown = 0;
    ww_screen_size(&b->screen, &lines, &columns);
    size_t free_lines = lines > 2 ? lines - 2 : 0; /* below the counts and the heading */
    size_t most = all > free_lines ? (free_lines ? free_lines - 1 : 0) : all;
    fprintf(out, "%8s  %8s  run\n", "time", "usual");
    for (size_t i = 0; i < count && shown < most; i++)
        if (jobs[i].pid) {
            write_job(b, &jobs[i], now, out);
            shown++;
        }
    if (shown < all)
        fprintf(out, "%8s  %8s  and %zu more\n", "", "", all - shown);
}

/* Draws with `write`, unless it is too early. */
static void draw(ww_board *b, void (*write)(const ww_board *b, const void *what, FILE *out),
                 const void *what)
{
    double now = ww_seconds_now();
    char *text = NULL;
    size_t length = 0;
    if (!b->terminal || now - b->shown < PAUSE_SECONDS)
        return;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        ww_out_of_memory(sizeof(FILE));
    write(b, what, out);
    fclose(out);
    ww_screen_draw(&b->screen, text);
    free(text);
    b->shown = now;
}

typedef struct local_view {
    const ww_job *jobs;
    size_t count;
    double waiting;
} local_view;

static void write_local(const ww_board *b, const void *what, FILE *out)
{
    const local_view *v = what;
    double now = ww_seconds_now();
    running r = count_running(b, v->jobs, v->count, now);
    double left = (v->waiting + r.all) / (double)v->count;
    write_counts(b, r.count, left < r.longest ? r.longest : left, out);
    write_jobs(b, v->jobs, v->count, r.count, now, out);
}

void ww_board_show(ww_board *b, const ww_job *jobs, size_t count, double waiting)
{
    local_view view = {jobs, count, waiting};
    draw(b, write_local, &view);
}

static void write_queue(const ww_board *b, const void *what, FILE *out)
{
    const size_t *counts = what;
    write_counts(b, counts[1], NAN, out);
    fprintf(out, "in the queue: %zu running, %zu pending\n", counts[1], counts[0]);
}

void ww_board_show_queue(ww_board *b, size_t pending, size_t now_running)
{
    size_t counts[2] = {pending, now_running};
    draw(b, write_queue, counts);
}
