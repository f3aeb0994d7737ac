#include "base/memory.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define CHUNK_BYTES ((size_t)64 * 1024)
#define ALIGNMENT 16

_Noreturn void ww_out_of_memory(size_t bytes)
{
    fprintf(stderr, "warpwalk: out of host memory (asked for %zu bytes)\n", bytes);
    exit(1);
}

void *ww_calloc(size_t count, size_t size)
{
    void *p = calloc(count ? count : 1, size ? size : 1);
    if (!p)
        ww_out_of_memory(size && count > SIZE_MAX / size ? SIZE_MAX : count * size);
    return p;
}

void *ww_realloc(void *old, size_t count, size_t size)
{
    void *p = reallocarray(old, count ? count : 1, size ? size : 1);
    if (!p)
        ww_out_of_memory(size && count > SIZE_MAX / size ? SIZE_MAX : count * size);
    return p;
}

void *ww_alloc_rows(size_t bytes)
{
    size_t rounded = (bytes + 64) / 64 * 64;
    void *p = aligned_alloc(64, rounded);
    if (!p)
        ww_out_of_memory(rounded);
    return p;
}

void *ww_calloc_rows(size_t bytes)
{
    return memset(ww_alloc_rows(bytes), 0, bytes);
}

char *ww_strdup(const char *text)
{
    size_t bytes = strlen(text) + 1;
    return memcpy(ww_calloc(bytes, 1), text, bytes);
}

char *ww_format(const char *format, ...)
{
    char *text = NULL;
    va_list args;
    va_start(args, format);
    if (vasprintf(&text, format, args) < 0)
        ww_out_of_memory(strlen(format));
    va_end(args);
    return text;
}

void *ww_vec_grow(void *items, size_t *capacity, size_t size)
{
    *capacity = *capacity ? *capacity * 2 : 8;
    return ww_realloc(items, *capacity, size);
}

typedef struct chunk {
    struct chunk *next;
    size_t used;
    size_t size;
    _Alignas(ALIGNMENT) unsigned char bytes[];
} chunk;

struct ww_arena {
    chunk *chunks;
};

ww_arena *ww_arena_create(void)
{
    return ww_calloc(1, sizeof(ww_arena));
}

void ww_arena_destroy(ww_arena *arena)
{
    if (!arena)
        return;
    for (chunk *c = arena->chunks, *next; c; c = next) {
        next = c->next;
        free(c);
    }
    free(arena);
}

void *ww_arena_alloc(ww_arena *arena, size_t count, size_t size)
{
    if (size && count > (SIZE_MAX / 2) / size)
        ww_out_of_memory(SIZE_MAX);
    size_t bytes = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    chunk *c = arena->chunks;
    if (!c || c->size - c->used < bytes) {
        size_t capacity = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;
        c = ww_calloc(1, sizeof(chunk) + capacity);
        c->size = capacity;
        c->next = arena->chunks;
        arena->chunks = c;
    }
    void *p = c->bytes + c->used;
    c->used += bytes;
    return p;
}

char *ww_arena_strndup(ww_arena *arena, const char *text, size_t length)
{
    return memcpy(ww_arena_alloc(arena, length + 1, 1), text, length);
}

char *ww_arena_strdup(ww_arena *arena, const char *text)
{
    return ww_arena_strndup(arena, text, strlen(text));
}

char *ww_arena_printf(ww_arena *arena, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    char *text = ww_arena_alloc(arena, (size_t)length + 1, 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    va_end(args);
    return text;
}
