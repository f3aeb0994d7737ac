#include "mem/mapping.h"

static ww_mapped_address same_address(const void *context, uint64_t address)
{
    (void)context;
    return (ww_mapped_address){.physical = address};
}

const ww_mapping ww_identity_mapping = {.translate = same_address};
