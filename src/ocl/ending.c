#include "ocl/ending.h"

#include "ocl/ocl.h"

#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#define LOCK_SECONDS 2 /* a thread that crashed may hold the lock for ever */

static sem_t asked;
static volatile sig_atomic_t signal_that_ends, ends_itself;
static void (*write_all)(void);

static const int requests[] = {SIGINT, SIGTERM, SIGHUP};
static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

int ww_cl_ending_signal(void)
{
    return signal_that_ends;
}

bool ww_cl_is_ending(void)
{
    return signal_that_ends || ends_itself;
}

/* Until the result is written, or cannot be; `kill` ends the process then. */
static void await_writing(void)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    for (int i = 0; i < (LOCK_SECONDS + 1) * 1000; i++)
        nanosleep(&pause, NULL);
}

bool ww_cl_ending_lock(void)
{
    ends_itself = 1;
    if (signal_that_ends)
        await_writing();
    return ww_cl_lock_within(LOCK_SECONDS);
}

void ww_cl_ending_stay(void)
{
    ww_cl_unlock();
    for (;;)
        pause();
}

static void wait_and_write(void)
{
    while (sem_wait(&asked) != 0 && errno == EINTR)
        ;
    if (ww_cl_lock_within(LOCK_SECONDS)) {
        write_all();
        ww_cl_unlock();
    }
}

/* Restores what the signal does by default, and sends it again. */
static void end_by(int number)
{
    signal(number, SIG_DFL);
    kill(getpid(), number);
}

static void *serve_request(void *unused)
{
    (void)unused;
    wait_and_write();
    end_by(signal_that_ends);
    return NULL;
}

static void ask(int number)
{
    if (signal_that_ends)
        return;
    signal_that_ends = number;
    sem_post(&asked);
}

/* A thread that has the lock goes on, so that its launch stops; no other one does. */
static void on_request(int number)
{
    int before = errno;
    ask(number);
    if (!ww_cl_has_lock)
        await_writing();
    errno = before;
}

static void on_crash(int number)
{
    ask(number);
    await_writing();
    end_by(number);
}

static void set_handlers(const int *numbers, size_t count, void (*handler)(int), int flags)
{
    for (size_t i = 0; i < count; i++) {
        struct sigaction now, ours = {.sa_handler = handler, .sa_flags = flags};
        if (sigaction(numbers[i], NULL, &now) == 0 && !(now.sa_flags & SA_SIGINFO) &&
            now.sa_handler == SIG_DFL)
            sigaction(numbers[i], &ours, NULL);
    }
}

void ww_cl_ending_watch(void (*write)(void))
{
    write_all = write;
    sem_init(&asked, 0, 0);
    if (!ww_cl_start_thread(serve_request))
        return;
    set_handlers(requests, COUNT(requests), on_request, SA_RESTART);
    set_handlers(crashes, COUNT(crashes), on_crash, SA_ONSTACK);
}
