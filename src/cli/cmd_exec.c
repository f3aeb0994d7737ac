/* warpwalk exec: runs a workload functionally, as fast as possible, without time. */
#include "base/text.h"
#include "cli/progress.h"
#include "cli/run_options.h"
#include "sim/execution.h"

#include <string.h>

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

static int execute(const ww_run_options *options, const char *workload, ww_errors *errors)
{
    ww_progress progress;
    ww_result result;
    ww_execution what = {.config = options->config,
                         .machine = options->machine.name,
                         .workload = workload,
                         .size = options->size,
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
    int status = ww_run_options_read(arguments, &options, errors);
    if (!status)
        status = execute(&options, arguments->words[0], errors);
    ww_run_options_clear(&options);
    return status;
}

static const ww_option *const options_of_exec[] = {&ww_option_machine,
                                                   &ww_option_set,
                                                   &ww_option_size,
                                                   &ww_option_seed,
                                                   &ww_option_json,
                                                   &ww_option_no_verify,
                                                   &ww_option_max_instructions,
                                                   NULL};

extern const ww_command ww_command_exec;
const ww_command ww_command_exec = {
    .name = "exec",
    .doc = "run a workload for its result: exact, as fast as possible, without time",
    .usage = "WORKLOAD [options]",
    .options = options_of_exec,
    .least_words = 1,
    .most_words = 1,
    .words_doc = "a workload's name, or a launch file",
    .help =
        "WORKLOAD is a name of the catalogue (warpwalk list workloads), or the path of a launch "
        "file: it\n"
        "names a kernel (.cl, .cu or .ptx), buffers, launches, and what to check "
        "(docs/launch-files.md).\n"
        "The same workload, size, settings and seed give the same result, everywhere.\n"
        "\n"
        "examples:\n"
        "  warpwalk exec atax                                    verified against plain C\n"
        "  warpwalk exec atax --size tiny,group=32               a named size, one value changed\n"
        "  warpwalk exec mine.yaml -s core.warp_width=64 --json -\n"
        "  warpwalk exec mine.yaml -s exec.order=random --seed 7 does the order matter?\n",
    .run = run_command,
};
