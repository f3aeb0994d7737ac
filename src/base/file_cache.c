#include "base/file_cache.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <zstd.h>

#define MAGIC UINT64_C(0x3130656863617777) /* "wwcache1"; each format has its own */
#define MOST_CONTENT (UINT64_C(1) << 30)

struct ww_file_cache {
    char *folder; /* NULL: off */
    const char *what;
    FILE *log;
};

typedef struct header {
    uint64_t magic;
    uint64_t key[2];
    uint64_t length; /* of the content, uncompressed */
    uint64_t hash;   /* of the content */
} header;

static char *join(const char *folder, const char *name)
{
    return ww_format("%s/%s", folder, name);
}

static char *default_folder(void)
{
    const char *base = getenv("XDG_CACHE_HOME");
    if (base && base[0] == '/')
        return join(base, "warpwalk");
    const char *home = getenv("HOME");
    return home && home[0] == '/' ? join(home, ".cache/warpwalk") : NULL;
}

ww_file_cache *ww_file_cache_create(const char *folder, const char *what, FILE *log)
{
    ww_file_cache *cache = ww_calloc(1, sizeof(*cache));
    cache->what = what;
    cache->log = log;
    if (!folder)
        cache->folder = default_folder();
    else if (folder[0])
        cache->folder = ww_strdup(folder);
    return cache;
}

void ww_file_cache_destroy(ww_file_cache *cache)
{
    if (!cache)
        return;
    free(cache->folder);
    free(cache);
}

char *ww_file_cache_path(const ww_file_cache *cache, ww_hash128 key)
{
    char name[48];
    snprintf(name, sizeof(name), "%016" PRIx64 "%016" PRIx64 ".ww", key.words[0], key.words[1]);
    return cache->folder ? join(cache->folder, name) : NULL;
}

/* The content of an entry's bytes, or NULL when they are not what was stored under the key. */
static char *decode(const char *bytes, size_t count, ww_hash128 key, size_t *length)
{
    header head;
    if (count < sizeof(head))
        return NULL;
    memcpy(&head, bytes, sizeof(head));
    if (head.magic != MAGIC || memcmp(head.key, key.words, sizeof(head.key)) != 0 ||
        head.length > MOST_CONTENT)
        return NULL;
    char *content = ww_calloc(head.length + 1, 1);
    size_t got = ZSTD_decompress(content, head.length, bytes + sizeof(head), count - sizeof(head));
    if (ZSTD_isError(got) || got != head.length || ww_hash64(content, got, 0) != head.hash) {
        free(content);
        return NULL;
    }
    *length = got;
    return content;
}

char *ww_file_cache_get(const ww_file_cache *cache, ww_hash128 key, size_t *count)
{
    char *path = ww_file_cache_path(cache, key);
    if (!path)
        return NULL;
    ww_errors *ignored = ww_errors_create();
    char *bytes = NULL;
    size_t size = 0;
    char *content = NULL;
    struct stat info;
    if (stat(path, &info) == 0 && S_ISREG(info.st_mode) &&
        ww_read_file(path, WW_NOWHERE, &bytes, &size, ignored) == WW_OK)
        content = decode(bytes, size, key, count);
    free(bytes);
    free(path);
    ww_errors_destroy(ignored);
    return content;
}

static void turn_off(ww_file_cache *cache, const char *why)
{
    if (cache->log)
        fprintf(cache->log, "note: %s are not cached in '%s': %s\n", cache->what, cache->folder,
                why);
    free(cache->folder);
    cache->folder = NULL;
}

void ww_file_cache_put(ww_file_cache *cache, ww_hash128 key, const void *bytes, size_t count)
{
    if (!cache->folder || count > MOST_CONTENT)
        return;
    if (!ww_make_folders(cache->folder)) {
        turn_off(cache, strerror(errno));
        return;
    }
    size_t bound = ZSTD_compressBound(count);
    char *entry = ww_calloc(sizeof(header) + bound, 1);
    header head = {MAGIC, {key.words[0], key.words[1]}, count, ww_hash64(bytes, count, 0)};
    memcpy(entry, &head, sizeof(head));
    size_t packed = ZSTD_compress(entry + sizeof(head), bound, bytes, count, 3);
    char *path = ww_file_cache_path(cache, key);
    ww_errors *errors = ww_errors_create();
    if (!ZSTD_isError(packed) && ww_write_file(path, entry, sizeof(head) + packed, errors) != WW_OK)
        turn_off(cache, ww_errors_line(errors, 0));
    ww_errors_destroy(errors);
    free(path);
    free(entry);
}
