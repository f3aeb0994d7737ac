/* The address space of a program: which pages there are, and where each of them is.
 *
 * range     of virtual addresses that a program may touch: a buffer, private memory, code
 * eager     pages have frames as soon as there is a range of them; else when they are first touched (vm.allocate)
 *
 * It knows the place of every page on its own, beside the page table that walkers read: the one is held against the other in
 * checked mode, and answers at once with ideal translation. */
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
/* Gives the page of an address a frame if it has none, and tells where the address is. False: not enough memory. */
bool ww_address_space_touch(ww_address_space *space, uint64_t address, uint64_t *physical);

/* Where an address is; its page has a frame. */
ww_place_in_memory ww_address_space_place(const ww_address_space *space, uint64_t address);
ww_mapping ww_address_space_mapping(const ww_address_space *space);
const ww_page_table *ww_address_space_table(const ww_address_space *space);
uint64_t ww_address_space_mapped(const ww_address_space *space); /* pages with frames */
uint64_t ww_address_space_bytes(const ww_address_space *space); /* of memory, with the page table */

#endif
