/* Motion estimation: sums of absolute differences of blocks at several sizes, over a search window.
 *
 * Parboil's sad, the full search of the H.264 reference encoder: SADs of blocks of 4 x 4 pixels,
 * then those of larger blocks as sums of them, in three launches. Parboil's default input is a pair
 * of QCIF frames (176 x 144), with points up to 16 pixels away: 8.6 MiB. The paper does not say
 * which frames it has; hpca16 is the next usual format, CIF (352 x 288). */
#include "workload/workload.h"

#include <inttypes.h>

#define MACROBLOCK 16u /* pixels across; as in kernel.cl, also below */
#define ITEMS_4 64u
#define ITEMS_8 32u
#define ITEMS_16 32u
#define BLOCKS 41u /* of all shapes in a macroblock */
#define PADDING 8u /* positions of a block are rounded up to a multiple of it */

/* Sections of the result, in their order: blocks of a shape in a macroblock, and its pixels. */
typedef struct block_shape {
    uint64_t begin, across, down;
    uint64_t width, height;
} block_shape;

static const block_shape shapes[] = {
    {0, 1, 1, 16, 16}, {1, 1, 2, 16, 8}, {3, 2, 1, 8, 16}, {5, 2, 2, 8, 8},
    {9, 2, 4, 8, 4},   {17, 4, 2, 4, 8}, {25, 4, 4, 4, 4},
};

typedef struct sad {
    uint64_t width, height, range;
    uint64_t across, down, side, padded;
    ww_array *frame, *reference, *sads;
} sad;

static uint64_t frame_side(ww_host *host, const char *name)
{
    uint64_t value = ww_host_number(host, name);
    if (value % MACROBLOCK)
        ww_host_refuse(host, "%s is %" PRIu64 " (a multiple of %u is needed)", name, value,
                       MACROBLOCK);
    return value;
}

static void allocate(ww_host *host, void *state)
{
    sad *s = state;
    s->width = frame_side(host, "width");
    s->height = frame_side(host, "height");
    s->range = ww_host_number(host, "range");
    s->across = s->width / MACROBLOCK;
    s->down = s->height / MACROBLOCK;
    s->side = 2 * s->range + 1;
    s->padded = (s->side * s->side + PADDING - 1) / PADDING * PADDING;
    uint64_t pixels = s->width * s->height;
    s->frame = ww_host_array(host, "frame", WW_INPUT, sizeof(uint16_t), pixels);
    s->reference = ww_host_array(host, "reference", WW_INPUT, sizeof(uint16_t), pixels);
    s->sads = ww_host_array(host, "sads", WW_OUTPUT, sizeof(uint16_t),
                            s->across * s->down * BLOCKS * s->padded);
}

static void fill_pixels(const sad *s, ww_array *array)
{
    uint16_t *pixels = array->host;
    for (uint64_t i = 0; i < s->width * s->height; i++)
        pixels[i] = (uint16_t)ww_random_below(array, i, 256);
}

static void fill(ww_host *host, void *state)
{
    sad *s = state;
    (void)host;
    fill_pixels(s, s->frame);
    fill_pixels(s, s->reference);
}

static void run(ww_host *host, void *state)
{
    sad *s = state;
    ww_host_launch(host, "sad_4x4", ww_range2(s->width / 4 * ITEMS_4, s->height / 4, ITEMS_4, 1),
                   ww_mem(s->frame), ww_mem(s->reference), ww_mem(s->sads), ww_u32(s->width),
                   ww_u32(s->height), ww_u32(s->range), ww_u32(s->padded));
    ww_host_launch(host, "sad_8x8", ww_range2(s->across * ITEMS_8, s->down * 4, ITEMS_8, 4),
                   ww_mem(s->sads), ww_u32(s->padded));
    ww_host_launch(host, "sad_16x16", ww_range2(s->across * ITEMS_16, s->down, ITEMS_16, 1),
                   ww_mem(s->sads), ww_u32(s->padded));
}

/* ---- the reference: SADs of a macroblock at one position, then sums of them ---- */

static int64_t clamp(int64_t value, uint64_t count)
{
    return value < 0 ? 0 : value >= (int64_t)count ? (int64_t)count - 1 : value;
}

static uint32_t difference(const sad *s, int64_t x, int64_t y, int64_t dx, int64_t dy)
{
    const uint16_t *frame = s->frame->host, *reference = s->reference->host;
    int64_t width = (int64_t)s->width;
    int here = frame[y * width + x];
    int there = reference[clamp(y + dy, s->height) * width + clamp(x + dx, s->width)];
    return (uint32_t)(here < there ? there - here : here - there);
}

/* SADs of the 4 x 4 blocks of 4 x 4 pixels. */
static void compare_macroblock(const sad *s, uint64_t macroblock, uint64_t position,
                               uint32_t small[4][4])
{
    uint64_t left = macroblock % s->across * MACROBLOCK, top = macroblock / s->across * MACROBLOCK;
    int64_t dx = (int64_t)(position % s->side) - (int64_t)s->range;
    int64_t dy = (int64_t)(position / s->side) - (int64_t)s->range;
    memset(small, 0, 16 * sizeof(small[0][0]));
    for (uint64_t y = 0; y < MACROBLOCK; y++)
        for (uint64_t x = 0; x < MACROBLOCK; x++)
            small[y / 4][x / 4] += difference(s, (int64_t)(left + x), (int64_t)(top + y), dx, dy);
}

static uint32_t add_block(uint32_t small[4][4], const block_shape *shape, uint64_t block)
{
    uint64_t x = block % shape->across * shape->width / 4;
    uint64_t y = block / shape->across * shape->height / 4;
    uint32_t sum = 0;
    for (uint64_t j = 0; j < shape->height / 4; j++)
        for (uint64_t i = 0; i < shape->width / 4; i++)
            sum += small[y + j][x + i];
    return sum;
}

/* All blocks of a macroblock at two positions, which are one word; behind the last one are zeros.
 */
static void expect_pair(const sad *s, uint64_t macroblock, uint64_t pair)
{
    uint64_t macroblocks = s->across * s->down, words = s->padded / 2;
    uint32_t small[2][4][4] = {0};
    for (uint64_t i = 0; i < 2; i++)
        if (2 * pair + i < s->side * s->side)
            compare_macroblock(s, macroblock, 2 * pair + i, small[i]);
    for (size_t i = 0; i < WW_COUNT_OF(shapes); i++) {
        const block_shape *shape = &shapes[i];
        uint64_t count = shape->across * shape->down;
        uint64_t first = shape->begin * macroblocks + macroblock * count;
        for (uint64_t block = 0; block < count; block++)
            ww_expect_u32(s->sads, (first + block) * words + pair,
                          add_block(small[1], shape, block) << 16 |
                              add_block(small[0], shape, block));
    }
}

static void verify(ww_host *host, void *state)
{
    sad *s = state;
    (void)host;
    for (uint64_t macroblock = 0; macroblock < s->across * s->down; macroblock++)
        for (uint64_t pair = 0; pair < s->padded / 2; pair++)
            expect_pair(s, macroblock, pair);
}

static const ww_parameter parameters[] = {
    WW_NUMBER_PARAMETER("width", "96", 16, 8192, "pixels in a row of the frames"),
    WW_NUMBER_PARAMETER("height", "80", 16, 8192, "rows of the frames"),
    WW_NUMBER_PARAMETER("range", "16", 1, 64, "pixels to the farthest point, each way"),
};

static const ww_named_size sizes[] = {
    {"tiny", "width=48,height=32,range=3", 3, 0},
    {"small", "width=96,height=80,range=16", 3, 0},
    {"hpca16", "width=352,height=288,range=16", 3, 0},
};

WW_WORKLOAD(sad) = {
    .name = "sad",
    .suite = "Parboil",
    .doc = "motion estimation: absolute differences of blocks of seven shapes in a window",
    .papers = "hpca16",
    .irregular = false,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(sad),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
