/* Runs of clang: command line, messages, PTX. */
#include "base/safe_path.h"
#include "base/text.h"
#include "host/clang.h"
#include "host/compile_internal.h"
#include "host/half_loads.h"
#include "host/library_symbols.h"
#include "host/pair_arguments.h"
#include "host/triple_variables.h"
#include "host/vector_compare.h"

#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* ---- the command line ---- */

void ww_clang_add_pair(ww_words *words, const char *option, const char *value)
{
    ww_words_add(words, option);
    ww_words_add(words, value);
}

void ww_clang_add_scratch_file(ww_words *words, const char *option, const ww_compilation *j,
                               const char *name)
{
    char *path = ww_scratch_path(j->scratch, name);
    ww_clang_add_pair(words, option, path);
    free(path);
}

/* Lines of PTX name files without the scratch folder. */
static void add_prefix_map(ww_words *words, const ww_compilation *j)
{
    char *folder = ww_scratch_path(j->scratch, "");
    char *map = ww_format("-fdebug-prefix-map=%s=", folder);
    ww_words_add(words, map);
    free(map);
    free(folder);
}

static void add_folder_of_source(ww_words *words, const ww_compilation *j)
{
    const char *slash = strrchr(j->source->path, '/');
    char *folder =
        slash ? strndup(j->source->path, (size_t)(slash - j->source->path) + 1) : strdup(".");
    char *argument = ww_path_argument(folder);
    ww_clang_add_pair(words, "-I", argument);
    free(argument);
    free(folder);
}

/* -cl-std=CLC++ and its years: C++ for OpenCL. */
static bool is_cplusplus(const ww_compilation *j)
{
    bool found = false;
    for (size_t i = 0; i + 1 < j->options.count; i++)
        if (strncmp(j->options.items[i], "-cl-std=", 8) == 0)
            found = strncasecmp(j->options.items[i] + 8, "CLC++", 5) == 0;
    return found;
}

/* A folder of NVIDIA's toolkit: its headers do not work with ours in front of them. */
static bool is_toolkit(const char *folder)
{
    char *path = ww_format("%s/crt/host_config.h", folder);
    struct stat info;
    bool there = stat(path, &info) == 0;
    free(path);
    return there;
}

/* How many of the next words are a preprocessor option. */
static size_t preprocessor_words(char *const *words)
{
    static const char *const with_value[] = {"-D",       "-U",       "-I",      "-include",
                                             "-imacros", "-isystem", "-iquote", "-idirafter"};
    for (size_t i = 0; i < sizeof(with_value) / sizeof(with_value[0]); i++)
        if (strcmp(words[0], with_value[i]) == 0)
            return words[1] ? 2 : 1;
    return strncmp(words[0], "-D", 2) == 0 || strncmp(words[0], "-U", 2) == 0 ||
           strncmp(words[0], "-i", 2) == 0;
}

void ww_clang_add_later_options(ww_words *words, const ww_compilation *j)
{
    for (size_t i = 0; i + 1 < j->options.count;) {
        size_t skipped = preprocessor_words(j->options.items + i);
        if (!skipped)
            ww_words_add(words, j->options.items[i]);
        i += skipped ? skipped : 1;
    }
}

void ww_clang_add_flags_of_text(ww_words *words, const ww_compilation *j)
{
    ww_words_add(words, j->compiler->clang);
    ww_words_add_all(words, ww_clang_cuda_flags);
    ww_words_add_all(words, ww_clang_common_flags);
    ww_clang_add_later_options(words, j);
}

/* The user's folders come before ours, the toolkit's after them. */
static void add_options(ww_words *words, const ww_compilation *j)
{
    for (size_t i = 0; i + 1 < j->options.count && j->options.items[i]; i++) {
        const char *word = j->options.items[i], *next = j->options.items[i + 1];
        bool late =
            j->language == WW_LANGUAGE_CUDA && strcmp(word, "-I") == 0 && next && is_toolkit(next);
        ww_words_add(words, late ? "-idirafter" : word);
    }
}

void ww_clang_add_flags(ww_words *words, const ww_compilation *j)
{
    ww_words_add(words, j->compiler->clang);
    if (j->language == WW_LANGUAGE_OPENCL) {
        ww_words_add_all(words, ww_clang_opencl_target);
        ww_words_add_all(words, ww_clang_opencl_flags);
        if (!is_cplusplus(j))
            ww_words_add(words, "-fgnu89-inline");
        ww_clang_add_scratch_file(words, "-include", j, "prelude.cl");
    } else {
        ww_words_add_all(words, ww_clang_cuda_flags);
        ww_clang_add_scratch_file(words, "-include", j, "cuda/minicuda.h");
    }
    ww_words_add_all(words, ww_clang_common_flags);
    add_prefix_map(words, j);
    add_folder_of_source(words, j);
    if (j->source->header_count)
        ww_clang_add_scratch_file(words, "-I", j, WW_SCRATCH_HEADERS);
    add_options(words, j);
    if (j->language == WW_LANGUAGE_CUDA) { /* after the user's folders */
        ww_clang_add_scratch_file(words, "-isystem", j, "cuda");
        ww_clang_add_scratch_file(words, "-idirafter", j, WW_MISSING_FOLDER);
    }
}

void ww_clang_add_bitcode(ww_words *words, const char *path)
{
    ww_clang_add_pair(words, "-Xclang", "-mlink-builtin-bitcode");
    ww_clang_add_pair(words, "-Xclang", path);
}

/* ---- messages ---- */

/* Whether an error is about the options: "clang: error: ...", "error: ...", "<command
 * line>:...". */
static bool is_about_options(const char *line, const char *error)
{
    const char *colon = strchr(line, ':');
    return error == line || error == colon + 2 || strncmp(line, "<command line>:", 15) == 0;
}

/* Passes on the lines of clang's messages that name an error and returns how many. */
static size_t pass_errors_on(const ww_compilation *j, char *messages, ww_errors *errors)
{
    size_t count = 0;
    char *rest = NULL;
    for (char *line = strtok_r(messages, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        const char *error = strstr(line, "error: ");
        if (!error || strstr(line, "frontend command failed"))
            continue;
        ww_fail(errors, WW_BAD_INPUT,
                is_about_options(line, error) ? j->source->build_options_at : WW_NOWHERE, "%s",
                line);
        count++;
    }
    return count;
}

static int fail_without_reason(const ww_compilation *j, const ww_process_result *result,
                               ww_errors *errors)
{
    bool silent = !result->messages[0];
    return ww_fail(errors, WW_BAD_INPUT, j->source->at,
                   "'%s' does not compile (%s ends with status %d and says %s%.*s)",
                   j->source->path, j->compiler->clang, result->status, silent ? "nothing" : "",
                   (int)strcspn(result->messages, "\n"), result->messages);
}

static int fail_by_clang(const ww_compilation *j, ww_process_result *result, ww_errors *errors)
{
    bool misfit = strstr(result->messages, "-nvidiacl.bc'") != NULL;
    ww_scratch_hide(j->scratch, result->messages);
    if (!strstr(result->messages, "error: "))
        return fail_without_reason(j, result, errors);
    size_t lines = pass_errors_on(j, result->messages, errors);
    if (misfit)
        return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE, "%s and %s do not fit together (%s)",
                       j->compiler->clang, j->compiler->libclc, WW_CLANG_ADVICE);
    return ww_fail(errors, WW_BAD_INPUT, j->source->at,
                   "'%s' does not compile (%s says why in %zu line%s)", j->source->path,
                   j->compiler->clang, lines, lines == 1 ? "" : "s");
}

static int judge(const ww_compilation *j, ww_process_result *result, ww_errors *errors)
{
    if (result->status != 0)
        return fail_by_clang(j, result, errors);
    if (result->output_size == 0)
        return ww_fail(
            errors, WW_BAD_INPUT, j->source->at,
            "'%s' does not compile (%s exits with status 0, but without output: is it clang?)",
            j->source->path, j->compiler->clang);
    return WW_OK;
}

int ww_clang_run(const ww_compilation *j, const ww_words *words, ww_process_result *result,
                 ww_errors *errors)
{
    int status = ww_process_run(words, &j->hold, result, errors);
    return status == WW_OK ? judge(j, result, errors) : status;
}

/* ---- PTX ---- */

/* OpenCL C has no recursion: everything can be inlined. LLVM multiplies the threshold by 11. */
static const char *const inline_all[] = {"-mllvm", "-inline-threshold=10000000",
                                         "-Dnoinline=", "-D__noinline__=", NULL};

static bool has_faulty_calls(const ww_compilation *j, const ww_process_result *result)
{
    return j->language == WW_LANGUAGE_OPENCL &&
           (result->status == 0 ? ww_pair_arguments_have_calls(result->output)
                                : ww_pair_arguments_stop(result->messages));
}

static int run_inlined(const ww_compilation *j, ww_words *words, ww_process_result *result,
                       ww_errors *errors)
{
    ww_process_result_free(result);
    ww_words_add_all(words, inline_all);
    int status = ww_process_run(words, &j->hold, result, errors);
    if (status == WW_OK && has_faulty_calls(j, result))
        return ww_fail(errors, WW_BAD_INPUT, j->source->at,
                       "'%s' does not compile (%s cannot pass char2 or uchar2 to a function, and "
                       "cannot inline that function)",
                       j->source->path, j->compiler->clang);
    return status;
}

static bool has_faulty_compares(const ww_compilation *j, const ww_process_result *result)
{
    return j->language == WW_LANGUAGE_OPENCL && result->status != 0 &&
           ww_vector_compare_stops(result->messages);
}

static int run_ir(const ww_compilation *j, const char *ir, ww_process_result *result,
                  ww_errors *errors)
{
    ww_words words = {0};
    int status = ww_scratch_write(j->scratch, "widened.ll", ir, strlen(ir), errors);
    ww_words_add(&words, j->compiler->clang);
    ww_words_add_all(&words, ww_clang_opencl_target);
    ww_words_add_all(&words, ww_clang_common_flags);
    ww_words_add_all(&words, (const char *const[]){"-w", "-Xclang", "-disable-llvm-passes", "-S",
                                                   "-o", "-", "-x", NULL});
    ww_clang_add_scratch_file(&words, "ir", j, "widened.ll");
    if (status == WW_OK)
        status = ww_process_run(&words, &j->hold, result, errors);
    ww_words_free(&words);
    return status;
}

/* Whether the source can have vectors of three elements. */
static bool has_triples(const ww_compilation *j, const ww_process_result *result)
{
    static const char *const types[] = {"char3",  "short3",  "int3", "long3",
                                        "float3", "double3", "half3"};
    bool named = !j->text[0] || !ww_compilation_is_self_contained(j) || strstr(j->text, "##");
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        named = named || strstr(j->text, types[i]);
    return named && j->language == WW_LANGUAGE_OPENCL && result->status == 0 &&
           ww_triple_variables_are_possible(result->output);
}

/* What is wrong in the IR, repaired; NULL if nothing is. */
static char *repair_ir(const char *ir, bool compares)
{
    char *narrow = compares ? ww_vector_compare_widen(ir) : NULL;
    char *wide = ww_triple_variables_widen(narrow ? narrow : ir);
    if (!wide)
        return narrow;
    free(narrow);
    return wide;
}

/* Makes LLVM's IR first, and PTX of what is repaired in that. */
static int run_repaired(const ww_compilation *j, ww_words *words, bool compares,
                        ww_process_result *result, ww_errors *errors)
{
    ww_process_result optimised = {0};
    ww_words_add(words, "-emit-llvm");
    int status = ww_clang_run(j, words, &optimised, errors);
    char *ir = status == WW_OK ? repair_ir(optimised.output, compares) : NULL;
    if (ir) {
        ww_process_result_free(result);
        status = run_ir(j, ir, result, errors);
        if (status == WW_OK && result->status == 0) { /* the source's warnings stay */
            free(result->messages);
            result->messages = optimised.messages;
            optimised.messages = NULL;
        }
    }
    free(ir);
    ww_process_result_free(&optimised);
    return status;
}

int ww_clang_make_ptx(const ww_compilation *j, ww_words *words, ww_library library, char **ptx,
                      size_t *length, ww_errors *errors)
{
    ww_process_result result = {0};
    int status = ww_process_run(words, &j->hold, &result, errors);
    if (status == WW_OK && has_faulty_calls(j, &result))
        status = run_inlined(j, words, &result, errors);
    bool compares = status == WW_OK && has_faulty_compares(j, &result);
    if (compares || (status == WW_OK && has_triples(j, &result)))
        status = run_repaired(j, words, compares, &result, errors);
    if (status == WW_OK)
        status = judge(j, &result, errors);
    bool whole = library == WW_LIBRARY_WHOLE;
    if (status == WW_OK && (whole || !ww_ptx_lacks_functions(result.output))) {
        ww_compilation_tell(j, &result);
        ww_scratch_hide(j->scratch, result.output); /* where it names the source */
        *ptx = ww_half_loads_repair(ww_pair_arguments_repair(result.output));
        *length = strlen(*ptx);
        result.output = NULL;
    }
    ww_process_result_free(&result);
    return status;
}
