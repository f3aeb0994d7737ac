/* Paths that come from a file, not from the user: which files they may reach (docs/trust.md).
 *
 * root    a folder that the user chose
 * below   inside of a root: the path is relative, has no "..", no part that begins with a '.', and
 *         leads through no symbolic link */
#ifndef WW_BASE_SAFE_PATH_H
#define WW_BASE_SAFE_PATH_H

#include <stdbool.h>
#include <stddef.h>

/* Whether a path, with all links followed, is the folder or inside it; false when either does not
 * exist. */
bool ww_path_is_inside(const char *path, const char *folder);

/* Whether two paths are of the same file, which need not exist. */
bool ww_paths_meet(const char *a, const char *b);

/* Writes a file below a root, which is "" for the current folder. An old file is replaced as a
 * whole and keeps its mode; links, programs and what is not a regular file are refused. NULL, or
 * the reason for the refusal. */
const char *ww_write_below(const char *root, const char *path, const void *bytes, size_t count);
/* The same answer without writing. */
const char *ww_check_below(const char *root, const char *path);

/* A path as an argument of another program, changed where it begins with '-' or '@' so that it is
 * not read as an option or a list of options. The caller frees it. */
char *ww_path_argument(const char *path);

#endif
