/* Separate compilation of OpenCL C: sources to bitcode, and bitcode to PTX. */
#include "base/memory.h"
#include "host/clang.h"
#include "host/compile_internal.h"

#include <string.h>

static int make_object(ww_compilation *j, ww_hash128 key, ww_object_code *object, ww_errors *errors)
{
    ww_words words = {0};
    ww_process_result result = {0};
    ww_clang_add_flags(&words, j);
    ww_words_add_all(&words,
                     (const char *const[]){"-cl-kernel-arg-info", "-Xclang", "-disable-llvm-passes",
                                           "-emit-llvm", "-c", "-o", "-", NULL});
    ww_words_add(&words, j->input);
    int status = ww_clang_run(j, &words, &result, errors);
    if (status == WW_OK) {
        *object = (ww_object_code){result.output, result.output_size};
        if (!result.messages[0])
            ww_file_cache_put(j->compiler->cache, key, object->bytes, object->count);
        ww_compilation_tell(j, &result);
        result.output = NULL;
    }
    ww_process_result_free(&result);
    ww_words_free(&words);
    return status;
}

/* Objects of sources that clang warns of are not cached: the log has the warnings each time. */
int ww_compile_object(ww_compiler *compiler, const ww_source *source, ww_object_code *object,
                      ww_errors *errors)
{
    ww_compilation j = {.compiler = compiler, .source = source, .language = WW_LANGUAGE_OPENCL};
    ww_hash128 key;
    *object = (ww_object_code){0};
    int status = ww_compilation_begin(&j, errors);
    if (status == WW_OK)
        status = ww_compilation_key(&j, "object", &key, errors);
    if (status == WW_OK)
        object->bytes = ww_file_cache_get(compiler->cache, key, &object->count);
    if (status == WW_OK && !object->bytes)
        status = ww_compilation_write(&j, errors);
    if (status == WW_OK && !object->bytes)
        status = make_object(&j, key, object, errors);
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
    add_command(&words, j, count);
    int status = ww_library_add(j, &words, errors);
    add_input(&words, j);
    if (status == WW_OK)
        status = ww_clang_make_ptx(j, &words, WW_LIBRARY_WHOLE, ptx, length, errors);
    ww_words_free(&words);
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

static int make_linked(ww_compilation *j, const ww_object_code *objects, size_t count, char **ptx,
                       size_t *length, ww_errors *errors)
{
    int status = ww_compilation_write(j, errors);
    if (status == WW_OK)
        status = write_objects(j, objects, count, errors);
    if (status == WW_OK)
        status = link_ptx(j, count, ptx, length, errors);
    if (status == WW_OK)
        status = add_facts(j, count, ptx, length, errors);
    return status;
}

static ww_hash128 key_of_objects(const ww_compilation *j, const ww_object_code *objects,
                                 size_t count)
{
    ww_words words = {0};
    ww_hash128 key = ww_compilation_key_of_tools(j, "linked, with whole triples");
    add_command(&words, j, count);
    ww_compilation_key_words(&key, j, &words);
    for (size_t i = 0; i < count; i++)
        ww_hash128_add(&key, objects[i].bytes, objects[i].count);
    ww_words_free(&words);
    return key;
}

static int link_in_scratch(ww_compilation *j, const ww_object_code *objects, size_t count,
                           char **ptx, size_t *length, ww_errors *errors)
{
    ww_hash128 key = key_of_objects(j, objects, count);
    *ptx = ww_file_cache_get(j->compiler->cache, key, length);
    if (*ptx)
        return WW_OK;
    int status = make_linked(j, objects, count, ptx, length, errors);
    if (status == WW_OK)
        ww_file_cache_put(j->compiler->cache, key, *ptx, *length);
    return status;
}

int ww_link_objects(ww_compiler *compiler, const ww_source *source, const ww_object_code *objects,
                    size_t count, char **ptx, size_t *length, ww_errors *errors)
{
    ww_compilation j = {.compiler = compiler, .source = source, .language = WW_LANGUAGE_OPENCL};
    *ptx = NULL;
    int status = ww_compilation_begin(&j, errors);
    if (status == WW_OK)
        status = link_in_scratch(&j, objects, count, ptx, length, errors);
    if (status != WW_OK) {
        free(*ptx);
        *ptx = NULL;
    }
    ww_compilation_end(&j);
    return status;
}
