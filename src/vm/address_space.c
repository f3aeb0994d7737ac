#include "vm/address_space.h"

#include "base/memory.h"
#include "base/number_map.h"

#include <assert.h>

#define CHUNK 512u
#define RECENT 64u

/* The pages of a part of the address space. */
typedef struct chunk {
    uint64_t frame[CHUNK]; /* physical address; WW_NO_FRAME: not mapped */
    uint32_t ranges[CHUNK];
} chunk;

typedef struct known_chunk {
    uint64_t number; /* page number over CHUNK */
    chunk *chunk;
} known_chunk;

struct ww_address_space {
    uint64_t page_bytes;
    unsigned page_shift;
    ww_frames *frames;
    ww_page_table *table;
    ww_number_map indices; /* of chunks in `chunks`, by page number over CHUNK */
    WW_VEC(chunk *) chunks;
    known_chunk recent[RECENT]; /* looked up last, by number modulo RECENT */
    uint64_t mapped;
    bool managed;
    uint32_t together;
};

ww_address_space *ww_address_space_create(ww_frames *frames, bool managed, uint32_t together)
{
    ww_address_space *space = ww_calloc(1, sizeof(*space));
    space->managed = managed;
    space->together = together;
    space->page_bytes = ww_frames_bytes(frames);
    space->page_shift = (unsigned)__builtin_ctzll(space->page_bytes);
    for (unsigned i = 0; i < RECENT; i++)
        space->recent[i].number = WW_NO_NUMBER;
    space->frames = frames;
    space->table = ww_page_table_create(frames, space->page_bytes);
    if (space->table)
        return space;
    ww_address_space_destroy(space);
    return NULL;
}

void ww_address_space_destroy(ww_address_space *space)
{
    if (!space)
        return;
    for (size_t i = 0; i < space->chunks.count; i++)
        free(space->chunks.items[i]);
    ww_vec_free(&space->chunks);
    ww_number_map_clear(&space->indices);
    ww_page_table_destroy(space->table);
    free(space);
}

static chunk *make_chunk(ww_address_space *space, uint64_t number)
{
    chunk *made = ww_calloc(1, sizeof(*made));
    for (unsigned i = 0; i < CHUNK; i++)
        made->frame[i] = WW_NO_FRAME;
    ww_number_map_set(&space->indices, number, space->chunks.count);
    ww_vec_push(&space->chunks, made);
    return made;
}

static chunk *find_chunk(const ww_address_space *space, uint64_t page)
{
    uint64_t index = ww_number_map_get(&space->indices, page / CHUNK);
    return index == WW_NO_NUMBER ? NULL : space->chunks.items[index];
}

static chunk *chunk_of(ww_address_space *space, uint64_t page)
{
    uint64_t number = page / CHUNK;
    known_chunk *recent = &space->recent[number % RECENT];
    if (recent->number != number) {
        chunk *found = find_chunk(space, page);
        *recent = (known_chunk){number, found ? found : make_chunk(space, number)};
    }
    return recent->chunk;
}

static bool place(ww_address_space *space, chunk *c, uint64_t page)
{
    uint64_t frame = ww_frames_allocate(space->frames);
    if (frame == WW_NO_FRAME)
        return false;
    c->frame[page % CHUNK] = frame;
    space->mapped++;
    return true;
}

static void release(ww_address_space *space, chunk *c, uint64_t page)
{
    if (!(c->frame[page % CHUNK] & WW_HOST_MEMORY))
        ww_frames_free(space->frames, c->frame[page % CHUNK]);
    c->frame[page % CHUNK] = WW_NO_FRAME;
    space->mapped--;
}

static bool enter(ww_address_space *space, const chunk *c, uint64_t page)
{
    return ww_page_table_map(space->table, page << space->page_shift, c->frame[page % CHUNK]);
}

static bool map(ww_address_space *space, chunk *c, uint64_t page)
{
    if (c->frame[page % CHUNK] != WW_NO_FRAME)
        return true;
    if (!place(space, c, page))
        return false;
    if (enter(space, c, page))
        return true;
    release(space, c, page);
    return false;
}

bool ww_address_space_map(ww_address_space *space, uint64_t address)
{
    uint64_t page = address >> space->page_shift;
    return map(space, chunk_of(space, page), page);
}

bool ww_address_space_place(ww_address_space *space, uint64_t address)
{
    uint64_t page = address >> space->page_shift;
    chunk *c = chunk_of(space, page);
    return c->frame[page % CHUNK] != WW_NO_FRAME || place(space, c, page);
}

bool ww_address_space_enter(ww_address_space *space, uint64_t address)
{
    uint64_t page = address >> space->page_shift;
    const chunk *c = chunk_of(space, page);
    assert(c->frame[page % CHUNK] != WW_NO_FRAME);
    return enter(space, c, page);
}

/* Maps the pages of ranges without a frame that get theirs together with `page`: all frames before
 * any node of the page table. Out of memory, some stay without. */
static void map_together(ww_address_space *space, uint64_t page)
{
    uint64_t first = page - page % space->together;
    bool placed[WW_MOST_TOGETHER];
    for (uint32_t i = 0; i < space->together; i++) {
        chunk *c = chunk_of(space, first + i);
        uint64_t at = (first + i) % CHUNK;
        placed[i] = c->ranges[at] && c->frame[at] == WW_NO_FRAME && place(space, c, first + i);
    }
    for (uint32_t i = 0; i < space->together; i++) {
        chunk *c = chunk_of(space, first + i);
        if (placed[i] && !enter(space, c, first + i))
            release(space, c, first + i);
    }
}

/* The page is new, or its chunk is not in `recent`. */
static __attribute__((noinline)) bool touch_slowly(ww_address_space *space, uint64_t address,
                                                   uint64_t *physical)
{
    uint64_t page = address >> space->page_shift;
    chunk *c = chunk_of(space, page);
    if (space->managed && c->ranges[page % CHUNK] && c->frame[page % CHUNK] == WW_NO_FRAME) {
        *physical = WW_NO_FRAME;
        return true;
    }
    if (space->together > 1 && c->ranges[page % CHUNK] && c->frame[page % CHUNK] == WW_NO_FRAME)
        map_together(space, page);
    if (!map(space, c, page))
        return false;
    *physical = c->frame[page % CHUNK] + (address & (space->page_bytes - 1));
    return true;
}

bool ww_address_space_touch(ww_address_space *space, uint64_t address, uint64_t *physical)
{
    uint64_t page = address >> space->page_shift;
    const known_chunk *recent = &space->recent[page / CHUNK % RECENT];
    if (recent->number != page / CHUNK || recent->chunk->frame[page % CHUNK] == WW_NO_FRAME)
        return touch_slowly(space, address, physical);
    *physical = recent->chunk->frame[page % CHUNK] + (address & (space->page_bytes - 1));
    return true;
}

bool ww_address_space_add(ww_address_space *space, uint64_t address, uint64_t bytes, bool now)
{
    bool enough = true;
    uint64_t end = (address + bytes + space->page_bytes - 1) >> space->page_shift;
    for (uint64_t page = address >> space->page_shift; enough && page < end; page++) {
        chunk *c = chunk_of(space, page);
        c->ranges[page % CHUNK]++;
        enough = !now || space->managed || map(space, c, page);
    }
    return enough;
}

void ww_address_space_unmap(ww_address_space *space, uint64_t address)
{
    ww_page_table_unmap(space->table, address >> space->page_shift << space->page_shift);
}

void ww_address_space_release(ww_address_space *space, uint64_t address)
{
    uint64_t page = address >> space->page_shift;
    chunk *c = chunk_of(space, page);
    if (c->frame[page % CHUNK] != WW_NO_FRAME)
        release(space, c, page);
}

void ww_address_space_remove(ww_address_space *space, uint64_t address, uint64_t bytes)
{
    uint64_t end = (address + bytes + space->page_bytes - 1) >> space->page_shift;
    for (uint64_t page = address >> space->page_shift; page < end; page++) {
        chunk *c = chunk_of(space, page);
        assert(c->ranges[page % CHUNK]);
        if (--c->ranges[page % CHUNK] == 0) {
            ww_address_space_unmap(space, page << space->page_shift);
            ww_address_space_release(space, page << space->page_shift);
        }
    }
}

void ww_address_space_protect(ww_address_space *space, uint64_t address, uint64_t bytes,
                              bool writable)
{
    uint64_t end = address + bytes;
    for (address -= address % space->page_bytes; address < end; address += space->page_bytes)
        ww_page_table_protect(space->table, address, writable);
}

bool ww_address_space_has(const ww_address_space *space, uint64_t address)
{
    uint64_t page = address >> space->page_shift;
    const chunk *c = find_chunk(space, page);
    return c && c->frame[page % CHUNK] != WW_NO_FRAME;
}

bool ww_address_space_enter_host(ww_address_space *space, uint64_t address)
{
    uint64_t page = address >> space->page_shift;
    chunk *c = chunk_of(space, page);
    assert(c->frame[page % CHUNK] == WW_NO_FRAME);
    c->frame[page % CHUNK] = WW_HOST_MEMORY | page << space->page_shift;
    space->mapped++;
    return ww_address_space_enter(space, address);
}

uint64_t ww_address_space_frame(const ww_address_space *space, uint64_t address)
{
    uint64_t page = address >> space->page_shift;
    const chunk *c = find_chunk(space, page);
    return c ? c->frame[page % CHUNK] : WW_NO_FRAME;
}

ww_mapped_address ww_address_space_translate(const ww_address_space *space, uint64_t address)
{
    uint64_t page = address >> space->page_shift;
    const chunk *c = find_chunk(space, page);
    uint64_t frame = c ? c->frame[page % CHUNK] : WW_NO_FRAME;
    if (frame == WW_NO_FRAME)
        return (ww_mapped_address){.physical = WW_NO_FRAME};
    return (ww_mapped_address){
        .physical = frame + (address & (space->page_bytes - 1)),
        .generation = frame & WW_HOST_MEMORY ? 0 : ww_frames_generation(space->frames, frame)};
}

const ww_page_table *ww_address_space_table(const ww_address_space *space)
{
    return space->table;
}

uint64_t ww_address_space_mapped(const ww_address_space *space)
{
    return space->mapped;
}
