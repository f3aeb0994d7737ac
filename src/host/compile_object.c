/* Separate compilation of OpenCL C: sources to bitcode, and bitcode to PTX. */
#include "base/memory.h"
#include "host/clang.h"
#include "host/compile_internal.h"

#include <string.h>

int ww_compile_object(ww_compiler *compiler, const ww_source *source, ww_object_code *object,
                      ww_errors *errors)
{
    ww_compilation j = {.compiler = compiler, .source = source, .language = WW_LANGUAGE_OPENCL};
    ww_words words = {0};
    ww_process_result result = {0};
    int status = ww_compilation_begin(&j, errors);
    if (status == WW_OK) {
        ww_clang_add_flags(&words, &j);
        ww_words_add_all(&words, (const char *const[]){"-cl-kernel-arg-info", "-Xclang",
                                                       "-disable-llvm-passes", "-emit-llvm", "-c",
                                                       "-o", "-", NULL});
        ww_words_add(&words, j.input);
        status = ww_clang_run(&j, &words, &result, errors);
    }
    *object = (ww_object_code){0};
    if (status == WW_OK) {
        ww_compilation_tell(&j, &result);
        *object = (ww_object_code){result.output, result.output_size};
        result.output = NULL;
    }
    ww_process_result_free(&result);
    ww_words_free(&words);
    ww_compilation_end(&j);
    return status;
}

/* ---- linking ---- */

static int write_objects(const ww_compilation *j, const ww_object_code *objects, size_t count,
                         ww_errors *errors)
{
    int status = WW_OK;
    for (size_t i = 0; status == WW_OK && i < count; i++) {
        char *name = ww_format("object%zu.bc", i);
        status = ww_scratch_write(j->scratch, name, objects[i].bytes, objects[i].count, errors);
        free(name);
    }
    return status;
}

/* Reads all objects: the first as the source, the others linked to it. */
static void add_command(ww_words *words, const ww_compilation *j, size_t count)
{
    ww_words_add(words, j->compiler->clang);
    ww_words_add_all(words, ww_clang_opencl_target);
    ww_words_add_all(words, ww_clang_common_flags);
    for (size_t i = 0; i + 1 < j->options.count; i++)
        ww_words_add(words, j->options.items[i]);
    for (size_t i = 1; i < count; i++) {
        char *name = ww_format("object%zu.bc", i);
        ww_clang_add_pair(words, "-Xclang", "-mlink-bitcode-file");
        ww_clang_add_scratch_file(words, "-Xclang", j, name);
        free(name);
    }
}

static void add_input(ww_words *words, const ww_compilation *j)
{
    ww_words_add_all(words, (const char *const[]){"-S", "-o", "-", "-x", NULL});
    ww_clang_add_scratch_file(words, "ir", j, "object0.bc");
}

static int link_ptx(const ww_compilation *j, size_t count, char **ptx, size_t *length,
                    ww_errors *errors)
{
    ww_words words = {0};
    char *builtins = ww_scratch_path(j->scratch, "builtins.bc");
    add_command(&words, j, count);
    ww_clang_add_bitcode(&words, builtins);
    ww_clang_add_bitcode(&words, j->compiler->libclc);
    add_input(&words, j);
    int status = ww_clang_make_ptx(j, &words, ptx, length, errors);
    ww_words_free(&words);
    free(builtins);
    return status;
}

static int add_facts(const ww_compilation *j, size_t count, char **ptx, size_t *length,
                     ww_errors *errors)
{
    ww_words words = {0};
    add_command(&words, j, count);
    ww_words_add_all(
        &words, (const char *const[]){"-w", "-Xclang", "-disable-llvm-passes", "-emit-llvm", NULL});
    add_input(&words, j);
    int status = ww_compilation_add_facts(j, &words, ptx, length, errors);
    ww_words_free(&words);
    return status;
}

int ww_link_objects(ww_compiler *compiler, const ww_source *source, const ww_object_code *objects,
                    size_t count, char **ptx, size_t *length, ww_errors *errors)
{
    ww_compilation j = {.compiler = compiler, .source = source, .language = WW_LANGUAGE_OPENCL};
    *ptx = NULL;
    int status = ww_compilation_begin(&j, errors);
    if (status == WW_OK)
        status = write_objects(&j, objects, count, errors);
    if (status == WW_OK)
        status = ww_compilation_add_builtins(&j, errors);
    if (status == WW_OK)
        status = link_ptx(&j, count, ptx, length, errors);
    if (status == WW_OK)
        status = add_facts(&j, count, ptx, length, errors);
    if (status != WW_OK) {
        free(*ptx);
        *ptx = NULL;
    }
    ww_compilation_end(&j);
    return status;
}
