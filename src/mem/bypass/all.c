/* The L1 data cache holds nothing but lines that stores leave there. */
#include "mem/bypass.h"

static bool bypasses(void *state, const ww_request *request)
{
    (void)state;
    (void)request;
    return true;
}

extern const ww_bypass ww_bypass_all;
const ww_bypass ww_bypass_all = {
    .policy = {.name = "all", .doc = "every load that misses"},
    .bypasses = bypasses,
};
