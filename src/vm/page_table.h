/* The page table: a radix tree of four levels in simulated physical memory, as in x86-64.
 *
 * level    4 is the root, 1 the leaf (as the papers on page walks count them)
 * node     4 KiB: 512 entries
 * entry    (PTE) 8 bytes: present, physical address of the next node or the page, leaf or not; of a
 *          page: whether it may be written
 * leaf     the entry of a page: at level 1, or at level 2 for pages of 2 MiB. A page of 64 KiB has
 *          16 consecutive entries at level 1, one for each 4 KiB of its frame, with the contiguous
 *          bit set (as ARM has it).
 *
 * A read names the physical address of an entry, as a walker does. */
#ifndef WW_VM_PAGE_TABLE_H
#define WW_VM_PAGE_TABLE_H

#include "vm/frames.h"
#include "vm/vm.h"

#include <stdbool.h>

#define WW_LEVELS 4u
#define WW_PTE_BYTES 8u
#define WW_PTE_PRESENT 1ull
#define WW_PTE_WRITABLE 2ull
#define WW_PTE_LARGE (1ull << 7)       /* a leaf above level 1 */
#define WW_PTE_CONTIGUOUS (1ull << 52) /* of 16 that make one page */
#define WW_PTE_FRAME 0x000ffffffffff000ull
#define WW_ADDRESS_BITS 48u

/* Log2 of the bytes that an entry of this level covers. */
static inline unsigned ww_level_shift(unsigned level)
{
    return 12 + 9 * (level - 1);
}

/* Physical address of the entry for a virtual address, in a node of this level. */
static inline uint64_t ww_pte_address(uint64_t node, uint64_t address, unsigned level)
{
    return node + (address >> ww_level_shift(level) & 511) * WW_PTE_BYTES;
}

static inline bool ww_pte_is_leaf(uint64_t entry, unsigned level)
{
    return level == 1 || entry & WW_PTE_LARGE;
}

/* Sets a translation's answer from the entry at the end of its walk; 0: there is none. */
static inline void ww_pte_answer(uint64_t entry, ww_translation *t)
{
    t->frame = entry & WW_PTE_FRAME;
    t->writable = entry & WW_PTE_WRITABLE;
    t->status = !(entry & WW_PTE_PRESENT)                 ? WW_FAR_FAULT
                : t->writes && !(entry & WW_PTE_WRITABLE) ? WW_PROTECTION_FAULT
                                                          : WW_TRANSLATED;
}

typedef struct ww_page_table ww_page_table;

/* Nodes are allocated from `frames`, which outlives the table. The page is 4 KiB, 64 KiB or 2 MiB.
 * NULL: there is no frame for the root. */
ww_page_table *ww_page_table_create(ww_frames *frames, uint64_t page_bytes);
void ww_page_table_destroy(ww_page_table *table);

uint64_t ww_page_table_root(const ww_page_table *table); /* physical */
unsigned ww_page_table_leaf_level(const ww_page_table *table);
/* Both addresses are of the page's first byte. The page may be written. False: no frame for a node.
 */
bool ww_page_table_map(ww_page_table *table, uint64_t address, uint64_t physical);
void ww_page_table_unmap(ww_page_table *table, uint64_t address);
/* Whether the page, if it is mapped, may be written from now on. */
void ww_page_table_protect(ww_page_table *table, uint64_t address, bool writable);
/* The physical address of the page's (first) entry; 0: there is no node for it. */
uint64_t ww_page_table_leaf(const ww_page_table *table, uint64_t address);
/* Pages of the entry's line that are contiguous with the entry's own; `at`: where the entry is. A
 * page of 64 KiB has no such neighbours in its line. */
ww_page_run ww_page_table_run(const ww_page_table *table, uint64_t entry, uint64_t at);
/* The value of the entry at a physical address, of any table's node in the same memory. */
uint64_t ww_page_table_read(const ww_page_table *table, uint64_t physical);

#endif
