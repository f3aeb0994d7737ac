#include "support/ptx_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

ptx_text ptx_analyse(const char *text)
{
    static const char head[] = ".version 7.8\n.target sm_80\n.address_size 64\n";
    size_t size = sizeof head + strlen(text);
    char *whole = ww_calloc(size, 1);
    ww_errors *errors = ww_errors_create();
    strcpy(whole, head);
    strcat(whole, text);
    ptx_text out = {.module = ww_module_parse("test.ptx", whole, strlen(whole), errors)};
    free(whole);
    if (!out.module)
        ww_errors_print(errors, stderr);
    ww_errors_destroy(errors);
    assert_non_null(out.module);
    out.analysis = ww_analysis_create(out.module);
    return out;
}

void ptx_free(ptx_text *text)
{
    ww_analysis_destroy(text->analysis);
    ww_module_destroy(text->module);
}

const ww_function_analysis *ptx_function(const ptx_text *text, const char *name)
{
    const ww_function *f = ww_module_function(text->module, name);
    assert_non_null(f);
    return &text->analysis->functions[f->index];
}

uint32_t ptx_find(const ww_function_analysis *f, const char *part)
{
    uint32_t found = UINT32_MAX;
    for (uint32_t i = 0; i < f->function->instruction_count; i++) {
        if (!strstr(f->function->instructions[i].text, part))
            continue;
        if (found != UINT32_MAX)
            fail_msg("more than one instruction contains '%s'", part);
        found = i;
    }
    if (found == UINT32_MAX)
        fail_msg("no instruction contains '%s'", part);
    return found;
}
