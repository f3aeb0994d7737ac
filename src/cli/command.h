/* Commands of the program, their options, and the arguments a user gave.
 *
 * command    the first word after `warpwalk`; it has a line in the table of commands.c
 * option     -m VALUE, --machine VALUE or --machine=VALUE; a flag has no value
 * words      the arguments that are neither options nor their values
 * A wrong argument is one line and status 2; it names the nearest right one. */
#ifndef WW_CLI_COMMAND_H
#define WW_CLI_COMMAND_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct ww_option {
    char letter;          /* 0: none */
    const char *name;     /* without the dashes */
    const char *argument; /* how the value is called in help; NULL for a flag; "[=...]": it may be
                             left out, and comes after '=' */
    const char *doc;
    bool repeatable; /* with another value each time; a flag always is */
} ww_option;

typedef struct ww_given {
    const ww_option *option;
    const char *value; /* NULL for a flag */
} ww_given;

typedef struct ww_arguments {
    const char **words;
    size_t word_count;
    ww_given *given; /* in the order of the command line */
    size_t given_count;
} ww_arguments;

typedef struct ww_example {
    const char *line; /* as a user types it, in the folder of the source tree; NULL ends a list */
    const char *doc;  /* what it answers */
} ww_example;

typedef struct ww_command {
    const char *name;
    const char *doc;                 /* one line */
    const char *usage;               /* after the name: "WORKLOAD [options]" */
    const ww_option *const *options; /* ended by NULL; help is added to every command */
    size_t least_words, most_words;
    const char *words_doc; /* what the words are, for the error: "a workload" */
    const char *help;      /* paragraphs with a newline between them; they are folded when shown */
    const ww_example *examples;
    int (*run)(const ww_arguments *arguments, ww_errors *errors);
} ww_command;

/* All commands, in the order of help. */
const ww_command *const *ww_commands(size_t *count);
/* NULL with an error that names the nearest. */
const ww_command *ww_command_find(const char *name, ww_errors *errors);

/* Help for people, in lines of this width (base/fold.h). */
void ww_help_write_overview(size_t width, FILE *out); /* warpwalk --help */
void ww_help_write(const ww_command *command, size_t width, FILE *out);
/* The same of all commands as a manual page, in man's macros. */
void ww_help_write_man(FILE *out);

/* What help and the manual page share. */
#define WW_PROGRAM_DOC "simulates how a GPU moves data, with real kernels and without a GPU"
extern const ww_example ww_first_examples[];
/* "-m, --machine MACHINE"; an option without a letter is indented as far. The caller frees it. */
char *ww_option_text(const ww_option *option);

/* Sorts what follows the command's name into options and words. The strings are not copied. Free
 * with ww_arguments_clear, also after an error. */
int ww_arguments_parse(const ww_command *command, int argc, char **argv, ww_arguments *arguments,
                       ww_errors *errors);
void ww_arguments_clear(ww_arguments *arguments);

extern const ww_option ww_option_help;
extern const ww_option ww_option_wide; /* --wide: lines are not folded, no column is left out */

bool ww_arguments_has(const ww_arguments *arguments, const ww_option *option);
/* The value given (of a repeatable option: last), or NULL. */
const char *ww_arguments_value(const ww_arguments *arguments, const ww_option *option);
/* How wide a line on standard output is (base/fold.h). */
size_t ww_arguments_width(const ww_arguments *arguments);

#endif
