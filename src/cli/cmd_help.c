#include "cli/command.h"

static int run(const ww_arguments *arguments, ww_errors *errors)
{
    if (arguments->word_count == 0) {
        ww_command_write_overview(stdout);
        return WW_OK;
    }
    const ww_command *command = ww_command_find(arguments->words[0], errors);
    if (!command)
        return WW_BAD_INPUT;
    ww_command_write_help(command, stdout);
    return WW_OK;
}

extern const ww_command ww_command_help;
const ww_command ww_command_help = {
    .name = "help",
    .doc = "explain a command",
    .usage = "[COMMAND]",
    .most_words = 1,
    .words_doc = "a command",
    .help = "Without a command it shows them all. 'warpwalk COMMAND --help' does the same.\n"
            "\n"
            "examples:\n"
            "  warpwalk help list\n",
    .run = run,
};
