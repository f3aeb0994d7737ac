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

/* Appends the options in `text` (split like a shell would) to `words`. `folder` NULL: the current
 * one. `typed`: by the user, not from a file. */
int ww_build_options_add(ww_words *words, const char *text, const char *folder, bool typed,
                         ww_where at, ww_errors *errors);

#endif
