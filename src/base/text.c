#include "base/text.h"

#include "base/embedded.h"
#include "base/memory.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define LONGEST_NAME 64
#define SHORTEST_START 3 /* letters by which a name is known */

static int lower(char letter)
{
    return tolower((unsigned char)letter);
}

/* Case does not count. */
static size_t edit_distance(const char *a, const char *b)
{
    size_t rows = strlen(a), columns = strlen(b);
    size_t distance[LONGEST_NAME + 1];
    if (rows > LONGEST_NAME || columns > LONGEST_NAME)
        return SIZE_MAX;
    for (size_t j = 0; j <= columns; j++)
        distance[j] = j;
    for (size_t i = 1; i <= rows; i++) {
        size_t diagonal = distance[0];
        distance[0] = i;
        for (size_t j = 1; j <= columns; j++) {
            size_t replaced = diagonal + (lower(a[i - 1]) != lower(b[j - 1]));
            diagonal = distance[j];
            size_t shorter = distance[j - 1] < diagonal ? distance[j - 1] : diagonal;
            distance[j] = replaced <= shorter ? replaced : shorter + 1;
        }
    }
    return distance[columns];
}

const char *ww_nearest_within(const char *word, size_t most, const char *const *names, size_t count)
{
    const char *best = NULL;
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        size_t d = edit_distance(word, names[i]);
        if (d < least && d <= most && d <= (strlen(names[i]) + 2) / 3) {
            least = d;
            best = names[i];
        }
    }
    return best;
}

/* The first name that starts with the word. */
static const char *find_start(const char *word, const char *const *names, size_t count)
{
    size_t length = strlen(word);
    for (size_t i = 0; i < count && length >= SHORTEST_START; i++)
        if (strncasecmp(word, names[i], length) == 0)
            return names[i];
    return NULL;
}

const char *ww_nearest(const char *word, const char *const *names, size_t count)
{
    const char *near = ww_nearest_within(word, SIZE_MAX, names, count);
    return near ? near : find_start(word, names, count);
}

static int base_of(const char *digits)
{
    return digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X') ? 16 : 10;
}

bool ww_parse_u64(const char *text, uint64_t *value)
{
    char *end;
    if (!isdigit((unsigned char)text[0]))
        return false;
    errno = 0;
    unsigned long long v = strtoull(text, &end, base_of(text));
    if (errno || *end)
        return false;
    *value = v;
    return true;
}

bool ww_parse_i64(const char *text, int64_t *value)
{
    uint64_t magnitude;
    bool negative = text[0] == '-';
    if (!ww_parse_u64(text + negative, &magnitude))
        return false;
    if (magnitude > (uint64_t)INT64_MAX + negative)
        return false;
    *value = negative ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
    return true;
}

bool ww_parse_double(const char *text, double *value)
{
    char *end;
    if (!*text || isspace((unsigned char)*text))
        return false;
    locale_t c_locale = newlocale(LC_ALL_MASK, "C", NULL);
    *value = strtod_l(text, &end, c_locale);
    freelocale(c_locale);
    return !*end;
}

/* Stops when there is more than `most`. */
static int read_stream(FILE *in, size_t most, char **bytes, size_t *count)
{
    size_t capacity = 65536;
    *bytes = ww_calloc(capacity + 1, 1);
    *count = 0;
    size_t got;
    while (*count <= most && (got = fread(*bytes + *count, 1, capacity - *count, in)) > 0) {
        *count += got;
        if (*count == capacity) {
            capacity *= 2;
            *bytes = ww_realloc(*bytes, capacity + 1, 1);
        }
    }
    (*bytes)[*count] = 0;
    return ferror(in);
}

static int read_embedded(const char *path, ww_where at, char **bytes, size_t *count,
                         ww_errors *errors)
{
    const ww_embedded *file = ww_embedded_find(ww_builtin_path(path));
    if (!file)
        return ww_fail(errors, WW_BAD_INPUT, at, "cannot read '%s': no such file in this program",
                       path);
    *bytes = ww_calloc(file->size + 1, 1);
    *count = file->size;
    memcpy(*bytes, file->bytes, file->size);
    return WW_OK;
}

static int fail_long(const char *path, ww_where at, uint64_t count, size_t most, ww_errors *errors)
{
    return ww_fail(errors, WW_BAD_INPUT, at, "'%s' has %" PRIu64 " bytes (at most %zu)", path,
                   count, most);
}

int ww_read_file_up_to(const char *path, size_t most, ww_where at, char **bytes, size_t *count,
                       ww_errors *errors)
{
    struct stat info = {0};
    *bytes = NULL;
    *count = 0;
    if (ww_builtin_path(path))
        return read_embedded(path, at, bytes, count, errors);
    /* Before it is opened, because opening a FIFO waits for a writer. */
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode))
        return ww_fail(errors, WW_BAD_INPUT, at, "'%s' is not a regular file", path);
    if ((uint64_t)info.st_size > most)
        return fail_long(path, at, (uint64_t)info.st_size, most, errors);
    FILE *in = fopen(path, "rb");
    if (!in)
        return ww_fail(errors, WW_BAD_INPUT, at, "cannot read '%s': %s", path, strerror(errno));
    int failed = read_stream(in, most, bytes, count);
    int reason = errno;
    fclose(in);
    if (!failed && *count <= most)
        return WW_OK;
    free(*bytes);
    *bytes = NULL;
    if (!failed) /* the file has more bytes than its size, as files of /proc do */
        return fail_long(path, at, *count, most, errors);
    return ww_fail(errors, WW_BAD_INPUT, at, "cannot read '%s': %s", path, strerror(reason));
}

int ww_read_file(const char *path, ww_where at, char **bytes, size_t *count, ww_errors *errors)
{
    size_t memory = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    return ww_read_file_up_to(path, memory / 2, at, bytes, count, errors);
}

static bool write_stream(const char *path, const void *bytes, size_t count, mode_t mode)
{
    FILE *out = fopen(path, "wb");
    bool ok = out && fwrite(bytes, 1, count, out) == count;
    if (out && mode)
        ok = fchmod(fileno(out), mode) == 0 && ok;
    if (out)
        ok = fclose(out) == 0 && ok;
    return ok;
}

static char *temporary_name(const char *path)
{
    return ww_format("%s.%ld.tmp", path, (long)getpid());
}

/* Creates a file, or replaces an old one of this mode (0: no old file). */
static bool replace_file(const char *path, const void *bytes, size_t count, mode_t mode)
{
    char *temporary = temporary_name(path);
    bool ok = write_stream(temporary, bytes, count, mode) && rename(temporary, path) == 0;
    int reason = errno;
    if (!ok)
        unlink(temporary);
    free(temporary);
    errno = reason;
    return ok;
}

int ww_write_file(const char *path, const void *bytes, size_t count, ww_errors *errors)
{
    struct stat info;
    bool exists = stat(path, &info) == 0;
    char *behind_links = exists ? realpath(path, NULL) : NULL;
    bool ok;
    if (exists && !S_ISREG(info.st_mode)) /* a device or a pipe is not to be replaced */
        ok = write_stream(path, bytes, count, 0);
    else
        ok = replace_file(behind_links ? behind_links : path, bytes, count,
                          exists ? info.st_mode & 07777 : 0);
    int reason = errno;
    free(behind_links);
    if (ok)
        return WW_OK;
    return ww_fail(errors, WW_FAILED, WW_NOWHERE, "cannot write '%s': %s", path, strerror(reason));
}

static bool can_be_replaced(const char *path)
{
    char *temporary = temporary_name(path);
    bool ok = write_stream(temporary, "", 0, 0);
    int reason = errno;
    if (ok)
        unlink(temporary);
    free(temporary);
    errno = reason;
    return ok;
}

int ww_check_writable(const char *path, ww_errors *errors)
{
    struct stat info;
    bool exists = stat(path, &info) == 0;
    size_t length = strlen(path);
    char *behind_links = exists ? realpath(path, NULL) : NULL;
    bool ok = false;
    if ((exists && S_ISDIR(info.st_mode)) || (length && path[length - 1] == '/'))
        errno = EISDIR;
    else if (exists && !S_ISREG(info.st_mode))
        ok = access(path, W_OK) == 0;
    else if (length)
        ok = can_be_replaced(behind_links ? behind_links : path);
    int reason = errno;
    free(behind_links);
    if (ok)
        return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE, "cannot write '%s': %s", path,
                   strerror(reason));
}

bool ww_make_folders(const char *path)
{
    struct stat info;
    char *part = ww_strdup(path);
    for (char *slash = part; *slash && (slash = strchr(slash + 1, '/'));) {
        *slash = 0;
        mkdir(part, 0777);
        *slash = '/';
    }
    free(part);
    if (mkdir(path, 0777) == 0)
        return true;
    int reason = errno;
    bool there = stat(path, &info) == 0 && S_ISDIR(info.st_mode);
    errno = reason;
    return there;
}

void ww_make_plain(char *text)
{
    for (unsigned char *c = (unsigned char *)text; *c; c++) {
        if (c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0) /* U+0080 to U+009F */
            c[0] = c[1] = '?';
        else if ((*c < ' ' && *c != '\n' && *c != '\t') || *c == 127)
            *c = '?';
    }
}

bool ww_parse_launches(const char *text, uint64_t *first, uint64_t *last)
{
    char *copy = ww_strdup(strncmp(text, "launch ", 7) == 0 ? text + 7 : "");
    char *dots = strstr(copy, "..");
    if (dots)
        *dots = 0;
    bool right = ww_parse_u64(copy, first) && *first > 0;
    *last = dots ? UINT64_MAX : *first;
    if (dots && dots[2])
        right = right && ww_parse_u64(dots + 2, last);
    free(copy);
    return right && *first <= *last;
}
