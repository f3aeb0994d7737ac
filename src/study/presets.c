/* Studies that are part of the program, and files of users. */
#include "base/embedded.h"
#include "base/text.h"
#include "config/yaml.h"
#include "study/study.h"

#include <string.h>

#define FOLDER "studies/"
#define SUFFIX ".yaml"

static bool ends_in(const char *text, const char *end)
{
    size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

size_t ww_study_presets(ww_arena *arena, const char ***names)
{
    WW_VEC(const char *) found = {0};
    const ww_embedded *file = NULL;
    while ((file = ww_embedded_next(FOLDER, file)))
        if (ends_in(file->path, SUFFIX) && !strchr(file->path + strlen(FOLDER), '/')) {
            const char *name = file->path + strlen(FOLDER);
            ww_vec_push(&found, ww_arena_strndup(arena, name, strlen(name) - strlen(SUFFIX)));
        }
    size_t count = found.count;
    *names = ww_arena_alloc(arena, count + 1, sizeof(**names));
    for (size_t i = 0; i < count; i++)
        (*names)[i] = found.items[i];
    ww_vec_free(&found);
    return count;
}

static void refuse_name(const char *name, ww_errors *errors)
{
    ww_arena *arena = ww_arena_create();
    const char **names;
    size_t count = ww_study_presets(arena, &names);
    const char *near = ww_nearest(name, names, count);
    if (near)
        ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE, "unknown study '%.60s' (did you mean '%s'?)",
                name, near);
    else
        ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                "unknown study '%.60s' ('warpwalk list studies' shows them; a file's name ends in "
                ".yaml)",
                name);
    ww_arena_destroy(arena);
}

static ww_study *load_file(const char *path, ww_errors *errors)
{
    char *bytes = NULL;
    size_t count = 0;
    if (ww_read_file_up_to(path, WW_YAML_MOST_BYTES, WW_NOWHERE, &bytes, &count, errors))
        return NULL;
    ww_study *study = ww_study_parse(path, bytes, count, errors);
    free(bytes);
    return study;
}

ww_study *ww_study_load(const char *name_or_path, ww_errors *errors)
{
    if (strchr(name_or_path, '/') || ends_in(name_or_path, SUFFIX) || ends_in(name_or_path, ".yml"))
        return load_file(name_or_path, errors);
    char path[128];
    snprintf(path, sizeof(path), "builtin:" FOLDER "%.100s" SUFFIX, name_or_path);
    const ww_embedded *file = ww_embedded_find(ww_builtin_path(path));
    if (file)
        return ww_study_parse(path, file->bytes, file->size, errors);
    refuse_name(name_or_path, errors);
    return NULL;
}
