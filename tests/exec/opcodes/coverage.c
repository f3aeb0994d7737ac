/* Which opcodes of the reference list have run. */
#include "opcodes.h"

#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static char *list_text;
static WW_VEC(const char *) listed;
static WW_VEC(bool) seen;

/* The first column of the list; its first line is a heading. */
int coverage_start(void **state)
{
    (void)state;
    char path[4096];
    size_t size;
    ww_errors *errors = ww_errors_create();
    snprintf(path, sizeof(path), "%s/tests/data/ptx_opcodes.tsv", getenv("WW_ROOT"));
    int status = ww_read_file(path, WW_NOWHERE, &list_text, &size, errors);
    ww_errors_print(errors, stderr);
    ww_errors_destroy(errors);
    if (status != WW_OK)
        return status;
    char *rest = NULL;
    for (char *line = strtok_r(list_text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        line[strcspn(line, "\t")] = 0;
        if (strcmp(line, "opcode") == 0)
            continue;
        ww_vec_push(&listed, line);
        ww_vec_push(&seen, false);
    }
    return listed.count ? 0 : -1;
}

int coverage_end(void **state)
{
    (void)state;
    ww_vec_free(&listed);
    ww_vec_free(&seen);
    free(list_text);
    return 0;
}

void cover(const char *opcode)
{
    for (size_t i = 0; i < listed.count; i++)
        if (strcmp(listed.items[i], opcode) == 0)
            seen.items[i] = true;
}

/* "@%p ld.u32 %r, [%a]" is an "ld.u32". */
static void cover_statement(const char *text)
{
    char opcode[160];
    if (*text == '@')
        text += strcspn(text, " ") + 1;
    snprintf(opcode, sizeof(opcode), "%.*s", (int)strcspn(text, " "), text);
    cover(opcode);
}

void cover_module(const ww_module *module)
{
    for (uint32_t f = 0; f < module->function_count; f++)
        for (uint32_t i = 0; i < module->functions[f]->instruction_count; i++)
            cover_statement(module->functions[f]->instructions[i].text);
}

void every_listed_opcode_ran(void **state)
{
    (void)state;
    size_t missing = 0;
    for (size_t i = 0; i < listed.count; i++)
        if (!seen.items[i]) {
            print_error("%s was not executed by any case\n", listed.items[i]);
            missing++;
        }
    assert_int_equal(missing, 0);
}
