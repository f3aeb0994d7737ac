#include "core/coalesce.h"

#include "base/hash.h"

#include <stddef.h>

#define SIEVE_BITS 10

/* A Bloom filter of line addresses: a line whose bit is clear is new, without a search. */
typedef struct sieve {
    uint64_t bits[(1u << SIEVE_BITS) / 64];
    uint32_t marked; /* lines that are in the filter */
} sieve;

static uint64_t *word_of(sieve *seen, uint64_t address, uint64_t *bit)
{
    size_t hash = ww_bucket(address >> 4, SIEVE_BITS);
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
