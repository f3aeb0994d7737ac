/* What the front end knows of a module, as text and as JSON (docs/inspect.md). Both hold the same
 * facts, in the same order. */
#ifndef WW_PTX_LISTING_H
#define WW_PTX_LISTING_H

#include "ptx/analysis.h"

#include <jansson.h>

/* `only` is the name of a function, or NULL for all of the module. */
void ww_listing_write(const ww_analysis *analysis, const char *only, FILE *out);
json_t *ww_listing_json(const ww_analysis *analysis, const char *only); /* a new reference */

#endif
