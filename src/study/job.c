#include "study/job.h"

#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MESSAGE_BYTES 2000 /* of the last lines */
#define CANNOT_START 127

double ww_seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

char *ww_job_result_path(const char *folder, const char *name)
{
    return ww_format("%s/%s.json", folder, name);
}

/* In the new process: it dies with its parent, has its own process group (the parent handles
 * interrupts from the terminal), and writes to the files. Calls only what is safe after a fork. */
static _Noreturn void become(char *const *argv, const ww_job *job, const ww_hold *hold,
                             pid_t parent)
{
    int messages = open(job->messages_path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    int nothing = open("/dev/null", O_RDWR);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0);
    sigprocmask(SIG_SETMASK, &hold->before, NULL);
    if (getppid() == parent && messages >= 0 && nothing >= 0 && dup2(nothing, 0) >= 0 &&
        dup2(nothing, 1) >= 0 && dup2(messages, 2) >= 0)
        execv("/proc/self/exe", argv);
    _exit(CANNOT_START);
}

static void free_paths(ww_job *job)
{
    free(job->result_path);
    free(job->messages_path);
    *job = (ww_job){.fd = -1};
}

int ww_job_start(ww_job *job, const ww_words *words, const char *folder, const char *name,
                 const ww_hold *hold, ww_errors *errors)
{
    size_t run = job->run;
    *job = (ww_job){.run = run,
                    .start = ww_seconds_now(),
                    .result_path = ww_job_result_path(folder, name),
                    .messages_path = ww_format("%s/%s.log", folder, name)};
    char **argv = ww_calloc(words->count + 4, sizeof(*argv));
    argv[0] = (char *)(uintptr_t) "warpwalk";
    argv[1] = words->items[0];
    argv[2] = (char *)(uintptr_t) "--json";
    argv[3] = job->result_path;
    memcpy(argv + 4, words->items + 1, (words->count - 1) * sizeof(*argv));
    pid_t parent = getpid();
    job->pid = fork();
    if (job->pid == 0)
        become(argv, job, hold, parent);
    free(argv);
    job->fd = job->pid > 0 ? pidfd_open(job->pid, 0) : -1;
    if (job->pid > 0)
        return WW_OK;
    free_paths(job);
    return ww_fail(errors, WW_FAILED, WW_NOWHERE, "cannot start a process: %s", strerror(errno));
}

uint64_t ww_job_memory(const ww_job *job)
{
    char path[64];
    unsigned long long all = 0, resident = 0;
    snprintf(path, sizeof(path), "/proc/%d/statm", (int)job->pid);
    FILE *file = fopen(path, "re");
    if (file && fscanf(file, "%llu %llu", &all, &resident) != 2)
        resident = 0;
    if (file)
        fclose(file);
    return resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

void ww_job_kill(ww_job *job, const char *why)
{
    job->killed = why;
    kill(job->pid, SIGKILL);
}

/* An incomplete or wrong result counts as none. */
json_t *ww_job_read_result(const char *path)
{
    json_error_t ignored;
    json_t *result = json_load_file(path, JSON_REJECT_DUPLICATES, &ignored);
    if (json_is_true(json_object_get(result, "complete")) &&
        !json_is_false(json_object_get(result, "verified")) &&
        json_is_object(json_object_get(result, "stats")) &&
        json_is_object(json_object_get(result, "config")))
        return result;
    json_decref(result);
    return NULL;
}

/* The last bytes of a file, from the beginning of a line when there is one, without the end of the
 * last line. */
static char *last_lines(const char *path)
{
    char text[MESSAGE_BYTES + 1];
    size_t count = 0;
    FILE *file = fopen(path, "re");
    if (file && fseek(file, -MESSAGE_BYTES, SEEK_END) != 0)
        rewind(file);
    bool cut = file && ftell(file) > 0;
    if (file)
        count = fread(text, 1, MESSAGE_BYTES, file);
    if (file)
        fclose(file);
    while (count && text[count - 1] == '\n')
        count--;
    text[count] = 0;
    ww_make_plain(text);
    const char *line = cut ? strchr(text, '\n') : NULL;
    return ww_strdup(line && line[1] ? line + 1 : text);
}

/* The messages of a run that has not ended show its progress. */
char *ww_job_progress(const ww_job *job)
{
    char *lines = last_lines(job->messages_path);
    const char *last = strrchr(lines, '\n');
    char *line = ww_strdup(last ? last + 1 : lines);
    free(lines);
    return line;
}

char *ww_job_explain(const char *messages_path, int exit_status)
{
    char *lines = last_lines(messages_path);
    if (lines[0])
        return lines;
    free(lines);
    if (exit_status > 128)
        return ww_format("ended by signal %d (%s)", exit_status - 128,
                         strsignal(exit_status - 128));
    if (exit_status == CANNOT_START)
        return ww_strdup("the process could not be started");
    return ww_strdup("no result was written");
}

bool ww_job_finish(ww_job *job, ww_job_end *end)
{
    int status = 0;
    struct rusage usage;
    pid_t ended = wait4(job->pid, &status, WNOHANG, &usage);
    if (ended == 0 || (ended < 0 && errno == EINTR))
        return false;
    *end = (ww_job_end){.seconds = ww_seconds_now() - job->start,
                        .exit_status =
                            WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status),
                        .peak_bytes = (uint64_t)usage.ru_maxrss * 1024};
    if (end->exit_status == 0)
        end->result = ww_job_read_result(job->result_path);
    if (!end->result)
        end->message = job->killed ? ww_strdup(job->killed)
                                   : ww_job_explain(job->messages_path, end->exit_status);
    unlink(job->messages_path);
    close(job->fd);
    free_paths(job);
    return true;
}

void ww_job_end_clear(ww_job_end *end)
{
    json_decref(end->result);
    free(end->message);
    free(end->host);
    *end = (ww_job_end){0};
}
