#include "exec/storage.h"

#include "base/memory.h"

#include <stdint.h>
#include <sys/mman.h>

#define CHUNK ((size_t)4 << 20)
#define LARGE_PAGE ((size_t)2 << 20)
#define LARGEST_BLOCK (CHUNK / 8)

typedef struct spare {
    struct spare *next;
} spare;

typedef struct size_class {
    size_t bytes;
    spare *first;
} size_class;

struct ww_storage {
    WW_VEC(size_class) classes; /* a program has few kernels, and fewer sizes */
    WW_VEC(void *) chunks;
    size_t used; /* of the last chunk */
    size_t live; /* blocks of chunks that are allocated */
};

static void *map(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1, 0);
    if (p == MAP_FAILED)
        ww_out_of_memory(bytes);
    return p;
}

ww_storage *ww_storage_create(void)
{
    return ww_calloc(1, sizeof(ww_storage));
}

static void free_chunks(ww_storage *storage)
{
    for (size_t i = 0; i < storage->chunks.count; i++)
        munmap(storage->chunks.items[i], CHUNK + LARGE_PAGE);
    ww_vec_free(&storage->chunks);
    ww_vec_free(&storage->classes);
}

void ww_storage_trim(ww_storage *storage)
{
    if (!storage->live)
        free_chunks(storage);
}

void ww_storage_destroy(ww_storage *storage)
{
    if (!storage)
        return;
    free_chunks(storage);
    free(storage);
}

/* An odd number of cache lines: a register of different groups is then in different sets of the
 * host's caches. */
static size_t block_bytes(size_t bytes)
{
    return (bytes + 63) / 64 * 64 | 64;
}

static size_class *class_of(ww_storage *storage, size_t bytes)
{
    for (size_t i = 0; i < storage->classes.count; i++)
        if (storage->classes.items[i].bytes == bytes)
            return &storage->classes.items[i];
    ww_vec_push(&storage->classes, ((size_class){bytes, NULL}));
    return &storage->classes.items[storage->classes.count - 1];
}

static void add_chunk(ww_storage *storage)
{
    void *chunk = map(CHUNK + LARGE_PAGE);
    madvise(chunk, CHUNK + LARGE_PAGE, MADV_HUGEPAGE);
    ww_vec_push(&storage->chunks, chunk);
    storage->used = 0;
}

static void *cut_block(ww_storage *storage, size_t bytes)
{
    if (!storage->chunks.count || storage->used + bytes > CHUNK)
        add_chunk(storage);
    uintptr_t start = (uintptr_t)storage->chunks.items[storage->chunks.count - 1];
    uintptr_t aligned = (start + LARGE_PAGE - 1) & ~(uintptr_t)(LARGE_PAGE - 1);
    void *block = (void *)(aligned + storage->used);
    storage->used += bytes;
    return block;
}

void *ww_storage_allocate(ww_storage *storage, size_t bytes)
{
    bytes = block_bytes(bytes);
    if (bytes > LARGEST_BLOCK)
        return map(bytes);
    storage->live++;
    size_class *class = class_of(storage, bytes);
    if (!class->first)
        return cut_block(storage, bytes);
    spare *block = class->first;
    class->first = block->next;
    return block;
}

void ww_storage_free(ww_storage *storage, void *block, size_t bytes)
{
    bytes = block_bytes(bytes);
    if (bytes > LARGEST_BLOCK) {
        munmap(block, bytes);
        return;
    }
    storage->live--;
    size_class *class = class_of(storage, bytes);
    spare *item = block;
    item->next = class->first;
    class->first = item;
}
