/* LU decomposition without pivoting, in place: the matrix becomes U above and on the diagonal, L
 * (with ones on the diagonal) below it. It goes in tiles of TILE x TILE from the upper left: the
 * diagonal tile, then the tiles right of it and below it (the perimeter), then all others (the
 * internal ones), each in a launch of its own. `offset` is the row and column where the diagonal
 * tile starts. */

/* A product and its sum in one expression are rounded once. */
#pragma OPENCL FP_CONTRACT ON

#define TILE 16

/* One work-group of one work-item a row. */
__kernel __attribute__((reqd_work_group_size(TILE, 1, 1))) void
lud_diagonal(__global float *matrix, int n, int offset)
{
    __local float tile[TILE][TILE];
    int item = get_local_id(0);
    __global float *corner = matrix + offset * n + offset;

    for (int y = 0; y < TILE; y++)
        tile[y][item] = corner[y * n + item];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < TILE - 1; i++) {
        if (item > i) {
            for (int j = 0; j < i; j++)
                tile[item][i] -= tile[item][j] * tile[j][i];
            tile[item][i] /= tile[i][i];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item > i)
            for (int j = 0; j < i + 1; j++)
                tile[i + 1][item] -= tile[i + 1][j] * tile[j][item];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int y = 1; y < TILE; y++)
        corner[y * n + item] = tile[y][item];
}

static void load_tile(__local float (*tile)[TILE], __global const float *from, int n, int column,
                      int first, int last)
{
    for (int y = first; y < last; y++)
        tile[y][column] = from[y * n + column];
}

/* A work-group has one tile of the row and one of the column; the first half of its work-items
 * solves a column each in the former, the second half a row each in the latter. */
__kernel __attribute__((reqd_work_group_size(2 * TILE, 1, 1))) void
lud_perimeter(__global float *matrix, int n, int offset)
{
    __local float diagonal[TILE][TILE];
    __local float row[TILE][TILE];
    __local float column[TILE][TILE];
    bool of_row = get_local_id(0) < TILE;
    int item = get_local_id(0) % TILE;
    int distance = (get_group_id(0) + 1) * TILE;
    __global float *corner = matrix + offset * n + offset;

    load_tile(diagonal, corner, n, item, of_row ? 0 : TILE / 2, of_row ? TILE / 2 : TILE);
    load_tile(of_row ? row : column, corner + (of_row ? distance : distance * n), n, item, 0, TILE);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (of_row) {
        for (int i = 1; i < TILE; i++)
            for (int j = 0; j < i; j++)
                row[i][item] -= diagonal[i][j] * row[j][item];
    } else {
        for (int i = 0; i < TILE; i++) {
            for (int j = 0; j < i; j++)
                column[item][i] -= column[item][j] * diagonal[j][i];
            column[item][i] /= diagonal[i][i];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int y = of_row ? 1 : 0; y < TILE; y++)
        corner[(of_row ? distance : distance * n) + y * n + item] =
            of_row ? row[y][item] : column[y][item];
}

/* One cell a work-item: minus the product of the tiles at the head of its column and of its row. */
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void
lud_internal(__global float *matrix, int n, int offset)
{
    __local float row[TILE][TILE];
    __local float column[TILE][TILE];
    int x = get_local_id(0), y = get_local_id(1);
    int across = (get_group_id(0) + 1) * TILE + x, down = (get_group_id(1) + 1) * TILE + y;
    __global float *corner = matrix + offset * n + offset;

    row[y][x] = corner[y * n + across];
    column[y][x] = corner[down * n + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (int i = 0; i < TILE; i++)
        sum += column[y][i] * row[i][x];
    corner[down * n + across] -= sum;
}
