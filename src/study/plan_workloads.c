/* The workloads of a study while it is planned: of the catalogue, launch files, or apps. */
#include "study/plan_internal.h"

#include "base/embedded.h"
#include "sim/components.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int refuse_workload(ww_planner *p, const ww_study_workload *workload)
{
    const char *near = ww_catalogue_nearest(workload->name);
    if (near)
        return ww_fail(p->errors, WW_BAD_INPUT, workload->at,
                       "no workload '%.60s' in the catalogue (did you mean '%s'?)", workload->name,
                       near);
    return ww_fail(p->errors, WW_BAD_INPUT, workload->at,
                   "no workload '%.60s' in the catalogue (warpwalk list workloads; a launch file "
                   "has a '.' or a '/' in its name)",
                   workload->name);
}

static void add_parameter_name(ww_planner *p, const char *name)
{
    for (size_t i = 0; i < p->parameters.count; i++)
        if (strcmp(p->parameters.items[i], name) == 0)
            return;
    ww_vec_push(&p->parameters, ww_arena_strdup(p->plan->arena, name));
}

/* Or an error at the location that names it. */
static bool is_readable(ww_planner *p, const ww_study_workload *workload)
{
    struct stat info;
    if (access(workload->name, R_OK) != 0)
        ww_fail(p->errors, WW_BAD_INPUT, workload->at, "cannot read launch file '%s': %s",
                workload->name, strerror(errno));
    else if (stat(workload->name, &info) == 0 && S_ISREG(info.st_mode))
        return true;
    else
        ww_fail(p->errors, WW_BAD_INPUT, workload->at, "'%s' is not a regular file",
                workload->name);
    return false;
}

void ww_planner_load(ww_planner *p)
{
    ww_config *config = ww_config_create(&ww_all_schemas);
    for (size_t i = 0; i < p->study->workload_count; i++) {
        const ww_study_workload *workload = &p->study->workloads[i];
        if (workload->app) {
            p->refused[i] = ww_planner_load_app(p, i) != WW_OK;
            continue;
        }
        const ww_workload *known = ww_catalogue_find(workload->name);
        for (size_t k = 0; known && k < known->parameter_count; k++)
            add_parameter_name(p, known->parameters[k].name);
        if (known)
            continue;
        if (!strchr(workload->name, '.') && !strchr(workload->name, '/')) {
            p->refused[i] = refuse_workload(p, workload) != WW_OK;
            continue;
        }
        p->refused[i] = !ww_builtin_path(workload->name) && !is_readable(p, workload);
        if (p->refused[i])
            continue;
        if (!p->compiler)
            p->compiler = ww_compiler_configured(config, stderr);
        p->is_file[i] = true;
    }
    ww_config_destroy(config);
}

static void add_parameter_names(ww_planner *p, const ww_launch_file *file)
{
    json_t *values = ww_launch_file_parameters(file), *value;
    const char *name;
    json_object_foreach(values, name, value) add_parameter_name(p, name);
    json_decref(values);
}

void ww_planner_add_parameters(ww_planner *p)
{
    ww_config *config = ww_config_create(&ww_all_schemas);
    ww_launch_setting setting = {.config = config, .no_dump = true};
    for (size_t i = 0; i < p->study->workload_count; i++) {
        ww_errors *ignored = ww_errors_create();
        if (p->is_file[i] && !p->files[i] && !p->refused[i])
            p->files[i] =
                ww_launch_file_load(p->study->workloads[i].name, &setting, p->compiler, ignored);
        if (p->files[i])
            add_parameter_names(p, p->files[i]);
        ww_errors_destroy(ignored);
    }
    ww_config_destroy(config);
}

/* The launch file of a point: loaded once, or for each point if its numbers depend on the point.
 * NULL: an error was reported. */
static const ww_launch_file *file_of(ww_planner *p, size_t index, const char *size,
                                     const ww_config *config, ww_where at)
{
    ww_launch_setting setting = {.size = size[0] ? size : NULL, .config = config, .no_dump = true};
    if (p->files[index] && !setting.size && !ww_launch_file_depends(p->files[index]))
        return p->files[index];
    ww_errors *found = ww_errors_create();
    ww_launch_file_destroy(p->files[index]);
    p->files[index] =
        ww_launch_file_load(p->study->workloads[index].name, &setting, p->compiler, found);
    p->refused[index] = ww_planner_report(p, found, at, true) != WW_OK;
    return p->files[index];
}

int ww_planner_identify(ww_planner *p, const ww_point *point, const char *size,
                        const ww_config *config, ww_where at, ww_hash128 *identity)
{
    size_t index = point->sweep->workloads.items[point->coordinates.workload];
    if (p->study->workloads[index].app) {
        *identity = p->programs[index];
        return WW_OK;
    }
    if (p->is_file[index]) {
        ww_host_program program = {.file = file_of(p, index, size, config, at)};
        if (program.file)
            ww_host_program_identify(&program, identity);
        return program.file ? WW_OK : WW_BAD_INPUT;
    }
    ww_choice choice;
    ww_errors *found = ww_errors_create();
    ww_choice_read(ww_catalogue_find(p->study->workloads[index].name), size, &choice, found);
    int status = ww_planner_report(p, found, at, false);
    if (!status) {
        ww_host_program program = {.choice = &choice};
        ww_host_program_identify(&program, identity);
    }
    ww_choice_clear(&choice);
    return status;
}
