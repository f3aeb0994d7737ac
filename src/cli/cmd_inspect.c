/* warpwalk inspect: what the front end sees of a kernel file. */
#include "base/json.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/run_options.h"
#include "exec/exec_config.h"
#include "ptx/listing.h"
#include "sim/execution.h"

#include <string.h>

static const ww_option option_json = {0, "json", NULL, "print a JSON object instead of a listing",
                                      false};
static const ww_option option_function = {'f', "function", "NAME",
                                          "only this entry or function (by default all)", false};
static const ww_option option_build = {0, "build-options", "TEXT",
                                       "for the compiler, such as \"-DWIDTH=4 -I include\"", false};

/* The PTX text of the file; the caller frees it. */
static int read_ptx(const char *path, const ww_arguments *arguments, const ww_config *config,
                    char **text, size_t *length, ww_errors *errors)
{
    ww_source source = {.path = path,
                        .build_options = ww_arguments_value(arguments, &option_build),
                        .typed_options = true};
    ww_compiler *compiler = ww_compiler_configured(config, stderr);
    int status = ww_compile(compiler, &source, text, length, errors);
    ww_compiler_destroy(compiler);
    return status;
}

static int fail_unknown_function(const ww_module *module, const char *name, ww_errors *errors)
{
    const char **names = ww_calloc(module->function_count + 1u, sizeof *names);
    for (uint32_t f = 0; f < module->function_count; f++)
        names[f] = module->functions[f]->name;
    const char *near = ww_nearest(name, names, module->function_count);
    ww_where at = {module->path, 0, 0};
    if (near)
        ww_fail(errors, WW_BAD_INPUT, at, "no function '%.100s' (did you mean '%s'?)", name, near);
    else
        ww_fail(errors, WW_BAD_INPUT, at, "no function '%.100s' (there are %u; the first is '%s')",
                name, module->function_count, module->function_count ? names[0] : "");
    free(names);
    return WW_BAD_INPUT;
}

/* Why exec would refuse entries of the module, one line each; the caller destroys it. */
static ww_errors *find_refusals(const ww_module *module, const ww_config *config)
{
    ww_errors *refusals = ww_errors_create();
    ww_memory *memory = ww_memory_create(NULL);
    ww_exec_options options = {0};
    ww_program *program = NULL;
    if (ww_exec_configure(config, 0, &options, refusals) == WW_OK)
        program = ww_program_create(module, memory, &options, refusals);
    for (uint32_t f = 0; program && f < module->function_count; f++) {
        uint64_t address;
        if (module->functions[f]->is_entry && module->functions[f]->has_body)
            ww_program_dynamic_shared(program, module->functions[f]->name, WW_NOWHERE, &address,
                                      refusals);
    }
    ww_program_destroy(program);
    ww_memory_destroy(memory);
    return refusals;
}

static void add_refusals(json_t *object, const ww_errors *refusals)
{
    json_t *list = json_array();
    for (size_t i = 0; i < ww_errors_count(refusals); i++)
        json_array_append_new(list, json_string(ww_errors_line(refusals, i)));
    json_object_set_new(object, "refused", list);
}

static void write_refusals(const ww_errors *refusals)
{
    for (size_t i = 0; i < ww_errors_count(refusals); i++)
        printf("%sexec refuses it: %s\n", i ? "" : "\n", ww_errors_line(refusals, i));
}

static int show(const ww_module *module, const ww_arguments *arguments, const ww_config *config,
                ww_errors *errors)
{
    const char *only = ww_arguments_value(arguments, &option_function);
    const ww_function *chosen = only ? ww_module_function(module, only) : NULL;
    if (only && (!chosen || !chosen->has_body))
        return fail_unknown_function(module, only, errors);
    ww_analysis *analysis = ww_analysis_create(module);
    ww_errors *refusals = find_refusals(module, config);
    if (ww_arguments_has(arguments, &option_json)) {
        json_t *object = ww_listing_json(analysis, only);
        add_refusals(object, refusals);
        ww_json_write(object, stdout);
        json_decref(object);
    } else {
        ww_listing_write(analysis, only, stdout);
        write_refusals(refusals);
    }
    ww_errors_destroy(refusals);
    ww_analysis_destroy(analysis);
    return WW_OK;
}

static int run(const ww_arguments *arguments, ww_errors *errors)
{
    ww_run_options options;
    char *text = NULL;
    size_t length = 0;
    const char *path = arguments->words[0];
    int status = ww_run_options_read(arguments, WW_DEFAULT_MACHINE, &options, errors);
    if (!status)
        status = read_ptx(path, arguments, options.config, &text, &length, errors);
    if (!status) {
        ww_module *module = ww_module_parse(path, text, length, errors);
        status = module ? show(module, arguments, options.config, errors) : WW_BAD_INPUT;
        ww_module_destroy(module);
    }
    free(text);
    ww_run_options_clear(&options);
    return status;
}

static const ww_option *const options_of_inspect[] = {
    &option_function, &option_build, &ww_option_machine, &ww_option_set, &option_json, NULL};

extern const ww_command ww_command_inspect;
const ww_command ww_command_inspect = {
    .name = "inspect",
    .doc = "show what the front end sees: instructions, registers, branches, uniformity",
    .usage = "FILE.ptx|FILE.cl|FILE.cu [options]",
    .options = options_of_inspect,
    .least_words = 1,
    .most_words = 1,
    .words_doc = "a kernel file",
    .help = "For each entry and function: parameters with their offsets, registers and memory "
            "needed, then the instructions by block, with their index, their line in the PTX, and"
            " for branches the point where diverged lanes reconverge. docs/inspect.md "
            "explains the listing.",
    .examples =
        (const ww_example[]){
            {"warpwalk inspect examples/vadd/vadd.cl", "what does it compile to?"},
            {"warpwalk inspect examples/reduction/reduction.cu --build-options '-DWIDTH=4'",
             "with an option of the compiler"},
            {"warpwalk inspect examples/saxpy/saxpy.ptx --json", "for scripts"},
            {NULL, NULL}},
    .run = run,
};
