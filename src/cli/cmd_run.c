/* warpwalk run: runs a workload on a model of a machine, cycle by cycle. */
#include "cli/run_workload.h"

static int run_command(const ww_arguments *arguments, ww_errors *errors)
{
    return ww_run_workload(arguments, true, errors);
}

static const ww_option *const options_of_run[] = {&ww_option_machine,
                                                  &ww_option_set,
                                                  &ww_option_size,
                                                  &ww_option_seed,
                                                  &ww_option_json,
                                                  &ww_option_no_verify,
                                                  &ww_option_dump_dir,
                                                  &ww_option_no_dump,
                                                  &ww_option_max_instructions,
                                                  &ww_option_trace,
                                                  &ww_option_trace_file,
                                                  &ww_option_timeline,
                                                  &ww_option_warp_times,
                                                  &ww_option_pages,
                                                  &ww_option_region,
                                                  &ww_option_sample,
                                                  &ww_option_hint,
                                                  &ww_option_wide,
                                                  NULL};

extern const ww_command ww_command_run;
const ww_command ww_command_run = {
    .name = "run",
    .doc = "run a workload on a model of a machine: cycles, and where they went",
    .usage = "WORKLOAD [options]",
    .options = options_of_run,
    .least_words = 1,
    .most_words = 1,
    .words_doc = "a workload's name, or a launch file",
    .help = "WORKLOAD is a name of the catalogue (warpwalk list workloads), or the path of a "
            "launch file (docs/launch-files.md). MACHINE is a preset (warpwalk list machines) or "
            "a YAML file. KEY is one of 'warpwalk list keys'.\n"
            "The summary says where the cycles went; --json has every statistic (docs/stats.md). "
            "The same workload, size, machine, settings and seed give the same result, "
            "everywhere.",
    .examples =
        (const ww_example[]){
            {"warpwalk run atax -m apu-isca18", "where did the time go?"},
            {"warpwalk run atax -m apu-isca18 -s translation=ideal",
             "what if translation cost nothing?"},
            {"warpwalk run bfs -m v100 -s core.scheduler=gto", "another warp scheduler"},
            {"warpwalk run backprop -m fermi-paged --size tiny -s paging.mode=demand",
             "pages come from the host by faults (docs/paging.md)"},
            {"warpwalk run examples/vadd/vadd.yaml -m gtx480-cawa -s l1d.size=0 --json -",
             "a kernel of your own, without an L1, as JSON"},
            {"warpwalk run atax --size tiny --trace warp=0.0", "why did the first warp wait?"},
            {"warpwalk run atax --size tiny --timeline atax.json", "open it in ui.perfetto.dev"},
            {"warpwalk run atax -m fermi-paged -s paging.mode=demand --pages atax.html",
             "which pages moved when?"},
            {"warpwalk run syrk --size cuptw -m mi100-cuptw --region skip=1000000,measure=500000",
             "a part of what would take days"},
            {"warpwalk run srad --size tiny,iterations=20 --sample",
             "a sample of launches that are alike (docs/sampling.md)"},
            {NULL, NULL}},
    .run = run_command,
};
