/* What migration.c (pages that come, and memory) and migration_evict.c (pages that leave) share. */
#ifndef WW_PAGING_MIGRATION_INTERNAL_H
#define WW_PAGING_MIGRATION_INTERNAL_H

#include "base/memory.h"
#include "paging/migration.h"
#include "paging/paging_stats.h"

#define WW_PIECE_BYTES 4096 /* of a page: DMA writes it while the link passes the next one */

typedef struct ww_piece {
    ww_transfer transfer;
    struct ww_move *move;
} ww_piece;

/* A page on its way, in one direction. */
typedef struct ww_move {
    ww_piece *pieces;
    uint32_t left; /* pieces that are not there yet */
    ww_timer timer;
    ww_migration *owner;
    ww_page_record *record;
    ww_page_times times;
    void (*copied)(void *context, ww_page_record *record); /* it stays here */
    void *context;
    struct ww_move *next; /* in the queue of those that wait for memory, or of free ones */
} ww_move;

/* Which pages may leave: the higher the level, the more. */
typedef enum ww_eviction_level {
    WW_SPARE_ALL,
    WW_SPARE_DEMANDED, /* pages of the set that no compute unit has asked for may leave */
    WW_SPARE_SET_AND_SENIOR,
    WW_SPARE_SENIOR,
    WW_EVICTION_LEVELS
} ww_eviction_level;

struct ww_migration {
    ww_migration_config config;
    ww_migration_wiring wiring;
    uint64_t capacity; /* chunks */
    uint64_t used;     /* of them */
    ww_move *free;
    ww_move *waiting, *last_waiting; /* for memory */
    uint64_t waiting_count, moving;
    uint64_t leaving; /* chunks that will be free */
    uint64_t set, senior;
    ww_eviction_level level; /* of the choice under way */
    ww_timer evict_timer;
    WW_VEC(ww_page_record *) victims; /* of the shoot-down under way */
    WW_VEC(uint64_t) victim_pages;
    bool shooting;
    WW_VEC(ww_move *) all_moves; /* to be freed at the end */
};

static inline uint64_t ww_migration_page(const ww_migration *m, const ww_page_record *record)
{
    return ww_page_residency_page(m->wiring.residency, record);
}

static inline bool ww_migration_has_chunks(const ww_migration *m)
{
    return m->config.chunk_pages > 1;
}

/* ---- migration.c ---- */

ww_move *ww_move_take(ww_migration *migration, ww_page_record *record);
void ww_move_free(ww_migration *migration, ww_move *move);
uint32_t ww_piece_count(const ww_migration *migration); /* of a page */
/* Its address in the GPU's memory. */
uint64_t ww_piece_address(const ww_migration *migration, const ww_piece *piece);
void ww_piece_send(ww_migration *migration, ww_piece *piece, ww_pcie_direction direction,
                   void (*done)(void *owner));
/* The page of the move is on the host: it comes, or is mapped where it is. */
void ww_migration_start(ww_migration *migration, ww_move *move);
/* A page has left: its memory is free, or that of its block after the last one. */
void ww_migration_return_memory(ww_migration *migration, ww_page_block *block);
/* Pages that wait get memory; for the others, pages have to leave. */
void ww_migration_pump(ww_migration *migration);

/* ---- migration_evict.c ---- */

/* Chooses pages that leave, and shoots their translations down: for the timer. */
void ww_migration_evict(void *migration);

#endif
