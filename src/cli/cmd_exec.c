/* warpwalk exec: runs a workload functionally, as fast as possible, without time. */
#include "cli/run_workload.h"

static int run_command(const ww_arguments *arguments, ww_errors *errors)
{
    return ww_run_workload(arguments, false, errors);
}

static const ww_option *const options_of_exec[] = {&ww_option_machine,
                                                   &ww_option_set,
                                                   &ww_option_size,
                                                   &ww_option_seed,
                                                   &ww_option_json,
                                                   &ww_option_no_verify,
                                                   &ww_option_dump_dir,
                                                   &ww_option_no_dump,
                                                   &ww_option_max_instructions,
                                                   &ww_option_wide,
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
    .help = "WORKLOAD is a name of the catalogue (warpwalk list workloads), or the path of a "
            "launch file: it names a kernel (.cl, .cu or .ptx), buffers, launches, and what to "
            "check (docs/launch-files.md). The same workload, size, settings and seed give the "
            "same result, everywhere.",
    .examples =
        (const ww_example[]){
            {"warpwalk exec atax", "is the result what plain C computes?"},
            {"warpwalk exec atax --size tiny,group=32", "a named size, one value of it changed"},
            {"warpwalk exec examples/vadd/vadd.yaml -s core.warp_width=64 --json -",
             "a kernel of your own, warps of 64, as JSON"},
            {"warpwalk exec examples/reduction/reduction.yaml -s exec.order=random --seed 7",
             "does the order of groups matter?"},
            {NULL, NULL}},
    .run = run_command,
};
