/* From kernel sources to PTX text, with the clang that is installed and a cache.
 *
 * compiler   which clang, which libclc, which cache folder; made once, used for many kernels
 * source     a .cl, .cu or .ptx file, or such text that is in no file
 * Needs clang (14 or newer; 19 is best) and libclc, except for .ptx. The key in the cache is the
 * source's text if it includes nothing, else its preprocessed text, which clang makes. */
#ifndef WW_HOST_COMPILE_H
#define WW_HOST_COMPILE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct ww_compiler ww_compiler;

typedef struct ww_compiler_options {
    const char *clang;  /* path or name; NULL: the best of clang-19, clang-16, clang-14, clang */
    const char *libclc; /* path of nvptx64--nvidiacl.bc; NULL: where packages put it */
    const char *cache;  /* folder; NULL: the user's cache folder; "": none */
    FILE *log;          /* gets clang's warnings and notes about the cache; NULL: none */
} ww_compiler_options;

/* A header that is in no file: `#include "name"` finds it. */
typedef struct ww_source_header {
    const char *name, *text;
} ww_source_header;

typedef struct ww_source {
    const char *path;          /* its suffix selects the language; messages name it */
    const char *text;          /* the source when it is in no file, else NULL */
    const char *build_options; /* as a user of OpenCL or nvcc writes them, or NULL */
    ww_where build_options_at; /* what named them, for errors */
    bool typed_options;        /* by the user: they may say more than a file's (build_options.h) */
    bool any_folder;           /* options of -I may name folders anywhere */
    const char *folder;        /* where relative -I folders start; NULL: the source's folder */
    bool global_offset;        /* OpenCL: get_global_id adds the launch's global offset */
    bool edges;                /* with it: groups at the edges of a range may be smaller */
    bool kernel_info;          /* OpenCL: the PTX says more about kernels (kernel_info.h) */
    const ww_source_header *headers;
    size_t header_count;
    ww_where at; /* what named the source, for errors */
} ww_source;

/* A compiled source that is to be linked with others: LLVM's bitcode. */
typedef struct ww_object_code {
    char *bytes;
    size_t count;
} ww_object_code;

ww_compiler *ww_compiler_create(const ww_compiler_options *options);
void ww_compiler_destroy(ww_compiler *compiler);

/* PTX text of a source; the caller frees it. WW_BAD_INPUT with clang's own file:line:col lines when
 * the source is at fault, or when clang or libclc is not installed (the line says what to do). */
int ww_compile(ww_compiler *compiler, const ww_source *source, char **ptx, size_t *length,
               ww_errors *errors);

/* OpenCL C that may call functions of other sources; the caller frees object->bytes. */
int ww_compile_object(ww_compiler *compiler, const ww_source *source, ww_object_code *object,
                      ww_errors *errors);
/* Makes PTX of objects. The source has no text: of its members only options, `global_offset` and
 * `kernel_info` count. */
int ww_link_objects(ww_compiler *compiler, const ww_source *source, const ww_object_code *objects,
                    size_t count, char **ptx, size_t *length, ww_errors *errors);

#endif
