/* Which library functions a source is linked with.
 *
 * builtins   our own (data/builtins*.cl), as bitcode; they come before libclc's
 * part       of both, the functions of some names and what they call. clang reads all of a
 *            library's declarations for each source, which takes longer than a small kernel
 * A part is made when sources that name the same functions are compiled for the second time. */
#include "base/map.h"
#include "base/memory.h"
#include "base/text.h"
#include "host/clang.h"
#include "host/compile_internal.h"
#include "host/library_symbols.h"

#include <string.h>

/* ---- builtins ---- */

static void add_builtins_command(ww_words *words, const ww_compilation *j)
{
    ww_words_add(words, j->compiler->clang);
    ww_words_add_all(words, ww_clang_opencl_target);
    if (j->source->global_offset)
        ww_words_add(words, "-D__WW_GLOBAL_OFFSET");
    if (j->source->edges)
        ww_words_add(words, "-D__WW_EDGES");
    ww_words_add_all(words, (const char *const[]){"-O1", "-Xclang", "-disable-llvm-passes",
                                                  "-emit-llvm", "-c", "-o", "-", NULL});
    ww_clang_add_scratch_file(words, "-w", j, "builtins.cl");
}

static char *compile_builtins(const ww_compilation *j, const ww_words *words, ww_hash128 key,
                              size_t *count, ww_errors *errors)
{
    ww_process_result result = {0};
    char *bytes = NULL;
    int status = ww_scratch_add_embedded(j->scratch, "data/builtins", errors);
    if (status == WW_OK)
        status = ww_clang_run(j, words, &result, errors);
    if (status == WW_OK) {
        ww_file_cache_put(j->compiler->cache, key, result.output, result.output_size);
        bytes = result.output;
        *count = result.output_size;
        result.output = NULL;
    }
    ww_process_result_free(&result);
    return bytes;
}

/* NULL with an error. */
static char *get_builtins(const ww_compilation *j, size_t *count, ww_errors *errors)
{
    ww_words words = {0};
    ww_hash128 key = ww_compilation_key_of_tools(j, "builtins");
    add_builtins_command(&words, j);
    ww_compilation_key_words(&key, j, &words);
    char *bytes = ww_file_cache_get(j->compiler->cache, key, count);
    if (!bytes)
        bytes = compile_builtins(j, &words, key, count, errors);
    ww_words_free(&words);
    return bytes;
}

int ww_library_add(const ww_compilation *j, ww_words *words, ww_errors *errors)
{
    size_t count = 0;
    char *bytes = get_builtins(j, &count, errors);
    if (!bytes)
        return ww_errors_status(errors);
    char *path = ww_scratch_path(j->scratch, "builtins.bc");
    int status = ww_scratch_write(j->scratch, "builtins.bc", bytes, count, errors);
    ww_clang_add_bitcode(words, path);
    ww_clang_add_bitcode(words, j->compiler->libclc);
    free(path);
    free(bytes);
    return status;
}

/* ---- symbols and names of the whole library ---- */

typedef struct bitcode {
    char *bytes[2]; /* builtins, libclc */
    size_t count[2];
} bitcode;

static void free_library(bitcode *library)
{
    free(library->bytes[0]);
    free(library->bytes[1]);
}

static bool read_library(const ww_compilation *j, bitcode *library)
{
    ww_errors *ignored = ww_errors_create();
    *library = (bitcode){0};
    library->bytes[0] = get_builtins(j, &library->count[0], ignored);
    ww_read_file(j->compiler->libclc, WW_NOWHERE, &library->bytes[1], &library->count[1], ignored);
    bool right = ww_errors_count(ignored) == 0;
    ww_errors_destroy(ignored);
    if (!right)
        free_library(library);
    return right;
}

/* Each name with a line end. */
static char *list_names(const bitcode *library)
{
    char *text = NULL;
    size_t length = 0;
    ww_library_symbol symbol;
    ww_map *seen = ww_map_create();
    FILE *out = open_memstream(&text, &length);
    if (!out)
        ww_out_of_memory(sizeof(FILE));
    for (int i = 0; i < 2; i++)
        for (size_t at = 0;
             ww_library_symbol_next(library->bytes[i], library->count[i], &at, &symbol);)
            if (ww_map_add(seen, symbol.name, symbol.name_length, seen))
                fprintf(out, "%.*s\n", (int)symbol.name_length, symbol.name);
    fclose(out);
    ww_map_destroy(seen);
    return text;
}

static char *get_names(const ww_compilation *j)
{
    bitcode library;
    size_t count;
    ww_hash128 key = ww_compilation_key_of_tools(j, "names of library functions");
    char *names = ww_file_cache_get(j->compiler->cache, key, &count);
    if (names || !read_library(j, &library))
        return names;
    names = list_names(&library);
    ww_file_cache_put(j->compiler->cache, key, names, strlen(names));
    free_library(&library);
    return names;
}

/* The library's names that the source or its options have, each with a line end. */
static char *get_used_names(const ww_compilation *j)
{
    char *names = get_names(j);
    if (!names)
        return NULL;
    bool *used = ww_calloc(strlen(names) + 1, sizeof(*used)), *mark = used;
    ww_library_names_mark(names, j->text, used);
    for (size_t i = 0; i + 1 < j->options.count; i++)
        ww_library_names_mark(names, j->options.items[i], used);
    char *to = names;
    for (char *from = names, *end; (end = strchr(from, '\n')); from = end + 1)
        if (*mark++) {
            memmove(to, from, (size_t)(end + 1 - from));
            to += end + 1 - from;
        }
    *to = 0;
    free(used);
    return names;
}

/* ---- parts ---- */

/* Conversions of pointers have names of the compiler's own. */
#define OTHER_SYMBOLS "__to_global\0__to_local\0__to_private\0"

static void write_calls(FILE *out, const char *form, const bitcode *library, const char *names)
{
    ww_library_symbol symbol;
    ww_map *seen = ww_map_create(), *wanted = ww_map_create();
    for (const char *end; (end = strchr(names, '\n')); names = end + 1)
        ww_map_add(wanted, names, (size_t)(end - names), wanted);
    for (const char *other = OTHER_SYMBOLS; *other; other += strlen(other) + 1)
        fprintf(out, form, (int)strlen(other), other);
    for (int i = 0; i < 2; i++)
        for (size_t at = 0;
             ww_library_symbol_next(library->bytes[i], library->count[i], &at, &symbol);)
            if (ww_map_get(wanted, symbol.name, symbol.name_length) &&
                ww_map_add(seen, symbol.text, symbol.length, seen))
                fprintf(out, form, (int)symbol.length, symbol.text);
    ww_map_destroy(seen);
    ww_map_destroy(wanted);
}

/* A function that calls all functions of the names; types do not matter to the linker. */
static char *write_caller(const ww_compilation *j, const char *names)
{
    char *text = NULL;
    size_t length = 0;
    bitcode library;
    if (!read_library(j, &library))
        return NULL;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        ww_out_of_memory(sizeof(FILE));
    write_calls(out, "declare void @%.*s()\n", &library, names);
    fputs("define void @__ww_caller() {\n", out);
    write_calls(out, "call void @%.*s()\n", &library, names);
    fputs("ret void\n}\n", out);
    fclose(out);
    free_library(&library);
    return text;
}

static void add_part_command(ww_words *words, const ww_compilation *j)
{
    ww_words_add(words, j->compiler->clang);
    ww_words_add_all(words, ww_clang_opencl_target);
    ww_words_add_all(words, ww_clang_common_flags);
    ww_clang_add_later_options(words, j);
    ww_words_add_all(words, (const char *const[]){"-w", "-Xclang", "-disable-llvm-passes",
                                                  "-emit-llvm", "-o", "-", NULL});
}

static int run_on_ir(const ww_compilation *j, ww_words *words, const char *ir,
                     ww_process_result *result, ww_errors *errors)
{
    int status = ww_scratch_write(j->scratch, "part.ll", ir, strlen(ir), errors);
    ww_words_add(words, "-x");
    ww_clang_add_scratch_file(words, "ir", j, "part.ll");
    if (status == WW_OK)
        status = ww_clang_run(j, words, result, errors);
    ww_words_free(words);
    return status;
}

/* Functions that are linked become internal; those of a part are to be linked again. */
static void make_external(char *ir)
{
    static const char internal[] = "\ndefine internal ";
    const size_t define = strlen("\ndefine "), word = strlen("internal ");
    char *to = ir;
    for (char *from = ir; *from;) {
        if (strncmp(from, internal, strlen(internal)) == 0) {
            memmove(to, from, define);
            to += define;
            from += define + word;
        } else {
            *to++ = *from++;
        }
    }
    *to = 0;
}

static char *make_part(const ww_compilation *j, const char *names, size_t *count, ww_errors *errors)
{
    ww_words words = {0};
    ww_process_result linked = {0}, part = {0};
    char *caller = write_caller(j, names);
    add_part_command(&words, j);
    int status = ww_library_add(j, &words, errors);
    ww_words_add(&words, "-S");
    status = status == WW_OK && caller ? run_on_ir(j, &words, caller, &linked, errors) : WW_FAILED;
    if (status == WW_OK) {
        make_external(linked.output);
        words = (ww_words){0};
        add_part_command(&words, j);
        ww_words_add(&words, "-c");
        status = run_on_ir(j, &words, linked.output, &part, errors);
    }
    char *bytes = status == WW_OK ? part.output : NULL;
    *count = part.output_size;
    if (bytes)
        part.output = NULL;
    ww_process_result_free(&linked);
    ww_process_result_free(&part);
    free(caller);
    return bytes;
}

/* NULL when there is none yet. */
static char *get_part(const ww_compilation *j, const char *names, size_t *count, ww_errors *errors)
{
    ww_words words = {0};
    ww_hash128 key = ww_compilation_key_of_tools(j, "part of the library");
    add_part_command(&words, j);
    ww_compilation_key_words(&key, j, &words);
    ww_hash128_add_text(&key, names);
    ww_words_free(&words);
    char *bytes = ww_file_cache_get(j->compiler->cache, key, count);
    if (!bytes)
        ww_file_cache_put(j->compiler->cache, key, "", 0); /* the first time */
    if (bytes && *count == 0) {
        free(bytes);
        bytes = make_part(j, names, count, errors);
        if (bytes)
            ww_file_cache_put(j->compiler->cache, key, bytes, *count);
    }
    return bytes;
}

/* Names can be hidden in what the source includes or pastes together. */
static bool shows_names(const ww_compilation *j)
{
    char *path = ww_file_cache_path(j->compiler->cache, (ww_hash128){{0, 0}});
    bool has_cache = path != NULL;
    free(path);
    return has_cache && ww_compilation_is_self_contained(j) && !strstr(j->text, "##");
}

bool ww_library_add_part(const ww_compilation *j, ww_words *words, ww_errors *errors)
{
    char *names = shows_names(j) ? get_used_names(j) : NULL;
    size_t count = 0;
    char *bytes = names ? get_part(j, names, &count, errors) : NULL;
    char *path = ww_scratch_path(j->scratch, "library.bc");
    bool found = bytes && ww_scratch_write(j->scratch, "library.bc", bytes, count, errors) == WW_OK;
    ww_clang_add_bitcode(words, path);
    free(path);
    free(bytes);
    free(names);
    return found;
}
