#include "vm/page_table.h"

#include "base/memory.h"

#include <assert.h>

#define ENTRIES (WW_NODE_BYTES / WW_PTE_BYTES)
#define SMALL_PAGE 4096ull
#define LARGE_PAGE (SMALL_PAGE * ENTRIES)

struct ww_page_table {
    ww_frames *frames;
    uint64_t page;
    uint64_t root;
    uint64_t recent;        /* the addresses of the leaf-level node that was mapped in last, */
    uint64_t *recent_entry; /* and its entries; nodes stay where they are */
};

ww_page_table *ww_page_table_create(ww_frames *frames, uint64_t page_bytes)
{
    ww_page_table *table = ww_calloc(1, sizeof(*table));
    table->frames = frames;
    table->page = page_bytes;
    table->root = ww_frames_allocate_node(frames);
    if (table->root != WW_NO_FRAME)
        return table;
    free(table);
    return NULL;
}

void ww_page_table_destroy(ww_page_table *table)
{
    free(table);
}

uint64_t ww_page_table_root(const ww_page_table *table)
{
    return table->root;
}

unsigned ww_page_table_leaf_level(const ww_page_table *table)
{
    return table->page == LARGE_PAGE ? 2 : 1;
}

static uint64_t *entry_at(const ww_page_table *table, uint64_t physical)
{
    uint64_t *entry = ww_frames_entry(table->frames, physical);
    assert(entry && physical % WW_PTE_BYTES == 0);
    return entry;
}

uint64_t ww_page_table_read(const ww_page_table *table, uint64_t physical)
{
    return *entry_at(table, physical);
}

/* The leaf-level node for an address. WW_NO_FRAME: none, and `make` is false or memory is full. */
static uint64_t leaf_node(const ww_page_table *table, uint64_t address, bool make)
{
    uint64_t at = table->root;
    for (unsigned level = WW_LEVELS; level > ww_page_table_leaf_level(table); level--) {
        uint64_t physical = ww_pte_address(at, address, level);
        uint64_t entry = *entry_at(table, physical);
        if (!(entry & WW_PTE_PRESENT)) {
            at = make ? ww_frames_allocate_node(table->frames) : WW_NO_FRAME;
            if (at == WW_NO_FRAME)
                return WW_NO_FRAME;
            *entry_at(table, physical) = at | WW_PTE_PRESENT;
        } else {
            at = entry & WW_PTE_FRAME;
        }
    }
    return at;
}

uint64_t ww_page_table_leaf(const ww_page_table *table, uint64_t address)
{
    uint64_t at = leaf_node(table, address, false);
    return at == WW_NO_FRAME ? 0 : ww_pte_address(at, address, ww_page_table_leaf_level(table));
}

ww_page_run ww_page_table_run(const ww_page_table *table, uint64_t entry, uint64_t at)
{
    uint64_t line = at & ~(uint64_t)(8 * WW_PTE_BYTES - 1);
    uint64_t first = entry - (at - line) / WW_PTE_BYTES * table->page;
    ww_page_run run = {1, 0};
    if (!(entry & WW_PTE_PRESENT) || entry & WW_PTE_CONTIGUOUS)
        return (ww_page_run){0};
    for (unsigned i = 0; i < 8; i++)
        if (ww_page_table_read(table, line + i * WW_PTE_BYTES) == first + i * table->page)
            run.valid |= (uint8_t)(1u << i);
    return run;
}

/* The entries of the leaf-level node for an address, which is made if there is none. NULL: memory
 * is full. Neighbouring pages are mapped one after the other, so the last node is kept. */
static uint64_t *map_node(ww_page_table *table, uint64_t address)
{
    uint64_t region = address >> ww_level_shift(ww_page_table_leaf_level(table) + 1);
    if (table->recent_entry && table->recent == region)
        return table->recent_entry;
    uint64_t node = leaf_node(table, address, true);
    if (node == WW_NO_FRAME)
        return NULL;
    table->recent = region;
    table->recent_entry = entry_at(table, node);
    return table->recent_entry;
}

bool ww_page_table_map(ww_page_table *table, uint64_t address, uint64_t physical)
{
    unsigned level = ww_page_table_leaf_level(table);
    uint64_t *node = map_node(table, address);
    if (!node)
        return false;
    uint64_t flags = WW_PTE_PRESENT | WW_PTE_WRITABLE | (level > 1 ? WW_PTE_LARGE : 0) |
                     (table->page > SMALL_PAGE && level == 1 ? WW_PTE_CONTIGUOUS : 0);
    for (uint64_t offset = 0; offset < table->page; offset += 1ull << ww_level_shift(level))
        node[ww_pte_address(0, address + offset, level) / WW_PTE_BYTES] =
            (physical + offset) | flags;
    return true;
}

/* Clears bits of the page's entries, and sets others. */
static void change_entries(ww_page_table *table, uint64_t address, uint64_t clear, uint64_t set)
{
    unsigned level = ww_page_table_leaf_level(table);
    uint64_t at = leaf_node(table, address, false);
    for (uint64_t offset = 0; at != WW_NO_FRAME && offset < table->page;
         offset += 1ull << ww_level_shift(level)) {
        uint64_t *entry = entry_at(table, ww_pte_address(at, address + offset, level));
        if (*entry & WW_PTE_PRESENT)
            *entry = (*entry & ~clear) | set;
    }
}

void ww_page_table_unmap(ww_page_table *table, uint64_t address)
{
    change_entries(table, address, ~0ull, 0);
}

void ww_page_table_protect(ww_page_table *table, uint64_t address, bool writable)
{
    change_entries(table, address, WW_PTE_WRITABLE, writable ? WW_PTE_WRITABLE : 0);
}
