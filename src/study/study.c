/* A study from its file to its report. */
#include "base/html_page.h"
#include "base/text.h"
#include "study/backend.h"
#include "study/runner.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void count_known(const ww_plan *plan, const ww_known_runs *known, size_t *done)
{
    *done = 0;
    for (size_t i = 0; i < plan->runs.count; i++)
        *done += plan->runs.items[i]->chosen && known->states[i] == WW_RUN_DONE;
}

static void write_size(const ww_plan *plan, FILE *log)
{
    fprintf(log, "%zu point%s, %zu different run%s", plan->chosen_points,
            plan->chosen_points == 1 ? "" : "s", plan->chosen_runs,
            plan->chosen_runs == 1 ? "" : "s");
}

/* The list is on `out`, one line for each run: identity and command. */
static int show_plan(const ww_plan *plan, const char *path, const ww_study_options *options,
                     ww_errors *errors)
{
    ww_known_runs known;
    size_t done;
    bool there = access(path, F_OK) == 0;
    ww_results *results = there ? ww_results_open(path, WW_RESULTS_READ, errors) : NULL;
    if (there && !results)
        return ww_errors_status(errors);
    int status = ww_results_known(results, plan, &known, errors);
    for (size_t i = 0; i < plan->runs.count && !status; i++)
        if (plan->runs.items[i]->chosen)
            fprintf(options->out, "%s  %s\n", plan->runs.items[i]->identity,
                    plan->runs.items[i]->command);
    if (!status) {
        count_known(plan, &known, &done);
        fflush(options->out);
        write_size(plan, options->log);
        fprintf(options->log, ", of which %s has %zu\n", path, done);
        char *folder = ww_format("%s.work", path);
        status = ww_runner_show(plan, &known, options, folder, errors);
        free(folder);
    }
    ww_results_close(results);
    return status;
}

static int check_resume(const ww_study *study, ww_results *results, ww_errors *errors,
                        const char *path)
{
    bool has = false;
    int status = ww_results_has_study(results, study->name, &has, errors);
    if (!status && !has)
        status = ww_fail(errors, WW_BAD_INPUT, (ww_where){path, 0, 0},
                         "no study '%s' to resume (leave out --resume to begin it)", study->name);
    return status;
}

/* Warns when the study replaces one of the same name: from another file, or at another size. */
static void write_replaced(const ww_study *study, const ww_stored_study *old, const char *size,
                           FILE *log)
{
    bool other_file = strcmp(old->file, study->file) != 0 && strcmp(old->text, study->text) != 0;
    if (strcmp(old->name, study->name) != 0 ||
        (!other_file && strcmp(old->asked_size, size ? size : "") == 0))
        return;
    char *line = ww_format(
        "%s: replaces the study of this name from %s%s%s (its runs stay)", study->name, old->file,
        old->asked_size[0] ? " with --size " : " without --size", old->asked_size);
    ww_make_plain(line);
    fprintf(log, "%s\n", line);
    free(line);
}

static int show_replaced(const ww_study *study, ww_results *results,
                         const ww_study_options *options, ww_errors *errors)
{
    ww_arena *arena = ww_arena_create();
    ww_stored_study *studies;
    size_t count = ww_results_studies(results, arena, &studies, errors);
    for (size_t i = 0; i < count; i++)
        write_replaced(study, &studies[i], options->size, options->log);
    ww_arena_destroy(arena);
    return ww_errors_status(errors);
}

static int make_runs(const ww_plan *plan, const char *path, const ww_work_folder *folder,
                     const ww_study_options *options, ww_run_counts *counts, ww_errors *errors)
{
    ww_known_runs known;
    size_t done;
    ww_results *results = ww_results_open(path, WW_RESULTS_WRITE, errors);
    if (!results)
        return ww_errors_status(errors);
    int status = options->resume ? check_resume(plan->study, results, errors, path) : WW_OK;
    if (!status)
        status = show_replaced(plan->study, results, options, errors);
    if (!status)
        status = ww_results_register(results, plan, options->size, errors);
    if (!status)
        status = ww_results_known(results, plan, &known, errors);
    if (!status) {
        count_known(plan, &known, &done);
        fprintf(options->log, "%s: ", plan->study->name);
        write_size(plan, options->log);
        fprintf(options->log, ", %zu of them done before; into %s\n", done, path);
        status = ww_runner_run(plan, results, &known, options, folder, counts, errors);
    }
    ww_results_close(results);
    return status;
}

/* Locks first: a second runner must not change what the first one uses. */
static int make_locked_runs(const ww_plan *plan, const char *path, const ww_study_options *options,
                            ww_run_counts *counts, ww_errors *errors)
{
    ww_work_folder folder;
    int status = ww_work_folder_open(&folder, path, errors);
    if (!status)
        status = make_runs(plan, path, &folder, options, counts, errors);
    ww_work_folder_close(&folder);
    return status;
}

/* --resume of a file that is not there must not make an empty one. */
static int check_there(const char *path, ww_errors *errors)
{
    if (access(path, F_OK) == 0)
        return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT, (ww_where){path, 0, 0},
                   "no such database to resume (leave out --resume to begin one)");
}

/* Below the report, also where both streams are one file. */
static void show_where(const char *path, const ww_study_options *options)
{
    fflush(options->out);
    fprintf(options->log, "all of it is in %s", path);
    if (ww_html_page_has_bundle()) {
        fputs(": warpwalk report ", options->log);
        ww_write_shell_word(path, options->log);
        fputs(" --html DIR makes a page", options->log);
    }
    fputc('\n', options->log);
}

/* Makes the runs, then shows the report. */
static int make_study(const ww_plan *plan, const char *path, const ww_study_options *options,
                      int *signal, ww_errors *errors)
{
    ww_run_counts counts = {0};
    int status = options->resume ? check_there(path, errors) : WW_OK;
    if (!status)
        status = make_locked_runs(plan, path, options, &counts, errors);
    *signal = counts.signal;
    if (status)
        return status;
    if (counts.signal)
        return ww_fail(errors, WW_FAILED, WW_NOWHERE,
                       "interrupted: %zu more run%s stored (the same command continues)",
                       counts.done, counts.done == 1 ? " is" : "s are");
    if (counts.left)
        return WW_OK;
    status = ww_report_write(path, plan->study->name, WW_REPORT_TEXT, options->width, options->out,
                             errors);
    if (!status)
        show_where(path, options);
    if (!status && counts.failed)
        status = ww_fail(errors, WW_FAILED, WW_NOWHERE, "%zu run%s failed (the report lists them)",
                         counts.failed, counts.failed == 1 ? "" : "s");
    return status;
}

/* The study's file named the database, not the user: a link could lead anywhere. */
static int check_own_name(const char *path, ww_errors *errors)
{
    struct stat info;
    if (lstat(path, &info) != 0 || !S_ISLNK(info.st_mode))
        return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT, (ww_where){path, 0, 0},
                   "a symbolic link (--db %s follows it)", path);
}

/* Jobs of a cluster have a copy of this program without the driver beside it. */
static int check_apps(const ww_plan *plan, const ww_backend *backend, ww_errors *errors)
{
    for (size_t i = 0; backend->queues && i < plan->runs.count; i++)
        if (plan->runs.items[i]->app)
            return ww_fail(errors, WW_BAD_INPUT, plan->runs.items[i]->app->at,
                           "an app cannot run with --backend %s (local)", backend->name);
    return WW_OK;
}

int ww_study_run(const ww_study *study, const ww_study_options *options, int *signal,
                 ww_errors *errors)
{
    const ww_backend *backend = ww_backend_find(options, errors);
    if (!backend)
        return WW_BAD_INPUT;
    char *path = options->results ? ww_strdup(options->results) : ww_format("%s.db", study->name);
    ww_plan *plan = ww_plan_create(study, options->size, options->log, errors);
    int status = plan ? ww_plan_choose(plan, &options->sweeps, errors) : ww_errors_status(errors);
    if (!status)
        status = check_apps(plan, backend, errors);
    if (!status && !options->results)
        status = check_own_name(path, errors);
    if (!status && options->dry_run)
        status = show_plan(plan, path, options, errors);
    else if (!status)
        status = make_study(plan, path, options, signal, errors);
    ww_plan_destroy(plan);
    free(path);
    return status;
}
