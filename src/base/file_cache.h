/* Caches in a folder: results that took long, found by a hash of what they were made from.
 *
 * key     128 bits of hash over everything that the content depends on
 * entry   one file: header (magic, key, length, hash of the content) and the content, compressed
 * A damaged, truncated or foreign entry counts as absent. Entries appear whole by a rename, so any
 * number of processes can share the folder and be killed at any time. */
#ifndef WW_BASE_FILE_CACHE_H
#define WW_BASE_FILE_CACHE_H

#include "base/hash.h"

#include <stdio.h>

typedef struct ww_file_cache ww_file_cache;

/* `folder` NULL: $XDG_CACHE_HOME/warpwalk, else ~/.cache/warpwalk. "" turns the cache off. The
 * folder is made when the first entry is stored; when that fails, one note goes to `log` (if any)
 * and the cache stays off. `what` names the content in the note: "kernels"; it is not copied. */
ww_file_cache *ww_file_cache_create(const char *folder, const char *what, FILE *log);
void ww_file_cache_destroy(ww_file_cache *cache);

/* A NUL-terminated copy of the content, which the caller frees; NULL when there is none. */
char *ww_file_cache_get(const ww_file_cache *cache, ww_hash128 key, size_t *count);
void ww_file_cache_put(ww_file_cache *cache, ww_hash128 key, const void *bytes, size_t count);
/* The file of an entry, for tests and messages; the caller frees it; NULL when off. */
char *ww_file_cache_path(const ww_file_cache *cache, ww_hash128 key);

#endif
