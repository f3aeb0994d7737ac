/* A job: the process of one run. It writes its result to a file and its messages to another; the
 * process that started it reads both when it has ended. It does not outlive that process. */
#ifndef WW_STUDY_JOB_H
#define WW_STUDY_JOB_H

#include "host/process.h"

#include <jansson.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct ww_job {
    size_t run; /* in the plan */
    pid_t pid;
    int fd;       /* can be read when the process has ended */
    double start; /* seconds, of the monotonic clock */
    char *result_path, *messages_path;
    const char *killed; /* why it was ended, or NULL */
} ww_job;

typedef struct ww_job_end {
    json_t *result; /* NULL: it failed */
    int exit_status;
    char *message; /* why, when it failed */
    char *host;    /* where it ran; NULL: here */
    double seconds;
    uint64_t peak_bytes;
} ww_job_end;

/* Why a run was ended. */
#define WW_OVER_TIME "over the study's limit of time"
#define WW_OVER_MEMORY "over the study's limit of memory"

double ww_seconds_now(void);

/* Starts this program with the words and, after the first of them, `--json` to a file in the
 * folder. */
int ww_job_start(ww_job *job, const ww_words *words, const char *folder, const char *name,
                 const ww_hold *hold, ww_errors *errors);
/* Memory that the process has now, in bytes; 0 when it is not known. */
uint64_t ww_job_memory(const ww_job *job);
/* The last line that the process wrote: how far it is, or "". The caller frees it. */
char *ww_job_progress(const ww_job *job);
/* Ends the process; ww_job_finish then tells why. */
void ww_job_kill(ww_job *job, const char *why);
/* False while it runs. Then: how it ended. The job is free again; a result is still in its file. */
bool ww_job_finish(ww_job *job, ww_job_end *end);
void ww_job_end_clear(ww_job_end *end);

/* Why a run failed: the last lines of its messages in a file, or what its exit status means. The
 * caller frees it. */
char *ww_job_explain(const char *messages_path, int exit_status);
/* The result in a file when it is there and of a run that ended well, else NULL. */
json_t *ww_job_read_result(const char *path);
char *ww_job_result_path(const char *folder, const char *name);

#endif
