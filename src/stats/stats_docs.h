/* The reference of all statistics, as Markdown: docs/stats.md. */
#ifndef WW_STATS_STATS_DOCS_H
#define WW_STATS_STATS_DOCS_H

#include "stats/stats.h"

/* Describes the declared tables; no counters are needed. */
void ww_stats_write_docs(const ww_stats *stats, FILE *out);

#endif
