/* Runs a program that uses OpenCL on the simulated GPU: sets what the driver reads, then becomes
 * the program. */
#include "base/memory.h"
#include "base/text.h"
#include "cli/run_options.h"
#include "host/build_options.h"
#include "host/opencl_driver.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

static const ww_option option_mode = {0, "mode", "run|exec",
                                      "with time, or for values only (default: run)", false};
static const ww_option option_time = {
    0, "time", "LAUNCHES", "only these take time: \"launch 3..5\", \"launch 3\", \"launch 3..\"",
    false};
static const ww_option option_device_name = {
    0, "device-name", "TEXT", "what the device calls itself (default: \"warpwalk MACHINE\")",
    false};
static const ww_option option_device_type = {0, "device-type", "gpu|cpu|accelerator",
                                             "what the device says it is (default: gpu)", false};
static const ww_option option_build_options = {
    0, "build-options", "TEXT", "added to the options of each program that is built from source",
    false};
static const ww_option option_no_summary = {0, "no-summary", NULL, "write no summary at the end",
                                            false};

/* Lets both loaders find the driver, and no other one. */
static int name_driver(ww_errors *errors)
{
    ww_opencl_driver driver;
    int status = ww_opencl_driver_find(&driver, errors);
    if (status == WW_OK) {
        setenv("OCL_ICD_VENDORS", driver.icd, 1);
        setenv("OCL_ICD_FILENAMES", driver.library, 1);
    }
    ww_opencl_driver_clear(&driver);
    return status;
}

/* ---- the environment ---- */

/* The program may change its folder: paths are written from the root. */
static void set_path(const char *name, const char *path)
{
    char here[PATH_MAX];
    if (!path)
        unsetenv(name);
    else if (path[0] == '/' || strcmp(path, "-") == 0 || !getcwd(here, sizeof(here)))
        setenv(name, path, 1);
    else {
        char *whole = ww_format("%s/%s", here, path);
        setenv(name, whole, 1);
        free(whole);
    }
}

static void set_text(const char *name, const char *text)
{
    if (text)
        setenv(name, text, 1);
    else
        unsetenv(name);
}

static void set_settings(const ww_arguments *arguments)
{
    char *all = ww_strdup("");
    for (size_t i = 0; i < arguments->given_count; i++) {
        if (arguments->given[i].option != &ww_option_set)
            continue;
        char *longer = ww_format("%s%s%s", all, all[0] ? "\n" : "", arguments->given[i].value);
        free(all);
        all = longer;
    }
    set_text("WARPWALK_SET", all[0] ? all : NULL);
    free(all);
}

static void set_machine(const ww_arguments *arguments)
{
    const char *machine = ww_arguments_value(arguments, &ww_option_machine);
    if (machine && strchr(machine, '/'))
        set_path("WARPWALK_MACHINE", machine);
    else
        set_text("WARPWALK_MACHINE", machine);
}

static void set_environment(const ww_arguments *arguments)
{
    set_machine(arguments);
    set_settings(arguments);
    set_text("WARPWALK_MODE", ww_arguments_value(arguments, &option_mode));
    set_text("WARPWALK_TIME", ww_arguments_value(arguments, &option_time));
    set_text("WARPWALK_DEVICE_NAME", ww_arguments_value(arguments, &option_device_name));
    set_text("WARPWALK_DEVICE_TYPE", ww_arguments_value(arguments, &option_device_type));
    set_text("WARPWALK_BUILD_OPTIONS", ww_arguments_value(arguments, &option_build_options));
    set_text("WARPWALK_SEED", ww_arguments_value(arguments, &ww_option_seed));
    set_path("WARPWALK_JSON", ww_arguments_value(arguments, &ww_option_json));
    set_path("WARPWALK_TIMELINE", ww_arguments_value(arguments, &ww_option_timeline));
    set_text("WARPWALK_SUMMARY", ww_arguments_has(arguments, &option_no_summary) ? NULL : "1");
}

static int check_mode(const char *mode, ww_errors *errors)
{
    if (!mode || strcmp(mode, "run") == 0 || strcmp(mode, "exec") == 0)
        return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE, "--mode is '%.60s' (run or exec is needed)",
                   mode);
}

static int check_time(const char *time, ww_errors *errors)
{
    uint64_t first, last;
    if (!time || ww_parse_launches(time, &first, &last))
        return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                   "--time is '%.60s' (\"launch 3..5\", \"launch 3\" or \"launch 3..\" is needed)",
                   time);
}

static int check_device_type(const char *type, ww_errors *errors)
{
    if (!type || strcmp(type, "gpu") == 0 || strcmp(type, "cpu") == 0 ||
        strcmp(type, "accelerator") == 0)
        return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                   "--device-type is '%.60s' (gpu, cpu or accelerator is needed)", type);
}

static int check_build_options(const char *text, ww_errors *errors)
{
    return ww_build_options_check(text ? text : "", (ww_where){"--build-options", 0, 0}, errors);
}

static int run_command(const ww_arguments *arguments, ww_errors *errors)
{
    ww_run_options options;
    const char *mode = ww_arguments_value(arguments, &option_mode);
    bool timed = !mode || strcmp(mode, "run") == 0;
    int status = check_mode(mode, errors);
    status |= check_time(ww_arguments_value(arguments, &option_time), errors);
    status |= check_device_type(ww_arguments_value(arguments, &option_device_type), errors);
    status |= check_build_options(ww_arguments_value(arguments, &option_build_options), errors);
    status |= ww_run_options_read(arguments, timed ? WW_DEFAULT_TIMED_MACHINE : WW_DEFAULT_MACHINE,
                                  &options, errors);
    ww_run_options_clear(&options);
    if (status == WW_OK)
        status = name_driver(errors);
    if (status != WW_OK)
        return status;
    set_environment(arguments);
    char **words = ww_calloc(arguments->word_count + 1, sizeof(*words));
    for (size_t i = 0; i < arguments->word_count; i++)
        words[i] = (char *)(uintptr_t)arguments->words[i];
    execvp(words[0], words);
    status =
        ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE, "cannot run '%s': %s", words[0], strerror(errno));
    free(words);
    return status;
}

static const ww_option *const options_of_app[] = {
    &ww_option_machine,  &ww_option_set,      &option_mode,          &option_time,
    &option_device_name, &option_device_type, &option_build_options, &ww_option_seed,
    &ww_option_json,     &ww_option_timeline, &option_no_summary,    NULL};

extern const ww_command ww_command_app;
const ww_command ww_command_app = {
    .name = "app",
    .doc = "run a program that uses OpenCL, as it is, on the simulated GPU",
    .usage = "[options] -- PROGRAM [arguments]",
    .options = options_of_app,
    .least_words = 1,
    .most_words = (size_t)-1,
    .words_doc = "a program",
    .help =
        "PROGRAM uses OpenCL through a loader (libOpenCL.so), which is told to use the driver of "
        "warpwalk and no other one. Its kernels run on the machine; events that are profiled "
        "tell simulated nanoseconds. The exit status is that of the program "
        "(docs/opencl.md).\n"
        "Some programs choose a device by its type or its name: --device-type and --device-name "
        "let them choose this one. --build-options='-UNAME -DNAME=1' changes macros of their "
        "kernels.\n"
        "--json has every launch, also when the program crashes or is killed. The summary goes "
        "to standard error.",
    .examples = (const ww_example[]){{"warpwalk app -- clinfo -l", "which device do programs see?"},
                                     {"warpwalk app -m v100 --json out.json -- clinfo -l",
                                      "the result as JSON"},
                                     {NULL, NULL}},
    .run = run_command,
};
