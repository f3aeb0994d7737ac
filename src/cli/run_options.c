#include "cli/run_options.h"

#include "base/text.h"
#include "sim/parts.h"

#include <inttypes.h>
#include <string.h>

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

static int read_number(const ww_arguments *arguments, const ww_option *option, uint64_t *number,
                       ww_errors *errors)
{
    const char *text = ww_arguments_value(arguments, option);
    if (!text || ww_parse_u64(text, number))
        return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                   "--%s is '%.60s' (a whole number from 0 to %" PRIu64 " is needed)", option->name,
                   text, UINT64_MAX);
}

/* Found before a run that may take hours. */
static int check_json(const char *json, ww_errors *errors)
{
    return json && strcmp(json, "-") != 0 ? ww_check_writable(json, errors) : WW_OK;
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

int ww_run_options_read(const ww_arguments *arguments, const char *machine, ww_run_options *options,
                        ww_errors *errors)
{
    *options = (ww_run_options){
        .size = ww_arguments_value(arguments, &ww_option_size),
        .seed = 1,
        .json = ww_arguments_value(arguments, &ww_option_json),
        .verify = !ww_arguments_has(arguments, &ww_option_no_verify),
    };
    int status = read_number(arguments, &ww_option_seed, &options->seed, errors);
    status |=
        read_number(arguments, &ww_option_max_instructions, &options->max_instructions, errors);
    status |= check_json(options->json, errors);
    return status | read_config(arguments, machine, options, errors);
}

void ww_run_options_clear(ww_run_options *options)
{
    ww_machine_clear(&options->machine);
    ww_config_destroy(options->config);
    *options = (ww_run_options){0};
}
