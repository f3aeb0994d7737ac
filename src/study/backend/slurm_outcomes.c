/* The outcomes of tasks. A task that ended by itself has written its end to a file. Slurm knows
 * about the others: over a limit, the run has failed; otherwise the task is lost, and its run is
 * submitted again, a few times. */
#include "base/text.h"
#include "study/backend/slurm.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define MOST_TRIES 3
/* A shared file system may show a file this much later than it was written. */
#define FILE_SECONDS 60
/* A task that the queue no longer has is queried once more after this. */
#define QUEUE_SECONDS 0.5

/* ---- ends that tasks wrote ---- */

static void close_task(ww_slurm *s, ww_slurm_task *task)
{
    task->over = true;
    s->runs[task->run].open--;
}

static int end_run(ww_runner *r, ww_slurm *s, ww_slurm_task *task, ww_job_end *end)
{
    ww_slurm_run *run = &s->runs[task->run];
    int status = run->ended ? WW_OK : ww_runner_ended(r, task->run, end);
    if (status)
        return status;
    run->ended = true;
    close_task(s, task);
    return WW_OK;
}

/* Signals that others send: they say nothing about the run. */
static bool came_from_outside(int exit_status)
{
    return exit_status == 128 + SIGKILL || exit_status == 128 + SIGTERM ||
           exit_status == 128 + SIGINT || exit_status == 128 + SIGHUP;
}

static bool read_end(const char *path, ww_job_end *end)
{
    char *text = NULL, host[128];
    size_t count;
    double began, ended;
    ww_errors *ignored = ww_errors_create();
    bool found = ww_read_file(path, WW_NOWHERE, &text, &count, ignored) == WW_OK &&
                 sscanf(text, "%d %lf %lf %127s", &end->exit_status, &began, &ended, host) == 4;
    if (found) {
        end->seconds = ended - began;
        end->host = ww_strdup(host);
    }
    ww_errors_destroy(ignored);
    free(text);
    return found;
}

/* Reads the result or the messages of a task; false when they do not show how the run ended. */
static bool conclude(const ww_runner *r, const char *log, const char *result, ww_job_end *end)
{
    uint64_t limit = r->plan->study->limit_seconds;
    if (end->exit_status == 0) {
        end->result = ww_job_read_result(result);
        return end->result != NULL;
    }
    if (limit && end->exit_status == 128 + SIGKILL && end->seconds >= (double)limit)
        end->message = ww_strdup(WW_OVER_TIME);
    else if (!came_from_outside(end->exit_status))
        end->message = ww_job_explain(log, end->exit_status);
    return end->message != NULL;
}

/* Stores the end that a task wrote. `*found`: there is one, even if it does not explain the run. */
static int store_end(ww_runner *r, ww_slurm *s, ww_slurm_array *array, size_t index, bool *found)
{
    ww_slurm_task *task = &array->tasks.items[index];
    ww_job_end end = {0};
    char *path = ww_slurm_task_path(r->folder, array, index, ".end");
    char *log = ww_slurm_task_path(r->folder, array, index, ".log");
    char *name = ww_runner_name(r, task->run), *result = ww_job_result_path(r->folder, name);
    int status = WW_OK;
    *found = read_end(path, &end);
    if (*found && (s->runs[task->run].ended || conclude(r, log, result, &end)))
        status = end_run(r, s, task, &end);
    if (status && !end.result) /* not stored, or not the run's fault: it is made again */
        unlink(path);
    ww_job_end_clear(&end);
    free(result);
    free(name);
    free(log);
    free(path);
    return status;
}

/* "ARRAY-INDEX.end": the task, or NULL. */
static ww_slurm_array *find_task(const ww_slurm *s, const char *file, size_t *index)
{
    const char *dot = strrchr(file, '.'), *dash = strrchr(file, '-');
    if (!dot || !dash || strcmp(dot, ".end") != 0 || sscanf(dash + 1, "%zu", index) != 1)
        return NULL;
    for (size_t i = 0; i < s->arrays.count; i++) {
        ww_slurm_array *array = s->arrays.items[i];
        if (strlen(array->name) == (size_t)(dash - file) &&
            strncmp(array->name, file, (size_t)(dash - file)) == 0)
            return *index < array->tasks.count ? array : NULL;
    }
    return NULL;
}

int ww_slurm_read_ends(ww_runner *r, ww_slurm *s)
{
    int status = WW_OK;
    DIR *folder = opendir(r->folder);
    for (struct dirent *entry; folder && !status && (entry = readdir(folder));) {
        size_t index;
        bool found;
        ww_slurm_array *array = find_task(s, entry->d_name, &index);
        if (array && !array->tasks.items[index].over)
            status = store_end(r, s, array, index, &found);
    }
    if (folder)
        closedir(folder);
    return status;
}

/* ---- ends that only Slurm knows ---- */

static int fail_run(ww_runner *r, ww_slurm *s, ww_slurm_array *array, size_t index,
                    const char *what)
{
    char *log = ww_slurm_task_path(r->folder, array, index, ".log");
    ww_slurm_task *task = &array->tasks.items[index];
    char *lines = ww_job_explain(log, 0);
    ww_job_end end = {.exit_status = 128 + SIGKILL,
                      .message = ww_format("%s (%s)\n%s", what, task->word, lines),
                      .host = ww_strdup(task->node)};
    int status = end_run(r, s, task, &end);
    ww_job_end_clear(&end);
    free(lines);
    free(log);
    return status;
}

static int requeue_or_fail(ww_runner *r, ww_slurm *s, ww_slurm_array *array, size_t index)
{
    ww_slurm_task *task = &array->tasks.items[index];
    ww_slurm_run *run = &s->runs[task->run];
    if (!run->ended && run->open == 1 && run->tries >= MOST_TRIES)
        return fail_run(r, s, array, index, "lost by Slurm too often");
    close_task(s, task);
    if (run->ended || run->open > 0)
        return WW_OK;
    ww_runner_requeue(r, task->run);
    ww_board_note(&r->board, "task %s-%zu is lost (%s): its run will be submitted again",
                  array->name, index, task->word);
    return WW_OK;
}

/* All other tasks would fail in the same way. */
static int refuse_folder(ww_runner *r, ww_slurm *s, const ww_slurm_task *task)
{
    s->cancel = true;
    return ww_fail(r->errors, WW_FAILED, (ww_where){s->folder, 0, 0},
                   "a task on %s could not write here (the database has to be in a folder that "
                   "all nodes share)",
                   task->node[0] ? task->node : "a node");
}

static bool left_nothing(const ww_runner *r, const ww_slurm_array *array, size_t index)
{
    char *log = ww_slurm_task_path(r->folder, array, index, ".log");
    bool nothing = access(log, F_OK) != 0;
    free(log);
    return nothing;
}

/* Whether the task ended by itself and so has written its end. */
static bool has_ended(const ww_slurm_task *task)
{
    return task->state == WW_TASK_COMPLETED || task->state == WW_TASK_FAILED;
}

static int handle_lost(ww_runner *r, ww_slurm *s, ww_slurm_array *array, size_t index)
{
    ww_slurm_task *task = &array->tasks.items[index];
    if (task->state == WW_TASK_OVER_LIMIT)
        return fail_run(r, s, array, index, "ended by Slurm");
    if ((has_ended(task) || task->state == WW_TASK_NOT_STARTED) && left_nothing(r, array, index))
        return refuse_folder(r, s, task);
    return requeue_or_fail(r, s, array, index);
}

/* Handles a task that the queue no longer has. Its end may have been written since, or may appear
 * soon. */
static int check_missed(ww_runner *r, ww_slurm *s, ww_slurm_array *array, size_t index,
                        bool allow_grace)
{
    ww_slurm_task *task = &array->tasks.items[index];
    double now = ww_seconds_now();
    if (task->missed <= 0)
        task->missed = now;
    bool found;
    int status = store_end(r, s, array, index, &found);
    double grace = found ? 0 : has_ended(task) ? FILE_SECONDS : allow_grace ? QUEUE_SECONDS : 0;
    if (status || task->over || now - task->missed < grace)
        return status;
    return handle_lost(r, s, array, index);
}

/* ---- the queue ---- */

static void note_state(void *context, const char *name, size_t index, ww_task_state state,
                       const char *word, const char *node)
{
    ww_slurm *s = context;
    for (size_t i = 0; i < s->arrays.count; i++) {
        ww_slurm_array *array = s->arrays.items[i];
        if (index >= array->tasks.count || strcmp(array->name, name) != 0)
            continue;
        ww_slurm_task *task = &array->tasks.items[index];
        task->state = state;
        snprintf(task->word, sizeof(task->word), "%s", word);
        snprintf(task->node, sizeof(task->node), "%s", node);
    }
}

bool ww_slurm_array_is_open(const ww_slurm_array *array)
{
    for (size_t i = 0; i < array->tasks.count; i++)
        if (!array->tasks.items[i].over)
            return true;
    return false;
}

/* Updates the states of all tasks. If the controller does not answer, nothing is lost: results
 * still arrive in the folder. */
static bool query_states(ww_runner *r, ww_slurm *s)
{
    ww_words names = {0};
    ww_errors *found = ww_errors_create();
    for (size_t i = 0; i < s->arrays.count; i++) {
        ww_slurm_array *array = s->arrays.items[i];
        if (ww_slurm_array_is_open(array))
            ww_words_add(&names, array->name);
        for (size_t j = 0; j < array->tasks.count; j++) {
            array->tasks.items[j].state = WW_TASK_GONE;
            snprintf(array->tasks.items[j].word, sizeof(array->tasks.items[j].word), "gone");
        }
    }
    bool answered = ww_slurm_query(&r->hold, &names, note_state, s, found) == WW_OK;
    if (!answered && !s->silent && !r->signal)
        ww_board_note(&r->board, "%s; waiting", ww_errors_line(found, 0));
    s->silent = !answered;
    ww_errors_destroy(found);
    ww_words_free(&names);
    return answered;
}

int ww_slurm_check_queue(ww_runner *r, ww_slurm *s, bool allow_grace)
{
    int status = WW_OK;
    if (!query_states(r, s))
        return WW_OK;
    s->pending = s->running = 0;
    for (size_t i = 0; i < s->arrays.count; i++) {
        ww_slurm_array *array = s->arrays.items[i];
        for (size_t j = 0; j < array->tasks.count && !status; j++) {
            ww_slurm_task *task = &array->tasks.items[j];
            s->pending += !task->over && task->state == WW_TASK_PENDING;
            s->running += !task->over && task->state == WW_TASK_RUNNING;
            bool queued = task->state == WW_TASK_PENDING || task->state == WW_TASK_RUNNING;
            if (queued)
                task->missed = 0;
            else if (!task->over)
                status = check_missed(r, s, array, j, allow_grace);
        }
    }
    return status;
}
