/* The row tools of one level. */
#include "exec/rows.h"

#include "exec/lanes/lanes.h"

#include <string.h>

static void blend32(void *to, const void *from, uint64_t mask, unsigned blocks)
{
    uint32_t *d = ALIGNED_ROW(to);
    const uint32_t *s = ALIGNED_ROW(from);
    for (unsigned b = 0; b < blocks; b++, d += LANES, s += LANES, mask >>= LANES) {
        uint32_t bits = (uint32_t)mask;
        EACH_IN_BLOCK d[i] = bits & lane_bit32[i] ? s[i] : d[i];
    }
}

static void blend64(void *to, const void *from, uint64_t mask, unsigned blocks)
{
    uint64_t *d = ALIGNED_ROW(to);
    const uint64_t *s = ALIGNED_ROW(from);
    for (unsigned b = 0; b < blocks; b++, d += LANES, s += LANES, mask >>= LANES) {
        uint64_t bits = mask;
        EACH_IN_BLOCK d[i] = bits & lane_bit64[i] ? s[i] : d[i];
    }
}

static void address32(uint64_t *d, const void *base, uint64_t offset, unsigned blocks)
{
    const uint32_t *s = ALIGNED_ROW(base);
    EACH_LANE d[i] = s[i] + offset;
}

static void address64(uint64_t *d, const void *base, uint64_t offset, unsigned blocks)
{
    const uint64_t *s = ALIGNED_ROW(base);
    EACH_LANE d[i] = s[i] + offset;
}

static bool is_sequence(const uint64_t *a, uint64_t step, unsigned lanes)
{
    uint64_t different = 0;
    if (a[1] != a[0] + step)
        return false;
    for (unsigned i = 2; i < lanes; i++)
        different |= a[i] ^ (a[0] + i * step);
    return different == 0;
}

/* Processors compare signed numbers faster: with their first bit changed, they are in the order of
 * the unsigned ones. */
static void range(const uint64_t *a, unsigned blocks, uint64_t *low, uint64_t *high, uint64_t *any)
{
    const uint64_t first_bit = 1ull << 63;
    int64_t l = (int64_t)(a[0] ^ first_bit), h = l;
    uint64_t o = 0;
    for (unsigned i = 0; i < blocks * LANES; i++) {
        int64_t v = (int64_t)(a[i] ^ first_bit);
        l = v < l ? v : l;
        h = v > h ? v : h;
        o |= a[i];
    }
    *low = (uint64_t)l ^ first_bit;
    *high = (uint64_t)h ^ first_bit;
    *any = o;
}

static void gather32(void *to, const uint64_t *a, uint64_t bias, unsigned blocks)
{
    uint32_t *d = ALIGNED_ROW(to);
    for (unsigned i = 0; i < blocks * LANES; i++)
        memcpy(&d[i], (const void *)(uintptr_t)(a[i] + bias), 4);
}

static void gather64(void *to, const uint64_t *a, uint64_t bias, unsigned blocks)
{
    uint64_t *d = ALIGNED_ROW(to);
    for (unsigned i = 0; i < blocks * LANES; i++)
        memcpy(&d[i], (const void *)(uintptr_t)(a[i] + bias), 8);
}

extern const ww_row_tools PASTE(ww_row_tools_, WW_LANE_LEVEL);
const ww_row_tools PASTE(ww_row_tools_, WW_LANE_LEVEL) = {
    blend32, blend64, address32, address64, is_sequence, range, gather32, gather64};
