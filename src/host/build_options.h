/* Build options as users of OpenCL and of nvcc write them, turned into clang's.
 *
 * Options of other compilers that have no meaning here (-cl-nv-verbose, -arch=sm_80, -lineinfo) are
 * dropped. Options that would change the output or the target (-o, -S, -target) are refused. The
 * others are passed on if the user typed them. A file may only use options known to be harmless,
 * because clang has options that run programs and write files. Folders of -I are relative to
 * `folder`; those of a file, and the files of -include, must be inside of it. */
#ifndef WW_HOST_BUILD_OPTIONS_H
#define WW_HOST_BUILD_OPTIONS_H

#include "host/process.h"

typedef struct ww_options_origin {
    bool typed;      /* by the user, not from a file */
    bool any_folder; /* from a program: as from a file, but its folders may be anywhere */
} ww_options_origin;

/* Appends the options in `text` (split like a shell would) to `words`. `folder` NULL: the current
 * one. */
int ww_build_options_add(ww_words *words, const char *text, const char *folder,
                         ww_options_origin origin, ww_where at, ww_errors *errors);

/* Whether a program that uses OpenCL may have these. */
int ww_build_options_check(const char *text, ww_where at, ww_errors *errors);

#endif
