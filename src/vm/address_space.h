/* The address space of a program: its pages and their frames.
 *
 * range     of virtual addresses that a program may touch: a buffer, private memory, code
 * eager     (vm.allocate) pages are mapped when their range is added, else at the first touch
 *
 * It keeps every page's frame itself, besides the page table that walkers read. Checked mode
 * compares the two; ideal translation uses this one. */
#ifndef WW_VM_ADDRESS_SPACE_H
#define WW_VM_ADDRESS_SPACE_H

#include "mem/mem.h"
#include "vm/page_table.h"

typedef struct ww_address_space_config {
    ww_frames_config frames; /* a frame is a page */
    bool eager;
} ww_address_space_config;

typedef struct ww_address_space ww_address_space;

/* NULL: the memory has no frame for the page table's root. */
ww_address_space *ww_address_space_create(const ww_address_space_config *config);
void ww_address_space_destroy(ww_address_space *space);

/* Ranges may share a page. False: not enough memory. */
bool ww_address_space_add(ww_address_space *space, uint64_t address, uint64_t bytes);
void ww_address_space_remove(ww_address_space *space, uint64_t address, uint64_t bytes);
/* Maps the page of an address if needed, and translates the address. False: out of memory. */
bool ww_address_space_touch(ww_address_space *space, uint64_t address, uint64_t *physical);

/* Translates an address whose page is mapped. */
ww_mapped_address ww_address_space_translate(const ww_address_space *space, uint64_t address);
ww_mapping ww_address_space_mapping(const ww_address_space *space);
const ww_page_table *ww_address_space_table(const ww_address_space *space);
uint64_t ww_address_space_mapped(const ww_address_space *space); /* pages with frames */
uint64_t ww_address_space_bytes(const ww_address_space *space); /* of memory, with the page table */

#endif
