/* Runs on a cluster: job arrays of Slurm, one task for each run, which outlive this process.
 *
 * Tasks write only into the folder, which all nodes share: no node opens the database. The script
 * of an array is written there before it is submitted (slurm_array.h), so that a later process can
 * continue. */
#include "study/backend/slurm.h"

#include "base/text.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_TASKS 1000 /* of an array: Slurm takes scripts up to 4 MB */
#define FOLDER_MILLISECONDS 500
#define FIRST_PAUSE 1.0 /* seconds between queries of the queue; grows */
#define MOST_PAUSE 20.0
#define REFUSED_PAUSE 30.0 /* seconds until a refused submission is tried again */

static char *absolute(const char *path)
{
    char *start = path[0] == '/' ? NULL : getcwd(NULL, 0);
    char *whole = start ? ww_format("%s/%s", start, path) : ww_strdup(path);
    free(start);
    return whole;
}

/* ---- what earlier processes submitted ---- */

static void keep_array(ww_runner *r, ww_slurm *s, ww_slurm_array *array)
{
    for (size_t i = 0; i < array->tasks.count; i++) {
        ww_slurm_task *task = &array->tasks.items[i];
        task->over = task->run == r->plan->runs.count;
        if (task->over)
            continue;
        ww_slurm_run *run = &s->runs[task->run];
        if (run->tries++ == 0)
            run->ended = !ww_runner_adopt(r, task->run);
        run->open++;
    }
    ww_vec_push(&s->arrays, array);
}

static void read_arrays(ww_runner *r, ww_slurm *s)
{
    DIR *folder = opendir(r->folder);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        ww_slurm_array *array = ww_slurm_array_read(r, entry->d_name);
        if (array)
            keep_array(r, s, array);
    }
    if (folder)
        closedir(folder);
}

static void prepare(ww_runner *r, ww_slurm *s)
{
    s->folder = absolute(r->folder);
    s->runs = ww_calloc(r->plan->runs.count + 1, sizeof(*s->runs));
    s->pause = FIRST_PAUSE;
    read_arrays(r, s);
}

static int start(ww_runner *r, void *state)
{
    ww_slurm *s = state;
    int status = ww_slurm_largest_array(&r->hold, &s->largest_array, r->errors);
    prepare(r, s);
    if (!status && r->outstanding)
        ww_board_note(&r->board, "%zu run%s submitted before", r->outstanding,
                      r->outstanding == 1 ? " was" : "s were");
    if (!status)
        status = ww_slurm_read_ends(r, s);
    if (!status)
        status = ww_slurm_check_queue(r, s, false);
    return status;
}

/* ---- submission ---- */

/* Whether a file can be run and has these bytes: the folder may come with an untrusted database. */
static bool is_program(const char *path, const char *bytes, size_t count)
{
    char *old = NULL;
    size_t length = 0;
    ww_errors *ignored = ww_errors_create();
    bool same = access(path, X_OK) == 0 &&
                ww_read_file(path, WW_NOWHERE, &old, &length, ignored) == WW_OK &&
                length == count && memcmp(old, bytes, count) == 0;
    ww_errors_destroy(ignored);
    free(old);
    return same;
}

/* Copies the program, because tasks may begin after it was rebuilt. */
static int copy_program(ww_runner *r, const ww_slurm *s)
{
    char *path = ww_slurm_program_path(s->folder, r->plan), *bytes = NULL;
    size_t count = 0;
    int status = ww_read_file("/proc/self/exe", WW_NOWHERE, &bytes, &count, r->errors);
    if (!status && !is_program(path, bytes, count)) {
        status = ww_write_file(path, bytes, count, r->errors);
        if (!status && chmod(path, 0755) != 0)
            status =
                ww_fail(r->errors, WW_FAILED, (ww_where){path, 0, 0}, "cannot be made executable");
    }
    free(bytes);
    free(path);
    return status;
}

static size_t most_tasks(const ww_slurm *s)
{
    return s->largest_array < MOST_TASKS ? (size_t)s->largest_array : MOST_TASKS;
}

/* Makes an array of the next runs, which are outstanding then. */
static ww_slurm_array *next_array(ww_runner *r, const ww_slurm *s)
{
    ww_slurm_array *array = ww_slurm_array_create(r->plan->study->name);
    for (size_t run;
         array->tasks.count < most_tasks(s) && (run = ww_runner_next(r)) < r->plan->runs.count;)
        ww_slurm_array_add(array, run);
    return array;
}

static int write_script(ww_runner *r, const ww_slurm *s, const ww_slurm_array *array)
{
    char *path = ww_slurm_array_path(s->folder, array);
    char *text = ww_slurm_array_script(r, s->folder, array);
    int status = ww_write_file(path, text, strlen(text), r->errors);
    free(text);
    free(path);
    return status;
}

static void requeue_array(ww_runner *r, ww_slurm_array *array)
{
    for (size_t i = 0; i < array->tasks.count; i++)
        ww_runner_requeue(r, array->tasks.items[i].run);
    ww_slurm_array_remove(r->folder, array);
    ww_slurm_array_destroy(array);
}

/* The cluster refused an array: if it has other tasks of ours, it may accept more later. */
static int refused(ww_runner *r, ww_slurm *s, ww_slurm_array *array, const ww_errors *why)
{
    requeue_array(r, array);
    if (r->outstanding == 0)
        return ww_fail(r->errors, ww_errors_status(why), WW_NOWHERE, "%s", ww_errors_line(why, 0));
    ww_board_note(&r->board, "%s; %zu run%s left for later", ww_errors_line(why, 0), r->waiting,
                  r->waiting == 1 ? " is" : "s are");
    s->refused_until = ww_seconds_now() + REFUSED_PAUSE;
    return WW_OK;
}

/* After a signal while sbatch runs, the array may be in the queue or not: it is kept as if it
 * were. */
static int submit(ww_runner *r, ww_slurm *s, ww_slurm_array *array)
{
    ww_words words = {0};
    char *job = NULL;
    ww_errors *found = ww_errors_create();
    ww_slurm_array_command(r, s->folder, array, &words);
    int status = ww_slurm_submit(&r->hold, &words, &job, found);
    if (status)
        ww_runner_sleep(r, NULL, 0, 0);
    if (status && !r->signal) {
        status = refused(r, s, array, found);
    } else {
        for (size_t i = 0; i < array->tasks.count; i++) {
            s->runs[array->tasks.items[i].run].tries++;
            s->runs[array->tasks.items[i].run].open++;
        }
        ww_vec_push(&s->arrays, array);
        s->pending += array->tasks.count;
        ww_board_note(&r->board, "submitted %zu run%s as job %s (%s)", array->tasks.count,
                      array->tasks.count == 1 ? "" : "s", job ? job : "?", array->name);
        status = WW_OK;
    }
    ww_errors_destroy(found);
    ww_words_free(&words);
    free(job);
    return status;
}

/* With --jobs one array is in the queue at a time: the limit is that of an array. */
static bool may_submit(const ww_runner *r, const ww_slurm *s)
{
    return r->waiting && !r->signal && ww_seconds_now() >= s->refused_until &&
           !(r->options->jobs && r->outstanding);
}

static int begin(ww_runner *r, void *state)
{
    ww_slurm *s = state;
    int status = WW_OK;
    while (!status && may_submit(r, s)) {
        status = copy_program(r, s);
        if (status)
            break;
        ww_slurm_array *array = next_array(r, s);
        status = write_script(r, s, array);
        if (status)
            requeue_array(r, array);
        else
            status = submit(r, s, array);
        s->pause = FIRST_PAUSE;
        s->next_query = ww_seconds_now() + s->pause;
    }
    return status;
}

/* ---- watching ---- */

/* Removes arrays whose tasks are all over. */
static void forget_arrays(ww_runner *r, ww_slurm *s)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->arrays.count; i++) {
        ww_slurm_array *array = s->arrays.items[i];
        if (array->foreign || ww_slurm_array_is_open(array)) {
            s->arrays.items[kept++] = array;
            continue;
        }
        ww_slurm_array_remove(r->folder, array);
        ww_slurm_array_destroy(array);
    }
    s->arrays.count = kept;
}

static int wait(ww_runner *r, void *state)
{
    ww_slurm *s = state;
    ww_runner_sleep(r, NULL, 0, FOLDER_MILLISECONDS);
    int status = ww_slurm_read_ends(r, s);
    if (!status && !r->signal && r->outstanding && ww_seconds_now() >= s->next_query) {
        status = ww_slurm_check_queue(r, s, true);
        s->pause = s->pause * 1.25 < MOST_PAUSE ? s->pause * 1.25 : MOST_PAUSE;
        s->next_query = ww_seconds_now() + s->pause;
    }
    if (!status)
        forget_arrays(r, s);
    ww_board_show_queue(&r->board, s->pending, s->running);
    return status;
}

/* ---- the end ---- */

static void free_state(ww_slurm *s)
{
    ww_vec_free(&s->arrays);
    free(s->runs);
    free(s->folder);
}

/* Whether all runs of an array are stored. A task may still run if its run was submitted twice. */
static bool is_needless(const ww_slurm *s, const ww_slurm_array *array)
{
    for (size_t i = 0; i < array->tasks.count && !array->foreign; i++)
        if (!s->runs[array->tasks.items[i].run].ended)
            return false;
    return !array->foreign;
}

/* Takes an array out of the queue and out of the folder. */
static void cancel(ww_runner *r, ww_slurm_array *array)
{
    ww_errors *found = ww_errors_create();
    if (ww_slurm_cancel(&r->hold, array->name, found) == WW_OK) {
        ww_slurm_array_remove(r->folder, array);
        ww_board_note(&r->board, "cancelled %s", array->name);
    } else {
        ww_board_note(&r->board, "%s (scancel --name=%s cancels it)", ww_errors_line(found, 0),
                      array->name);
    }
    ww_errors_destroy(found);
}

/* Ctrl-C takes the tasks out of the queue. Another signal, --detach or an error leaves them to a
 * later call. */
static void stop(ww_runner *r, void *state)
{
    ww_slurm *s = state;
    bool all = r->signal == SIGINT || s->cancel, left = false;
    for (size_t i = 0; i < s->arrays.count; i++) {
        ww_slurm_array *array = s->arrays.items[i];
        if (is_needless(s, array) || (all && !array->foreign))
            cancel(r, array);
        else
            left = true;
        ww_slurm_array_destroy(array);
    }
    if (left && r->outstanding && !all)
        ww_board_note(&r->board, "%zu run%s in Slurm's queue (the same command continues)",
                      r->outstanding, r->outstanding == 1 ? " stays" : "s stay");
    free_state(s);
}

/* ---- --dry-run ---- */

static void show_array(const ww_runner *r, const ww_slurm *s, const ww_slurm_array *array)
{
    ww_words words = {0};
    FILE *out = r->options->out;
    char *script = ww_slurm_array_script(r, s->folder, array);
    ww_slurm_array_command(r, s->folder, array, &words);
    fputs("$", out);
    for (size_t i = 0; i < words.count; i++) {
        fputc(' ', out);
        ww_write_shell_word(words.items[i], out);
    }
    fprintf(out, "\n%s\n", script);
    ww_words_free(&words);
    free(script);
}

/* Makes the same decisions without writing or submitting. Assumes the usual limits if the cluster
 * does not answer. */
static void show(ww_runner *r, void *state)
{
    ww_slurm *s = state;
    ww_errors *found = ww_errors_create();
    if (ww_slurm_largest_array(&r->hold, &s->largest_array, found))
        fprintf(r->options->log, "%s; arrays of %d tasks are assumed\n", ww_errors_line(found, 0),
                WW_SLURM_USUAL_ARRAY);
    ww_errors_destroy(found);
    prepare(r, s);
    fprintf(r->options->log, "%zu run%s would be submitted, already submitted: %zu\n", r->waiting,
            r->waiting == 1 ? "" : "s", r->outstanding);
    while (r->waiting) {
        ww_slurm_array *array = next_array(r, s);
        show_array(r, s, array);
        ww_slurm_array_destroy(array);
    }
    for (size_t i = 0; i < s->arrays.count; i++)
        ww_slurm_array_destroy(s->arrays.items[i]);
    free_state(s);
}

extern const ww_backend ww_backend_slurm;
const ww_backend ww_backend_slurm = {
    .name = "slurm",
    .doc = "job arrays on a cluster",
    .queues = true,
    .state_size = sizeof(ww_slurm),
    .start = start,
    .begin = begin,
    .wait = wait,
    .stop = stop,
    .show = show,
};
