/* docs/workloads.md, from the table of workloads. */
#ifndef WW_WORKLOAD_CATALOGUE_DOCS_H
#define WW_WORKLOAD_CATALOGUE_DOCS_H

#include <stdio.h>

void ww_catalogue_write_docs(FILE *out);

#endif
