/* The present mapping of virtual addresses: checked mode compares every request with it.
 *
 * generation   of a frame: how often it was allocated to another page. A request that was
 *              translated before that and reaches its frame after it has an old generation.
 * asid         of an address: its address space
 * mapping      translates any virtual address at once, independently of what is tested: no TLB, no
 *              walk, no copy of a translation
 * identity     without an address space (vm/): every address is its own physical address, in frames
 *              that are never reallocated */
#ifndef WW_MEM_MAPPING_H
#define WW_MEM_MAPPING_H

#include <stdint.h>

typedef struct ww_mapped_address {
    uint64_t physical;
    uint32_t generation;
} ww_mapped_address;

typedef struct ww_mapping {
    ww_mapped_address (*translate)(const void *context, uint16_t asid, uint64_t address);
    const void *context;
} ww_mapping;

extern const ww_mapping ww_identity_mapping;

#endif
