/* A scratch folder of one compilation: created empty, removed with its contents. */
#ifndef WW_HOST_SCRATCH_H
#define WW_HOST_SCRATCH_H

#include "base/error.h"

#include <stddef.h>

#define WW_SCRATCH_HEADERS "headers/" /* in the folder: headers that are in no file */

typedef struct ww_scratch ww_scratch;

ww_scratch *ww_scratch_create(ww_errors *errors); /* NULL with an error when it cannot be made */
void ww_scratch_destroy(ww_scratch *scratch);

/* Folders in the name are made: "cuda/minicuda.h". */
int ww_scratch_write(ww_scratch *scratch, const char *name, const void *bytes, size_t count,
                     ww_errors *errors);
/* Writes the embedded files below `prefix`, under their names without it. */
int ww_scratch_add_embedded(ww_scratch *scratch, const char *prefix, ww_errors *errors);

char *ww_scratch_path(const ww_scratch *scratch, const char *name); /* the caller frees it */
/* Removes the paths of the folder and of WW_SCRATCH_HEADERS in it from text, in place, so that the
 * text does not depend on them. */
void ww_scratch_hide(const ww_scratch *scratch, char *text);

#endif
