/* Workloads of a study that are programs of the user: `{app: NAME, args: [...]}`. The file names
 * no program: the command line says what NAME is. */
#include "study/read.h"

#include "base/text.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int read_arguments(ww_study *study, const ww_yaml *list, ww_study_workload *workload,
                          ww_errors *errors)
{
    int status = ww_yaml_expect(list, WW_YAML_SEQUENCE, "'args'", errors);
    if (status)
        return status;
    workload->args = ww_arena_alloc(study->arena, list->count + 1, sizeof(*workload->args));
    for (size_t i = 0; i < list->count; i++)
        status |= ww_yaml_text(list->items[i], "an argument", &workload->args[i], errors);
    workload->arg_count = list->count;
    return status;
}

int ww_read_app(ww_study *study, const ww_yaml *item, ww_study_workload *workload,
                ww_errors *errors)
{
    static const char *const names[] = {"app", "args", "label", "metrics"};
    const ww_yaml *name = ww_yaml_get(item, "app"), *args = ww_yaml_get(item, "args");
    int status = ww_yaml_expect_keys(item, names, WW_COUNT_OF_NAMES(names), errors);
    status |= ww_read_text(item, "label", &workload->label, errors);
    status |= ww_read_own_metrics(item, workload, errors);
    if (args)
        status |= read_arguments(study, args, workload, errors);
    if (ww_yaml_text(name, "an app", &workload->app, errors) ||
        ww_check_name(workload->app, name->at, "an app", errors))
        return WW_BAD_INPUT;
    if (strchr(workload->app, '='))
        return ww_fail(errors, WW_BAD_INPUT, name->at,
                       "the name of an app has a '=' (--app NAME=PROGRAM must be clear)");
    workload->at = name->at;
    workload->name = ww_arena_printf(study->arena, "app:%s", workload->app);
    if (!workload->label)
        workload->label = workload->app;
    return status;
}

/* ---- the programs ---- */

static int refuse_name(const ww_study *study, const char *name, ww_errors *errors)
{
    const char **names = ww_arena_alloc(study->arena, study->workload_count + 1, sizeof(*names));
    size_t count = 0;
    for (size_t i = 0; i < study->workload_count; i++)
        if (study->workloads[i].app)
            names[count++] = study->workloads[i].app;
    return ww_fail_unknown(errors, WW_NOWHERE, "app of this study in --app:", name, names, count);
}

/* An absolute path, so that it means the same everywhere; NULL with an error. */
static const char *find_program(ww_study *study, const char *path, ww_errors *errors)
{
    char whole[PATH_MAX];
    struct stat info;
    const char *why = NULL;
    if (!realpath(path, whole) || stat(whole, &info) != 0)
        why = strerror(errno);
    else if (!S_ISREG(info.st_mode))
        why = "not a regular file";
    else if (access(whole, R_OK | X_OK) != 0)
        why = strerror(errno);
    if (why)
        ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE, "--app: cannot run '%s': %s", path, why);
    return why ? NULL : ww_arena_strdup(study->arena, whole);
}

int ww_study_give_app(ww_study *study, const char *assignment, ww_errors *errors)
{
    const char *equals = strchr(assignment, '=');
    if (!equals || equals == assignment || !equals[1])
        return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                       "--app is '%.60s' (NAME=PROGRAM is needed)", assignment);
    const char *name = ww_arena_strndup(study->arena, assignment, (size_t)(equals - assignment));
    const char *program = find_program(study, equals + 1, errors);
    bool used = false;
    for (size_t i = 0; program && i < study->workload_count; i++) {
        ww_study_workload *workload = &study->workloads[i];
        if (!workload->app || strcmp(workload->app, name) != 0)
            continue;
        if (workload->program)
            return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE, "--app %.60s is given twice", name);
        workload->program = program;
        used = true;
    }
    return !program ? WW_BAD_INPUT : used ? WW_OK : refuse_name(study, name, errors);
}
