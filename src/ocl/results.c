#include "ocl/results.h"

#include "base/json.h"
#include "base/text.h"
#include "ocl/ending.h"
#include "ocl/ocl.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static struct {
    const ww_session *session;
    ww_run_observer *observer;
    const char *machine, *json;
    bool summary, failed, written;
    pid_t process;
    int file; /* -1: none */
    off_t at; /* where the next launch goes in the file */
    size_t count;
} results = {.file = -1};

/* ---- the file while the program runs ---- */

#define TAIL "\n  ],\n  \"stats\": {}\n}\n"

static void write_at(off_t at, const char *text, size_t length)
{
    while (length) {
        ssize_t written = pwrite(results.file, text, length, at);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return;
        text += written;
        at += written;
        length -= (size_t)written;
    }
}

/* The result of nothing so far, without its end. */
static char *head_text(void)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    json_t *config = ww_config_json(results.session->setting.config);
    json_t *o = json_object();
    json_object_set_new(o, "machine", ww_json_text(results.machine));
    json_object_set_new(o, "workload", ww_json_text(program_invocation_short_name));
    json_object_set_new(o, "size", json_null());
    json_object_set_new(o, "seed", json_integer((json_int_t)results.session->setting.seed));
    json_object_set_new(o, "version", json_string(WW_VERSION));
    json_object_set_new(o, "config", config);
    json_object_set_new(o, "verified", json_null());
    json_object_set_new(o, "complete", json_false());
    ww_json_write(o, out);
    json_decref(o);
    fclose(out);
    char *end = strrchr(text, '}');
    while (end > text && (end[0] == '}' || end[0] == '\n'))
        end--;
    end[1] = 0;
    char *head = ww_format("%s,\n  \"kernels\": [", text);
    free(text);
    return head;
}

static void start_file(void)
{
    bool standard = strcmp(results.json, "-") == 0;
    results.file =
        standard ? -1 : open(results.json, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (results.file < 0) {
        if (!standard)
            fprintf(stderr, "warpwalk: cannot write '%s': %s\n", results.json, strerror(errno));
        return;
    }
    char *head = head_text();
    char *whole = ww_format("%s%s", head, TAIL);
    results.at = (off_t)strlen(head);
    write_at(0, whole, strlen(whole));
    free(whole);
    free(head);
}

void ww_cl_results_add(const json_t *launch)
{
    if (results.file < 0)
        return;
    char *object = json_dumps(launch, JSON_PRESERVE_ORDER);
    char *text = ww_format("%s\n    %s" TAIL, results.count++ ? "," : "", object);
    write_at(results.at, text, strlen(text));
    results.at += (off_t)(strlen(text) - strlen(TAIL));
    free(text);
    free(object);
}

void ww_cl_results_failed(void)
{
    results.failed = true;
}

/* ---- the end ---- */

static void write_json(const ww_result *result, ww_errors *errors)
{
    char *text = ww_result_json(result);
    if (results.file < 0 && strcmp(results.json, "-") == 0)
        fputs(text, stdout);
    else if (results.file >= 0)
        ww_write_file(results.json, text, strlen(text), errors);
    free(text);
}

/* The lock is held. A child of the process has no result of its own. */
static void write_whole(bool complete)
{
    if (!results.session || results.written || getpid() != results.process)
        return;
    ww_errors *errors = ww_errors_create();
    ww_result result = {.machine = results.machine, .workload = program_invocation_short_name};
    results.written = true;
    ww_session_fill(results.session, complete && !results.failed, &result, errors);
    result.series = ww_run_observer_series(results.observer);
    result.interrupted = ww_cl_ending_signal() != 0;
    ww_run_observer_finish(results.observer, false, errors);
    if (results.json)
        write_json(&result, errors);
    if (results.summary)
        ww_result_write_summary(&result, 100, stderr);
    ww_result_clear(&result);
    ww_errors_print(errors, stderr);
    ww_errors_destroy(errors);
}

static void write_incomplete(void)
{
    write_whole(false);
}

__attribute__((destructor)) static void end_process(void)
{
    if (!results.session || !ww_cl_ending_lock())
        return;
    write_whole(true);
    ww_cl_unlock();
}

void ww_cl_results_start(const ww_session *session, ww_run_observer *observer, const char *machine,
                         const char *json, bool summary)
{
    results.session = session;
    results.observer = observer;
    results.machine = machine;
    results.json = json;
    results.summary = summary;
    results.process = getpid();
    if (json)
        start_file();
    if (json || summary)
        ww_cl_ending_watch(write_incomplete);
}
