#include "config/machine.h"

#include "base/embedded.h"
#include "base/memory.h"
#include "base/text.h"

#include <string.h>

#define FOLDER "machines/"
#define SUFFIX ".yaml"
#define MOST_BASES 8

static int apply_document(ww_config *config, const ww_yaml_document *document, int depth,
                          ww_machine_file *machine, ww_errors *errors);

static bool ends_in(const char *text, const char *end)
{
    size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

static bool is_path(const char *text)
{
    return strchr(text, '/') || ends_in(text, SUFFIX) || ends_in(text, ".yml");
}

/* "apu" of "some/folder/apu.yaml", in new memory. */
static char *name_of_path(const char *path)
{
    const char *slash = strrchr(path, '/'), *start = slash ? slash + 1 : path;
    const char *dot = strrchr(start, '.');
    char *name = strndup(start, dot && dot > start ? (size_t)(dot - start) : strlen(start));
    if (!name)
        ww_out_of_memory(strlen(path));
    return name;
}

size_t ww_machine_presets(ww_arena *arena, const char ***names)
{
    WW_VEC(const char *) found = {0};
    const ww_embedded *file = NULL;
    while ((file = ww_embedded_next(FOLDER, file))) {
        char *name = name_of_path(file->path);
        ww_vec_push(&found, ww_arena_strdup(arena, name));
        free(name);
    }
    size_t count = found.count;
    *names = ww_arena_alloc(arena, count + 1, sizeof(**names));
    for (size_t i = 0; i < count; i++)
        (*names)[i] = found.items[i];
    ww_vec_free(&found);
    return count;
}

static int fail_unknown(const char *name, ww_where at, ww_errors *errors)
{
    ww_arena *arena = ww_arena_create();
    const char **names;
    size_t count = ww_machine_presets(arena, &names);
    const char *near = ww_nearest(name, names, count);
    if (near)
        ww_fail(errors, WW_BAD_INPUT, at, "unknown machine '%.60s' (did you mean '%s'?)", name,
                near);
    else
        ww_fail(errors, WW_BAD_INPUT, at,
                "unknown machine '%.60s' ('warpwalk list machines' shows them; a file's name ends "
                "in .yaml)",
                name);
    ww_arena_destroy(arena);
    return WW_BAD_INPUT;
}

static int load(ww_config *config, const char *name_or_path, ww_where at, int depth,
                ww_machine_file *machine, ww_errors *errors)
{
    ww_yaml_document *document = NULL;
    if (is_path(name_or_path)) {
        document = ww_yaml_read(name_or_path, at, errors);
    } else {
        char path[128];
        snprintf(path, sizeof(path), FOLDER "%.100s" SUFFIX, name_or_path);
        const ww_embedded *file = ww_embedded_find(path);
        if (!file)
            return fail_unknown(name_or_path, at, errors);
        document = ww_yaml_parse(path, file->bytes, file->size, errors);
    }
    if (!document)
        return WW_BAD_INPUT;
    int status = apply_document(config, document, depth, machine, errors);
    ww_yaml_destroy(document);
    return status;
}

/* A base that is a path is relative to the file that names it. */
static char *path_beside(const char *file, const char *path)
{
    const char *slash = strrchr(file, '/');
    int folder = slash && is_path(path) && path[0] != '/' ? (int)(slash + 1 - file) : 0;
    return ww_format("%.*s%s", folder, file, path);
}

static int load_base(ww_config *config, const ww_yaml *base, int depth, ww_errors *errors)
{
    const char *name;
    int status = ww_yaml_text(base, "'base'", &name, errors);
    if (status)
        return status;
    if (depth == MOST_BASES)
        return ww_fail(errors, WW_BAD_INPUT, base->at,
                       "more than %d machines are based on each other (a circle?)", MOST_BASES);
    char *path = path_beside(base->at.file, name);
    status = load(config, path, base->at, depth + 1, NULL, errors);
    free(path);
    return status;
}

static int describe(const ww_yaml *root, ww_machine_file *machine, ww_errors *errors)
{
    const char *text = NULL;
    const ww_yaml *name = ww_yaml_get(root, "name"), *doc = ww_yaml_get(root, "doc");
    int status = WW_OK;
    if (name)
        status |= ww_yaml_text(name, "'name'", &text, errors);
    if (machine)
        machine->name = text ? ww_strdup(text) : name_of_path(root->at.file);
    text = "";
    if (doc)
        status |= ww_yaml_text(doc, "'doc'", &text, errors);
    if (machine)
        machine->doc = ww_strdup(text);
    if (machine)
        machine->source = ww_strdup(root->at.file);
    return status;
}

static int apply_document(ww_config *config, const ww_yaml_document *document, int depth,
                          ww_machine_file *machine, ww_errors *errors)
{
    const ww_yaml *root = ww_yaml_root(document);
    const ww_yaml *base = ww_yaml_get(root, "base");
    int status = describe(root, machine, errors);
    if (base)
        status |= load_base(config, base, depth, errors);
    return status | ww_config_apply(config, root, errors);
}

int ww_machine_load(ww_config *config, const char *name_or_path, ww_where at,
                    ww_machine_file *machine, ww_errors *errors)
{
    if (machine)
        *machine = (ww_machine_file){0};
    return load(config, name_or_path, at, 0, machine, errors);
}

int ww_machine_parse(ww_config *config, const char *name, const char *bytes, size_t count,
                     ww_machine_file *machine, ww_errors *errors)
{
    if (machine)
        *machine = (ww_machine_file){0};
    ww_yaml_document *document = ww_yaml_parse(name, bytes, count, errors);
    if (!document)
        return WW_BAD_INPUT;
    int status = apply_document(config, document, 0, machine, errors);
    ww_yaml_destroy(document);
    return status;
}

void ww_machine_clear(ww_machine_file *machine)
{
    free(machine->name);
    free(machine->doc);
    free(machine->source);
    *machine = (ww_machine_file){0};
}
