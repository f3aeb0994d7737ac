/* The driver: owns the frames of a memory, and the address spaces that share them.
 *
 * space     an address space, by its identifier (ASID, 16 bits)
 * eager     (vm.allocate) the pages of a range get their frames when it comes into being, else at
 *           the first touch
 * managed   the pages of ranges get their frames by `place` alone, neither when a range comes into
 *           being nor by a touch
 * touch     compute units ask about each page that an instruction is about to access; with
 *           first_walk the L2 TLB asks about each page that it misses. This is a path without
 *           faults: it takes no time. A page gets its frame here with first touch and first walk;
 *           with `eager` only a page of no range does (the local data share's window, where a
 *           generic access goes to several spaces).
 *
 * Nothing else allocates frames, and the order of these calls is the order in which frames are
 * allocated. */
#ifndef WW_VM_DRIVER_H
#define WW_VM_DRIVER_H

#include "vm/address_space.h"

typedef struct ww_driver_config {
    ww_frames_config frames; /* a frame is a page */
    bool eager;
    bool managed;
    uint32_t together; /* pages that get their frames at the first touch of one; 0 is 1 */
} ww_driver_config;

typedef struct ww_driver ww_driver;

ww_driver *ww_driver_create(const ww_driver_config *config);
void ww_driver_destroy(ww_driver *driver);

/* False: the memory has no frame for the root of its page table. */
bool ww_driver_add_space(ww_driver *driver, uint16_t asid);
const ww_page_table *ww_driver_table(const ww_driver *driver, uint16_t asid);
/* A buffer comes into being, and goes. False: not enough memory. */
bool ww_driver_add(ww_driver *driver, uint16_t asid, uint64_t address, uint64_t bytes);
void ww_driver_remove(ww_driver *driver, uint16_t asid, uint64_t address, uint64_t bytes);
/* Whether the page of an address has a frame. */
bool ww_driver_has(const ww_driver *driver, uint16_t asid, uint64_t address);
/* Gives a page a frame in two steps. `place` allocates it: walks still answer with a far-fault.
 * `enter` enters the page, which has a frame, in the page table. False: not enough memory. */
bool ww_driver_place(ww_driver *driver, uint16_t asid, uint64_t address);
bool ww_driver_enter(ww_driver *driver, uint16_t asid, uint64_t address);
/* Maps a page without a frame to its address in the host's memory; unmap and release undo it.
 * False: no frame for a node of the page table. */
bool ww_driver_enter_host(ww_driver *driver, uint16_t asid, uint64_t address);
/* The physical address of the page's frame; WW_NO_FRAME: it has none. */
uint64_t ww_driver_frame(const ww_driver *driver, uint16_t asid, uint64_t address);
/* Takes a page out of its frame in two steps. `unmap` removes it from the page table: walks answer
 * with a far-fault. `release` frees the frame, when a shoot-down is done (shootdown.h). */
void ww_driver_unmap(ww_driver *driver, uint16_t asid, uint64_t address);
void ww_driver_release(ww_driver *driver, uint16_t asid, uint64_t address);
/* Whether the mapped pages of a range may be written; pages are writable when they are mapped. */
void ww_driver_protect(ww_driver *driver, uint16_t asid, uint64_t address, uint64_t bytes,
                       bool writable);
/* Code and private memory come into being: their pages are mapped now. False: not enough memory. */
bool ww_driver_map(ww_driver *driver, uint16_t asid, uint64_t address, uint64_t bytes);
/* Translates an address. WW_NO_FRAME: its page is managed, and has no frame. False: its page has no
 * frame, and no memory is left. */
bool ww_driver_touch(ww_driver *driver, uint16_t asid, uint64_t address, uint64_t *physical);

/* For checked mode: the present frames of all spaces. */
ww_mapping ww_driver_mapping(const ww_driver *driver);
uint64_t ww_driver_bytes(const ww_driver *driver); /* of memory, with page tables */

#endif
