/* PTX text to analyses, for tests. */
#ifndef WW_TESTS_PTX_TEXT_H
#define WW_TESTS_PTX_TEXT_H

#include "ptx/analysis.h"

typedef struct ptx_text {
    ww_module *module;
    ww_analysis *analysis;
} ptx_text;

/* Parses `text` after a .version/.target/.address_size header and analyses it; prints the errors
 * and fails the test when it does not parse. */
ptx_text ptx_analyse(const char *text);
void ptx_free(ptx_text *text);

const ww_function_analysis *ptx_function(const ptx_text *text, const char *name);
/* The index of the only instruction whose text contains `part`; fails when there is not one. */
uint32_t ptx_find(const ww_function_analysis *f, const char *part);

#endif
