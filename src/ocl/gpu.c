#include "ocl/gpu.h"

#include "base/text.h"
#include "config/machine.h"
#include "host/build_options.h"
#include "ocl/ending.h"
#include "ocl/results.h"
#include "sim/components.h"
#include "sim/first_pass.h"
#include "sim/session.h"
#include "sim/timed_device.h"

#include <errno.h>
#include <string.h>

/* Picoseconds, 1 ns: programs take an event whose times are all 0 for one that was not measured. */
#define FIRST_TIME 1000

/* One for the process, as the platform is. */
static struct {
    bool configured, usable;
    ww_config *config;
    ww_machine_file machine;
    bool timed;
    uint64_t seed;
    uint64_t first_timed, last_timed; /* launches, from 1 */
    cl_device_type type;
    ww_run_observer *observer;
    ww_session session;
    bool begun;
    bool broken; /* a timed launch failed: no other can run */
    uint64_t launches;
    uint64_t instructions; /* of all launches */
} gpu;

/* ---- the environment ---- */

static const char *variable(const char *name)
{
    const char *value = getenv(name);
    return value && value[0] ? value : NULL;
}

static int read_mode(ww_errors *errors)
{
    const char *mode = variable("WARPWALK_MODE");
    gpu.timed = !mode || strcmp(mode, "run") == 0;
    if (gpu.timed || strcmp(mode, "exec") == 0)
        return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                   "WARPWALK_MODE is '%.60s' ('run' or 'exec' is needed)", mode);
}

static int read_seed(ww_errors *errors)
{
    const char *seed = variable("WARPWALK_SEED");
    gpu.seed = 1;
    if (!seed || (ww_parse_u64(seed, &gpu.seed) && gpu.seed <= INT64_MAX))
        return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                   "WARPWALK_SEED is '%.60s' (a whole number is needed)", seed);
}

/* "launch 3..5" */
static int read_time(ww_errors *errors)
{
    const char *text = variable("WARPWALK_TIME");
    gpu.first_timed = 1;
    gpu.last_timed = UINT64_MAX;
    if (!text || ww_parse_launches(text, &gpu.first_timed, &gpu.last_timed))
        return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                   "WARPWALK_TIME is '%.60s' (\"launch 3..5\", \"launch 3\" or \"launch 3..\" is "
                   "needed)",
                   text);
}

static int read_type(ww_errors *errors)
{
    static const struct {
        const char *name;
        cl_device_type type;
    } types[] = {{"gpu", CL_DEVICE_TYPE_GPU},
                 {"cpu", CL_DEVICE_TYPE_CPU},
                 {"accelerator", CL_DEVICE_TYPE_ACCELERATOR}};
    const char *text = variable("WARPWALK_DEVICE_TYPE");
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        if (strcmp(text ? text : "gpu", types[i].name) == 0) {
            gpu.type = types[i].type;
            return WW_OK;
        }
    return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                   "WARPWALK_DEVICE_TYPE is '%.60s' (gpu, cpu or accelerator is needed)", text);
}

static int read_build_options(ww_errors *errors)
{
    return ww_build_options_check(ww_cl_gpu_build_options(),
                                  (ww_where){"WARPWALK_BUILD_OPTIONS", 0, 0}, errors);
}

static int set_keys(ww_errors *errors)
{
    const char *text = variable("WARPWALK_SET");
    char *copy = ww_strdup(text ? text : ""), *rest = copy, *word;
    int status = WW_OK;
    while ((word = strsep(&rest, " \t\n")))
        if (word[0])
            status |= ww_config_set(gpu.config, word, errors);
    free(copy);
    return status;
}

static int configure(ww_errors *errors)
{
    const char *machine = variable("WARPWALK_MACHINE");
    int status = read_mode(errors) | read_seed(errors) | read_time(errors) | read_type(errors) |
                 read_build_options(errors);
    gpu.config = ww_config_create(&ww_all_schemas);
    const char *usual = gpu.timed ? WW_DEFAULT_TIMED_MACHINE : WW_DEFAULT_MACHINE;
    status |=
        ww_machine_load(gpu.config, machine ? machine : usual, WW_NOWHERE, &gpu.machine, errors);
    status |= set_keys(errors);
    status |= ww_config_check(gpu.config, errors);
    if (status == WW_OK && gpu.timed && ww_first_pass_records(gpu.config))
        status = ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                         "a policy of this configuration needs a first pass, and a program cannot "
                         "be run twice (choose a policy that is no oracle)");
    return status;
}

bool ww_cl_gpu_configure(void)
{
    if (gpu.configured)
        return gpu.usable;
    ww_errors *errors = ww_errors_create();
    gpu.configured = true;
    gpu.usable = configure(errors) == WW_OK;
    ww_cl_report(NULL, errors);
    ww_errors_destroy(errors);
    return gpu.usable;
}

const ww_config *ww_cl_gpu_config(void)
{
    return gpu.config;
}

const char *ww_cl_gpu_machine(void)
{
    return gpu.machine.name;
}

cl_device_type ww_cl_gpu_type(void)
{
    return gpu.type;
}

const char *ww_cl_gpu_given_name(void)
{
    return variable("WARPWALK_DEVICE_NAME");
}

const char *ww_cl_gpu_build_options(void)
{
    const char *options = variable("WARPWALK_BUILD_OPTIONS");
    return options ? options : "";
}

size_t ww_cl_gpu_most_group(void)
{
    uint64_t slots =
        ww_config_u64(gpu.config, "core.wavefronts") * ww_config_u64(gpu.config, "core.warp_width");
    return gpu.timed && slots < WW_MOST_GROUP ? slots : WW_MOST_GROUP;
}

bool ww_cl_gpu_is_timed(void)
{
    return gpu.timed;
}

/* Warps whose registers of a kind a compute unit has. */
static uint64_t warps_with(const char *key, uint64_t registers_of_warp)
{
    uint64_t all = ww_config_u64(gpu.config, key);
    return all && registers_of_warp ? all / registers_of_warp : UINT64_MAX;
}

size_t ww_cl_gpu_most_group_with(const ww_register_need *need)
{
    uint64_t width = ww_config_u64(gpu.config, "core.warp_width");
    bool scalars = ww_config_u64(gpu.config, "core.scalar_registers") > 0;
    uint64_t lane = need->vector + (scalars ? 0 : need->scalar);
    uint64_t warps = warps_with("core.registers", lane * width);
    uint64_t by_scalars = warps_with("core.scalar_registers", need->scalar);
    warps = scalars && by_scalars < warps ? by_scalars : warps;
    size_t most = ww_cl_gpu_most_group();
    return warps < most / width ? warps * width : most;
}

void ww_cl_report(cl_context context, ww_errors *errors)
{
    for (size_t i = 0; i < ww_errors_count(errors); i++) {
        fprintf(stderr, "warpwalk: %s\n", ww_errors_line(errors, i));
        if (context)
            ww_cl_notify(context, ww_errors_line(errors, i));
    }
}

/* ---- the device ---- */

static int progress(void *context, const ww_exec_counters *counters, uint64_t groups_done,
                    uint64_t groups_all)
{
    (void)context;
    (void)counters;
    (void)groups_done;
    (void)groups_all;
    return ww_cl_is_ending();
}

static void begin(ww_errors *errors)
{
    ww_run_observer_options watch = {.timeline = gpu.timed ? variable("WARPWALK_TIMELINE") : NULL,
                                     .name = program_invocation_short_name};
    gpu.observer = ww_run_observer_create(&watch, gpu.config, errors);
    if (!gpu.observer)
        return;
    ww_session_setting setting = {.config = gpu.config,
                                  .seed = gpu.seed,
                                  .timed = gpu.timed,
                                  .output = stdout, /* as printf of OpenCL C says */
                                  .observer = ww_run_observer_of_gpu(gpu.observer),
                                  .progress = progress};
    gpu.begun = ww_session_begin(&gpu.session, &setting, errors) == WW_OK;
    if (gpu.begun)
        ww_cl_results_start(&gpu.session, gpu.observer, gpu.machine.name, variable("WARPWALK_JSON"),
                            variable("WARPWALK_SUMMARY") != NULL);
}

ww_device *ww_cl_gpu_device(void)
{
    if (gpu.begun)
        return gpu.session.device;
    ww_errors *errors = ww_errors_create();
    begin(errors);
    ww_cl_report(NULL, errors);
    ww_errors_destroy(errors);
    return gpu.begun ? gpu.session.device : NULL;
}

uint64_t ww_cl_gpu_now(void)
{
    const ww_device *device = gpu.begun ? gpu.session.device : NULL;
    if (device && device->kind->now)
        return FIRST_TIME + device->kind->now(device);
    return FIRST_TIME + gpu.instructions * 1000;
}

/* Without time, launches after one that failed run. */
static void forget_failure(void)
{
    ww_errors *errors = ww_errors_create();
    ww_device_finish(gpu.session.device, errors);
    ww_errors_destroy(errors);
}

int ww_cl_gpu_launch(cl_context context, ww_device_program *program, const ww_launch *launch)
{
    ww_errors *errors = ww_errors_create();
    bool timed = ++gpu.launches >= gpu.first_timed && gpu.launches <= gpu.last_timed;
    int status = WW_FAILED;
    if (gpu.timed)
        ww_timed_device_time(gpu.session.device, timed);
    if (gpu.broken)
        ww_fail(errors, WW_FAILED, WW_NOWHERE,
                "kernel '%s' does not run, because one before it "
                "failed",
                launch->entry);
    else
        status = ww_device_launch(gpu.session.device, program, launch, errors);
    bool interrupted = status != WW_OK && ww_cl_ending_signal();
    if (status == WW_OK || interrupted)
        ww_cl_results_add(ww_session_launched(&gpu.session, launch->entry, timed));
    if (status != WW_OK)
        ww_cl_results_failed();
    if (interrupted)
        ww_cl_ending_stay();
    if (status != WW_OK && !gpu.timed)
        forget_failure();
    gpu.instructions = gpu.session.warp_instructions;
    gpu.broken |= gpu.timed && status == WW_FAILED;
    ww_cl_report(context, errors);
    ww_errors_destroy(errors);
    return status;
}
