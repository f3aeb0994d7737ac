/* Paths that a file names, as against those that a user types: how far they reach (docs/trust.md).
 *
 * root    a folder that the user chose
 * below   inside of a root: the path is relative, has no "..", no part that begins with a '.', and
 *         leads through no symbolic link */
#ifndef WW_BASE_SAFE_PATH_H
#define WW_BASE_SAFE_PATH_H

#include <stdbool.h>
#include <stddef.h>

/* Whether a path, with all links followed, is a folder or in it; false when one of them is not there. */
bool ww_path_is_inside(const char *path, const char *folder);

/* Two paths of one file, whether it exists already or not. */
bool ww_paths_meet(const char *a, const char *b);

/* Writes a file below a root, which is "" for the current folder. An old file is replaced as a whole
 * and keeps its mode; links, programs and what is not a regular file are refused. NULL, or the reason
 * why it cannot be. */
const char *ww_write_below(const char *root, const char *path, const void *bytes, size_t count);
/* The same answer without writing. */
const char *ww_check_below(const char *root, const char *path);

/* A path as an argument of another program: one that begins with '-' or '@' does not look like an
 * option or a list of options. The caller frees it. */
char *ww_path_argument(const char *path);

#endif
