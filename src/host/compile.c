#include "host/compile_internal.h"

#include "base/embedded.h"
#include "base/memory.h"
#include "base/safe_path.h"
#include "base/text.h"
#include "host/build_options.h"
#include "host/clang.h"
#include "host/group_size.h"
#include "host/kernel_info.h"

#include <string.h>

#define MOST_SOURCE_BYTES ((size_t)256 << 20)
/* In keys of the cache: what is done to PTX. */
#define PTX_KIND "ptx with group sizes, inlined pairs, loaded halves and whole triples"

ww_compiler *ww_compiler_create(const ww_compiler_options *options)
{
    ww_compiler *compiler = ww_calloc(1, sizeof(*compiler));
    compiler->wanted = options->clang ? ww_strdup(options->clang) : NULL;
    compiler->clang = ww_clang_find(options->clang);
    compiler->libclc = ww_clang_find_libclc(options->libclc);
    compiler->cache = ww_file_cache_create(options->cache, "kernels", options->log);
    compiler->log = options->log;
    return compiler;
}

void ww_compiler_destroy(ww_compiler *compiler)
{
    if (!compiler)
        return;
    free(compiler->wanted);
    free(compiler->clang);
    free(compiler->libclc);
    ww_file_cache_destroy(compiler->cache);
    free(compiler);
}

static ww_language language_of(const char *path)
{
    const char *dot = strrchr(path, '.');
    if (dot && strcmp(dot, ".cl") == 0)
        return WW_LANGUAGE_OPENCL;
    if (dot && strcmp(dot, ".cu") == 0)
        return WW_LANGUAGE_CUDA;
    return dot && strcmp(dot, ".ptx") == 0 ? WW_LANGUAGE_PTX : WW_LANGUAGE_UNKNOWN;
}

/* ---- steps ---- */

void ww_compilation_tell(const ww_compilation *j, ww_process_result *result)
{
    if (!j->compiler->log || !result->messages[0])
        return;
    ww_scratch_hide(j->scratch, result->messages);
    ww_make_plain(result->messages);
    fputs(result->messages, j->compiler->log);
}

static void add_text_of_source(ww_words *words, const ww_compilation *j, bool from_rest)
{
    ww_words_add(words, "-S");
    ww_clang_add_pair(words, "-o", "-");
    if (from_rest)
        ww_clang_add_scratch_file(words, "-w", j, WW_CUDA_TEXT);
    else
        ww_words_add(words, j->input);
}

/* No PTX when there is no part of the library, or it is not enough. */
static void make_ptx_with_part(const ww_compilation *j, char **ptx, size_t *length)
{
    ww_words words = {0};
    ww_errors *ignored = ww_errors_create();
    ww_clang_add_flags(&words, j);
    if (ww_library_add_part(j, &words, ignored)) {
        add_text_of_source(&words, j, false);
        ww_clang_make_ptx(j, &words, WW_LIBRARY_PART, ptx, length, ignored);
    }
    ww_words_free(&words);
    ww_errors_destroy(ignored);
}

/* Compiles the source, or what compile_cuda.c kept of its preprocessed text. */
static int make_ptx(const ww_compilation *j, bool from_rest, char **ptx, size_t *length,
                    ww_errors *errors)
{
    ww_words words = {0};
    if (from_rest)
        ww_clang_add_flags_of_text(&words, j);
    else
        ww_clang_add_flags(&words, j);
    int status = ww_library_add(j, &words, errors);
    add_text_of_source(&words, j, from_rest);
    if (status == WW_OK)
        status = ww_clang_make_ptx(j, &words, WW_LIBRARY_WHOLE, ptx, length, errors);
    ww_words_free(&words);
    return status;
}

static int make_opencl(const ww_compilation *j, char **ptx, size_t *length, ww_errors *errors)
{
    make_ptx_with_part(j, ptx, length);
    return *ptx ? WW_OK : make_ptx(j, false, ptx, length, errors);
}

static void pass_on(const ww_errors *from, ww_errors *to)
{
    for (size_t i = 0; i < ww_errors_count(from); i++)
        ww_fail(to, ww_errors_status(from), WW_NOWHERE, "%s", ww_errors_line(from, i));
}

static void tell_left_out(const ww_compilation *j, const ww_errors *refused)
{
    if (j->compiler->log)
        fprintf(j->compiler->log,
                "%s: warning: host code that does not compile is left out (the first: %s)\n",
                j->source->path, ww_errors_line(refused, 0));
}

/* Compiles again without the host code that clang refused. If that fails, too, the errors are those
 * in device code when there were any at first, else all. */
static int make_without_host(ww_compilation *j, const ww_errors *refused, char **ptx,
                             size_t *length, ww_errors *errors)
{
    bool device_is_wrong = false;
    ww_errors *again = ww_errors_create();
    int status = ww_cuda_leave_host_code_out(j, &device_is_wrong, again);
    if (status == WW_OK)
        status = make_ptx(j, true, ptx, length, again);
    if (status == WW_OK)
        tell_left_out(j, refused);
    for (size_t i = 0; status != WW_OK && i < j->missing.count; i++)
        ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE, "%s", j->missing.items[i]);
    if (status != WW_OK)
        pass_on(device_is_wrong || status == WW_FAILED ? again : refused, errors);
    ww_errors_destroy(again);
    return status;
}

static int make_cuda(ww_compilation *j, char **ptx, size_t *length, ww_errors *errors)
{
    ww_errors *refused = ww_errors_create();
    int status = make_ptx(j, false, ptx, length, refused);
    if (status == WW_BAD_INPUT)
        status = make_without_host(j, refused, ptx, length, errors);
    else
        pass_on(refused, errors);
    ww_errors_destroy(refused);
    return status;
}

/* Whether a kernel can require a size of groups or sub-groups: the words are in its text or may
 * come from outside. */
static bool may_require_group_size(const ww_compilation *j)
{
    bool may = strstr(j->text, "_group_size") || !ww_compilation_is_self_contained(j);
    for (size_t i = 0; i < j->options.count - 1; i++)
        may = may || strstr(j->options.items[i], "_group_size");
    return j->language == WW_LANGUAGE_OPENCL && may;
}

int ww_compilation_add_facts(const ww_compilation *j, const ww_words *command, char **ptx,
                             size_t *length, ww_errors *errors)
{
    ww_process_result result = {0};
    int status = ww_clang_run(j, command, &result, errors);
    if (status == WW_OK) {
        /* Groups at edges are smaller than what a kernel requires. */
        char *text = j->source->edges ? ww_strdup(*ptx) : ww_group_sizes_add(*ptx, result.output);
        free(*ptx);
        *ptx = j->source->kernel_info ? ww_kernel_info_add(text, result.output) : ww_strdup(text);
        *length = strlen(*ptx);
        free(text);
    }
    ww_process_result_free(&result);
    return status;
}

static int add_facts(const ww_compilation *j, char **ptx, size_t *length, ww_errors *errors)
{
    ww_words words = {0};
    ww_clang_add_flags(&words, j);
    ww_words_add_all(&words, (const char *const[]){"-w", "-cl-kernel-arg-info", "-Xclang",
                                                   "-disable-llvm-passes", "-emit-llvm", "-S", "-o",
                                                   "-", NULL});
    ww_words_add(&words, j->input);
    int status = ww_compilation_add_facts(j, &words, ptx, length, errors);
    ww_words_free(&words);
    return status;
}

static int compile_in_scratch(ww_compilation *j, char **ptx, size_t *length, ww_errors *errors)
{
    ww_hash128 key;
    int status = ww_compilation_key(j, PTX_KIND, &key, errors);
    if (status != WW_OK)
        return status;
    *ptx = ww_file_cache_get(j->compiler->cache, key, length);
    if (*ptx) {
        ww_cuda_tell_missing(j);
        return WW_OK;
    }
    status = ww_compilation_write(j, errors);
    if (status == WW_OK)
        status = j->language == WW_LANGUAGE_CUDA ? make_cuda(j, ptx, length, errors)
                                                 : make_opencl(j, ptx, length, errors);
    if (status == WW_OK)
        ww_cuda_tell_missing(j);
    if (status == WW_OK && (j->source->kernel_info || may_require_group_size(j)))
        status = add_facts(j, ptx, length, errors);
    if (status == WW_OK)
        ww_file_cache_put(j->compiler->cache, key, *ptx, *length);
    return status;
}

/* Options as clang's words; the list ends with a NULL that counts. */
static int read_options(ww_compilation *j, ww_errors *errors)
{
    const char *slash = strrchr(j->source->path, '/');
    char *folder = j->source->folder ? ww_strdup(j->source->folder)
                   : slash           ? strndup(j->source->path, (size_t)(slash - j->source->path))
                                     : NULL;
    int status = WW_OK;
    if (j->source->build_options)
        status = ww_build_options_add(&j->options, j->source->build_options, folder,
                                      (ww_options_origin){.typed = j->source->typed_options,
                                                          .any_folder = j->source->any_folder},
                                      j->source->build_options_at, errors);
    ww_vec_push(&j->options, NULL);
    free(folder);
    return status;
}

static int need_tools(const ww_compilation *j, ww_errors *errors)
{
    if (!j->compiler->clang && j->compiler->wanted)
        return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE, "host.clang is '%s', which cannot be run",
                       j->compiler->wanted);
    if (!j->compiler->clang)
        return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                       "'%s' needs clang to compile it, and there is none (%s)", j->source->path,
                       WW_CLANG_ADVICE);
    if (!j->compiler->libclc)
        return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                       "'%s' needs libclc to compile it, and there is none (%s)", j->source->path,
                       WW_CLANG_ADVICE);
    return WW_OK;
}

static int add_header(const ww_compilation *j, const ww_source_header *header, ww_errors *errors)
{
    if (header->name[0] == '/' || strstr(header->name, ".."))
        return ww_fail(errors, WW_BAD_INPUT, j->source->at,
                       "header '%.200s' is not a name below a folder", header->name);
    char *name = ww_format(WW_SCRATCH_HEADERS "%s", header->name);
    int status = ww_scratch_write(j->scratch, name, header->text, strlen(header->text), errors);
    free(name);
    return status;
}

/* In the scratch folder. */
static const char *name_of_text(const ww_compilation *j)
{
    return j->language == WW_LANGUAGE_CUDA ? "kernel.cu" : "kernel.cl";
}

/* Text that is in no file: messages and lines of PTX name the source's path. */
static int write_text(const ww_compilation *j, ww_errors *errors)
{
    char *text = ww_format("#line 1 \"%s\"\n%s", j->source->path, j->source->text);
    int status = ww_scratch_write(j->scratch, name_of_text(j), text, strlen(text), errors);
    free(text);
    return status;
}

static void set_input(ww_compilation *j)
{
    free(j->input);
    j->input = j->source->text ? ww_scratch_path(j->scratch, name_of_text(j))
                               : ww_path_argument(j->source->path);
}

int ww_compilation_write(ww_compilation *j, ww_errors *errors)
{
    if (ww_scratch_is_made(j->scratch))
        return WW_OK;
    int status = ww_scratch_make(j->scratch, errors);
    if (status == WW_OK)
        status = ww_scratch_add_embedded(
            j->scratch, j->language == WW_LANGUAGE_CUDA ? "data/cuda/" : "data/prelude.cl", errors);
    for (size_t i = 0; status == WW_OK && i < j->source->header_count; i++)
        status = add_header(j, &j->source->headers[i], errors);
    if (status == WW_OK && j->source->text)
        status = write_text(j, errors);
    set_input(j);
    return status;
}

static int prepare(ww_compilation *j, ww_errors *errors)
{
    int status = need_tools(j, errors);
    if (status == WW_OK)
        status = read_options(j, errors);
    j->scratch = ww_scratch_create();
    set_input(j);
    return status;
}

static int copy_text(const ww_source *source, char **text, size_t *length, ww_errors *errors)
{
    if (!source->text)
        return ww_read_file_up_to(source->path, MOST_SOURCE_BYTES, source->at, text, length,
                                  errors);
    *text = ww_strdup(source->text);
    *length = strlen(source->text);
    return WW_OK;
}

int ww_compilation_begin(ww_compilation *j, ww_errors *errors)
{
    size_t length;
    int status = copy_text(j->source, &j->text, &length, errors);
    ww_hold_start(&j->hold);
    return status == WW_OK ? prepare(j, errors) : status;
}

void ww_compilation_end(ww_compilation *j)
{
    if (j->options.count > 0)
        j->options.count--;
    ww_words_free(&j->options);
    ww_words_free(&j->missing);
    free(j->preprocessed);
    ww_scratch_destroy(j->scratch);
    ww_hold_end(&j->hold);
    free(j->input);
    free(j->text);
}

int ww_compile(ww_compiler *compiler, const ww_source *source, char **ptx, size_t *length,
               ww_errors *errors)
{
    ww_compilation j = {
        .compiler = compiler, .source = source, .language = language_of(source->path)};
    *ptx = NULL;
    *length = 0;
    if (j.language == WW_LANGUAGE_PTX)
        return copy_text(source, ptx, length, errors);
    if (j.language == WW_LANGUAGE_UNKNOWN)
        return ww_fail(errors, WW_BAD_INPUT, source->at,
                       "'%s' is not a kernel (its name ends in .cl, .cu or .ptx)", source->path);
    int status = ww_compilation_begin(&j, errors);
    if (status == WW_OK)
        status = compile_in_scratch(&j, ptx, length, errors);
    if (status != WW_OK) {
        free(*ptx);
        *ptx = NULL;
    }
    ww_compilation_end(&j);
    return status;
}
