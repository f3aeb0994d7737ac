#include "cli/progress.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#define QUIET_SECONDS 1.0
#define TERMINAL_SECONDS 0.2
#define LOG_SECONDS 10.0

/* A signal handler can only reach the process's own state. */
static volatile sig_atomic_t interrupted; /* by this signal; 0: not */
static volatile sig_atomic_t started;     /* a kernel has run: there is a result to write */

static void on_interrupt(int signal_number)
{
    static const char text[] = "interrupted\n";
    interrupted = signal_number;
    if (started)
        return;
    ssize_t written = write(STDERR_FILENO, text, sizeof(text) - 1);
    (void)written;
    _exit(WW_STATUS_OF_SIGNAL(signal_number));
}

/* A signal that the process ignores stays ignored (nohup), except Ctrl-C, which shells ignore for
 * background processes. */
static void catch (int signal_number)
{
    struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};
    struct sigaction before;
    sigaction(signal_number, NULL, &before);
    if (signal_number == SIGINT || before.sa_handler != SIG_IGN)
        sigaction(signal_number, &action, NULL);
}

void ww_progress_start(ww_progress *p)
{
    catch (SIGINT);
    catch (SIGTERM);
    catch (SIGHUP);
    *p = (ww_progress){.terminal = isatty(STDERR_FILENO)};
    clock_gettime(CLOCK_MONOTONIC, &p->start);
}

static double seconds_since_start(const ww_progress *p)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - p->start.tv_sec) + 1e-9 * (double)(now.tv_nsec - p->start.tv_nsec);
}

static void erase(const ww_progress *p)
{
    if (p->terminal && p->drawn)
        fprintf(stderr, "\r\033[K");
}

int ww_progress_signal(void)
{
    return interrupted;
}

void ww_progress_end(ww_progress *p)
{
    erase(p);
    p->drawn = false;
}

static void draw(ww_progress *p, const ww_exec_counters *counters, double seconds, uint64_t done,
                 uint64_t all)
{
    double share = all ? (double)done / (double)all : 0;
    double speed = (double)counters->warp_instructions / seconds / 1e6;
    erase(p);
    fprintf(stderr, "%slaunch %zu", p->first_pass ? "first pass, " : "", p->launch);
    if (p->launches)
        fprintf(stderr, " of %zu", p->launches);
    fprintf(stderr, ": %llu of %llu groups (%.0f%%), %.1f M warp instructions/s",
            (unsigned long long)done, (unsigned long long)all, 100 * share, speed);
    if (share > 0.02 && p->launches == 1)
        fprintf(stderr, ", %.0f s left", seconds * (1 - share) / share);
    if (!p->terminal)
        fputc('\n', stderr);
    fflush(stderr);
    p->drawn = true;
    p->shown = seconds;
}

void ww_progress_pass(void *context, bool first)
{
    ww_progress *p = context;
    clock_gettime(CLOCK_MONOTONIC, &p->start);
    p->shown = 0;
    p->first_pass = first;
}

void ww_progress_launch(void *context, size_t number, size_t count)
{
    ww_progress *p = context;
    p->launch = number;
    p->launches = count;
}

int ww_progress_report(void *context, const ww_exec_counters *counters, uint64_t groups_done,
                       uint64_t groups_all)
{
    ww_progress *p = context;
    started = 1;
    if (interrupted)
        return 1;
    if (!groups_all || ++p->calls % 64)
        return 0;
    double seconds = seconds_since_start(p);
    double pause = p->terminal ? TERMINAL_SECONDS : LOG_SECONDS;
    if (seconds > QUIET_SECONDS && seconds - p->shown > pause)
        draw(p, counters, seconds, groups_done, groups_all);
    return 0;
}
