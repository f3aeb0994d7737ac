/* The programs of a study while it is planned (`app: NAME`): what their runs depend on. */
#include "study/plan_internal.h"

#include "base/text.h"
#include "host/opencl_driver.h"

static int add_content(const char *path, ww_hash128 *hash, ww_errors *errors)
{
    char *bytes;
    size_t count;
    int status = ww_read_file(path, WW_NOWHERE, &bytes, &count, errors);
    if (status == WW_OK) {
        ww_hash128_add(hash, bytes, count);
        free(bytes);
    }
    return status;
}

/* The driver that programs use is a file of its own. */
static int add_driver(ww_hash128 *hash, ww_errors *errors)
{
    ww_opencl_driver driver;
    int status = ww_opencl_driver_find(&driver, errors);
    if (status == WW_OK)
        status = add_content(driver.library, hash, errors);
    ww_opencl_driver_clear(&driver);
    return status;
}

int ww_planner_load_app(ww_planner *p, size_t index)
{
    const ww_study_workload *workload = &p->study->workloads[index];
    ww_hash128 *hash = &p->programs[index];
    if (!workload->program)
        return ww_fail(p->errors, WW_BAD_INPUT, workload->at,
                       "app '%.60s' has no program (give --app %.60s=PROGRAM: a study file starts "
                       "none)",
                       workload->app, workload->app);
    ww_hash128_add_text(hash, "app");
    int status = add_content(workload->program, hash, p->errors);
    for (size_t i = 0; i < workload->arg_count; i++)
        ww_hash128_add_text(hash, workload->args[i]);
    return status ? status : add_driver(hash, p->errors);
}

int ww_planner_check_app(ww_planner *p, size_t index, const char *size, const char *region,
                         const char *hints)
{
    const ww_study_workload *workload = &p->study->workloads[index];
    const char *what = size[0] ? "parameter" : region[0] ? "region" : hints[0] ? "hint" : NULL;
    if (!workload->app || !what)
        return WW_OK;
    ww_errors *found = ww_errors_create();
    ww_fail(found, WW_BAD_INPUT, WW_NOWHERE,
            "app '%.60s' takes no %s (its args say what it does; sweeps choose workloads)",
            workload->app, what);
    return ww_planner_report(p, found, workload->at, false);
}
