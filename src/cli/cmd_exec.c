/* warpwalk exec: runs a workload functionally, as fast as possible, without time. */
#include "base/json.h"
#include "base/text.h"
#include "cli/progress.h"
#include "cli/result.h"
#include "exec/exec_schema.h"
#include "exec/exec_stats.h"
#include "exec/order.h"
#include "host/functional_device.h"
#include "host/launch_file.h"
#include "host/placement.h"

#include <string.h>
#include <unistd.h>

#define INTERRUPTED 130

/* One run: what the callbacks of launches need. */
typedef struct run {
    ww_progress progress;
    ww_device *device;
    json_t *kernels;
    uint64_t warp_instructions; /* before the launch that runs */
    uint64_t thread_instructions;
} run;

static int launched(void *context, size_t index, const char *entry, ww_errors *errors)
{
    run *r = context;
    ww_exec_counters now = ww_functional_device_counters(r->device);
    json_t *kernel = json_object();
    (void)errors;
    json_object_set_new(kernel, "entry", ww_json_text(entry));
    json_object_set_new(kernel, "warp_instructions",
                        json_integer((json_int_t)(now.warp_instructions - r->warp_instructions)));
    json_object_set_new(
        kernel, "thread_instructions",
        json_integer((json_int_t)(now.thread_instructions - r->thread_instructions)));
    json_array_append_new(r->kernels, kernel);
    r->warp_instructions = now.warp_instructions;
    r->thread_instructions = now.thread_instructions;
    r->progress.launch = index + 2;
    return WW_OK;
}

static ww_lane_level lane_level(const ww_config *config)
{
    ww_lane_level best = ww_lane_best(), wanted = best;
    switch (ww_config_choice(config, "exec.lanes")) {
    case WW_LANES_PORTABLE: wanted = WW_LANE_PORTABLE; break;
    case WW_LANES_AVX2: wanted = WW_LANE_AVX2; break;
    case WW_LANES_AVX512: wanted = WW_LANE_AVX512; break;
    default: break;
    }
    return wanted < best ? wanted : best;
}

static ww_device *make_device(const ww_run_options *options, run *r)
{
    const ww_config *config = options->config;
    ww_exec_options exec = {
        .width = (unsigned)ww_config_u64(config, "core.warp_width"),
        .level = lane_level(config),
        .max_instructions = options->max_instructions,
        .order = (const ww_order *)(const void *)ww_config_policy(config, "exec.order"),
        .seed = options->seed,
        .progress = ww_progress_report,
        .progress_context = &r->progress,
    };
    const ww_placement *placement =
        (const ww_placement *)(const void *)ww_config_policy(config, "memory.placement");
    return ww_functional_device_create(&exec, placement->place);
}

static int report(const ww_run_options *options, const char *workload, run *r, ww_verdict verdict,
                  bool complete, ww_errors *errors)
{
    ww_exec_counters counters = ww_functional_device_counters(r->device);
    ww_stats *stats = ww_stats_create(options->config);
    ww_stats_add(stats, &ww_exec_stats, &counters);
    ww_stats_read(stats);
    ww_result result = {.workload = workload,
                        .options = options,
                        .verdict = verdict,
                        .complete = complete,
                        .host_seconds = ww_functional_device_seconds(r->device),
                        .warp_instructions = counters.warp_instructions,
                        .thread_instructions = counters.thread_instructions,
                        .kernels = r->kernels,
                        .stats = stats};
    int status = ww_stats_check(stats, errors);
    bool quiet = options->json && strcmp(options->json, "-") == 0;
    if (options->json)
        status |= ww_result_write_json(&result, errors);
    if (!quiet)
        ww_result_write_summary(&result, stdout);
    ww_stats_destroy(stats);
    return status;
}

static int run_file(const ww_launch_file *file, const char *path, const ww_run_options *options,
                    ww_errors *errors)
{
    run r = {.kernels = json_array()};
    ww_verdict verdict = WW_NOT_VERIFIED;
    ww_launch_file_options how = {
        .seed = options->seed, .verify = options->verify, .launched = launched, .context = &r};
    ww_progress_start(&r.progress, ww_launch_file_launches(file));
    r.progress.launch = 1;
    r.progress.entry = path;
    r.device = make_device(options, &r);
    int status = ww_launch_file_run(file, r.device, &how, &verdict, errors);
    ww_progress_end(&r.progress);
    bool complete = status == WW_OK || verdict == WW_WRONG;
    if (complete || ww_progress_interrupted()) {
        int reported = report(options, path, &r, verdict, complete, errors);
        status = status ? status : reported;
    }
    ww_device_destroy(r.device);
    json_decref(r.kernels);
    return !complete && ww_progress_interrupted() ? INTERRUPTED : status;
}

static int run_command(const ww_arguments *arguments, ww_errors *errors)
{
    ww_run_options options;
    const char *path = arguments->words[0];
    int status = ww_run_options_read(arguments, &options, errors);
    if (!status && access(path, F_OK) != 0 && !strchr(path, '/') && !strchr(path, '.'))
        status = ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                         "no workload '%.60s' in the catalogue, and no such launch file", path);
    if (!status) {
        ww_compiler *compiler = ww_run_options_compiler(&options);
        ww_launch_file *file = ww_launch_file_load(path, compiler, errors);
        status = file ? run_file(file, path, &options, errors) : ww_errors_status(errors);
        ww_launch_file_destroy(file);
        ww_compiler_destroy(compiler);
    }
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
    .help = "A launch file names a kernel (.cl, .cu or .ptx), buffers, launches, and what to check; "
            "see\n"
            "docs/launch-files.md. The result is the same on every machine and at every run.\n"
            "\n"
            "examples:\n"
            "  warpwalk exec examples/vadd/vadd.yaml\n"
            "  warpwalk exec mine.yaml -s core.warp_width=64 --json -\n"
            "  warpwalk exec mine.yaml -s exec.order=random --seed 7    does the order matter?\n",
    .run = run_command,
};
