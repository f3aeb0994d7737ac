/* Sets of pages of one block: a bit for each of up to 512 pages. */
#ifndef WW_PAGING_PAGE_MASK_H
#define WW_PAGING_PAGE_MASK_H

#include <stdbool.h>
#include <stdint.h>

enum { WW_MOST_BLOCK_PAGES = 512, WW_PAGE_MASK_WORDS = 8 };

typedef struct ww_page_mask {
    uint64_t words[WW_PAGE_MASK_WORDS];
} ww_page_mask;

static inline void ww_page_mask_set(ww_page_mask *mask, uint32_t page)
{
    mask->words[page / 64] |= UINT64_C(1) << page % 64;
}

static inline void ww_page_mask_clear(ww_page_mask *mask, uint32_t page)
{
    mask->words[page / 64] &= ~(UINT64_C(1) << page % 64);
}

static inline bool ww_page_mask_has(const ww_page_mask *mask, uint32_t page)
{
    return mask->words[page / 64] >> page % 64 & 1;
}

/* The bits of word w that lie in [first, end). */
static inline uint64_t ww_page_mask_word(uint32_t w, uint32_t first, uint32_t end)
{
    uint32_t low = w * 64;
    if (first >= low + 64 || end <= low || first >= end)
        return 0;
    uint64_t from = first > low ? ~UINT64_C(0) << (first - low) : ~UINT64_C(0);
    uint64_t to = end < low + 64 ? ~(~UINT64_C(0) << (end - low)) : ~UINT64_C(0);
    return from & to;
}

static inline void ww_page_mask_fill(ww_page_mask *mask, uint32_t first, uint32_t end)
{
    for (uint32_t w = first / 64; w * 64 < end; w++)
        mask->words[w] |= ww_page_mask_word(w, first, end);
}

static inline uint32_t ww_page_mask_count(const ww_page_mask *mask, uint32_t first, uint32_t end)
{
    uint32_t count = 0;
    for (uint32_t w = first / 64; w * 64 < end; w++)
        count += (uint32_t)__builtin_popcountll(mask->words[w] & ww_page_mask_word(w, first, end));
    return count;
}

/* The first page of the set from `page` on; WW_MOST_BLOCK_PAGES: there is none. */
static inline uint32_t ww_page_mask_next(const ww_page_mask *mask, uint32_t page)
{
    for (uint32_t w = page / 64; w < WW_PAGE_MASK_WORDS; w++) {
        uint64_t bits = mask->words[w] & ww_page_mask_word(w, page, WW_MOST_BLOCK_PAGES);
        if (bits)
            return w * 64 + (uint32_t)__builtin_ctzll(bits);
    }
    return WW_MOST_BLOCK_PAGES;
}

/* Just after the last page of the set; 0: it is empty. */
static inline uint32_t ww_page_mask_end(const ww_page_mask *mask)
{
    for (uint32_t w = WW_PAGE_MASK_WORDS; w-- > 0;)
        if (mask->words[w])
            return w * 64 + 64 - (uint32_t)__builtin_clzll(mask->words[w]);
    return 0;
}

#endif
