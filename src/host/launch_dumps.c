/* The dumps of a launch file: buffers that are written to files. The file may come from an
 * untrusted source, so a dump stays below a folder that the user chose: the current one, or that of
 * --dump-dir. */
#include "base/safe_path.h"
#include "host/launch_internal.h"

#include <string.h>

#define ADVICE "(--dump-dir DIR writes dumps below DIR)"

static int fail_dump(const ww_result_part *dump, int status, const char *what, ww_errors *errors)
{
    return ww_fail(errors, status, dump->file_at, "a dump cannot be written to '%s': %s",
                   dump->file, what);
}

static const char *root_of(const ww_launch_file *file)
{
    return file->dump_folder ? file->dump_folder : file->folder;
}

/* Why the dump cannot be written, existing files aside; NULL: it can be. */
static const char *find_conflict(const ww_launch_file *file, const ww_result_part *dump)
{
    if (ww_paths_meet(dump->file, file->path))
        return "it is the launch file";
    if (file->kernel && ww_paths_meet(dump->file, file->kernel))
        return "it is the kernel";
    for (size_t i = 0; i < file->dumps.count; i++)
        if (ww_paths_meet(dump->file, file->dumps.items[i].file))
            return "another dump goes there";
    return NULL;
}

static int check_target(const ww_launch_file *file, const ww_result_part *dump, ww_errors *errors)
{
    const char *why = ww_check_below(root_of(file), dump->name);
    if (!why && !file->dump_folder && !ww_path_is_inside(file->folder, ""))
        why = "it is outside of the current folder " ADVICE;
    if (!why)
        why = find_conflict(file, dump);
    return why ? fail_dump(dump, WW_BAD_INPUT, why, errors) : WW_OK;
}

static bool is_null(const ww_yaml *node)
{
    static const char *const words[] = {"", "~", "null", "Null", "NULL"};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (strcmp(node->text, words[i]) == 0)
            return i == 0 || !node->quoted;
    return false;
}

/* The path as messages show it. */
static const char *whole_path(const ww_launch_file *file, const char *name)
{
    const char *root = root_of(file);
    size_t length = strlen(root);
    bool apart = length > 0 && root[length - 1] != '/';
    return name[0] == '/' ? name
                          : ww_arena_printf(file->arena, "%s%s%s", root, apart ? "/" : "", name);
}

static int read_dump(ww_launch_file *file, const ww_yaml *key, const ww_yaml *node,
                     ww_errors *errors)
{
    ww_result_part dump = {.at = key->at, .file_at = node->at};
    int status = ww_launch_buffer(file, key->text, key->at, &dump.buffer, errors);
    status |= ww_yaml_text(node, "the file of a dump", &dump.name, errors);
    if (dump.name && is_null(node))
        status |= ww_fail(errors, WW_BAD_INPUT, node->at, "the file of a dump has no name");
    if (status != WW_OK || file->no_dump)
        return status;
    dump.file = whole_path(file, dump.name);
    status = check_target(file, &dump, errors);
    ww_vec_push(&file->dumps, dump);
    return status;
}

int ww_launch_read_dumps(ww_launch_file *file, const ww_yaml *node, ww_errors *errors)
{
    int status = ww_yaml_expect(node, WW_YAML_MAPPING, "'dump'", errors);
    if (status != WW_OK)
        return status;
    file->has_dumps = node->count > 0;
    for (size_t i = 0; i < node->count; i++)
        status |= read_dump(file, node->keys[i], node->items[i], errors);
    return status;
}

int ww_launch_dump(const ww_launch_file *file, const ww_result_part *dump, const ww_buffer *buffer,
                   ww_errors *errors)
{
    const char *why = ww_write_below(root_of(file), dump->name, buffer->host, buffer->size);
    return why ? fail_dump(dump, WW_FAILED, why, errors) : WW_OK;
}
