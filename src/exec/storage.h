/* Storage for the registers and memories of groups, kept from one launch to the next.
 *
 * block    what one group needs; blocks of the same size are exchanged among launches
 * chunk    many blocks, in large pages of the host where it has them
 * Blocks are not zeroed: whoever starts a group is. */
#ifndef WW_EXEC_STORAGE_H
#define WW_EXEC_STORAGE_H

#include <stddef.h>

typedef struct ww_storage ww_storage;

ww_storage *ww_storage_create(void);
void ww_storage_destroy(ww_storage *storage);

/* Aligned to 64 bytes. */
void *ww_storage_take(ww_storage *storage, size_t bytes);
void ww_storage_give(ww_storage *storage, void *block, size_t bytes);

#endif
