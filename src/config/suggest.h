/* Suggestions for a key that does not exist. */
#ifndef WW_CONFIG_SUGGEST_H
#define WW_CONFIG_SUGGEST_H

#include "config/config.h"

/* "did you mean 'a', 'b' or 'c'?", or where to look when no key is near: keys are compared by the
 * words of their names and descriptions and by spelling. The caller frees it. */
char *ww_config_suggest(const ww_config *config, const char *unknown);

#endif
