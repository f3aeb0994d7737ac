/* Motion estimation: how much a block of a frame differs from the blocks of a reference frame
 * around the same point, as sums of absolute differences (SADs). A macroblock has 16 x 16 pixels;
 * it has SADs as a whole, and of its parts down to 4 x 4 pixels.
 *
 * `positions` is how many points are searched, a row after another; `padded` how many there is
 * room for in the result, an even number. The result has a section for each shape of blocks; in it
 * macroblocks, of each its blocks from the upper left, of each block the SADs at all positions. */

#define MACROBLOCK 16
#define ITEMS_4 64
#define ITEMS_8 32
#define ITEMS_16 32

/* Where a shape's section begins, in blocks for each macroblock that there is. */
#define BEGIN_16X16 0
#define BEGIN_16X8 1
#define BEGIN_8X16 3
#define BEGIN_8X8 5
#define BEGIN_8X4 9
#define BEGIN_4X8 17
#define BEGIN_4X4 25

/* A work-group has one block of 4 x 4 pixels; its work-items share the positions. */
__kernel __attribute__((reqd_work_group_size(ITEMS_4, 1, 1))) void
sad_4x4(__global const ushort *frame, __global const ushort *reference, __global ushort *sads,
        int width, int height, int range, int padded)
{
    int left = get_group_id(0) * 4, top = get_group_id(1) * 4;
    int across = width / MACROBLOCK, macroblocks = across * (height / MACROBLOCK);
    int macroblock = top / MACROBLOCK * across + left / MACROBLOCK;
    int block = top % MACROBLOCK + left % MACROBLOCK / 4;
    int side = 2 * range + 1;
    __global ushort *mine =
        sads + ((size_t)BEGIN_4X4 * macroblocks + macroblock * 16 + block) * padded;
    int pixels[16];

#pragma unroll
    for (int i = 0; i < 16; i++)
        pixels[i] = frame[(top + i / 4) * width + left + i % 4];
    for (int position = get_local_id(0); position < side * side; position += ITEMS_4) {
        int x = left - range + position % side, y = top - range + position / side;
        uint sum = 0;
#pragma unroll
        for (int i = 0; i < 16; i++) {
            int row = clamp(y + i / 4, 0, height - 1), column = clamp(x + i % 4, 0, width - 1);
            sum += abs(pixels[i] - (int)reference[row * width + column]);
        }
        mine[position] = sum;
    }
}

/* From here on two SADs are one word of 32 bits: their sums stay below 2^16. */

/* A work-group has one macroblock, and each of its four rows of work-items a quarter of it. */
__kernel __attribute__((reqd_work_group_size(ITEMS_8, 4, 1))) void
sad_8x8(__global uint *sads, int padded)
{
    size_t words = padded / 2;
    int macroblocks = get_num_groups(0) * get_num_groups(1);
    int macroblock = get_group_id(1) * get_num_groups(0) + get_group_id(0);
    int quarter = get_local_id(1), x = quarter % 2, y = quarter / 2;
    __global const uint *from =
        sads + (BEGIN_4X4 * macroblocks + macroblock * 16 + y * 8 + x * 2) * words;
    __global uint *to_8x4 = sads + (BEGIN_8X4 * macroblocks + macroblock * 8 + y * 4 + x) * words;
    __global uint *to_4x8 =
        sads + (BEGIN_4X8 * macroblocks + macroblock * 8 + y * 4 + x * 2) * words;
    __global uint *to_8x8 = sads + (BEGIN_8X8 * macroblocks + macroblock * 4 + quarter) * words;

    for (size_t i = get_local_id(0); i < words; i += ITEMS_8) {
        uint a = from[i], b = from[words + i], c = from[4 * words + i], d = from[5 * words + i];
        to_8x4[i] = a + b;
        to_8x4[2 * words + i] = c + d;
        to_4x8[i] = a + c;
        to_4x8[words + i] = b + d;
        to_8x8[i] = a + b + c + d;
    }
}

/* A work-group has one macroblock. */
__kernel __attribute__((reqd_work_group_size(ITEMS_16, 1, 1))) void
sad_16x16(__global uint *sads, int padded)
{
    size_t words = padded / 2;
    int macroblocks = get_num_groups(0) * get_num_groups(1);
    int macroblock = get_group_id(1) * get_num_groups(0) + get_group_id(0);
    __global const uint *from = sads + (BEGIN_8X8 * macroblocks + macroblock * 4) * words;
    __global uint *to_16x8 = sads + (BEGIN_16X8 * macroblocks + macroblock * 2) * words;
    __global uint *to_8x16 = sads + (BEGIN_8X16 * macroblocks + macroblock * 2) * words;
    __global uint *to_16x16 = sads + macroblock * words;

    for (size_t i = get_local_id(0); i < words; i += ITEMS_16) {
        uint a = from[i], b = from[words + i], c = from[2 * words + i], d = from[3 * words + i];
        to_16x8[i] = a + b;
        to_16x8[words + i] = c + d;
        to_8x16[i] = a + c;
        to_8x16[words + i] = b + d;
        to_16x16[i] = a + b + c + d;
    }
}
