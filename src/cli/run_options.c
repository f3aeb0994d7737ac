#include "cli/run_options.h"

#include "base/html_page.h"
#include "base/safe_path.h"
#include "base/text.h"
#include "paging/paging_schema.h"
#include "sim/components.h"
#include "sim/first_pass.h"
#include "sim/page_map.h"
#include "vm/cuptw/cuptw_schema.h"
#include "vm/vm_schema.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

const ww_option ww_option_machine = {'m', "machine", "MACHINE",
                                     "a preset's name or a YAML file (default: " WW_DEFAULT_MACHINE
                                     "; run: " WW_DEFAULT_TIMED_MACHINE ")",
                                     false};
const ww_option ww_option_set = {'s', "set", "KEY=VALUE",
                                 "set a configuration key; may be given many times", true};
const ww_option ww_option_size = {0, "size", "SIZE", "amount of work: a size's name or KEY=VAL,...",
                                  false};
const ww_option ww_option_seed = {0, "seed", "N", "seed of everything random (default: 1)", false};
const ww_option ww_option_json = {0, "json", "FILE|-",
                                  "write the result as JSON; - is standard output", false};
const ww_option ww_option_no_verify = {0, "no-verify", NULL, "do not check the result", false};
const ww_option ww_option_max_instructions = {
    0, "max-instructions", "N", "stop with an error after N warp instructions (0: never)", false};
const ww_option ww_option_trace = {
    0, "trace", "SELECTOR", "every instruction of warp=GROUP.WARP, to standard error", false};
const ww_option ww_option_trace_file = {
    0, "trace-file", "FILE|-", "the trace goes there instead; - is standard output", false};
const ww_option ww_option_timeline = {
    0, "timeline", "FILE|-", "write warps, memory and units over time, for ui.perfetto.dev", false};
const ww_option ww_option_warp_times = {0, "warp-times", "FILE|-",
                                        "write the time of each warp by cause, as CSV", false};
const ww_option ww_option_pages = {
    0, "pages", "FILE", "write pages over time: a page (.html), or data (.json, .csv)", false};
const ww_option ww_option_dump_dir = {
    0, "dump-dir", "DIR", "dumps of a launch file go below DIR (default: beside the file)", false};
const ww_option ww_option_no_dump = {0, "no-dump", NULL, "a launch file dumps nothing", false};

const ww_option ww_option_region = {
    0, "region", "REGION", "time a part: skip=N,warm=N,measure=N, in warp instructions", false};

const ww_option ww_option_sample = {
    0, "sample", "[=error=E,confidence=C]",
    "time some of the launches that are alike; cycles have an interval", false};

const ww_option ww_option_hint = {
    0, "hint", "BUFFER=HINT", "where a buffer's pages should be; may be given many times", true};

static int read_number(const ww_arguments *arguments, const ww_option *option, uint64_t *number,
                       ww_errors *errors)
{
    const char *text = ww_arguments_value(arguments, option);
    if (!text || (ww_parse_u64(text, number) && *number <= INT64_MAX)) /* JSON has a sign */
        return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                   "--%s is '%.60s' (a whole number from 0 to %" PRId64 " is needed)", option->name,
                   text, INT64_MAX);
}

/* ---- files ---- */

typedef struct output {
    const char *option, *path; /* path NULL: not given */
} output;

static bool is_standard(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

/* Two outputs to one file would overwrite each other or be mixed. */
static bool is_same_output(const char *a, const char *b)
{
    static const char device[] = "/dev/stdout";
    struct stat info;
    if (is_standard(a) && is_standard(b))
        return true;
    if (!is_standard(a) && !is_standard(b))
        return ww_paths_meet(a, b);
    return stat(device, &info) == 0 &&
           ww_paths_meet(is_standard(a) ? device : a, is_standard(b) ? device : b);
}

/* Checked before a run that may take hours. */
static int check_files(ww_run_options *options, ww_errors *errors)
{
    const output outputs[] = {{"json", options->json},
                              {"trace-file", options->trace_file},
                              {"timeline", options->timeline},
                              {"warp-times", options->warp_times},
                              {"pages", options->pages}};
    int status = WW_OK;
    for (size_t i = 0; i < sizeof(outputs) / sizeof(outputs[0]); i++) {
        const char *path = outputs[i].path;
        options->stdout_taken |= is_standard(path);
        if (path && !is_standard(path))
            status |= ww_check_writable(path, errors);
        for (size_t j = 0; path && j < i; j++)
            if (outputs[j].path && is_same_output(path, outputs[j].path))
                status |= ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                                  "--%s and --%s are both '%s' (each needs a file of its own)",
                                  outputs[j].option, outputs[i].option, path);
    }
    return status;
}

static int check_pages(const ww_run_options *options, ww_errors *errors)
{
    const char *path = options->pages;
    if (!path)
        return WW_OK;
    ww_page_map_format format = ww_page_map_format_of(path);
    if (format == WW_PAGE_MAP_NONE)
        return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                       "--pages '%s': the name of the file says what is written (.html: a page; "
                       ".json, .csv: its data)",
                       path);
    if (format == WW_PAGE_MAP_HTML && !ww_html_page_has_bundle())
        return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                       "--pages '%s': this warpwalk was built without the plotting library (run "
                       "tools/setup, then make; .json and .csv need nothing)",
                       path);
    if (ww_vm_is_ideal(options->config))
        return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                       "--pages with translation: ideal, where no page is looked up (-s "
                       "translation=full)");
    return WW_OK;
}

static int check_dump_folder(const ww_run_options *options, ww_errors *errors)
{
    struct stat info;
    const char *folder = options->dump_folder;
    if (!folder || (stat(folder, &info) == 0 && S_ISDIR(info.st_mode)))
        return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE, "--dump-dir '%s' is not a folder", folder);
}

static int read_trace(const ww_arguments *arguments, ww_run_options *options, ww_errors *errors)
{
    const char *selector = ww_arguments_value(arguments, &ww_option_trace);
    options->traced = selector != NULL;
    if (selector)
        return ww_trace_selector_read(selector, &options->trace, errors);
    if (!options->trace_file)
        return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                   "--trace-file without --trace (which warp? --trace warp=GROUP.WARP)");
}

static int refuse_sample(const char *with, const char *why, ww_errors *errors)
{
    return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE, "--sample with %s: %s", with, why);
}

/* What needs the time of every launch. */
static int check_sample(const ww_run_options *o, ww_errors *errors)
{
    const struct {
        bool given;
        const char *name;
    } shown[] = {{o->traced, "--trace"},
                 {o->timeline, "--timeline"},
                 {o->warp_times, "--warp-times"},
                 {o->pages, "--pages"}};
    int status = WW_OK;
    if (o->sample.error <= 0)
        return WW_OK;
    for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++)
        if (shown[i].given)
            status |= refuse_sample(shown[i].name, "most of the program is not timed", errors);
    if (o->region.measure)
        status |= refuse_sample("--region", "a region is timed as a whole", errors);
    if (ww_first_pass_records(o->config))
        status |= refuse_sample("a policy that needs a first pass",
                                "it would need the time of every warp", errors);
    if (ww_config_bool(o->config, "l1d.reuse_distance"))
        status |= refuse_sample("l1d.reuse_distance", "distances need all accesses in their order",
                                errors);
    if (ww_paging_mode_of(o->config) != WW_PAGING_RESIDENT)
        status |= refuse_sample("paging.mode other than resident",
                                "a page moves once, so that no two launches are alike", errors);
    if (ww_config_bytes(o->config, "l1d.size") && !ww_config_bool(o->config, "l1d.invalidate"))
        status |= refuse_sample("l1d.invalidate=false",
                                "which lines a compute unit still has is known of timed launches "
                                "alone (-s l1d.invalidate=true)",
                                errors);
    if (ww_cuptw_is_on(o->config))
        status |= refuse_sample("walks on compute units (cuptw.mode)",
                                "launches that are not timed do not warm the caches that they read",
                                errors);
    return status;
}

static int read_config(const ww_arguments *arguments, const char *usual, ww_run_options *options,
                       ww_errors *errors)
{
    const char *machine = ww_arguments_value(arguments, &ww_option_machine);
    options->config = ww_config_create(&ww_all_schemas);
    int status = ww_machine_load(options->config, machine ? machine : usual, WW_NOWHERE,
                                 &options->machine, errors);
    for (size_t i = 0; i < arguments->given_count; i++)
        if (arguments->given[i].option == &ww_option_set)
            status |= ww_config_set(options->config, arguments->given[i].value, errors);
    return status | ww_config_check(options->config, errors);
}

static int read_hints(const ww_arguments *arguments, ww_run_options *options, ww_errors *errors)
{
    int status = WW_OK;
    options->hints = ww_hint_list_create();
    for (size_t i = 0; i < arguments->given_count; i++)
        if (arguments->given[i].option == &ww_option_hint)
            status |= ww_hint_list_add(options->hints, arguments->given[i].value, errors);
    return status;
}

int ww_run_options_read(const ww_arguments *arguments, const char *machine, ww_run_options *options,
                        ww_errors *errors)
{
    *options = (ww_run_options){
        .width = ww_arguments_width(arguments),
        .size = ww_arguments_value(arguments, &ww_option_size),
        .seed = 1,
        .json = ww_arguments_value(arguments, &ww_option_json),
        .verify = !ww_arguments_has(arguments, &ww_option_no_verify),
        .trace_file = ww_arguments_value(arguments, &ww_option_trace_file),
        .timeline = ww_arguments_value(arguments, &ww_option_timeline),
        .warp_times = ww_arguments_value(arguments, &ww_option_warp_times),
        .pages = ww_arguments_value(arguments, &ww_option_pages),
        .dump_folder = ww_arguments_value(arguments, &ww_option_dump_dir),
        .no_dump = ww_arguments_has(arguments, &ww_option_no_dump),
    };
    int status = read_number(arguments, &ww_option_seed, &options->seed, errors);
    status |=
        read_number(arguments, &ww_option_max_instructions, &options->max_instructions, errors);
    status |= read_trace(arguments, options, errors);
    status |= check_files(options, errors);
    status |= check_dump_folder(options, errors);
    const char *region = ww_arguments_value(arguments, &ww_option_region);
    if (region)
        status |= ww_region_read(region, &options->region, errors);
    if (ww_arguments_has(arguments, &ww_option_sample))
        status |= ww_sample_read(ww_arguments_value(arguments, &ww_option_sample), &options->sample,
                                 errors);
    status |= read_hints(arguments, options, errors);
    status |= read_config(arguments, machine, options, errors);
    return status ? status : check_pages(options, errors) | check_sample(options, errors);
}

void ww_run_options_clear(ww_run_options *options)
{
    ww_machine_clear(&options->machine);
    ww_config_destroy(options->config);
    ww_hint_list_destroy(options->hints);
    *options = (ww_run_options){0};
}
