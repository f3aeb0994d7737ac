/* Host memory: allocation that never returns NULL, an arena for what lives as long as its owner,
 * and growable arrays. Running out of host memory ends the process with one line and status 1;
 * large allocations that a user asks for (simulated buffers) do not come from here. */
#ifndef WW_BASE_MEMORY_H
#define WW_BASE_MEMORY_H

#include <stddef.h>
#include <stdlib.h>

#define WW_NEVER_NULL __attribute__((returns_nonnull))

WW_NEVER_NULL void *ww_calloc(size_t count, size_t size);
WW_NEVER_NULL void *ww_realloc(void *old, size_t count, size_t size);
WW_NEVER_NULL void *ww_alloc_rows(size_t bytes);  /* not zeroed, aligned to 64 bytes, for free() */
WW_NEVER_NULL void *ww_calloc_rows(size_t bytes); /* zeroed, likewise */
WW_NEVER_NULL char *ww_strdup(const char *text);
WW_NEVER_NULL char *ww_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void ww_out_of_memory(size_t bytes);

/* An arena: objects are zeroed, aligned to 16 bytes, and freed all at once. */
typedef struct ww_arena ww_arena;

WW_NEVER_NULL ww_arena *ww_arena_create(void);
void ww_arena_destroy(ww_arena *arena);
WW_NEVER_NULL void *ww_arena_alloc(ww_arena *arena, size_t count, size_t size);
WW_NEVER_NULL char *ww_arena_strndup(ww_arena *arena, const char *text, size_t length);
WW_NEVER_NULL char *ww_arena_strdup(ww_arena *arena, const char *text);
WW_NEVER_NULL char *ww_arena_printf(ww_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A growable array: WW_VEC(int) v = {0}; ww_vec_push(&v, 3); v.items[0]; ww_vec_free(&v). */
#define WW_VEC(type)     \
    struct {             \
        type *items;     \
        size_t count;    \
        size_t capacity; \
    }

#define ww_vec_push(vec, item)                                                                 \
    do {                                                                                       \
        if ((vec)->count == (vec)->capacity)                                                   \
            (vec)->items = ww_vec_grow((vec)->items, &(vec)->capacity, sizeof(*(vec)->items)); \
        (vec)->items[(vec)->count++] = (item);                                                 \
    } while (0)

#define ww_vec_free(vec)                    \
    do {                                    \
        free((vec)->items);                 \
        (vec)->items = NULL;                \
        (vec)->count = (vec)->capacity = 0; \
    } while (0)

WW_NEVER_NULL void *ww_vec_grow(void *items, size_t *capacity, size_t size);

#endif
