/* Help as a manual page: the same texts in the macros of man(7). */
#include "cli/command.h"

#include <stdlib.h>
#include <string.h>

/* A text as roff has it: a hyphen that can be copied, no escape, no line that starts like a
 * request. */
static void write_text(const char *text, FILE *out)
{
    if (*text == '.' || *text == '\'')
        fputs("\\&", out);
    for (; *text; text++) {
        switch (*text) {
        case '\\': fputs("\\e", out); break;
        case '-': fputs("\\-", out); break;
        case '\n': fputs("\n.PP\n", out); break;
        default: fputc(*text, out);
        }
    }
}

static void write_line(const char *text, FILE *out)
{
    write_text(text, out);
    fputc('\n', out);
}

/* A term and what it means. */
static void write_entry(const char *term, const char *doc, FILE *out)
{
    fputs(".TP\n\\fB", out);
    write_text(term, out);
    fputs("\\fR\n", out);
    write_line(doc, out);
}

static void write_option(const ww_option *option, FILE *out)
{
    char *text = ww_option_text(option);
    write_entry(text + strspn(text, " "), option->doc, out);
    free(text);
}

static void write_examples(const ww_example *examples, FILE *out)
{
    for (; examples->line; examples++)
        write_entry(examples->line, examples->doc, out);
}

static void write_command(const ww_command *command, FILE *out)
{
    fprintf(out, ".SS warpwalk %s ", command->name);
    write_line(command->usage, out);
    write_line(command->doc, out);
    fputs(".PP\n", out);
    write_line(command->help, out);
    for (size_t i = 0; command->options && command->options[i]; i++)
        write_option(command->options[i], out);
    fputs(".PP\nExamples:\n", out);
    write_examples(command->examples, out);
}

static void write_end(FILE *out)
{
    fputs(".SH EXIT STATUS\n", out);
    write_entry("0", "it worked, and what was to be verified is right", out);
    write_entry("1", "the simulated result is wrong, or the run failed", out);
    write_entry("2", "the input is wrong: a line for each mistake says what would be right", out);
    write_entry("130", "interrupted: what is known so far is written", out);
    fputs(".SH ENVIRONMENT\n", out);
    write_entry("COLUMNS", "how wide tables and help are (default: the terminal's width, else 100)",
                out);
    write_entry("XDG_CACHE_HOME", "where compiled kernels are kept (default: ~/.cache)", out);
    fputs(".SH SEE ALSO\n", out);
    write_line("The folder docs/ of the source tree: config.md has every key, stats.md every "
               "statistic, studies.md and launch-files.md the formats of files.",
               out);
}

void ww_help_write_man(FILE *out)
{
    size_t count;
    const ww_command *const *commands = ww_commands(&count);
    fputs(".TH WARPWALK 1 \"\" \"warpwalk " WW_VERSION "\" \"User Commands\"\n", out);
    fputs(".SH NAME\nwarpwalk \\- " WW_PROGRAM_DOC "\n", out);
    fputs(".SH SYNOPSIS\n.B warpwalk\nCOMMAND [arguments]\n", out);
    fputs(".SH DESCRIPTION\n", out);
    for (size_t i = 0; i < count; i++)
        write_entry(commands[i]->name, commands[i]->doc, out);
    fputs(".PP\nTry:\n", out);
    write_examples(ww_first_examples, out);
    fputs(".SH COMMANDS\n", out);
    for (size_t i = 0; i < count; i++)
        write_command(commands[i], out);
    write_end(out);
}
