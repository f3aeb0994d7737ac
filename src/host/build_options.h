/* Build options as users of OpenCL and of nvcc write them, turned into clang's.
 *
 * Known to clang: passed on. Known elsewhere and without meaning here (-cl-nv-verbose, -arch=sm_80,
 * -lineinfo): dropped. What would take the compilation out of our hands (-o, -S, -target): refused.
 * Relative folders of -I are seen from `folder`. */
#ifndef WW_HOST_BUILD_OPTIONS_H
#define WW_HOST_BUILD_OPTIONS_H

#include "host/process.h"

/* Appends the options in `text` (split like a shell would) to `words`. */
int ww_build_options_add(ww_words *words, const char *text, const char *folder, ww_where at,
                         ww_errors *errors);

#endif
