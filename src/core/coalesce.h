/* The coalescer: a warp's addresses become requests, one for each distinct line.
 *
 * line     address of the first byte, with a bit for each sector that is touched
 * full     of a store: all bytes of its sectors are written
 * Lines are in the order of the first lane that touches them. */
#ifndef WW_CORE_COALESCE_H
#define WW_CORE_COALESCE_H

#include <stdbool.h>
#include <stdint.h>

/* Of a lane's access: eight 64-bit values. */
#define WW_MOST_BYTES 64
/* Private memory lies in words that are apart: each of 64 lanes may touch a line for each of its words. */
#define WW_MOST_LINES (64 * WW_MOST_BYTES / 4)

typedef struct ww_line {
    uint64_t address;
    uint32_t sectors;
    uint16_t accesses; /* of lanes: an atomic's operations */
    uint16_t bytes; /* touched, as if no two lanes touched the same, but for neighbours that do */
} ww_line;

typedef struct ww_lines {
    uint32_t count;
    ww_line line[WW_MOST_LINES];
} ww_lines;

/* Adds the lanes' accesses of `bytes` bytes each; `line` and `sector` are powers of two. */
void ww_coalesce(ww_lines *lines, uint64_t lanes, const uint64_t *address, unsigned bytes,
                 unsigned line, unsigned sector);
/* The same for lanes that access one element after the other, from `first` on, which is a multiple of `bytes`, a power of two
 * and not more than a line. There are no lines yet. */
void ww_coalesce_sequence(ww_lines *lines, uint64_t first, unsigned count, unsigned bytes,
                          unsigned line, unsigned sector);
/* Whether a store with these bytes fills its sectors. */
bool ww_lines_full(const ww_lines *lines, uint32_t index, unsigned sector);

#endif
