/* Machines: YAML files that set keys, built in (machines/NAME.yaml) or a user's own.
 *
 * name, doc   what it is; the name defaults to the file's
 * base        another machine that is applied first: a preset's name, or a path relative to the
 *             file
 * Everything else in the file is keys (config.h). */
#ifndef WW_CONFIG_MACHINE_H
#define WW_CONFIG_MACHINE_H

#include "base/memory.h"
#include "config/config.h"

typedef struct ww_machine_file {
    char *name;
    char *doc;
    char *source; /* the path of its file; a preset's path in the source tree */
} ww_machine_file;

/* Applies a machine to a configuration: a preset's name, or a path (it holds a '/' or ends in .yaml
 * or .yml). `at` is the location that names it. `machine` may be NULL; else free it with
 * ww_machine_clear. */
int ww_machine_load(ww_config *config, const char *name_or_path, ww_where at,
                    ww_machine_file *machine, ww_errors *errors);
/* The same for a text that is already in memory; `name` stands for its path. */
int ww_machine_parse(ww_config *config, const char *name, const char *bytes, size_t count,
                     ww_machine_file *machine, ww_errors *errors);
void ww_machine_clear(ww_machine_file *machine);

/* The names of the presets, in alphabetical order, in the arena. */
size_t ww_machine_presets(ww_arena *arena, const char ***names);

#endif
