#include "base/fold.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/command.h"

#include <stdlib.h>
#include <string.h>

#define MOST_OPTIONS 32

const ww_option ww_option_help = {'h', "help", NULL, "show this text", false};
const ww_option ww_option_wide = {
    0, "wide", NULL, "all columns, lines as long as they are (default: as wide as the terminal)",
    false};

/* All options of a command, with --help behind them. */
static size_t options_of(const ww_command *command, const ww_option *options[MOST_OPTIONS])
{
    size_t count = 0;
    while (command->options && command->options[count] && count < MOST_OPTIONS - 1) {
        options[count] = command->options[count];
        count++;
    }
    options[count++] = &ww_option_help;
    return count;
}

static int fail_unknown(const ww_command *command, const char *text, size_t length,
                        ww_errors *errors)
{
    const ww_option *options[MOST_OPTIONS];
    const char *names[MOST_OPTIONS];
    size_t count = options_of(command, options);
    for (size_t i = 0; i < count; i++)
        names[i] = options[i]->name;
    char *name = strndup(text, length);
    if (!name)
        ww_out_of_memory(length);
    const char *near = ww_nearest(name + strspn(name, "-"), names, count);
    if (near)
        ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE, "unknown option '%s' (did you mean '--%s'?)",
                name, near);
    else
        ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                "unknown option '%s' ('warpwalk help %s' shows the options)", name, command->name);
    free(name);
    return WW_BAD_INPUT;
}

static const ww_option *find_long(const ww_command *command, const char *name, size_t length)
{
    const ww_option *options[MOST_OPTIONS];
    size_t count = options_of(command, options);
    for (size_t i = 0; i < count; i++)
        if (strlen(options[i]->name) == length && memcmp(options[i]->name, name, length) == 0)
            return options[i];
    return NULL;
}

static const ww_option *find_letter(const ww_command *command, char letter)
{
    const ww_option *options[MOST_OPTIONS];
    size_t count = options_of(command, options);
    for (size_t i = 0; i < count; i++)
        if (options[i]->letter == letter)
            return options[i];
    return NULL;
}

static void add_given(ww_arguments *arguments, const ww_option *option, const char *value)
{
    arguments->given[arguments->given_count++] = (ww_given){option, value};
}

/* Reads an option and its value from argv[0] (and argv[1]); *taken is how many it consumed. */
static int parse_option(const ww_command *command, char **argv, int argc, ww_arguments *arguments,
                        int *taken, ww_errors *errors)
{
    const char *text = argv[0], *attached = NULL;
    size_t length = strcspn(text, "=");
    const ww_option *option;
    if (text[1] == '-') {
        option = find_long(command, text + 2, length - 2);
        attached = text[length] ? text + length + 1 : NULL;
    } else {
        option = find_letter(command, text[1]);
        attached = text[2] ? text + 2 : NULL;
    }
    if (!option)
        return fail_unknown(command, text, length, errors);
    *taken = option->argument && option->argument[0] != '[' && !attached ? 2 : 1;
    if (!option->argument && attached)
        return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE, "option --%s takes no value",
                       option->name);
    if (*taken > argc)
        return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE, "option --%s needs a value: %s",
                       option->name, option->argument);
    if (option->argument && !option->repeatable && ww_arguments_has(arguments, option))
        return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE, "option --%s is given twice",
                       option->name);
    add_given(arguments, option, *taken == 2 ? argv[1] : attached);
    return WW_OK;
}

static int check_word_count(const ww_command *command, const ww_arguments *arguments,
                            ww_errors *errors)
{
    size_t count = arguments->word_count;
    if (ww_arguments_has(arguments, &ww_option_help))
        return WW_OK;
    if (count < command->least_words)
        return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                       "%s needs %s ('warpwalk help %s' explains)", command->name,
                       command->words_doc, command->name);
    if (count > command->most_words)
        return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                       "'%s' is one argument too many (usage: warpwalk %s %s)",
                       arguments->words[command->most_words], command->name, command->usage);
    return WW_OK;
}

int ww_arguments_parse(const ww_command *command, int argc, char **argv, ww_arguments *arguments,
                       ww_errors *errors)
{
    int status = WW_OK, taken = 1;
    bool only_words = false;
    *arguments = (ww_arguments){.words = ww_calloc((size_t)argc + 1, sizeof(char *)),
                                .given = ww_calloc((size_t)argc + 1, sizeof(ww_given))};
    for (int i = 0; i < argc && !status; i += taken) {
        taken = 1;
        if (!only_words && strcmp(argv[i], "--") == 0)
            only_words = true;
        else if (!only_words && argv[i][0] == '-' && argv[i][1])
            status = parse_option(command, argv + i, argc - i, arguments, &taken, errors);
        else
            arguments->words[arguments->word_count++] = argv[i];
    }
    return status ? status : check_word_count(command, arguments, errors);
}

void ww_arguments_clear(ww_arguments *arguments)
{
    free(arguments->words);
    free(arguments->given);
    *arguments = (ww_arguments){0};
}

bool ww_arguments_has(const ww_arguments *arguments, const ww_option *option)
{
    for (size_t i = 0; i < arguments->given_count; i++)
        if (arguments->given[i].option == option)
            return true;
    return false;
}

const char *ww_arguments_value(const ww_arguments *arguments, const ww_option *option)
{
    const char *value = NULL;
    for (size_t i = 0; i < arguments->given_count; i++)
        if (arguments->given[i].option == option)
            value = arguments->given[i].value;
    return value;
}

size_t ww_arguments_width(const ww_arguments *arguments)
{
    return ww_arguments_has(arguments, &ww_option_wide) ? WW_ANY_WIDTH : ww_fold_width(stdout);
}
