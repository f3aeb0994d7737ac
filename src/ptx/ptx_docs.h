/* The reference of supported PTX, as Markdown: docs/ptx.md. */
#ifndef WW_PTX_PTX_DOCS_H
#define WW_PTX_PTX_DOCS_H

#include <stdio.h>

void ww_ptx_write_docs(FILE *out);

#endif
