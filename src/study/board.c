#include "study/board.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#define PAUSE_SECONDS 0.25

void ww_board_start(ww_board *b, const ww_plan *plan, size_t all, FILE *out)
{
    *b = (ww_board){.out = out,
                    .terminal = isatty(fileno(out)) == 1,
                    .plan = plan,
                    .all = all,
                    .start = ww_seconds_now()};
}

void ww_board_end(ww_board *b)
{
    if (b->terminal && b->drawn)
        fputs("\r\033[K", b->out);
    b->drawn = false;
    fflush(b->out);
}

/* "atax tiny, seed 1: core.scheduler=gto" without the words that all runs have. */
static void write_run(const ww_board *b, size_t index)
{
    const ww_planned_run *run = b->plan->runs.items[index];
    fprintf(b->out, "%s%s%s on %s", run->workload, run->size[0] ? " " : "", run->size,
            run->machine);
    for (size_t i = 0; i + 1 < run->words.count; i++)
        if (strcmp(run->words.items[i], "-s") == 0)
            fprintf(b->out, " %s", run->words.items[i + 1]);
    if (run->seed != 1)
        fprintf(b->out, " seed %llu", (unsigned long long)run->seed);
}

static void write_first_line(const char *text, FILE *out)
{
    fprintf(out, "%.*s", (int)strcspn(text, "\n"), text);
}

void ww_board_ended(ww_board *b, size_t run, const ww_job_end *end)
{
    b->done += end->result != NULL;
    b->failed += end->result == NULL;
    if (b->terminal && end->result)
        return;
    ww_board_end(b);
    fprintf(b->out, "[%zu/%zu] ", b->done + b->failed, b->all);
    write_run(b, run);
    if (end->result) {
        fprintf(b->out, ": %lld cycles, %.1f s",
                (long long)json_integer_value(json_object_get(end->result, "cycles")),
                end->seconds);
    } else {
        fputs(": FAILED: ", b->out);
        write_first_line(end->message, b->out);
    }
    fputc('\n', b->out);
    fflush(b->out);
}

static void write_left(const ww_board *b, double left)
{
    if (isnan(left))
        return;
    if (left < 90)
        fprintf(b->out, ", %.0f s left", left);
    else if (left < 5400)
        fprintf(b->out, ", %.0f min left", left / 60);
    else
        fprintf(b->out, ", %.1f h left", left / 3600);
}

void ww_board_show(ww_board *b, const ww_job *jobs, size_t count, double left)
{
    double now = ww_seconds_now();
    if (!b->terminal || now - b->shown < PAUSE_SECONDS)
        return;
    ww_board_end(b);
    fprintf(b->out, "%zu of %zu runs", b->done + b->failed, b->all);
    if (b->failed)
        fprintf(b->out, ", %zu failed", b->failed);
    write_left(b, left);
    const char *between = "; now ";
    for (size_t i = 0; i < count && i < 4; i++) {
        if (!jobs[i].pid)
            continue;
        const ww_planned_run *run = b->plan->runs.items[jobs[i].run];
        fprintf(b->out, "%s%s (%.0f s)", between, run->workload, now - jobs[i].start);
        between = ", ";
    }
    fflush(b->out);
    b->drawn = true;
    b->shown = now;
}

void ww_board_show_queue(ww_board *b, size_t pending, size_t running)
{
    double now = ww_seconds_now();
    if (!b->terminal || now - b->shown < PAUSE_SECONDS)
        return;
    ww_board_end(b);
    fprintf(b->out, "%zu of %zu runs", b->done + b->failed, b->all);
    if (b->failed)
        fprintf(b->out, ", %zu failed", b->failed);
    fprintf(b->out, "; in the queue: %zu running, %zu pending", running, pending);
    fflush(b->out);
    b->drawn = true;
    b->shown = now;
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
