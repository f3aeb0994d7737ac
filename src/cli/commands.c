#include "base/text.h"
#include "cli/command.h"

#include <string.h>

/* One line for each src/cli/cmd_*.c, in the order of help. */
#define COMMANDS(X) \
    X(run)          \
    X(exec)         \
    X(why)          \
    X(study)        \
    X(sweep)        \
    X(report)       \
    X(compare)      \
    X(inspect)      \
    X(list)         \
    X(help)

#define DECLARE(name) extern const ww_command ww_command_##name;
COMMANDS(DECLARE)

#define LIST(name) &ww_command_##name,
static const ww_command *const commands[] = {COMMANDS(LIST)};
#define COMMAND_COUNT (sizeof(commands) / sizeof(commands[0]))

const ww_command *const *ww_commands(size_t *count)
{
    *count = COMMAND_COUNT;
    return commands;
}

const ww_command *ww_command_find(const char *name, ww_errors *errors)
{
    const char *names[COMMAND_COUNT];
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
        names[i] = commands[i]->name;
    }
    const char *near = ww_nearest(name, names, COMMAND_COUNT);
    if (near)
        ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE, "unknown command '%.60s' (did you mean '%s'?)",
                name, near);
    else
        ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                "unknown command '%.60s' ('warpwalk --help' shows the commands)", name);
    return NULL;
}

void ww_command_write_overview(FILE *out)
{
    fputs("warpwalk " WW_VERSION ": runs GPU kernels (OpenCL C, CUDA C, PTX) without a GPU\n\n"
          "usage: warpwalk COMMAND [arguments]\n\n"
          "commands:\n",
          out);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        fprintf(out, "  %-10s %s\n", commands[i]->name, commands[i]->doc);
    fputs(
        "\n"
        "'warpwalk help COMMAND' explains a command with examples; 'warpwalk --version' shows the "
        "version.\n"
        "Exit status: 0 it worked; 1 the simulated program or the run is at fault; 2 the input "
        "is wrong.\n",
        out);
}

static void write_option(const ww_option *option, FILE *out)
{
    char left[80];
    snprintf(left, sizeof(left), "%c%c%s--%s%s%s", option->letter ? '-' : ' ',
             option->letter ? option->letter : ' ', option->letter ? ", " : "  ", option->name,
             option->argument ? " " : "", option->argument ? option->argument : "");
    fprintf(out, "  %-28s %s\n", left, option->doc);
}

void ww_command_write_help(const ww_command *command, FILE *out)
{
    fprintf(out, "warpwalk %s: %s\n\nusage: warpwalk %s %s\n\noptions:\n", command->name,
            command->doc, command->name, command->usage);
    for (size_t i = 0; command->options && command->options[i]; i++)
        write_option(command->options[i], out);
    write_option(&ww_option_help, out);
    fprintf(out, "\n%s", command->help);
}
