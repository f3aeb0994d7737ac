/* The reference of all keys and policies, as Markdown: docs/config.md. */
#ifndef WW_CONFIG_CONFIG_DOCS_H
#define WW_CONFIG_CONFIG_DOCS_H

#include "config/config.h"

/* `config` holds the defaults. */
void ww_config_write_docs(const ww_config *config, FILE *out);

#endif
