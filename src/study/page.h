/* A report as a page for a browser: DIR/index.html, which needs nothing else, and the raw results
 * beside it.
 *
 * template   data/report/page.html: HTML with fields to fill in
 * field      {{title}}, {{data}}, {{licences}}, or {{PATH}}: a file that is part of the program
 * bundle     the plotting library from npm; a program that was built without it cannot make
 *            pages */
#ifndef WW_STUDY_PAGE_H
#define WW_STUDY_PAGE_H

#include "base/error.h"

#include <jansson.h>
#include <stdbool.h>

/* Whether this program has the bundle. */
bool ww_page_has_bundle(void);
/* Writes the page of these studies. WW_FAILED when the bundle is not in the program. */
int ww_page_write(const json_t *studies, FILE *out, ww_errors *errors);

#endif
