#include "mem/request.h"

#include "base/memory.h"

#include <stddef.h>
#include <string.h>

#define BLOCK 256
#define HALF (offsetof(ww_request, before_l1) / 2)

struct ww_request_pool {
    WW_VEC(ww_request *) blocks;
    ww_request *free; /* a list */
    uint64_t taken;
};

ww_request_pool *ww_request_pool_create(void)
{
    return ww_calloc(1, sizeof(ww_request_pool));
}

void ww_request_pool_destroy(ww_request_pool *pool)
{
    if (!pool)
        return;
    for (size_t i = 0; i < pool->blocks.count; i++)
        free(pool->blocks.items[i]);
    ww_vec_free(&pool->blocks);
    free(pool);
}

static __attribute__((noinline)) void grow(ww_request_pool *pool)
{
    ww_request *block = ww_alloc_rows(BLOCK * sizeof(*block));
    ww_vec_push(&pool->blocks, block);
    for (size_t i = BLOCK; i-- > 0;) {
        block[i].link = pool->free;
        pool->free = &block[i];
    }
}

ww_request *ww_request_allocate(ww_request_pool *pool, ww_tick now)
{
    if (!pool->free)
        grow(pool);
    ww_request *request = pool->free;
    pool->free = request->link;
    pool->taken++;
    memset(request, 0, HALF); /* compilers have a slow instruction for the whole */
    memset((char *)request + HALF, 0, HALF);
    request->made = request->since = now;
    return request;
}

void ww_request_free(ww_request_pool *pool, ww_request *request)
{
    request->link = pool->free;
    pool->free = request;
    pool->taken--;
}

uint64_t ww_request_pool_in_use(const ww_request_pool *pool)
{
    return pool->taken;
}
