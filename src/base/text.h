/* Text: the nearest name for a misspelt one, strict numbers, whole files and folders. */
#ifndef WW_BASE_TEXT_H
#define WW_BASE_TEXT_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

/* The candidate a user most likely meant, or NULL when none is close (edit distance at most a third
 * of its length, in any case; else one that starts with the word; ties go to the first). */
const char *ww_nearest(const char *word, const char *const *names, size_t count);
/* By edit distance alone, of `most` at most. */
const char *ww_nearest_within(const char *word, size_t most, const char *const *names,
                              size_t count);

/* Whole-string conversions: decimal or 0x hexadecimal; false on overflow, junk or emptiness. */
bool ww_parse_u64(const char *text, uint64_t *value);
/* "launch 3..5", "launch 3" or "launch 3..": the launches, counted from 1. */
bool ww_parse_launches(const char *text, uint64_t *first, uint64_t *last);
bool ww_parse_i64(const char *text, int64_t *value);
bool ww_parse_double(const char *text, double *value); /* the C locale's syntax, always */

/* Reads a whole regular file into a new NUL-terminated buffer that the caller frees. `at` is the
 * location that names the file, for the error. Paths of the program's own files: embedded.h. Files
 * of more than half of the host's memory are refused. */
int ww_read_file(const char *path, ww_where at, char **bytes, size_t *count, ww_errors *errors);
/* The same with a limit in bytes. */
int ww_read_file_up_to(const char *path, size_t most, ww_where at, char **bytes, size_t *count,
                       ww_errors *errors);
/* Writes through a temporary file and a rename, so that a reader never sees half a file. Links are
 * followed, an old file's mode is kept, devices and pipes are written to as they are. */
int ww_write_file(const char *path, const void *bytes, size_t count, ww_errors *errors);
/* Whether ww_write_file can be expected to work, found without changing an old file: for a result
 * that takes long. WW_BAD_INPUT with the line that ww_write_file would give. */
int ww_check_writable(const char *path, ww_errors *errors);

/* Makes text safe for a terminal: replaces control characters other than line ends and tabs by '?',
 * in place. */
void ww_make_plain(char *text);

/* Makes a folder and its parents, if they do not exist; false with errno. */
bool ww_make_folders(const char *path);

#endif
