/* warpwalk exec: runs a workload functionally, as fast as possible, without time. */
#include "base/text.h"
#include "cli/progress.h"
#include "cli/run_options.h"
#include "sim/execution.h"

#include <string.h>
#include <unistd.h>

#define INTERRUPTED 130

/* The result goes where the user wants it: a file, standard output, or a summary for people. */
static int write_result(const ww_result *result, const char *json, ww_errors *errors)
{
    bool only_json = json && strcmp(json, "-") == 0;
    int status = WW_OK;
    if (json) {
        char *text = ww_result_json(result);
        if (only_json)
            fputs(text, stdout);
        else
            status = ww_write_file(json, text, strlen(text), errors);
        free(text);
    }
    if (!only_json && (result->complete || result->interrupted))
        ww_result_write_summary(result, stdout);
    return status;
}

static int execute(const ww_run_options *options, const char *path, ww_errors *errors)
{
    ww_progress progress;
    ww_result result;
    ww_execution what = {.config = options->config,
                         .machine = options->machine.name,
                         .path = path,
                         .seed = options->seed,
                         .max_instructions = options->max_instructions,
                         .verify = options->verify,
                         .progress = ww_progress_report,
                         .launch = ww_progress_launch,
                         .context = &progress};
    ww_progress_start(&progress);
    int status = ww_execute(&what, &result, errors);
    ww_progress_end(&progress);
    if (!result.kernels)
        return status && ww_progress_interrupted() ? INTERRUPTED : status;
    bool interrupted = result.interrupted;
    int written = write_result(&result, options->json, errors);
    ww_result_clear(&result);
    return interrupted ? INTERRUPTED : status ? status : written;
}

static int run_command(const ww_arguments *arguments, ww_errors *errors)
{
    ww_run_options options;
    const char *path = arguments->words[0];
    int status = ww_run_options_read(arguments, &options, errors);
    if (!status && access(path, F_OK) != 0 && !strchr(path, '/') && !strchr(path, '.'))
        status = ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                         "no workload '%.60s' in the catalogue, and no such launch file", path);
    if (!status)
        status = execute(&options, path, errors);
    ww_run_options_clear(&options);
    return status;
}

static const ww_option *const options_of_exec[] = {&ww_option_machine,
                                                   &ww_option_set,
                                                   &ww_option_seed,
                                                   &ww_option_json,
                                                   &ww_option_no_verify,
                                                   &ww_option_max_instructions,
                                                   NULL};

extern const ww_command ww_command_exec;
const ww_command ww_command_exec = {
    .name = "exec",
    .doc = "run a kernel for its result: exact, as fast as possible, without time",
    .usage = "FILE.yaml [options]",
    .options = options_of_exec,
    .least_words = 1,
    .most_words = 1,
    .words_doc = "a launch file",
    .help =
        "A launch file names a kernel (.cl, .cu or .ptx), buffers, launches, and what to check; "
        "see\n"
        "docs/launch-files.md. The same file, settings and seed give the same result, everywhere.\n"
        "\n"
        "examples:\n"
        "  warpwalk exec examples/vadd/vadd.yaml\n"
        "  warpwalk exec mine.yaml -s core.warp_width=64 --json -\n"
        "  warpwalk exec mine.yaml -s exec.order=random --seed 7    does the order matter?\n",
    .run = run_command,
};
