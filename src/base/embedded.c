#include "base/embedded.h"

#include <stdint.h>
#include <string.h>

/* The table is written by the assembler, in 64-bit words (cmake/embed.cmake). */
_Static_assert(sizeof(ww_embedded) == 3 * sizeof(uint64_t), "embedded files need a 64-bit host");

extern const ww_embedded ww_embedded_table[];
extern const uint64_t ww_embedded_table_count;

const ww_embedded *ww_embedded_files(size_t *count)
{
    *count = ww_embedded_table_count;
    return ww_embedded_table;
}

/* The index of the first file whose path is not before `path`. */
static size_t lower_bound(const char *path)
{
    size_t low = 0, high = ww_embedded_table_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(ww_embedded_table[middle].path, path) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const ww_embedded *ww_embedded_find(const char *path)
{
    const ww_embedded *file = ww_embedded_next(path, NULL);
    return file && strcmp(file->path, path) == 0 ? file : NULL;
}

const ww_embedded *ww_embedded_next(const char *prefix, const ww_embedded *before)
{
    size_t i = before ? (size_t)(before - ww_embedded_table) + 1 : lower_bound(prefix);
    if (i >= ww_embedded_table_count)
        return NULL;
    const ww_embedded *file = &ww_embedded_table[i];
    return strncmp(file->path, prefix, strlen(prefix)) == 0 ? file : NULL;
}

const char *ww_builtin_path(const char *path)
{
    static const char prefix[] = "builtin:";
    return strncmp(path, prefix, sizeof(prefix) - 1) == 0 ? path + sizeof(prefix) - 1 : NULL;
}
