/* Pages for a browser, each one file that needs nothing else.
 *
 * template   a file of the program: HTML with fields to fill in
 * field      {{title}}, {{data}}, {{licences}}, or {{PATH}}: a file that is part of the program
 * bundle     the plotting library from npm; a program that was built without it cannot make
 *            pages */
#ifndef WW_BASE_HTML_PAGE_H
#define WW_BASE_HTML_PAGE_H

#include "base/error.h"

#include <jansson.h>
#include <stdbool.h>

typedef struct ww_html_page {
    const char *template_path;
    const char *title;
    const json_t *data; /* for the scripts of the page */
} ww_html_page;

/* Whether this program has the bundle. */
bool ww_html_page_has_bundle(void);
/* WW_FAILED when the bundle is not in the program. */
int ww_html_page_write(const ww_html_page *page, FILE *out, ww_errors *errors);

#endif
