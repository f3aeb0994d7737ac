/* A scratch folder of one compilation: made empty, removed with its contents. Its name is not final
 * before it is made: paths in it are to be asked for again then. */
#ifndef WW_HOST_SCRATCH_H
#define WW_HOST_SCRATCH_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

#define WW_SCRATCH_HEADERS "headers/" /* in the folder: headers that are in no file */

typedef struct ww_scratch ww_scratch;

ww_scratch *ww_scratch_create(void); /* makes nothing yet */
void ww_scratch_destroy(ww_scratch *scratch);
int ww_scratch_make(ww_scratch *scratch, ww_errors *errors); /* once */
bool ww_scratch_is_made(const ww_scratch *scratch);

/* Folders in the name are made: "cuda/minicuda.h". */
int ww_scratch_write(ww_scratch *scratch, const char *name, const void *bytes, size_t count,
                     ww_errors *errors);
/* Writes the embedded files whose paths start with `prefix`, which starts with "data/", under their
 * names below that folder. */
int ww_scratch_add_embedded(ww_scratch *scratch, const char *prefix, ww_errors *errors);

char *ww_scratch_path(const ww_scratch *scratch, const char *name); /* the caller frees it */
/* Removes the paths of the folder and of WW_SCRATCH_HEADERS in it from text, in place, so that the
 * text does not depend on them. */
void ww_scratch_hide(const ww_scratch *scratch, char *text);

#endif
