#include "exec/memory.h"

#include "base/memory.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>

/* No buffer is below it, so that a small integer used as a pointer faults. */
#define FIRST_ADDRESS (UINT64_C(1) << 32)
#define DEFAULT_ALIGN UINT64_C(4096)

struct ww_memory {
    ww_placer placer;
    uint64_t end; /* no new buffer starts below; grows only, so a stale address faults */
    uint64_t footprint;
    WW_VEC(ww_buffer *) buffers; /* by address */
};

static uint64_t next_page(void *state, uint64_t end, uint64_t size)
{
    (void)state;
    (void)size;
    return (end + DEFAULT_ALIGN - 1) / DEFAULT_ALIGN * DEFAULT_ALIGN;
}

ww_memory *ww_memory_create(const ww_placer *placer)
{
    ww_memory *memory = ww_calloc(1, sizeof(*memory));
    memory->placer = placer ? *placer : (ww_placer){next_page, NULL};
    memory->end = FIRST_ADDRESS;
    return memory;
}

static void free_buffer(ww_buffer *buffer)
{
    if (buffer->host)
        munmap(buffer->host, buffer->size);
    free((char *)(uintptr_t)buffer->name);
    free(buffer);
}

void ww_memory_destroy(ww_memory *memory)
{
    if (!memory)
        return;
    for (size_t i = 0; i < memory->buffers.count; i++)
        free_buffer(memory->buffers.items[i]);
    ww_vec_free(&memory->buffers);
    free(memory);
}

static uint8_t *map_host(uint64_t size)
{
    if (size == 0)
        return NULL;
    void *host = mmap(NULL, size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return host == MAP_FAILED ? NULL : host;
}

static int fail_to_add(const char *name, uint64_t size, const char *why, ww_errors *errors)
{
    return ww_fail(errors, WW_FAILED, WW_NOWHERE,
                   "no room for buffer '%s' of %" PRIu64 " bytes: %s", name, size, why);
}

const ww_buffer *ww_memory_add(ww_memory *memory, const char *name, uint64_t size, bool read_only,
                               ww_errors *errors)
{
    const ww_placer *p = &memory->placer;
    uint64_t address = size < WW_MEMORY_END ? p->place(p->state, memory->end, size) : WW_MEMORY_END;
    if (address < memory->end || address > WW_MEMORY_END - size) {
        fail_to_add(name, size, "the simulated address space has 96 TiB for buffers", errors);
        return NULL;
    }
    uint8_t *host = map_host(size);
    if (size > 0 && !host) {
        fail_to_add(name, size, strerror(errno), errors);
        return NULL;
    }
    ww_buffer *buffer = ww_calloc(1, sizeof(*buffer));
    *buffer = (ww_buffer){ww_strdup(name), address, size, host, read_only};
    ww_vec_push(&memory->buffers, buffer);
    memory->footprint += size;
    memory->end = address + size + 1; /* never adjacent */
    return buffer;
}

void ww_memory_remove(ww_memory *memory, const ww_buffer *buffer)
{
    size_t at = 0;
    while (at < memory->buffers.count && memory->buffers.items[at] != buffer)
        at++;
    if (at == memory->buffers.count)
        return;
    ww_buffer *removed = memory->buffers.items[at];
    memory->footprint -= removed->size;
    memory->buffers.count--;
    memmove(memory->buffers.items + at, memory->buffers.items + at + 1,
            (memory->buffers.count - at) * sizeof(*memory->buffers.items));
    free_buffer(removed);
}

/* How many buffers start at or below the address. */
static size_t count_up_to(const ww_memory *memory, uint64_t address)
{
    size_t low = 0;
    size_t high = memory->buffers.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (memory->buffers.items[middle]->address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const ww_buffer *ww_memory_find(const ww_memory *memory, uint64_t address, uint64_t size)
{
    size_t below = count_up_to(memory, address);
    if (below == 0)
        return NULL;
    const ww_buffer *buffer = memory->buffers.items[below - 1];
    uint64_t offset = address - buffer->address;
    return offset < buffer->size && size <= buffer->size - offset ? buffer : NULL;
}

const ww_buffer *ww_memory_nearest(const ww_memory *memory, uint64_t address)
{
    size_t below = count_up_to(memory, address);
    if (memory->buffers.count == 0)
        return NULL;
    if (below == 0)
        return memory->buffers.items[0];
    const ww_buffer *before = memory->buffers.items[below - 1];
    if (below == memory->buffers.count)
        return before;
    const ww_buffer *after = memory->buffers.items[below];
    uint64_t end = before->address + before->size;
    uint64_t past = address > end ? address - end : 0;
    return past <= after->address - address ? before : after;
}

uint64_t ww_memory_footprint(const ww_memory *memory)
{
    return memory->footprint;
}

size_t ww_memory_buffers(const ww_memory *memory, const ww_buffer *const **buffers)
{
    *buffers = (const ww_buffer *const *)memory->buffers.items;
    return memory->buffers.count;
}
