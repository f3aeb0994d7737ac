/* Build options as users of OpenCL and of nvcc write them, turned into clang's.
 *
 * Known elsewhere and without meaning here (-cl-nv-verbose, -arch=sm_80, -lineinfo): dropped. What
 * would take the compilation out of our hands (-o, -S, -target): refused. Of the rest, what a user types is
 * passed on; a file may only say what is known to be harmless: clang has options that run programs
 * and write files. Folders of -I are seen from `folder`; those of a file, and the files of
 * -include, must be inside of it. */
#ifndef WW_HOST_BUILD_OPTIONS_H
#define WW_HOST_BUILD_OPTIONS_H

#include "host/process.h"

/* Appends the options in `text` (split like a shell would) to `words`. `folder` NULL: the current one. `typed`: by
 * the user, not from a file. */
int ww_build_options_add(ww_words *words, const char *text, const char *folder, bool typed,
                         ww_where at, ww_errors *errors);

#endif
