#include "core/coalesce.h"

#include <stddef.h>

/* Lines by a hash of their addresses: one whose bit is not set is new, without a search. */
typedef struct sieve {
    uint64_t bits[4];
} sieve;

static unsigned hash_of(uint64_t address)
{
    return (unsigned)((address >> 4) * 0x9e3779b97f4a7c15u >> 56);
}

static ww_line *add_line(ww_lines *lines, uint64_t address)
{
    ww_line *line = &lines->line[lines->count++];
    *line = (ww_line){.address = address};
    return line;
}

static ww_line *find_line(ww_lines *lines, sieve *seen, uint64_t address)
{
    unsigned hash = hash_of(address);
    uint64_t bit = 1ull << hash % 64, *word = &seen->bits[hash / 64];
    for (uint32_t i = *word & bit ? lines->count : 0; i-- > 0;)
        if (lines->line[i].address == address)
            return &lines->line[i];
    *word |= bit;
    return add_line(lines, address);
}

/* Sectors of a line that `bytes` bytes from `offset` on touch. */
static uint32_t sectors_of(unsigned offset, unsigned bytes, unsigned shift)
{
    uint32_t first = 1u << (offset >> shift), last = 1u << ((offset + bytes - 1) >> shift);
    return 2 * last - first;
}

/* Lanes go to the line of the lane before, or else the line is looked for. */
void ww_coalesce(ww_lines *lines, uint64_t lanes, const uint64_t *address, unsigned bytes,
                 unsigned line, unsigned sector)
{
    unsigned shift = (unsigned)__builtin_ctz(sector);
    uint64_t before = UINT64_MAX;
    ww_line *current = NULL;
    sieve seen = {{0}};
    for (uint32_t i = 0; i < lines->count; i++)
        seen.bits[hash_of(lines->line[i].address) / 64] |= 1ull
                                                           << hash_of(lines->line[i].address) % 64;
    for (uint64_t rest = lanes; rest; rest &= rest - 1) {
        uint64_t at = address[__builtin_ctzll(rest)];
        bool again = at == before; /* one word for all: no more bytes than from one lane */
        before = at;
        for (unsigned left = bytes; left > 0;) {
            unsigned offset = (unsigned)at & (line - 1);
            unsigned here = line - offset < left ? line - offset : left;
            if (!current || current->address != at - offset)
                current = find_line(lines, &seen, at - offset);
            current->sectors |= sectors_of(offset, here, shift);
            current->accesses++;
            current->bytes = (uint16_t)(current->bytes + (again ? 0 : here));
            at += here;
            left -= here;
        }
    }
}

void ww_coalesce_sequence(ww_lines *lines, uint64_t first, unsigned count, unsigned bytes,
                          unsigned line, unsigned sector)
{
    unsigned shift = (unsigned)__builtin_ctz(sector), size = (unsigned)__builtin_ctz(bytes);
    for (unsigned left = count << size; left > 0;) {
        unsigned offset = (unsigned)first & (line - 1);
        unsigned here = line - offset < left ? line - offset : left;
        ww_line *it = add_line(lines, first - offset);
        it->sectors = sectors_of(offset, here, shift);
        it->accesses = (uint16_t)(here >> size);
        it->bytes = (uint16_t)here;
        first += here;
        left -= here;
    }
}

bool ww_lines_full(const ww_lines *lines, uint32_t index, unsigned sector)
{
    const ww_line *l = &lines->line[index];
    return l->bytes >= (unsigned)__builtin_popcount(l->sectors) * sector;
}
