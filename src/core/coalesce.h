/* The coalescer: a warp's addresses become requests, one for each distinct line.
 *
 * line     address of the first byte, with a bit for each sector that is touched
 * full     of a store: all bytes of its sectors are written
 * Lines are in the order of the first lane that touches them. */
#ifndef WW_CORE_COALESCE_H
#define WW_CORE_COALESCE_H

#include <stdbool.h>
#include <stdint.h>

#define WW_MOST_LINES 128

typedef struct ww_lines {
    uint32_t count;
    uint64_t address[WW_MOST_LINES];
    uint32_t sectors[WW_MOST_LINES];
    uint16_t accesses[WW_MOST_LINES]; /* of lanes: an atomic's operations */
    uint16_t bytes[WW_MOST_LINES];    /* touched, as if no two lanes touched the same */
} ww_lines;

/* Adds the lanes' accesses of `bytes` bytes each; `line` and `sector` are powers of two. */
void ww_coalesce(ww_lines *lines, uint64_t lanes, const uint64_t *address, unsigned bytes,
                 unsigned line, unsigned sector);
/* Whether a store with these bytes fills its sectors. */
bool ww_lines_full(const ww_lines *lines, uint32_t index, unsigned sector);

#endif
