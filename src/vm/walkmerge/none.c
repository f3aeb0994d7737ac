#include "vm/walkmerge.h"

extern const ww_walkmerge ww_walkmerge_none;
const ww_walkmerge ww_walkmerge_none = {
    .policy = {.name = "none", .doc = "nothing: each walk reads on its own"},
};
