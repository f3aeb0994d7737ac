/* Pages come on demand only. */
#include "paging/prefetch.h"

extern const ww_prefetch ww_prefetch_none;
const ww_prefetch ww_prefetch_none = {
    .policy = {.name = "none", .doc = "none: pages come when they fault"},
};
