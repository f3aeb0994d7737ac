/* Internal to compile*.c.
 *
 * compilation   of one source, by several runs of clang; the files it needs lie in a scratch folder
 */
#ifndef WW_HOST_COMPILE_INTERNAL_H
#define WW_HOST_COMPILE_INTERNAL_H

#include "base/file_cache.h"
#include "host/compile.h"
#include "host/process.h"
#include "host/scratch.h"

struct ww_compiler {
    char *wanted; /* the clang that the user named, or NULL */
    char *clang;  /* path, or NULL */
    char *libclc; /* path, or NULL */
    ww_file_cache *cache;
    FILE *log;
};

typedef enum ww_language {
    WW_LANGUAGE_OPENCL,
    WW_LANGUAGE_CUDA,
    WW_LANGUAGE_PTX,
    WW_LANGUAGE_UNKNOWN
} ww_language;

typedef struct ww_compilation {
    ww_compiler *compiler;
    const ww_source *source;
    ww_language language;
    ww_hold hold;
    ww_scratch *scratch;
    char *input; /* path that clang reads */
    char *text;  /* of the source */
    ww_words options;
    char *preprocessed; /* CUDA C: the source with all it includes, or NULL */
    ww_words missing;   /* CUDA C: clang's lines about headers that are taken as empty */
} ww_compilation;

/* Reads the source and its options. End it in all cases. */
int ww_compilation_begin(ww_compilation *j, ww_errors *errors);
void ww_compilation_end(ww_compilation *j);
/* Makes the scratch folder with what clang reads besides the source, once; before every run of
 * clang and before its command is made, which names files of that folder. */
int ww_compilation_write(ww_compilation *j, ww_errors *errors);
/* Writes clang's warnings to the log. */
void ww_compilation_tell(const ww_compilation *j, ww_process_result *result);
/* Adds to the PTX what only clang's IR says, which the command makes of the same source. */
int ww_compilation_add_facts(const ww_compilation *j, const ww_words *command, char **ptx,
                             size_t *length, ww_errors *errors);

/* Keys in the cache (compile_key.c). `kind` says what was made.
 * The tools and our own library functions: what a result depends on besides flags and text. */
ww_hash128 ww_compilation_key_of_tools(const ww_compilation *j, const char *kind);
/* Every flag counts; the scratch folder's name does not. */
void ww_compilation_key_words(ww_hash128 *key, const ww_compilation *j, const ww_words *words);
/* Of tools, flags and the source with all that it includes, for which clang may have to run. */
int ww_compilation_key(ww_compilation *j, const char *kind, ww_hash128 *key, ww_errors *errors);
/* Whether the source includes nothing. */
bool ww_compilation_is_self_contained(const ww_compilation *j);

/* Library functions (compile_library.c): words for clang that link a source with them. */

typedef enum ww_library { WW_LIBRARY_WHOLE, WW_LIBRARY_PART } ww_library;

int ww_library_add(const ww_compilation *j, ww_words *words, ww_errors *errors);
/* The functions that OpenCL C names; false when there is no such part yet, or it cannot be made. */
bool ww_library_add_part(const ww_compilation *j, ww_words *words, ww_errors *errors);

#define WW_MISSING_FOLDER "missing"
#define WW_CUDA_TEXT \
    "text.cu" /* in the scratch folder: what is left of the preprocessed source \
               */

void ww_clang_add_pair(ww_words *words, const char *option, const char *value);
void ww_clang_add_scratch_file(ww_words *words, const char *option, const ww_compilation *j,
                               const char *name);
/* Everything but what to do (-E or -S), which bitcode to link, and where to write. */
void ww_clang_add_flags(ww_words *words, const ww_compilation *j);
void ww_clang_add_flags_of_text(ww_words *words, const ww_compilation *j); /* of WW_CUDA_TEXT */
void ww_clang_add_later_options(ww_words *words, const ww_compilation *j); /* after preprocessing */
void ww_clang_add_bitcode(ww_words *words, const char *path);

/* Runs clang, which writes to standard output. WW_BAD_INPUT with its errors when it fails. */
int ww_clang_run(const ww_compilation *j, const ww_words *words, ww_process_result *result,
                 ww_errors *errors);

/* Runs clang with the words, which may be added to, and gives PTX that the caller frees. None, and
 * no error, if it calls functions that a part of the library lacks. */
int ww_clang_make_ptx(const ww_compilation *j, ww_words *words, ww_library library, char **ptx,
                      size_t *length, ww_errors *errors);

/* CUDA C whose host part does not compile (compile_cuda.c). */

/* Adds an empty header for one that clang reports as missing; false if it reports none. */
bool ww_cuda_replace_header(ww_compilation *j, const char *messages, ww_errors *errors);
void ww_cuda_tell_missing(const ww_compilation *j);
/* Blanks the host code in j->preprocessed that clang refuses, and writes the rest as WW_CUDA_TEXT.
 * Reports whether clang refuses device code, too. */
int ww_cuda_leave_host_code_out(ww_compilation *j, bool *device_is_wrong, ww_errors *errors);

#endif
