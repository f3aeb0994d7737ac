#include "core/coalesce.h"

/* Most accesses go to the line of the lane before, or to a new one: look there first. */
static uint32_t find_line(ww_lines *lines, uint64_t address, uint32_t last)
{
    if (last < lines->count && lines->line[last].address == address)
        return last;
    for (uint32_t i = lines->count; i-- > 0;)
        if (lines->line[i].address == address)
            return i;
    uint32_t index = lines->count++;
    lines->line[index] = (ww_line){.address = address};
    return index;
}

void ww_coalesce(ww_lines *lines, uint64_t lanes, const uint64_t *address, unsigned bytes,
                 unsigned line, unsigned sector)
{
    uint32_t last = 0;
    unsigned shift = (unsigned)__builtin_ctz(sector);
    uint64_t before = UINT64_MAX;
    for (uint64_t rest = lanes; rest; rest &= rest - 1) {
        uint64_t at = address[__builtin_ctzll(rest)];
        bool again = at == before; /* one word for all: no more bytes than from one lane */
        before = at;
        for (uint64_t end = at + bytes; at < end;) {
            uint64_t start = at & ~(uint64_t)(line - 1);
            uint64_t stop = start + line < end ? start + line : end;
            unsigned from = (unsigned)(at - start) >> shift;
            unsigned to = (unsigned)(stop - 1 - start) >> shift;
            last = find_line(lines, start, last);
            ww_line *l = &lines->line[last];
            l->sectors |= (uint32_t)(((2ull << to) - 1) & ~((1ull << from) - 1));
            l->accesses++;
            l->bytes = (uint16_t)(l->bytes + (again ? 0 : stop - at));
            at = stop;
        }
    }
}

bool ww_lines_full(const ww_lines *lines, uint32_t index, unsigned sector)
{
    const ww_line *l = &lines->line[index];
    return l->bytes >= (unsigned)__builtin_popcount(l->sectors) * sector;
}
