/* warpwalk why: what a run waits for, and what would help, as measured. */
#include "base/text.h"
#include "cli/progress.h"
#include "cli/run_options.h"
#include "study/study.h"

#define MOST_JOBS 1024

static const ww_option option_jobs = {
    'j', "jobs", "N", "runs at once (default: the processors of this machine)", false};

static int read_jobs(const ww_arguments *arguments, uint64_t *jobs, ww_errors *errors)
{
    const char *text = ww_arguments_value(arguments, &option_jobs);
    uint64_t number = 0;
    if (text && (!ww_parse_u64(text, &number) || number < 1 || number > MOST_JOBS))
        return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                       "--jobs is '%.60s' (a whole number from 1 to %d is needed)", text,
                       MOST_JOBS);
    *jobs = number;
    return WW_OK;
}

/* The command line of the base: what was given, but for what `run` does not have or what is ours.
 */
static void make_words(const ww_arguments *arguments, ww_words *words)
{
    ww_words_add(words, "run");
    ww_words_add(words, arguments->words[0]);
    for (size_t i = 0; i < arguments->given_count; i++) {
        const ww_given *given = &arguments->given[i];
        if (given->option == &option_jobs || given->option == &ww_option_json ||
            given->option == &ww_option_wide)
            continue;
        char *name = ww_format("--%s", given->option->name);
        ww_words_add(words, name);
        free(name);
        if (given->value)
            ww_words_add(words, given->value);
    }
}

static void add_settings(const ww_arguments *arguments, ww_words *settings)
{
    for (size_t i = 0; i < arguments->given_count; i++)
        if (arguments->given[i].option == &ww_option_set)
            ww_words_add(settings, arguments->given[i].value);
}

static int answer(const ww_arguments *arguments, const ww_run_options *options, ww_errors *errors)
{
    int signal = 0;
    ww_why_options why = {.workload = arguments->words[0],
                          .machine = options->machine.name,
                          .config = options->config,
                          .json = options->json,
                          .out = stdout,
                          .width = options->width,
                          .log = stderr};
    make_words(arguments, &why.words);
    add_settings(arguments, &why.settings);
    int status = read_jobs(arguments, &why.jobs, errors);
    if (!status)
        status = ww_why_answer(&why, &signal, errors);
    ww_words_free(&why.words);
    ww_words_free(&why.settings);
    return signal ? WW_STATUS_OF_SIGNAL(signal) : status;
}

static int run_why(const ww_arguments *arguments, ww_errors *errors)
{
    ww_run_options options;
    int status = ww_run_options_read(arguments, WW_DEFAULT_TIMED_MACHINE, &options, errors);
    if (!status)
        status = answer(arguments, &options, errors);
    ww_run_options_clear(&options);
    return status;
}

static const ww_option *const options_of_why[] = {&ww_option_machine,
                                                  &ww_option_set,
                                                  &ww_option_size,
                                                  &ww_option_seed,
                                                  &ww_option_json,
                                                  &ww_option_region,
                                                  &ww_option_hint,
                                                  &ww_option_no_verify,
                                                  &option_jobs,
                                                  &ww_option_wide,
                                                  NULL};

extern const ww_command ww_command_why;
const ww_command ww_command_why = {
    .name = "why",
    .doc = "what a workload waits for on a machine, and what would help, as measured",
    .usage = "WORKLOAD [options]",
    .options = options_of_why,
    .least_words = 1,
    .most_words = 1,
    .words_doc = "a workload's name, or a launch file",
    .help = "Runs it as 'warpwalk run' does, finds out what its requests wait for, makes the "
            "resources that could matter larger or faster, one at a time, and runs it again with "
            "each. Shown is what was measured, the largest gain first, with the storage that it "
            "would cost (docs/why.md). The output is the same for any --jobs. Interrupted, it "
            "shows what is known so far.",
    .examples =
        (const ww_example[]){
            {"warpwalk why bfs --size tiny -m apu-isca18", "what would make it faster?"},
            {"warpwalk why atax --size tiny -m apu-isca18 -s walk.scheduler=simt --jobs 4",
             "and with another scheduler of page walks?"},
            {"warpwalk why examples/vadd/vadd.yaml -m gtx480-cawa --json -",
             "a kernel of your own, as JSON"},
            {NULL, NULL}},
    .run = run_why,
};
