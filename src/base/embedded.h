/* Files that are part of the program: presets, kernels and headers that it needs at run time.
 *
 * path    the file's path in the source tree, such as "machines/simple.yaml"
 * Which files are in is decided at build time (CMakeLists.txt, ww_embed). */
#ifndef WW_BASE_EMBEDDED_H
#define WW_BASE_EMBEDDED_H

#include <stddef.h>

typedef struct ww_embedded {
    const char *path;
    const char *bytes; /* a zero byte follows them */
    size_t size;       /* without that zero */
} ww_embedded;

const ww_embedded *ww_embedded_find(const char *path); /* NULL when there is no such file */

/* All files, in the order of their paths (strcmp). */
const ww_embedded *ww_embedded_files(size_t *count);

/* The files whose path starts with `prefix`: pass NULL for the first one, then the one before;
 * NULL ends it. */
const ww_embedded *ww_embedded_next(const char *prefix, const ww_embedded *before);

/* ww_read_file accepts paths of these files with the prefix "builtin:". Returns the path without
 * the prefix; NULL for other paths. */
const char *ww_builtin_path(const char *path);

#endif
