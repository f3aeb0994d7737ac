/* Marks: bytes of which many are compared at a time.
 *
 * mark     a byte that stands for a larger key: keys with other marks are other keys
 * WW_MARKS how many marks one comparison looks at
 *
 * With SSE2, which every x86-64 host has, a comparison takes two instructions; elsewhere it takes
 * some for each eight marks. */
#ifndef WW_MEM_MARKS_H
#define WW_MEM_MARKS_H

#include <stdint.h>
#include <string.h>

#define WW_MARKS 16u

#if defined(__SSE2__) && !defined(WW_MARKS_PLAIN) /* plain: for tests */
#include <emmintrin.h>

typedef __m128i ww_marks;

/* The same mark WW_MARKS times. */
static inline ww_marks ww_marks_of(uint8_t mark)
{
    return _mm_set1_epi8((char)mark);
}

/* A bit for each of WW_MARKS marks that equals the wanted one. */
static inline uint32_t ww_marks_equal(const uint8_t *marks, ww_marks wanted)
{
    __m128i present = _mm_loadu_si128((const __m128i *)(const void *)marks);
    return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(present, wanted));
}

#else

typedef uint64_t ww_marks;

static inline ww_marks ww_marks_of(uint8_t mark)
{
    return mark * UINT64_C(0x0101010101010101);
}

static inline uint32_t ww_marks_equal(const uint8_t *marks, ww_marks wanted)
{
    const uint64_t low = UINT64_C(0x7f7f7f7f7f7f7f7f);
    uint32_t equal = 0;
    for (uint32_t first = 0; first < WW_MARKS; first += 8) {
        uint64_t word;
        memcpy(&word, marks + first, sizeof(word));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        word = __builtin_bswap64(word);
#endif
        uint64_t other = word ^ wanted;
        uint64_t zero = ~(((other & low) + low) | other | low); /* the high bit of zero bytes */
        equal |= (uint32_t)((zero >> 7) * UINT64_C(0x0102040810204080) >> 56) << first;
    }
    return equal;
}

#endif

#endif
