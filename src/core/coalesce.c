#include "core/coalesce.h"

#include <stddef.h>

#define SIEVE_BITS 10

/* A Bloom filter of line addresses: a line whose bit is clear is new, without a search. */
typedef struct sieve {
    uint64_t bits[(1u << SIEVE_BITS) / 64];
    uint32_t marked; /* lines that are in the filter */
} sieve;

/* The factor is none that kernels scatter their own addresses with, such as the golden ratio: those
 * addresses would share a few bits. */
static uint64_t *word_of(sieve *seen, uint64_t address, uint64_t *bit)
{
    size_t hash = (address >> 4) * UINT64_C(0xd6e8feb86659fd93) >> (64 - SIEVE_BITS);
    *bit = 1ull << hash % 64;
    return &seen->bits[hash / 64];
}

static ww_warp_line *add_line(ww_warp_lines *lines, uint64_t address)
{
    ww_warp_line *line = &lines->line[lines->count++];
    *line = (ww_warp_line){.address = address};
    return line;
}

static ww_warp_line *find_line(ww_warp_lines *lines, sieve *seen, uint64_t address)
{
    uint64_t bit, *word;
    for (; seen->marked < lines->count; seen->marked++) {
        word = word_of(seen, lines->line[seen->marked].address, &bit);
        *word |= bit;
    }
    word = word_of(seen, address, &bit);
    for (uint32_t i = *word & bit ? lines->count : 0; i-- > 0;)
        if (lines->line[i].address == address)
            return &lines->line[i];
    *word |= bit;
    seen->marked++;
    return add_line(lines, address);
}

/* Sectors of a line that `bytes` bytes from `offset` on touch. */
static uint32_t sectors_of(unsigned offset, unsigned bytes, unsigned shift)
{
    uint32_t first = 1u << (offset >> shift), last = 1u << ((offset + bytes - 1) >> shift);
    return 2 * last - first;
}

static uint64_t highest_of(const ww_warp_lines *lines)
{
    uint64_t highest = 0;
    for (uint32_t i = 0; i < lines->count; i++)
        highest = lines->line[i].address > highest ? lines->line[i].address : highest;
    return highest;
}

/* Tries the line of the lane before, then a new line above all others (both are cheap), then
 * searches. */
void ww_coalesce(ww_warp_lines *lines, uint64_t lanes, const uint64_t *address, unsigned bytes,
                 unsigned line, unsigned sector)
{
    unsigned shift = (unsigned)__builtin_ctz(sector);
    uint64_t before = UINT64_MAX, highest = highest_of(lines);
    ww_warp_line none = {.address = UINT64_MAX}, *current = &none;
    sieve seen = {0};
    for (uint64_t rest = lanes; rest; rest &= rest - 1) {
        uint64_t at = address[__builtin_ctzll(rest)];
        bool again = at == before; /* the same word as the lane before: its bytes count once */
        before = at;
        for (unsigned left = bytes; left > 0;) {
            unsigned offset = (unsigned)at & (line - 1);
            unsigned here = line - offset < left ? line - offset : left;
            uint64_t start = at - offset;
            if (start > highest) {
                highest = start;
                current = add_line(lines, start);
            } else if (start != current->address) {
                current = find_line(lines, &seen, start);
            }
            current->sectors |= sectors_of(offset, here, shift);
            current->accesses++;
            current->bytes = (uint16_t)(current->bytes + (again ? 0 : here));
            at += here;
            left -= here;
        }
    }
}

void ww_coalesce_sequence(ww_warp_lines *lines, uint64_t first, unsigned count, unsigned bytes,
                          unsigned line, unsigned sector)
{
    unsigned shift = (unsigned)__builtin_ctz(sector), size = (unsigned)__builtin_ctz(bytes);
    for (unsigned left = count << size; left > 0;) {
        unsigned offset = (unsigned)first & (line - 1);
        unsigned here = line - offset < left ? line - offset : left;
        ww_warp_line *it = add_line(lines, first - offset);
        it->sectors = sectors_of(offset, here, shift);
        it->accesses = (uint16_t)(here >> size);
        it->bytes = (uint16_t)here;
        first += here;
        left -= here;
    }
}

bool ww_warp_line_is_full(const ww_warp_lines *lines, uint32_t index, unsigned sector)
{
    const ww_warp_line *l = &lines->line[index];
    return l->bytes >= sector && l->bytes >= (unsigned)__builtin_popcount(l->sectors) * sector;
}

/* ---- of an access ---- */

static void add_private(const ww_coalescer *c, const ww_access *access, uint64_t lanes,
                        uint64_t base, ww_warp_lines *lines)
{
    uint64_t address[WW_MOST_LANES];
    uint64_t window = access->space == WW_SPACE_LOCAL ? 0 : WW_LOCAL_WINDOW;
    for (unsigned word = 0; word < access->bytes; word += 4) {
        for (uint64_t rest = lanes; rest; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctzll(rest);
            uint64_t offset = access->address[lane] - window + word;
            address[lane] = base + (offset / 4 * c->width + lane) * 4;
        }
        ww_coalesce(lines, lanes, address, 4, c->line, c->sector);
    }
}

/* Lanes that access private memory. */
static uint64_t private_lanes(const ww_access *access)
{
    if (access->space != WW_SPACE_GENERIC)
        return access->space == WW_SPACE_LOCAL ? access->lanes : 0;
    uint64_t lanes = 0;
    for (uint64_t rest = access->lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        if (access->address[lane] - WW_LOCAL_WINDOW < WW_WINDOW_BYTES)
            lanes |= 1ull << lane;
    }
    return lanes;
}

/* The number of lanes when lanes 0, 1, 2, ... access consecutive elements, else 0. */
static unsigned sequence_of(const ww_row_tools *tools, const ww_access *access, uint64_t lanes)
{
    unsigned bytes = access->bytes;
    unsigned count = ~lanes ? (unsigned)__builtin_ctzll(~lanes) : 64;
    bool simple = !(lanes & (lanes + 1)) && count > 1 && !(bytes & (bytes - 1)) &&
                  !(access->address[0] & (bytes - 1));
    if (!simple)
        return 0;
    return access->sequence || tools->is_sequence(access->address, bytes, count) ? count : 0;
}

void ww_coalesce_access(const ww_coalescer *c, const ww_row_tools *tools, const ww_access *access,
                        uint64_t private_base, ww_warp_lines *lines)
{
    uint64_t private = private_lanes(access);
    uint64_t lanes = access->lanes & ~private;
    if (c->scalar)
        lanes &= 0 - lanes;
    lines->count = 0;
    unsigned sequence = sequence_of(tools, access, lanes);
    if (sequence && access->bytes <= c->line)
        ww_coalesce_sequence(lines, access->address[0], sequence, access->bytes, c->line,
                             c->sector);
    else if (lanes)
        ww_coalesce(lines, lanes, access->address, access->bytes, c->line, c->sector);
    if (private)
        add_private(c, access, private, private_base, lines);
}
