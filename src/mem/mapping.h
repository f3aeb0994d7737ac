/* Where virtual addresses are at the moment: what checked mode holds the address of every request against.
 *
 * place        a physical address, and the generation of its frame: how often the frame was given to another page.
 *              A request that was translated before that and comes to its frame after it has an old generation.
 * mapping      who knows the place of every virtual address now, without taking time and without asking what is
 *              tested: no TLB, no walk, no copy of a translation
 * identity     without an address space (vm/): every address is its own place, in frames that never change hands */
#ifndef WW_MEM_MAPPING_H
#define WW_MEM_MAPPING_H

#include <stdint.h>

typedef struct ww_place_in_memory {
    uint64_t physical;
    uint32_t generation;
} ww_place_in_memory;

typedef struct ww_mapping {
    ww_place_in_memory (*place)(const void *context, uint64_t address);
    const void *context;
} ww_mapping;

extern const ww_mapping ww_identity_mapping;

#endif
