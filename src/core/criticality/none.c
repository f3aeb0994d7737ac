#include "core/criticality.h"

extern const ww_criticality ww_criticality_none;
const ww_criticality ww_criticality_none = {
    .policy = {.name = "none", .doc = "nothing: no warp is more critical than another"},
};
