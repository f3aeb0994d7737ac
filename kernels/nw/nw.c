/* Needleman-Wunsch: global alignment of two sequences by dynamic programming. */
#include "workload/workload.h"

#define TILE 16u
#define RESIDUES 20u

typedef struct nw {
    uint64_t n, columns;
    int32_t penalty;
    ww_array *itemsets, *reference, *output;
} nw;

static void allocate(ww_host *host, void *state)
{
    nw *s = state;
    s->n = ww_host_number(host, "n");
    s->columns = s->n + 1;
    s->penalty = (int32_t)ww_host_number(host, "penalty");
    if (s->n % TILE)
        ww_host_refuse(host, "n is %u (a multiple of %u is needed)", (unsigned)s->n, TILE);
    uint64_t cells = s->columns * s->columns;
    s->itemsets = ww_host_array(host, "itemsets", WW_INOUT, sizeof(int32_t), cells);
    s->reference = ww_host_array(host, "reference", WW_INPUT, sizeof(int32_t), cells);
    s->output = ww_host_array(host, "output", WW_SCRATCH, sizeof(int32_t), cells);
}

/* How alike two residues are, symmetric, in the range of BLOSUM62: 4..11 for a residue and itself,
 * else -4..3. */
static int32_t similarity(const nw *s, uint32_t a, uint32_t b)
{
    uint32_t low = a < b ? a : b, high = a < b ? b : a;
    int32_t random = (int32_t)ww_random_below(s->reference, low * RESIDUES + high, 8);
    return a == b ? 4 + random : random - 4;
}

static void fill(ww_host *host, void *state)
{
    nw *s = state;
    int32_t *itemsets = s->itemsets->host, *reference = s->reference->host;
    int32_t table[RESIDUES][RESIDUES];
    uint8_t *across = ww_host_alloc(host, s->columns, sizeof(*across));
    for (uint32_t a = 0; a < RESIDUES; a++)
        for (uint32_t b = 0; b < RESIDUES; b++)
            table[a][b] = similarity(s, a, b);
    for (uint64_t i = 1; i <= s->n; i++) {
        across[i] = (uint8_t)ww_random_below(s->itemsets, i, RESIDUES);
        itemsets[i] = itemsets[i * s->columns] = -(int32_t)i * s->penalty;
    }
    for (uint64_t i = 1; i <= s->n; i++) {
        uint32_t down = ww_random_below(s->itemsets, s->n + i, RESIDUES);
        for (uint64_t j = 1; j <= s->n; j++)
            reference[i * s->columns + j] = table[down][across[j]];
    }
}

static void run(ww_host *host, void *state)
{
    nw *s = state;
    uint64_t width = s->n / TILE;
    for (uint64_t tiles = 1; tiles <= width; tiles++)
        ww_host_launch(host, "nw_upper_left", ww_range1(tiles * TILE, TILE), ww_mem(s->reference),
                       ww_mem(s->itemsets), ww_mem(s->output), ww_u32(s->columns),
                       ww_u32((uint32_t)s->penalty), ww_u32(tiles));
    for (uint64_t tiles = width - 1; tiles >= 1; tiles--)
        ww_host_launch(host, "nw_lower_right", ww_range1(tiles * TILE, TILE), ww_mem(s->reference),
                       ww_mem(s->itemsets), ww_mem(s->output), ww_u32(s->columns),
                       ww_u32((uint32_t)s->penalty), ww_u32(tiles), ww_u32(width));
}

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* Row by row, from the row above. */
static void verify(ww_host *host, void *state)
{
    nw *s = state;
    const int32_t *reference = s->reference->host;
    int32_t *row = ww_host_alloc(host, s->columns, sizeof(*row));
    for (uint64_t j = 0; j < s->columns; j++) {
        row[j] = -(int32_t)j * s->penalty;
        ww_expect_i32(s->itemsets, j, row[j]);
    }
    for (uint64_t i = 1; i <= s->n; i++) {
        int32_t north_west = row[0];
        row[0] = -(int32_t)i * s->penalty;
        ww_expect_i32(s->itemsets, i * s->columns, row[0]);
        for (uint64_t j = 1; j <= s->n; j++) {
            int32_t gap = larger(row[j - 1], row[j]) - s->penalty;
            int32_t match = north_west + reference[i * s->columns + j];
            north_west = row[j];
            row[j] = larger(match, gap);
            ww_expect_i32(s->itemsets, i * s->columns + j, row[j]);
        }
    }
}

static const ww_parameter parameters[] = {
    WW_NUMBER_PARAMETER("n", "960", 16, 32768, "residues of each sequence"),
    WW_NUMBER_PARAMETER("penalty", "10", 0, 1000, "cost of a gap of one residue"),
};

/* hpca16: the 2048 of Rodinia's own script. */
static const ww_named_size sizes[] = {
    {"tiny", "n=128", 15, 0},
    {"small", "n=960", 119, 0},
    {"isca18", "n=6816", 851, 531.82},
    {"cawa", "n=1024", 127, 0},
    {"ctrlc", "n=1024", 127, 0},
    {"hpca16", "n=2048", 255, 0},
    {"latency", "n=1024", 127, 0},
};

WW_WORKLOAD(nw) = {
    .name = "nw",
    .suite = "Rodinia",
    .doc = "Needleman-Wunsch: alignment of two sequences, by anti-diagonals of tiles",
    .papers = "isca18 micro18 hpca16 latency cawa ctrlc",
    .irregular = true,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(nw),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
