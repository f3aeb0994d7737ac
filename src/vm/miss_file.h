/* The miss registers of a TLB (MSHRs), by page.
 *
 * register   a page whose miss is outstanding, with the requests that merged into it
 * used       registers of the file; those that are lent entries or forwarded do not count */
#ifndef WW_VM_MISS_FILE_H
#define WW_VM_MISS_FILE_H

#include "base/hash.h"
#include "vm/vm.h"

#define WW_NO_MISS UINT32_MAX

typedef struct ww_miss {
    uint64_t key;         /* ww_page_key */
    ww_translation *last; /* merged request: a ring, its link is the first; NULL: none */
    uint32_t next;        /* in its bucket or in the free list */
    uint32_t entry;       /* that is lent as this register; WW_NO_MISS: it is one of the file */
    bool stale;           /* the answer is dropped, and asked for again */
    bool alone;           /* the answer's run is not used */
    bool held;            /* the answer was a far-fault; there is no request */
    bool forwarded;       /* it is outside of the file: a compute unit makes the walk */
} ww_miss;

typedef struct ww_miss_file {
    ww_miss *items;
    uint32_t *buckets; /* by hash: the first miss */
    unsigned bucket_bits;
    uint32_t most; /* that can be outstanding, in the file and outside of it */
    uint32_t free, used;
} ww_miss_file;

void ww_miss_file_create(ww_miss_file *file, uint32_t most);
void ww_miss_file_destroy(ww_miss_file *file);

/* The link to the page's miss; it is WW_NO_MISS when there is none. */
static inline uint32_t *ww_miss_find(const ww_miss_file *file, uint64_t key)
{
    uint32_t *link = &file->buckets[ww_bucket(key, file->bucket_bits)];
    while (*link != WW_NO_MISS && file->items[*link].key != key)
        link = &file->items[*link].next;
    return link;
}

static inline bool ww_miss_file_is_full(const ww_miss_file *file)
{
    return file->free == file->most;
}

/* It is not full; `entry` is lent for the page, or WW_NO_MISS. */
static inline void ww_miss_open(ww_miss_file *file, uint32_t *link, uint64_t key, uint32_t entry)
{
    uint32_t index = file->free;
    file->used += entry == WW_NO_MISS;
    file->free = file->items[index].next;
    file->items[index] = (ww_miss){.key = key, .next = WW_NO_MISS, .entry = entry};
    *link = index;
}

/* The miss has no merged request. */
static inline void ww_miss_close(ww_miss_file *file, uint32_t *link)
{
    uint32_t index = *link;
    ww_miss *m = &file->items[index];
    *link = m->next;
    m->next = file->free;
    file->free = index;
    file->used -= !m->forwarded && m->entry == WW_NO_MISS;
}

static inline void ww_miss_merge(ww_miss *m, ww_translation *t)
{
    t->link = m->last ? m->last->link : t;
    if (m->last)
        m->last->link = t;
    m->last = t;
}

/* Takes the merged requests out of the register, as a list. */
static inline ww_translation *ww_miss_take_merged(ww_miss *m)
{
    ww_translation *first = NULL;
    if (m->last) {
        first = m->last->link;
        m->last->link = NULL;
        m->last = NULL;
    }
    return first;
}

#endif
