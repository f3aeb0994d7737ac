/* The coalescer: turns what a memory instruction accessed into one request for each distinct line.
 *
 * line     address of the first byte, with a bit for each sector that is touched
 * full     of a store: all bytes of its sectors are written
 * Lines are in the order of the first lane that touches them. */
#ifndef WW_CORE_COALESCE_H
#define WW_CORE_COALESCE_H

#include "exec/warp.h"

/* Of a lane's access: eight 64-bit values. */
#define WW_MOST_BYTES 64
/* The words of a lane's private memory are not adjacent: each of 64 lanes may touch a line for
 * each of its words. */
#define WW_MOST_LINES (64 * WW_MOST_BYTES / 4)

typedef struct ww_warp_line {
    uint64_t address;
    uint32_t sectors;
    uint16_t accesses; /* of lanes: an atomic's operations */
    uint16_t
        bytes; /* touched; bytes that two lanes share count twice unless the lanes are adjacent */
} ww_warp_line;

typedef struct ww_warp_lines {
    uint32_t count;
    ww_warp_line line[WW_MOST_LINES];
} ww_warp_lines;

typedef struct ww_coalescer {
    unsigned line, sector; /* bytes, powers of two */
    unsigned width;        /* lanes of a warp */
    bool scalar;           /* all lanes have the same address */
} ww_coalescer;

/* Finds the lines of an access that has lanes. `private_base`: address of the warp's private
 * memory, in which the lanes' copies of a word are adjacent. Lanes of a generic access in the local
 * data share are treated as the others. */
void ww_coalesce_access(const ww_coalescer *coalescer, const ww_row_tools *tools,
                        const ww_access *access, uint64_t private_base, ww_warp_lines *lines);

/* Adds the lanes' accesses of `bytes` bytes each; `line` and `sector` are powers of two. */
void ww_coalesce(ww_warp_lines *lines, uint64_t lanes, const uint64_t *address, unsigned bytes,
                 unsigned line, unsigned sector);
/* The same for lanes that access consecutive elements from `first` on. `first` is a multiple of
 * `bytes`, a power of two and at most a line. `lines` is empty. */
void ww_coalesce_sequence(ww_warp_lines *lines, uint64_t first, unsigned count, unsigned bytes,
                          unsigned line, unsigned sector);
/* Whether a store writes all bytes of the sectors of line `index`. */
bool ww_warp_line_is_full(const ww_warp_lines *lines, uint32_t index, unsigned sector);

#endif
