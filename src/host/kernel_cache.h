/* The kernel cache: results of compilations in a folder, found by the content that led to them.
 *
 * key     128 bits of hash over everything that the result depends on
 * entry   one file: header (magic, key, length, hash of the content) and the content, compressed
 * A damaged, truncated or foreign entry counts as absent. Entries appear whole by a rename, so any
 * number of processes can share the folder and be killed at any time. */
#ifndef WW_HOST_KERNEL_CACHE_H
#define WW_HOST_KERNEL_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct ww_kernel_cache ww_kernel_cache;

typedef struct ww_kernel_cache_key {
    uint64_t words[2];
} ww_kernel_cache_key;

/* Adds bytes (with their length) to a key that started as {{0}}. */
void ww_kernel_cache_key_add(ww_kernel_cache_key *key, const void *bytes, size_t count);
void ww_kernel_cache_key_add_text(ww_kernel_cache_key *key, const char *text);

/* `folder` NULL: $XDG_CACHE_HOME/warpwalk, else ~/.cache/warpwalk. "" turns the cache off. The
 * folder is made when the first entry is stored; when that fails, one note goes to `log` (if any)
 * and the cache stays off. */
ww_kernel_cache *ww_kernel_cache_create(const char *folder, FILE *log);
void ww_kernel_cache_destroy(ww_kernel_cache *cache);

/* A NUL-terminated copy of the content, which the caller frees; NULL when there is none. */
char *ww_kernel_cache_get(const ww_kernel_cache *cache, ww_kernel_cache_key key, size_t *count);
void ww_kernel_cache_put(ww_kernel_cache *cache, ww_kernel_cache_key key, const void *bytes,
                         size_t count);
/* The file of an entry, for tests and messages; the caller frees it; NULL when off. */
char *ww_kernel_cache_path(const ww_kernel_cache *cache, ww_kernel_cache_key key);

#endif
