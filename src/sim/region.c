#include "sim/region.h"

#include "base/memory.h"
#include "base/text.h"

#include <string.h>

static int refuse(const char *item, ww_errors *errors)
{
    return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                   "--region: '%.60s' (skip=N,warm=N,measure=N are needed, in warp instructions)",
                   item);
}

static int read_item(char *item, ww_region *region, ww_errors *errors)
{
    char *equals = strchr(item, '=');
    uint64_t *field = NULL;
    if (equals)
        *equals = '\0';
    if (equals && strcmp(item, "skip") == 0)
        field = &region->skip;
    else if (equals && strcmp(item, "warm") == 0)
        field = &region->warm;
    else if (equals && strcmp(item, "measure") == 0)
        field = &region->measure;
    bool read = field && ww_parse_u64(equals + 1, field) && *field <= INT64_MAX;
    if (equals)
        *equals = '=';
    return read ? WW_OK : refuse(item, errors);
}

int ww_region_read(const char *text, ww_region *region, ww_errors *errors)
{
    char *copy = ww_strdup(text);
    char *rest = copy;
    int status = WW_OK;
    *region = (ww_region){0};
    for (char *item; (item = strsep(&rest, ",")) != NULL;)
        status |= read_item(item, region, errors);
    if (status == WW_OK && !region->measure)
        status = ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                         "--region: measure is missing or 0 (a number of warp instructions)");
    free(copy);
    return status;
}
