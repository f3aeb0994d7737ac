#include "exec/memory.h"

#include "base/memory.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>

/* No buffer is below it, so that a small integer used as a pointer faults. */
#define FIRST_ADDRESS (UINT64_C(1) << 32)
#define DEFAULT_ALIGN UINT64_C(4096)

typedef WW_VEC(ww_buffer *) buffer_list; /* by address */

struct ww_memory {
    ww_placer placer;
    uint64_t footprint;
    uint64_t added; /* buffers so far */
    buffer_list buffers;
    buffer_list removed; /* ranges that no later buffer overlaps; their host bytes are gone */
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
    return memory;
}

static void free_host(ww_buffer *buffer)
{
    if (buffer->host && !buffer->borrowed)
        munmap(buffer->host, buffer->size);
    buffer->host = NULL;
}

static void free_buffer(ww_buffer *buffer)
{
    free_host(buffer);
    free((char *)(uintptr_t)buffer->name);
    free(buffer);
}

static void free_list(buffer_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free_buffer(list->items[i]);
    ww_vec_free(list);
}

void ww_memory_destroy(ww_memory *memory)
{
    if (!memory)
        return;
    free_list(&memory->buffers);
    free_list(&memory->removed);
    free(memory);
}

/* How many buffers start at or below the address. */
static size_t count_up_to(const buffer_list *list, uint64_t address)
{
    size_t low = 0;
    size_t high = list->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (list->items[middle]->address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void insert(buffer_list *list, ww_buffer *buffer)
{
    size_t at = count_up_to(list, buffer->address);
    ww_vec_push(list, buffer);
    memmove(list->items + at + 1, list->items + at, (list->count - 1 - at) * sizeof(*list->items));
    list->items[at] = buffer;
}

static ww_buffer *take_out(buffer_list *list, size_t at)
{
    ww_buffer *buffer = list->items[at];
    list->count--;
    memmove(list->items + at, list->items + at + 1, (list->count - at) * sizeof(*list->items));
    return buffer;
}

/* ---- addresses ---- */

/* The first address that a buffer after the first `below` ones may have: never adjacent. */
static uint64_t end_of(const ww_memory *memory, size_t below)
{
    const ww_buffer *last = below ? memory->buffers.items[below - 1] : NULL;
    return last ? last->address + last->size + 1 : FIRST_ADDRESS;
}

/* Behind the first `below` buffers, and before the next one if the placement would leave that where
 * it is; else WW_MEMORY_END. */
static uint64_t place_behind(const ww_memory *memory, size_t below, uint64_t size)
{
    uint64_t end = end_of(memory, below);
    uint64_t address = memory->placer.place(memory->placer.state, end, size);
    if (address < end || address > WW_MEMORY_END - size)
        return WW_MEMORY_END;
    if (below == memory->buffers.count)
        return address;
    const ww_buffer *next = memory->buffers.items[below];
    return address + size < next->address &&
                   memory->placer.place(memory->placer.state, address + size + 1, next->size) <=
                       next->address
               ? address
               : WW_MEMORY_END;
}

/* The lowest range that fits among those of removed buffers, else behind all buffers. */
static uint64_t choose_address(const ww_memory *memory, uint64_t size)
{
    if (size >= WW_MEMORY_END)
        return WW_MEMORY_END;
    for (size_t i = 0; i < memory->removed.count; i++) {
        size_t below = count_up_to(&memory->buffers, memory->removed.items[i]->address);
        uint64_t address = place_behind(memory, below, size);
        if (address != WW_MEMORY_END)
            return address;
    }
    return place_behind(memory, memory->buffers.count, size);
}

/* A new buffer takes the range: addresses there are not of removed buffers any more. */
static void forget_removed(ww_memory *memory, uint64_t address, uint64_t size)
{
    for (size_t i = memory->removed.count; i-- > 0;) {
        const ww_buffer *old = memory->removed.items[i];
        if (old->address <= address + size && address <= old->address + old->size)
            free_buffer(take_out(&memory->removed, i));
    }
}

/* ---- buffers ---- */

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

static const ww_buffer *add(ww_memory *memory, const ww_buffer *what)
{
    ww_buffer *buffer = ww_calloc(1, sizeof(*buffer));
    *buffer = *what;
    buffer->name = ww_strdup(what->name);
    buffer->number = ++memory->added;
    insert(&memory->buffers, buffer);
    forget_removed(memory, buffer->address, buffer->size);
    memory->footprint += buffer->size;
    return buffer;
}

/* WW_MEMORY_END with an error: there is none. */
static uint64_t need_address(const ww_memory *memory, const char *name, uint64_t size,
                             ww_errors *errors)
{
    uint64_t address = choose_address(memory, size);
    if (address == WW_MEMORY_END)
        fail_to_add(name, size, "the simulated address space has 96 TiB for buffers", errors);
    return address;
}

const ww_buffer *ww_memory_add(ww_memory *memory, const char *name, uint64_t size, bool read_only,
                               ww_errors *errors)
{
    ww_buffer buffer = {.name = name, .size = size, .read_only = read_only};
    buffer.address = need_address(memory, name, size, errors);
    if (buffer.address == WW_MEMORY_END)
        return NULL;
    buffer.host = map_host(size);
    if (size > 0 && !buffer.host) {
        fail_to_add(name, size, strerror(errno), errors);
        return NULL;
    }
    return add(memory, &buffer);
}

const ww_buffer *ww_memory_adopt(ww_memory *memory, const char *name, void *host, uint64_t size,
                                 ww_errors *errors)
{
    ww_buffer buffer = {.name = name, .size = size, .host = host, .borrowed = true};
    buffer.address = need_address(memory, name, size, errors);
    return buffer.address == WW_MEMORY_END ? NULL : add(memory, &buffer);
}

/* Where nothing of the process is, normally; other tools that run it leave less room. */
static const uint64_t shared_ranges[] = {UINT64_C(0x200000000000), UINT64_C(0x010000000000)};

const ww_buffer *ww_memory_add_shared(ww_memory *memory, const char *name, uint64_t size,
                                      ww_errors *errors)
{
    uint64_t end = next_page(NULL, end_of(memory, memory->buffers.count), 0);
    for (size_t i = 0; i < sizeof(shared_ranges) / sizeof(shared_ranges[0]); i++) {
        uint64_t address = end > shared_ranges[i] ? end : shared_ranges[i];
        if (size == 0 || size > WW_MEMORY_END - address)
            continue;
        void *host = mmap((void *)(uintptr_t)address, size, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
        if (host == (void *)(uintptr_t)address)
            return add(memory,
                       &(ww_buffer){.name = name, .address = address, .size = size, .host = host});
        if (host != MAP_FAILED)
            munmap(host, size);
    }
    fail_to_add(name, size, "no such address is free for host and device", errors);
    return NULL;
}

void ww_memory_remove(ww_memory *memory, const ww_buffer *buffer)
{
    size_t at = 0;
    while (at < memory->buffers.count && memory->buffers.items[at] != buffer)
        at++;
    if (at == memory->buffers.count)
        return;
    ww_buffer *removed = take_out(&memory->buffers, at);
    memory->footprint -= removed->size;
    free_host(removed);
    insert(&memory->removed, removed);
}

/* NULL: it was removed. */
static ww_buffer *own_buffer(ww_memory *memory, const ww_buffer *buffer)
{
    size_t below = count_up_to(&memory->buffers, buffer->address);
    ww_buffer *own = below ? memory->buffers.items[below - 1] : NULL;
    return own && own->number == buffer->number ? own : NULL;
}

void ww_memory_host_wrote(ww_memory *memory, const ww_buffer *buffer)
{
    ww_buffer *own = own_buffer(memory, buffer);
    if (own)
        own->host_wrote = true;
}

void ww_memory_hint(ww_memory *memory, const ww_buffer *buffer, ww_buffer_hints hints)
{
    ww_buffer *own = own_buffer(memory, buffer);
    if (own)
        own->hints = hints;
}

const ww_buffer *ww_memory_find(const ww_memory *memory, uint64_t address, uint64_t size)
{
    size_t below = count_up_to(&memory->buffers, address);
    if (below == 0)
        return NULL;
    const ww_buffer *buffer = memory->buffers.items[below - 1];
    uint64_t offset = address - buffer->address;
    return offset < buffer->size && size <= buffer->size - offset ? buffer : NULL;
}

const ww_buffer *ww_memory_nearest(const ww_memory *memory, uint64_t address)
{
    size_t below = count_up_to(&memory->buffers, address);
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

const ww_buffer *ww_memory_removed(const ww_memory *memory, uint64_t address)
{
    size_t below = count_up_to(&memory->removed, address);
    const ww_buffer *buffer = below ? memory->removed.items[below - 1] : NULL;
    return buffer && address - buffer->address < buffer->size ? buffer : NULL;
}

uint64_t ww_memory_added(const ww_memory *memory)
{
    return memory->added;
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
