/* The address space of a program: its pages and their frames.
 *
 * range     of virtual addresses that a program may touch: a buffer, private memory, code
 *
 * The driver (driver.h) owns it, and decides when its pages are mapped.
 *
 * It keeps every page's frame itself, besides the page table that walkers read. Checked mode
 * compares the two; ideal translation uses this one. */
#ifndef WW_VM_ADDRESS_SPACE_H
#define WW_VM_ADDRESS_SPACE_H

#include "mem/mem.h"
#include "vm/page_table.h"

#define WW_MOST_TOGETHER 512u

typedef struct ww_address_space ww_address_space;

/* A page is a frame of `frames`, which outlives it. `managed`: pages of ranges get their frames by
 * `place` alone. `together`: so many pages of ranges, aligned, get their frames when one of them is
 * touched, before the page table gets nodes for them. NULL: there is no frame for the page table's
 * root. */
ww_address_space *ww_address_space_create(ww_frames *frames, bool managed, uint32_t together);
void ww_address_space_destroy(ww_address_space *space);

/* Ranges may share a page. `now`: maps the pages of the range that are not mapped. False: not
 * enough memory. */
bool ww_address_space_add(ww_address_space *space, uint64_t address, uint64_t bytes, bool now);
void ww_address_space_remove(ww_address_space *space, uint64_t address, uint64_t bytes);
/* Maps the page of an address now, if needed. False: out of memory. */
bool ww_address_space_map(ww_address_space *space, uint64_t address);
/* The same in two steps: allocates its frame, if needed; enters it, which has a frame, in the page
 * table. False: out of memory. */
bool ww_address_space_place(ww_address_space *space, uint64_t address);
bool ww_address_space_enter(ww_address_space *space, uint64_t address);
/* Maps a page without a frame to its own address in the host's memory (WW_HOST_MEMORY). False: out
 * of memory. */
bool ww_address_space_enter_host(ww_address_space *space, uint64_t address);
/* The physical address of the page's frame; WW_NO_FRAME: it has none. */
uint64_t ww_address_space_frame(const ww_address_space *space, uint64_t address);
/* Removes a mapped page from the page table; then frees its frame. */
void ww_address_space_unmap(ww_address_space *space, uint64_t address);
void ww_address_space_release(ww_address_space *space, uint64_t address);
/* Whether the mapped pages of the range may be written. */
void ww_address_space_protect(ww_address_space *space, uint64_t address, uint64_t bytes,
                              bool writable);
/* Maps the page of an address if needed, and translates the address; a managed page without a frame
 * stays without, and *physical is WW_NO_FRAME. False: out of memory. */
bool ww_address_space_touch(ww_address_space *space, uint64_t address, uint64_t *physical);

bool ww_address_space_has(const ww_address_space *space, uint64_t address); /* it is mapped */
/* Translates an address; WW_NO_FRAME: its page has no frame. */
ww_mapped_address ww_address_space_translate(const ww_address_space *space, uint64_t address);
const ww_page_table *ww_address_space_table(const ww_address_space *space);
uint64_t ww_address_space_mapped(const ww_address_space *space); /* pages with frames */

#endif
