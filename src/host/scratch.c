#include "host/scratch.h"

#include "base/embedded.h"
#include "base/memory.h"

#include <errno.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DATA "data/"

struct ww_scratch {
    char *folder; /* ends in a slash */
    bool made;
};

ww_scratch *ww_scratch_create(void)
{
    const char *base = getenv("TMPDIR");
    ww_scratch *scratch = ww_calloc(1, sizeof(*scratch));
    scratch->folder = ww_format("%s/warpwalk-XXXXXX/", base && base[0] == '/' ? base : "/tmp");
    return scratch;
}

int ww_scratch_make(ww_scratch *scratch, ww_errors *errors)
{
    char *slash = scratch->folder + strlen(scratch->folder) - 1;
    int status = WW_OK;
    *slash = 0;
    scratch->made = mkdtemp(scratch->folder) != NULL;
    if (!scratch->made)
        status =
            ww_fail(errors, WW_FAILED, WW_NOWHERE, "cannot make a folder '%s': %s (set TMPDIR)",
                    scratch->folder, strerror(errno));
    *slash = '/';
    return status;
}

bool ww_scratch_is_made(const ww_scratch *scratch)
{
    return scratch->made;
}

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *ftw)
{
    (void)info;
    (void)type;
    (void)ftw;
    remove(path);
    return 0;
}

void ww_scratch_destroy(ww_scratch *scratch)
{
    if (!scratch)
        return;
    if (scratch->made)
        nftw(scratch->folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    free(scratch->folder);
    free(scratch);
}

char *ww_scratch_path(const ww_scratch *scratch, const char *name)
{
    return ww_format("%s%s", scratch->folder, name);
}

int ww_scratch_write(ww_scratch *scratch, const char *name, const void *bytes, size_t count,
                     ww_errors *errors)
{
    char *path = ww_scratch_path(scratch, name);
    char *slash = path + strlen(scratch->folder);
    while ((slash = strchr(slash, '/'))) {
        *slash = 0;
        mkdir(path, 0700);
        *slash++ = '/';
    }
    FILE *out = fopen(path, "wb");
    bool ok = out && fwrite(bytes, 1, count, out) == count;
    if (out)
        ok = fclose(out) == 0 && ok;
    int status = WW_OK;
    if (!ok)
        status =
            ww_fail(errors, WW_FAILED, WW_NOWHERE, "cannot write '%s': %s", path, strerror(errno));
    free(path);
    return status;
}

int ww_scratch_add_embedded(ww_scratch *scratch, const char *prefix, ww_errors *errors)
{
    int status = WW_OK;
    const ww_embedded *file = NULL;
    while (status == WW_OK && (file = ww_embedded_next(prefix, file)))
        status =
            ww_scratch_write(scratch, file->path + strlen(DATA), file->bytes, file->size, errors);
    return status;
}

static void remove_all(char *text, const char *what)
{
    size_t length = strlen(what);
    char *to = text;
    char *from = text;
    for (char *found; (found = strstr(from, what)); from = found + length) {
        size_t kept = (size_t)(found - from);
        memmove(to, from, kept);
        to += kept;
    }
    memmove(to, from, strlen(from) + 1);
}

void ww_scratch_hide(const ww_scratch *scratch, char *text)
{
    char *headers = ww_scratch_path(scratch, WW_SCRATCH_HEADERS);
    remove_all(text, headers);
    remove_all(text, scratch->folder);
    free(headers);
}
