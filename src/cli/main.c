#include "base/build_id.h"
#include "base/fold.h"
#include "cli/command.h"

#include <string.h>

static int run_command(const ww_command *command, int argc, char **argv, ww_errors *errors)
{
    ww_arguments arguments;
    int status = ww_arguments_parse(command, argc, argv, &arguments, errors);
    if (!status && ww_arguments_has(&arguments, &ww_option_help))
        ww_help_write(command, ww_arguments_width(&arguments), stdout);
    else if (!status)
        status = command->run(&arguments, errors);
    ww_arguments_clear(&arguments);
    return status;
}

static int run(int argc, char **argv, ww_errors *errors)
{
    if (argc < 2)
        return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                       "no command ('warpwalk --help' shows the commands)");
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        ww_help_write_overview(ww_fold_width(stdout), stdout);
        return WW_OK;
    }
    if (strcmp(argv[1], "--version") == 0) {
        char commit[WW_COMMIT_CHARS];
        ww_build_commit(commit);
        printf("warpwalk %s (commit %s)\n", WW_VERSION, commit);
        return WW_OK;
    }
    const ww_command *command = ww_command_find(argv[1], errors);
    return command ? run_command(command, argc - 2, argv + 2, errors) : WW_BAD_INPUT;
}

/* Reports a full disk or a closed pipe as an error. */
static int finish_output(ww_errors *errors)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return WW_OK;
    return ww_fail(errors, WW_FAILED, WW_NOWHERE, "cannot write to standard output");
}

int main(int argc, char **argv)
{
    ww_errors *errors = ww_errors_create();
    int status = run(argc, argv, errors);
    int output = finish_output(errors);
    ww_errors_print(errors, stderr);
    ww_errors_destroy(errors);
    return status ? status : output;
}
