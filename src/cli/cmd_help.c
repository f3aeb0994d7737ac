#include "cli/command.h"

static const ww_option option_man = {0, "man", NULL, "the manual page warpwalk(1), in man's macros",
                                     false};

static int run(const ww_arguments *arguments, ww_errors *errors)
{
    if (ww_arguments_has(arguments, &option_man)) {
        ww_help_write_man(stdout);
        return WW_OK;
    }
    size_t width = ww_arguments_width(arguments);
    if (arguments->word_count == 0) {
        ww_help_write_overview(width, stdout);
        return WW_OK;
    }
    const ww_command *command = ww_command_find(arguments->words[0], errors);
    if (!command)
        return WW_BAD_INPUT;
    ww_help_write(command, width, stdout);
    return WW_OK;
}

static const ww_option *const options_of_help[] = {&option_man, NULL};

extern const ww_command ww_command_help;
const ww_command ww_command_help = {
    .name = "help",
    .doc = "explain a command",
    .usage = "[COMMAND]",
    .options = options_of_help,
    .most_words = 1,
    .words_doc = "a command",
    .help = "Without a command it shows them all. 'warpwalk COMMAND --help' does the same.",
    .examples =
        (const ww_example[]){{"warpwalk help run", "a command with its options and examples"},
                             {"warpwalk help --man", "all of them, for 'man -l -'"},
                             {NULL, NULL}},
    .run = run,
};
