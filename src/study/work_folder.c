#include "study/work_folder.h"

#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* "warpwalk (process 4711 on box)", as the holder of the lock wrote it. The caller frees it. */
static char *holder_text(int lock)
{
    char text[160] = "";
    ssize_t count = pread(lock, text, sizeof(text) - 1, 0);
    text[count > 0 ? count : 0] = 0;
    return text[0] ? ww_format("warpwalk (%s)", text) : ww_strdup("warpwalk");
}

static void sign(int lock)
{
    char host[64] = "";
    gethostname(host, sizeof(host) - 1);
    if (ftruncate(lock, 0) == 0)
        dprintf(lock, "process %d on %s", (int)getpid(), host);
}

static int refuse(ww_work_folder *f, const char *database, ww_errors *errors)
{
    char *holder = holder_text(f->lock);
    ww_fail(errors, WW_FAILED, (ww_where){database, 0, 0},
            "another %s makes runs into this database (wait for it, or use another --db)", holder);
    free(holder);
    close(f->lock);
    f->lock = -1;
    return WW_FAILED;
}

/* A folder that came with a database may hold anything: with a link in it, other files would be
 * written, truncated or removed. */
static int check_files(const ww_work_folder *f, ww_errors *errors)
{
    DIR *folder = opendir(f->path);
    int status = WW_OK;
    struct stat info;
    for (struct dirent *entry; folder && !status && (entry = readdir(folder));) {
        const char *name = entry->d_name;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
            fstatat(dirfd(folder), name, &info, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        if (!S_ISREG(info.st_mode) || info.st_nlink > 1)
            status = ww_fail(errors, WW_BAD_INPUT, (ww_where){f->path, 0, 0},
                             "'%s' is a link or no file, which warpwalk does not make (remove it)",
                             name);
    }
    if (folder)
        closedir(folder);
    return status;
}

static int check_no_link(const ww_work_folder *f, ww_errors *errors)
{
    struct stat info;
    if (lstat(f->path, &info) != 0 || !S_ISLNK(info.st_mode))
        return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT, (ww_where){f->path, 0, 0},
                   "a symbolic link, which warpwalk does not make (remove it)");
}

int ww_work_folder_open(ww_work_folder *f, const char *database, ww_errors *errors)
{
    *f = (ww_work_folder){.path = ww_format("%s.work", database), .lock = -1};
    ww_where at = {f->path, 0, 0};
    if (check_no_link(f, errors) || check_files(f, errors))
        return WW_BAD_INPUT;
    if (mkdir(f->path, 0777) != 0 && errno != EEXIST)
        return ww_fail(errors, WW_BAD_INPUT, at, "the folder cannot be made: %s", strerror(errno));
    char *name = ww_format("%s/lock", f->path);
    f->lock = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    int reason = errno;
    bool locked = f->lock >= 0 && flock(f->lock, LOCK_EX | LOCK_NB) == 0 &&
                  ww_work_folder_is_held(f); /* false when its holder has just removed it */
    bool busy = f->lock >= 0 && !locked;
    free(name);
    if (busy)
        return refuse(f, database, errors);
    if (locked) {
        sign(f->lock);
        return WW_OK;
    }
    return ww_fail(errors, WW_BAD_INPUT, at, "cannot write into the folder: %s", strerror(reason));
}

bool ww_work_folder_is_held(const ww_work_folder *f)
{
    struct stat info;
    return f->lock >= 0 && fstat(f->lock, &info) == 0 && info.st_nlink > 0;
}

static bool has_suffix(const char *name, const char *suffix)
{
    const char *dot = strrchr(name, '.');
    return dot && strcmp(dot, suffix) == 0;
}

bool ww_work_folder_has_scripts(const char *path)
{
    bool found = false;
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && !found && (entry = readdir(folder));)
        found = has_suffix(entry->d_name, ".sh");
    if (folder)
        closedir(folder);
    return found;
}

/* Removes the incomplete files of killed processes. */
static void sweep(const char *path)
{
    bool needed = ww_work_folder_has_scripts(path);
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (strcmp(entry->d_name, "lock") == 0 ||
            (!needed && entry->d_name[0] != '.' && !has_suffix(entry->d_name, ".json")))
            unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder)
        closedir(folder);
}

/* Removes the lock's file while it is held, so that no other process can hold it. */
void ww_work_folder_close(ww_work_folder *f)
{
    if (ww_work_folder_is_held(f)) {
        sweep(f->path);
        rmdir(f->path);
    }
    if (f->lock >= 0)
        close(f->lock);
    free(f->path);
}
