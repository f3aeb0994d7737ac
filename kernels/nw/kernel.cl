/* Needleman-Wunsch: scores of all alignments of two sequences of n residues, an (n + 1)^2 matrix.
 * A cell needs its north, west and north-west neighbours, so tiles of TILE x TILE cells go by
 * anti-diagonals of tiles, one launch each, and the cells of a tile by anti-diagonals of cells. */

#define TILE 16

/* A cell of the anti-diagonal, if the work-item has one. */
static void align_cell(__local int (*score)[TILE + 1], __local const int (*similarity)[TILE],
                       int penalty, bool has_one, int x, int y)
{
    if (has_one)
        score[y][x] = max(score[y - 1][x - 1] + similarity[y - 1][x - 1],
                          max(score[y][x - 1], score[y - 1][x]) - penalty);
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* One work-item a column of the tile while reading `reference` and writing back, one a row while
 * reading the western neighbours: those lie a whole row of the matrix apart. */
static void align_tile(__global const int *reference, __global int *itemsets,
                       __local int (*score)[TILE + 1], __local int (*similarity)[TILE],
                       int columns, int penalty, int tile_x, int tile_y)
{
    int item = get_local_id(0);
    int north_west = columns * TILE * tile_y + TILE * tile_x;
    int first = north_west + columns + 1 + item;

    if (item == 0)
        score[0][0] = itemsets[north_west];
    for (int y = 0; y < TILE; y++)
        similarity[y][item] = reference[first + columns * y];
    score[item + 1][0] = itemsets[north_west + columns * (item + 1)];
    score[0][item + 1] = itemsets[north_west + item + 1];
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int last = 0; last < TILE; last++)
        align_cell(score, similarity, penalty, item <= last, item + 1, last - item + 1);
    for (int last = TILE - 2; last >= 0; last--)
        align_cell(score, similarity, penalty, item <= last, TILE - last + item, TILE - item);

    for (int y = 0; y < TILE; y++)
        itemsets[first + columns * y] = score[y + 1][item + 1];
}

/* The upper left triangle: `tiles` tiles on the anti-diagonal, from the left edge to the top. */
__kernel __attribute__((reqd_work_group_size(TILE, 1, 1))) void
nw_upper_left(__global const int *reference, __global int *itemsets, __global int *output,
              int columns, int penalty, int tiles)
{
    __local int score[TILE + 1][TILE + 1];
    __local int similarity[TILE][TILE];
    int tile = get_group_id(0);
    align_tile(reference, itemsets, score, similarity, columns, penalty, tile, tiles - 1 - tile);
}

/* The lower right triangle: from the bottom edge to the right one; `width` tiles make a row. */
__kernel __attribute__((reqd_work_group_size(TILE, 1, 1))) void
nw_lower_right(__global const int *reference, __global int *itemsets, __global int *output,
               int columns, int penalty, int tiles, int width)
{
    __local int score[TILE + 1][TILE + 1];
    __local int similarity[TILE][TILE];
    int tile = get_group_id(0);
    align_tile(reference, itemsets, score, similarity, columns, penalty, width - tiles + tile,
               width - 1 - tile);
}
