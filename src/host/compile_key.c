/* Keys of compiled sources in the cache. */
#include "base/embedded.h"
#include "base/memory.h"
#include "host/compile_internal.h"
#include "host/self_contained.h"

#include <string.h>
#include <sys/stat.h>

static void add_file_identity(ww_hash128 *key, const char *path)
{
    struct stat info = {0};
    stat(path, &info);
    uint64_t identity[3] = {(uint64_t)info.st_size, (uint64_t)info.st_mtim.tv_sec,
                            (uint64_t)info.st_mtim.tv_nsec};
    ww_hash128_add_text(key, path);
    ww_hash128_add(key, identity, sizeof(identity));
}

ww_hash128 ww_compilation_key_of_tools(const ww_compilation *j, const char *kind)
{
    ww_hash128 key = {{0, 0}};
    ww_hash128_add_text(&key, kind);
    ww_hash128_add_text(&key, WW_VERSION);
    add_file_identity(&key, j->compiler->clang);
    add_file_identity(&key, j->compiler->libclc);
    for (const ww_embedded *file = NULL; (file = ww_embedded_next("data/builtins", file));)
        ww_hash128_add(&key, file->bytes, file->size);
    ww_hash128_add_text(&key, j->source->global_offset ? "offset" : "");
    if (j->source->edges)
        ww_hash128_add_text(&key, "edges of any size");
    if (j->source->kernel_info)
        ww_hash128_add_text(&key, "kernel info");
    return key;
}

void ww_compilation_key_words(ww_hash128 *key, const ww_compilation *j, const ww_words *words)
{
    for (size_t i = 0; i < words->count; i++) {
        char *word = ww_strdup(words->items[i]);
        ww_scratch_hide(j->scratch, word);
        ww_hash128_add_text(key, word);
        free(word);
    }
}

/* CUDA C always includes system headers; so can an option (-include, -imacros). */
bool ww_compilation_is_self_contained(const ww_compilation *j)
{
    bool plain = j->language == WW_LANGUAGE_OPENCL && ww_is_self_contained(j->text);
    for (size_t i = 0; i < j->options.count - 1; i++)
        plain = plain && strncmp(j->options.items[i], "-i", 2) != 0;
    return plain;
}

/* Preprocesses CUDA C; missing headers are replaced by empty ones. */
static int replace_headers(ww_compilation *j, const ww_words *words, ww_errors *errors)
{
    for (;;) {
        ww_process_result result = {0};
        int status = ww_process_run(words, &j->hold, &result, errors);
        bool replaced = status == WW_OK && result.status != 0 &&
                        ww_cuda_replace_header(j, result.messages, errors);
        ww_process_result_free(&result);
        if (!replaced)
            return status;
    }
}

static int add_preprocessed(ww_hash128 *key, ww_compilation *j, const ww_words *words,
                            ww_errors *errors)
{
    ww_process_result result = {0};
    int status = j->language == WW_LANGUAGE_CUDA ? replace_headers(j, words, errors) : WW_OK;
    if (status == WW_OK)
        status = ww_clang_run(j, words, &result, errors);
    if (status == WW_OK && j->language == WW_LANGUAGE_CUDA)
        j->preprocessed = ww_strdup(result.output);
    if (status == WW_OK) {
        ww_scratch_hide(j->scratch, result.output);
        ww_hash128_add_text(key, result.output);
    }
    ww_process_result_free(&result);
    return status;
}

static void add_text(ww_hash128 *key, const ww_compilation *j)
{
    ww_hash128_add_text(key, ww_embedded_find("data/prelude.cl")->bytes);
    ww_hash128_add_text(key, j->source->text ? j->source->path : "");
    ww_hash128_add_text(key, j->text);
}

int ww_compilation_key(ww_compilation *j, const char *kind, ww_hash128 *key, ww_errors *errors)
{
    bool self_contained = ww_compilation_is_self_contained(j);
    int status = self_contained ? WW_OK : ww_compilation_write(j, errors);
    if (status != WW_OK)
        return status;
    ww_words words = {0};
    ww_clang_add_flags(&words, j);
    ww_words_add(&words, "-E");
    ww_clang_add_pair(&words, "-o", "-");
    ww_words_add(&words, j->input);
    *key = ww_compilation_key_of_tools(j, kind);
    ww_compilation_key_words(key, j, &words);
    if (self_contained)
        add_text(key, j);
    else
        status = add_preprocessed(key, j, &words, errors);
    ww_words_free(&words);
    return status;
}
