#include "base/safe_path.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- comparing ---- */

bool ww_path_is_inside(const char *path, const char *folder)
{
    char *inner = realpath(path[0] ? path : ".", NULL);
    char *outer = realpath(folder[0] ? folder : ".", NULL);
    size_t length = outer ? strlen(outer) : 0;
    if (length == 1)
        length = 0; /* the root folder: the rest of the path starts with its slash */
    bool inside = inner && outer && strncmp(inner, outer, length) == 0 &&
                  (inner[length] == '/' || !inner[length]);
    free(inner);
    free(outer);
    return inside;
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool stat_folder(const char *path, struct stat *info)
{
    char *folder = ww_format("%.*s.", (int)(last_part(path) - path), path);
    bool found = stat(folder, info) == 0;
    free(folder);
    return found;
}

static bool is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

bool ww_paths_meet(const char *a, const char *b)
{
    struct stat of_a, of_b;
    if (stat(a, &of_a) == 0 && stat(b, &of_b) == 0)
        return !S_ISCHR(of_a.st_mode) && is_same(&of_a, &of_b);
    return stat_folder(a, &of_a) && stat_folder(b, &of_b) && is_same(&of_a, &of_b) &&
           strcmp(last_part(a), last_part(b)) == 0;
}

/* ---- writing ---- */

/* The folder that a path ends in, found part by part, and the path's last part. */
typedef struct target {
    int folder; /* file descriptor; -1: there is none */
    char name[NAME_MAX + 1];
    mode_t mode;     /* of an old file; 0: there is none */
    const char *why; /* the reason why it cannot be written; NULL: it can be */
} target;

static const char *refuse_part(const char *part)
{
    if (strcmp(part, "..") == 0)
        return "its path has a '..'";
    return part[0] == '.' ? "a part of its path begins with a '.'" : NULL;
}

/* Opens a folder inside of the present one. */
static void enter(target *t, const char *part)
{
    struct stat info;
    int inner = openat(t->folder, part, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (inner < 0) {
        t->why = strerror(errno);
        if (fstatat(t->folder, part, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(info.st_mode))
            t->why = "a symbolic link is on the way";
    }
    close(t->folder);
    t->folder = inner;
}

static void check_old(target *t)
{
    struct stat info;
    if (fstatat(t->folder, t->name, &info, AT_SYMLINK_NOFOLLOW) == 0) {
        t->mode = info.st_mode & 07777;
        t->why = S_ISDIR(info.st_mode)    ? "it is a folder"
                 : S_ISLNK(info.st_mode)  ? "it is a symbolic link"
                 : !S_ISREG(info.st_mode) ? "it is not a regular file"
                 : info.st_mode & 07111   ? "it is a program"
                                          : NULL;
    } else if (errno != ENOENT) {
        t->why = strerror(errno);
    }
    if (!t->why && faccessat(t->folder, ".", W_OK, 0) != 0)
        t->why = strerror(errno);
}

/* The target's folder is open afterwards, or -1. */
static void find_target(const char *root, const char *path, target *t)
{
    *t = (target){.folder = -1};
    if (path[0] == '/')
        t->why = "its path is absolute";
    else if ((t->folder = open(root[0] ? root : ".", O_PATH | O_DIRECTORY | O_CLOEXEC)) < 0)
        t->why = strerror(errno);
    while (!t->why && *path) {
        size_t length = strcspn(path, "/");
        if (length > NAME_MAX) {
            t->why = strerror(ENAMETOOLONG);
            break;
        }
        snprintf(t->name, sizeof(t->name), "%.*s", (int)length, path);
        path += length;
        bool nothing = !length || strcmp(t->name, ".") == 0, more = *path == '/';
        path += more;
        if (nothing)
            t->name[0] = 0;
        else if (!(t->why = refuse_part(t->name)) && more)
            enter(t, t->name);
        if (more)
            t->name[0] = 0;
    }
    if (!t->why && !t->name[0])
        t->why = "it is a folder";
    if (!t->why)
        check_old(t);
}

static void close_target(target *t)
{
    if (t->folder >= 0)
        close(t->folder);
}

static bool write_new(const target *t, const char *name, const void *bytes, size_t count)
{
    unlinkat(t->folder, name, 0); /* left by a killed process with the same pid */
    int file = openat(t->folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    FILE *out = file >= 0 ? fdopen(file, "wb") : NULL;
    if (!out)
        return false;
    bool ok = fwrite(bytes, 1, count, out) == count;
    ok = (!t->mode || fchmod(file, t->mode) == 0) && ok;
    return fclose(out) == 0 && ok;
}

const char *ww_write_below(const char *root, const char *path, const void *bytes, size_t count)
{
    target t;
    find_target(root, path, &t);
    if (!t.why) {
        char *temporary = ww_format("%.*s.%ld.tmp", NAME_MAX - 32, t.name, (long)getpid());
        if (!write_new(&t, temporary, bytes, count) ||
            renameat(t.folder, temporary, t.folder, t.name) != 0) {
            t.why = strerror(errno);
            unlinkat(t.folder, temporary, 0);
        }
        free(temporary);
    }
    close_target(&t);
    return t.why;
}

const char *ww_check_below(const char *root, const char *path)
{
    target t;
    find_target(root, path, &t);
    close_target(&t);
    return t.why;
}

/* ---- arguments ---- */

char *ww_path_argument(const char *path)
{
    return ww_format("%s%s", path[0] == '-' || path[0] == '@' ? "./" : "", path);
}
