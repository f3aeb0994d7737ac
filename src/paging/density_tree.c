#include "paging/density_tree.h"

#include "paging/residency.h"

enum { BIG_PAGE_BYTES = 64 << 10 };

typedef struct pages {
    uint32_t first, end;
} pages;

ww_density_tree ww_density_tree_make(uint64_t page_bytes, uint32_t threshold)
{
    uint64_t big = BIG_PAGE_BYTES / page_bytes;
    return (ww_density_tree){(uint32_t)(WW_BLOCK_BYTES / page_bytes), big ? (uint32_t)big : 1,
                             threshold};
}

/* True: the pages have a whole big page. */
static bool has_big_page(const ww_density_tree *tree, pages of)
{
    return (of.first + tree->big - 1) / tree->big < of.end / tree->big;
}

static void fill_if_faulted(ww_page_mask *filled, const ww_page_mask *faulted, pages part)
{
    if (ww_page_mask_count(faulted, part.first, part.end))
        ww_page_mask_fill(filled, part.first, part.end);
}

static void fill_big_pages(const ww_density_tree *tree, ww_page_mask *filled,
                           const ww_page_mask *faulted, pages valid)
{
    if (!has_big_page(tree, valid)) {
        fill_if_faulted(filled, faulted, valid);
        return;
    }
    for (uint32_t first = valid.first, end; first < valid.end; first = end) {
        end = (first / tree->big + 1) * tree->big; /* no node has leaves beyond valid.end */
        fill_if_faulted(filled, faulted, (pages){first, end});
    }
}

/* The largest dense node above a page; {0, 0}: there is none. */
static pages find_dense(const ww_density_tree *tree, const ww_page_mask *filled, pages of,
                        uint32_t page)
{
    pages dense = {0, 0};
    for (uint32_t size = 1;; size *= 2) {
        pages node = {.first = of.first + (page - of.first) / size * size};
        node.end = node.first + size < of.end ? node.first + size : of.end;
        uint32_t count = ww_page_mask_count(filled, node.first, node.end);
        if (count * 100 > (node.end - node.first) * tree->threshold)
            dense = node;
        if (size >= of.end - of.first)
            return dense;
    }
}

ww_page_mask ww_density_tree_expand(const ww_density_tree *tree, const ww_page_mask *valid,
                                    const ww_page_mask *resident, const ww_page_mask *faulted)
{
    pages of = {ww_page_mask_next(valid, 0), ww_page_mask_end(valid)};
    ww_page_mask filled, bring = {{0}};
    for (uint32_t w = 0; w < WW_PAGE_MASK_WORDS; w++)
        filled.words[w] = resident->words[w] | faulted->words[w];
    fill_big_pages(tree, &filled, faulted, of);
    if (has_big_page(tree, of))
        of.first -= of.first % tree->big;
    for (uint32_t page = ww_page_mask_next(faulted, 0); page < of.end;
         page = ww_page_mask_next(faulted, page + 1)) {
        if (ww_page_mask_has(&bring, page))
            continue; /* that node is the largest above this page, too */
        pages dense = find_dense(tree, &filled, of, page);
        ww_page_mask_fill(&bring, dense.first, dense.end);
    }
    for (uint32_t w = 0; w < WW_PAGE_MASK_WORDS; w++)
        bring.words[w] = (bring.words[w] & valid->words[w] & ~resident->words[w]) |
                         (faulted->words[w] & ~resident->words[w]);
    return bring;
}
