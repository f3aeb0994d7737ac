#include "mem/bypass.h"

extern const ww_bypass ww_bypass_none;
const ww_bypass ww_bypass_none = {
    .policy = {.name = "none", .doc = "no load: all that miss are kept"},
};
