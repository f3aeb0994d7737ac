/* warpwalk compare: what changed between two runs. */
#include "base/json.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/run_options.h"
#include "study/study.h"

#include <string.h>

static const ww_option option_all = {0, "all", NULL, "complete lists, not only the largest changes",
                                     false};
static const ww_option option_host = {
    0, "host", NULL, "also what varies between equal runs: seconds, memory, speed", false};

static int write_json(const ww_comparison *comparison, bool host, const char *path,
                      ww_errors *errors)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = strcmp(path, "-") == 0 ? stdout : open_memstream(&text, &length);
    if (!out)
        ww_out_of_memory(sizeof(FILE));
    json_t *object = ww_comparison_json(comparison, host);
    ww_json_write(object, out);
    json_decref(object);
    if (out == stdout)
        return WW_OK;
    fclose(out);
    int status = ww_write_file(path, text, length, errors);
    free(text);
    return status;
}

static int run(const ww_arguments *arguments, ww_errors *errors)
{
    bool host = ww_arguments_has(arguments, &option_host);
    const char *json = ww_arguments_value(arguments, &ww_option_json);
    ww_comparison *comparison =
        ww_comparison_read(arguments->words[0], arguments->words[1], errors);
    if (!comparison)
        return WW_BAD_INPUT;
    int status = WW_OK;
    if (json)
        status = write_json(comparison, host, json, errors);
    if (!status && (!json || strcmp(json, "-") != 0))
        ww_comparison_write(comparison, &(ww_view){.all = ww_arguments_has(arguments, &option_all),
                                                   .host = host,
                                                   .width = ww_arguments_width(arguments),
                                                   .out = stdout});
    ww_comparison_destroy(comparison);
    return status;
}

static const ww_option *const options_of_compare[] = {&option_all, &option_host, &ww_option_json,
                                                      &ww_option_wide, NULL};

extern const ww_command ww_command_compare;
const ww_command ww_command_compare = {
    .name = "compare",
    .doc = "what changed between two runs, largest first",
    .usage = "A.json B.json [options]",
    .options = options_of_compare,
    .least_words = 2,
    .most_words = 2,
    .words_doc = "two results of 'run --json'",
    .help = "Keys of the configuration, cycles, statistics and launches that are not the same in "
            "both results. A result can be '-', standard input. docs/compare.md explains the "
            "order.",
    .examples =
        (const ww_example[]){
            {"warpwalk run bfs --size tiny -m gtx480-cawa --json rr.json", "one result"},
            {"warpwalk run bfs --size tiny -m gtx480-cawa -s core.scheduler=gto --json gto.json",
             "another one"},
            {"warpwalk compare rr.json gto.json", "what changed?"},
            {"warpwalk run bfs --size tiny -m v100 --json - | warpwalk compare rr.json - --all",
             "all that is different on another machine"},
            {NULL, NULL}},
    .run = run,
};
