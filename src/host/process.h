/* Running another program: arguments, its output, its end.
 *
 * words    a growable list of arguments; the list owns copies
 * A program is started without a shell; its standard input is empty. */
#ifndef WW_HOST_PROCESS_H
#define WW_HOST_PROCESS_H

#include "base/error.h"
#include "base/memory.h"
#include "host/interrupt.h"

#include <stdbool.h>

typedef WW_VEC(char *) ww_words;

void ww_words_add(ww_words *words, const char *word);
void ww_words_add_all(ww_words *words, const char *const *list); /* up to a NULL */
void ww_words_free(ww_words *words);

/* Splits text into words as a shell does with blanks, '...', "..." and \, without expansions.
 * Appends to `words`. */
int ww_words_split(ww_words *words, const char *text, ww_where at, ww_errors *errors);

typedef struct ww_process_result {
    char *output; /* standard output, NUL-terminated */
    size_t output_size;
    char *messages; /* standard error, NUL-terminated */
    int status;     /* exit status; 128 + signal when a signal ended it */
} ww_process_result;

/* Runs words[0] (a path or a name in PATH) to its end and keeps what it wrote. WW_FAILED when it
 * cannot be started, when SIGINT ended it, or when a signal waits in `hold`: the program is told to
 * end, then. A nonzero exit status is not an error here. Free the result in all cases. */
int ww_process_run(const ww_words *words, const ww_hold *hold, ww_process_result *result,
                   ww_errors *errors);
void ww_process_result_free(ww_process_result *result);

/* The path of an executable: `name` itself when it has a slash, else searched in PATH. The caller
 * frees it. NULL when there is none. */
char *ww_process_find(const char *name);

#endif
