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
    const char *argument; /* how the value is called in help; NULL for a flag */
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

typedef struct ww_command {
    const char *name;
    const char *doc;                 /* one line */
    const char *usage;               /* after the name: "WORKLOAD [options]" */
    const ww_option *const *options; /* ended by NULL; help is added to every command */
    size_t least_words, most_words;
    const char *words_doc; /* what the words are, for the error: "a workload" */
    const char *help;      /* paragraphs and examples, each line ended by a newline */
    int (*run)(const ww_arguments *arguments, ww_errors *errors);
} ww_command;

/* All commands, in the order of help. */
const ww_command *const *ww_commands(size_t *count);
/* NULL with an error that names the nearest. */
const ww_command *ww_command_find(const char *name, ww_errors *errors);

void ww_command_write_overview(FILE *out); /* warpwalk --help */
void ww_command_write_help(const ww_command *command, FILE *out);

/* Sorts what follows the command's name into options and words. The strings are not copied. Free
 * with ww_arguments_clear, also after an error. */
int ww_arguments_parse(const ww_command *command, int argc, char **argv, ww_arguments *arguments,
                       ww_errors *errors);
void ww_arguments_clear(ww_arguments *arguments);

extern const ww_option ww_option_help;

bool ww_arguments_has(const ww_arguments *arguments, const ww_option *option);
/* The value given (of a repeatable option: last), or NULL. */
const char *ww_arguments_value(const ww_arguments *arguments, const ww_option *option);

#endif
