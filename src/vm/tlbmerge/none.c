#include "vm/tlbmerge.h"

extern const ww_tlbmerge ww_tlbmerge_none;
const ww_tlbmerge ww_tlbmerge_none = {
    .policy = {.name = "none", .doc = "nothing: each page has an entry"},
};
