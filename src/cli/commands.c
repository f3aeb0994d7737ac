#include "base/text.h"
#include "cli/command.h"

#include <string.h>

/* One line for each src/cli/cmd_*.c, in the order of help. */
#define COMMANDS(X) \
    X(run)          \
    X(exec)         \
    X(app)          \
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
