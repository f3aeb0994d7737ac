/* Help on a terminal. */
#include "base/fold.h"
#include "base/memory.h"
#include "cli/command.h"

#include <stdlib.h>
#include <string.h>

#define NAME_WIDTH 10
#define OPTION_WIDTH 28

const ww_example ww_first_examples[] = {
    {"warpwalk run atax -m apu-isca18", "where did the time go?"},
    {"warpwalk list workloads", "what else can be run?"},
    {"warpwalk study first", "what do page walks cost? (a minute)"},
    {"warpwalk help run", "a command with its options and examples"},
    {NULL, NULL}};

char *ww_option_text(const ww_option *option)
{
    char letter[] = {'-', option->letter, ',', ' ', 0};
    bool apart = option->argument && option->argument[0] != '[';
    return ww_format("%s--%s%s%s", option->letter ? letter : "    ", option->name, apart ? " " : "",
                     option->argument ? option->argument : "");
}

/* "  left   text", the text in a column of its own. */
static void write_entry(const char *left, size_t left_width, const char *text, size_t width,
                        FILE *out)
{
    int used = fprintf(out, "  %-*s ", (int)left_width, left);
    ww_fold_write(text, (size_t)used, left_width + 3, width, out);
    fputc('\n', out);
}

/* A line that can be copied, so it is not folded, and below it what it answers. */
static void write_examples(const char *heading, const ww_example *examples, FILE *out)
{
    fprintf(out, "\n%s:\n", heading);
    for (; examples->line; examples++)
        fprintf(out, "  %s\n      %s\n", examples->line, examples->doc);
}

static void write_paragraphs(const char *text, size_t width, FILE *out)
{
    while (*text) {
        size_t count = strcspn(text, "\n");
        fputc('\n', out);
        ww_fold_line(out, width, 0, "%.*s", (int)count, text);
        text += count + (text[count] == '\n');
    }
}

void ww_help_write_overview(size_t width, FILE *out)
{
    size_t count;
    const ww_command *const *commands = ww_commands(&count);
    ww_fold_line(out, width, 0, "warpwalk %s: %s", WW_VERSION, WW_PROGRAM_DOC);
    fputs("\nusage: warpwalk COMMAND [arguments]\n\ncommands:\n", out);
    for (size_t i = 0; i < count; i++)
        write_entry(commands[i]->name, NAME_WIDTH, commands[i]->doc, width, out);
    write_examples("try", ww_first_examples, out);
    write_paragraphs("'warpwalk help COMMAND' or 'warpwalk COMMAND --help' explains a command with "
                     "examples; 'warpwalk --version' shows the version.\n"
                     "Exit status: 0 it worked; 1 the simulated program or the run is at fault; 2 "
                     "the input is wrong.",
                     width, out);
}

static void write_option(const ww_option *option, size_t width, FILE *out)
{
    char *text = ww_option_text(option);
    write_entry(text, OPTION_WIDTH, option->doc, width, out);
    free(text);
}

void ww_help_write(const ww_command *command, size_t width, FILE *out)
{
    ww_fold_line(out, width, 0, "warpwalk %s: %s", command->name, command->doc);
    fprintf(out, "\nusage: warpwalk %s %s\n\noptions:\n", command->name, command->usage);
    for (size_t i = 0; command->options && command->options[i]; i++)
        write_option(command->options[i], width, out);
    write_option(&ww_option_help, width, out);
    write_paragraphs(command->help, width, out);
    write_examples("examples", command->examples, out);
}
