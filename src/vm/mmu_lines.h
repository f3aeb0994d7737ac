/* Lines of page-table entries that walkers read: what merging policies (walkmerge.h) may ask of the
 * MMU, and do with the walks that wait in its buffer. */
#ifndef WW_VM_MMU_LINES_H
#define WW_VM_MMU_LINES_H

#include "vm/page_table.h"
#include "vm/walk_buffer.h"

#define WW_PTE_LINE 64u /* bytes */
#define WW_NO_WALKER UINT32_MAX
#define WW_MOST_WALKER_WALKS 64u

struct ww_mmu;

/* A line that a walker has read. */
typedef struct ww_pte_line {
    uint32_t walker;
    unsigned level;   /* of its entries */
    uint64_t node;    /* of the page table, that it is in */
    uint64_t address; /* that the walker translates, with its space */
} ww_pte_line;

/* The number of an address's neighbourhood at a level. */
static inline uint64_t ww_neighbourhood(uint64_t address, unsigned level)
{
    return address >> (ww_level_shift(level) + 3);
}

bool ww_mmu_is_leaf(const struct ww_mmu *mmu, unsigned level); /* of small pages, or large ones */
/* The walker that reads the line with the entry of an address at a level; WW_NO_WALKER: none. */
uint32_t ww_mmu_reader(const struct ww_mmu *mmu, uint64_t address, unsigned level);

/* Calls back for each waiting walk of the line's neighbourhood; the call may answer it. */
void ww_mmu_each_in_line(struct ww_mmu *mmu, const ww_pte_line *line,
                         void (*visit)(void *owner, ww_walk *walk), void *owner);
/* The walk's entry of the line. */
uint64_t ww_mmu_line_entry(const struct ww_mmu *mmu, const ww_pte_line *line, const ww_walk *walk);
/* A walk that is held for the line's walker can be selected again. */
void ww_mmu_release(struct ww_mmu *mmu, const ww_pte_line *line, ww_walk *walk);
/* The walk leaves the buffer, and is answered with this entry of its page, which the line has. */
void ww_mmu_answer_waiting(struct ww_mmu *mmu, const ww_pte_line *line, ww_walk *walk,
                           uint64_t entry);
/* The walk starts at a node of this level, unless it already starts as low. */
void ww_mmu_advance(ww_walk *walk, unsigned level, uint64_t node);

#endif
