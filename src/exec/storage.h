/* Storage for the registers and memories of groups, kept from one launch to the next.
 *
 * block    the storage of one group; launches reuse freed blocks of the same size
 * chunk    many blocks, in large pages of the host where it has them
 * Blocks are not zeroed; ww_group_start zeroes what a group reads. */
#ifndef WW_EXEC_STORAGE_H
#define WW_EXEC_STORAGE_H

#include <stddef.h>

typedef struct ww_storage ww_storage;

ww_storage *ww_storage_create(void);
void ww_storage_destroy(ww_storage *storage);
/* Returns the chunks to the host, unless a block is allocated. */
void ww_storage_trim(ww_storage *storage);

/* Aligned to 64 bytes. */
void *ww_storage_allocate(ww_storage *storage, size_t bytes);
void ww_storage_free(ww_storage *storage, void *block, size_t bytes);

#endif
