/* Generated graphs: their rows are well formed, kinds have their properties, bytes never change. */
#include "workload/graph_input.h"
#include "workload/graph_internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

typedef struct rows {
    uint64_t vertices, edges;
    uint32_t *row, *column, *weight;
} rows;

static const ww_graph_spec examples[] = {
    {.kind = WW_GRAPH_RMAT, .scale = 12, .edge_factor = 16, .seed = 1},
    {.kind = WW_GRAPH_RMAT, .scale = 12, .edge_factor = 16, .seed = 1, .symmetric = true},
    {.kind = WW_GRAPH_RMAT, .scale = 14, .edge_factor = 3, .seed = 7},
    {.kind = WW_GRAPH_ROAD, .width = 150, .height = 90, .seed = 1},
    {.kind = WW_GRAPH_ROAD, .width = 7, .height = 3001, .seed = 2},
    {.kind = WW_GRAPH_MESH, .width = 60, .height = 41, .seed = 1},
    {.kind = WW_GRAPH_UNIFORM, .scale = 10, .edge_factor = 9, .seed = 1},
    {.kind = WW_GRAPH_UNIFORM, .vertices = 1999, .edge_factor = 5, .seed = 1, .symmetric = true},
    {.kind = WW_GRAPH_TREE, .vertices = 1000, .edge_factor = 3, .seed = 1, .symmetric = true},
    {.kind = WW_GRAPH_POWER, .vertices = 3001, .edge_factor = 3, .seed = 1, .symmetric = true},
    {.kind = WW_GRAPH_ROAD, .width = 101, .height = 63, .tile = 20, .seed = 1},
};
#define EXAMPLES (sizeof(examples) / sizeof(examples[0]))

static rows make(const ww_graph_spec *spec)
{
    ww_errors *errors = ww_errors_create();
    ww_graph_source *source = ww_graph_open(spec, errors);
    assert_non_null(source);
    assert_int_equal(ww_errors_count(errors), 0);
    assert_true(ww_graph_weighted(source));
    rows r = {.vertices = ww_graph_vertices(source), .edges = ww_graph_edges(source)};
    r.row = ww_calloc(r.vertices + 1, sizeof(*r.row));
    r.column = ww_calloc(r.edges, sizeof(*r.column));
    r.weight = ww_calloc(r.edges, sizeof(*r.weight));
    memset(r.row, 0xa5, (r.vertices + 1) * sizeof(*r.row)); /* nothing may rely on zeroes */
    ww_graph_fill(source, r.row, r.column, r.weight);
    ww_graph_close(source);
    ww_errors_destroy(errors);
    return r;
}

static void drop(rows *r)
{
    free(r->row);
    free(r->column);
    free(r->weight);
}

static uint64_t hash_of(const rows *r)
{
    uint64_t hash = ww_hash64(r->row, (r->vertices + 1) * sizeof(*r->row), 0);
    hash = ww_hash64(r->column, r->edges * sizeof(*r->column), hash);
    return ww_hash64(r->weight, r->edges * sizeof(*r->weight), hash);
}

static uint64_t degree(const rows *r, uint64_t v)
{
    return r->row[v + 1] - r->row[v];
}

/* The number of edges v -> target; their weight. */
static uint64_t edges_to(const rows *r, uint64_t v, uint32_t target, uint32_t *weight)
{
    uint64_t count = 0;
    for (uint64_t i = r->row[v]; i < r->row[v + 1]; i++) {
        if (r->column[i] == target) {
            count++;
            *weight = r->weight[i];
        }
    }
    return count;
}

static void rows_are_ascending_and_within_the_graph(void **state)
{
    (void)state;
    for (size_t e = 0; e < EXAMPLES; e++) {
        rows r = make(&examples[e]);
        assert_int_equal(r.row[0], 0);
        assert_int_equal(r.row[r.vertices], r.edges);
        for (uint64_t v = 0; v < r.vertices; v++) {
            assert_true(r.row[v] <= r.row[v + 1]);
            for (uint64_t i = r.row[v]; i < r.row[v + 1]; i++) {
                assert_true(r.column[i] < r.vertices);
                assert_int_not_equal(r.column[i], v);
                assert_true(i == r.row[v] || r.column[i - 1] <= r.column[i]);
                assert_in_range(r.weight[i], 1, examples[e].kind == WW_GRAPH_ROAD ? 9999 : 255);
            }
        }
        drop(&r);
    }
}

static void symmetric_graphs_have_each_edge_both_ways(void **state)
{
    (void)state;
    for (size_t e = 0; e < EXAMPLES; e++) {
        const ww_graph_spec *spec = &examples[e];
        if (!spec->symmetric && spec->kind != WW_GRAPH_ROAD && spec->kind != WW_GRAPH_MESH)
            continue;
        rows r = make(spec);
        for (uint64_t v = 0; v < r.vertices; v++) {
            for (uint64_t i = r.row[v]; i < r.row[v + 1]; i++) {
                uint32_t forth = 0, back = 0;
                assert_int_equal(edges_to(&r, v, r.column[i], &forth),
                                 edges_to(&r, r.column[i], (uint32_t)v, &back));
                assert_int_equal(forth, back);
            }
        }
        drop(&r);
    }
}

static void sizes_are_exact(void **state)
{
    (void)state;
    static const uint64_t edges[EXAMPLES] = {65536, 131072, 49152, 0, 0, 9638, 9216, 19990};
    for (size_t e = 0; e < EXAMPLES; e++) {
        rows r = make(&examples[e]);
        if (edges[e])
            assert_int_equal(r.edges, edges[e]);
        drop(&r);
    }
    rows r = make(&(ww_graph_spec){.kind = WW_GRAPH_MESH, .width = 1000, .height = 1000});
    assert_int_equal(r.vertices, 1000000);
    assert_int_equal(r.edges, 3996000);
    drop(&r);
    r = make(&(ww_graph_spec){.kind = WW_GRAPH_MESH, .width = 1, .height = 2});
    assert_int_equal(r.edges, 2);
    drop(&r);
    r = make(&(ww_graph_spec){.kind = WW_GRAPH_RMAT, .scale = 1, .edge_factor = 50000});
    assert_int_equal(r.edges, 100000);
    assert_true(r.row[1] > 75000 || r.row[1] < 25000); /* 0.76 of them in one row */
    drop(&r);
}

/* ---- properties of each kind ---- */

/* Scrambled numbers hide which vertices have many edges, not how many they have. */
static void rmat_is_as_skewed_as_its_quadrants_say(void **state)
{
    (void)state;
    rows r = make(&(ww_graph_spec){.kind = WW_GRAPH_RMAT, .scale = 14, .edge_factor = 16});
    uint64_t largest = 0, without = 0;
    for (uint64_t v = 0; v < r.vertices; v++) {
        without += degree(&r, v) == 0;
        if (degree(&r, v) > degree(&r, largest))
            largest = v;
    }
    /* The largest has 0.76^14 of 262,144 edges: 5622, standard deviation 74. */
    assert_in_range(degree(&r, largest), 5250, 6000);
    /* A vertex with k ones in its number has 262144 * 0.76^(14-k) * 0.24^k edges on average. The
     * chances to have none (Poisson) sum up to 5413 vertices. */
    assert_in_range(without, 5213, 5613);
    assert_int_not_equal(largest, 0); /* scrambled */
    drop(&r);
}

static void rmat_fills_quadrants_as_graph500_says(void **state)
{
    (void)state;
    /* With one level the scrambling can only swap the vertices, and self-loops (the quadrants of
     * 0.57 and 0.05) move to the other vertex: 0.57 + 0.19 of the edges start at one of them. */
    rows r = make(&(ww_graph_spec){.kind = WW_GRAPH_RMAT, .scale = 1, .edge_factor = 500000});
    uint64_t first = degree(&r, 0) > degree(&r, 1) ? degree(&r, 0) : degree(&r, 1);
    assert_in_range(first, 758000, 762000);
    drop(&r);
    /* Two levels: sources 0.76^2, two of 0.76 * 0.24, and 0.24^2 of the edges. */
    r = make(&(ww_graph_spec){.kind = WW_GRAPH_RMAT, .scale = 2, .edge_factor = 250000});
    uint64_t most = 0, least = UINT64_MAX;
    for (uint64_t v = 0; v < 4; v++) {
        most = degree(&r, v) > most ? degree(&r, v) : most;
        least = degree(&r, v) < least ? degree(&r, v) : least;
    }
    assert_in_range(most, 575000, 580200);
    assert_in_range(least, 56400, 58800);
    drop(&r);
}

/* Distances from vertex 0 by breadth; returns how many vertices were reached. */
static uint64_t spread(const rows *r, uint32_t *farthest)
{
    uint32_t *distance = ww_calloc(r->vertices, sizeof(*distance));
    uint32_t *queue = ww_calloc(r->vertices, sizeof(*queue));
    uint64_t reached = 1;
    distance[0] = 1;
    for (uint64_t next = 0; next < reached; next++) {
        uint32_t v = queue[next];
        *farthest = distance[v] - 1;
        for (uint64_t i = r->row[v]; i < r->row[v + 1]; i++) {
            if (!distance[r->column[i]]) {
                distance[r->column[i]] = distance[v] + 1;
                queue[reached++] = r->column[i];
            }
        }
    }
    free(queue);
    free(distance);
    return reached;
}

static void roads_connect_all_vertices_over_long_ways(void **state)
{
    (void)state;
    uint32_t farthest = 0;
    for (uint64_t seed = 0; seed < 5; seed++) {
        rows r = make(
            &(ww_graph_spec){.kind = WW_GRAPH_ROAD, .width = 300, .height = 200, .seed = seed});
        assert_int_equal(spread(&r, &farthest), 60000);
        assert_true(farthest >= 236 + 199); /* from a vertex in the first 64 of the upper row */
        assert_in_range(r.edges, 2 * 60000 * 5 / 4 - 2000, 2 * 60000 * 5 / 4 + 2000);
        for (uint64_t v = 0; v < r.vertices; v++)
            assert_in_range(degree(&r, v), 1, 4);
        drop(&r);
    }
}

static void roads_are_near_and_mostly_short(void **state)
{
    (void)state;
    rows r = make(&(ww_graph_spec){.kind = WW_GRAPH_ROAD, .width = 1000, .height = 100});
    uint64_t in_order = 0, sum = 0;
    for (uint64_t v = 0; v < r.vertices; v++) {
        for (uint64_t i = r.row[v]; i < r.row[v + 1]; i++) {
            uint64_t apart = v < r.column[i] ? r.column[i] - v : v - r.column[i];
            assert_true(apart < 1000 + 2 * 64);
            in_order += apart == 1;
            sum += r.weight[i];
        }
    }
    assert_true(in_order < r.edges / 10);
    assert_in_range(sum / r.edges, 2400, 2600); /* a quarter of the longest */
    drop(&r);
}

/* What renumbering does not change: vertices by degree, and products of degrees over all edges. */
typedef struct shape {
    uint64_t by_degree[5], products;
} shape;

static shape shape_of(const rows *r)
{
    shape s = {.products = 0};
    for (uint64_t v = 0; v < r->vertices; v++) {
        assert_in_range(degree(r, v), 1, 4);
        s.by_degree[degree(r, v)]++;
        for (uint64_t i = r->row[v]; i < r->row[v + 1]; i++)
            s.products += degree(r, v) * degree(r, r->column[i]);
    }
    return s;
}

static void tiles_renumber_the_same_roads(void **state)
{
    (void)state;
    static const uint64_t tiles[] = {1, 7, 20, 64, 65536}; /* borders cut all but the first */
    ww_graph_spec spec = {.kind = WW_GRAPH_ROAD, .width = 101, .height = 63, .seed = 3};
    rows plain = make(&spec);
    shape want = shape_of(&plain);
    for (size_t t = 0; t < sizeof(tiles) / sizeof(tiles[0]); t++) {
        uint64_t tile = spec.tile = tiles[t], near = 0;
        rows r = make(&spec);
        shape found = shape_of(&r);
        uint32_t farthest = 0;
        assert_int_equal(r.edges, plain.edges);
        assert_memory_equal(&found, &want, sizeof(want));
        assert_int_equal(spread(&r, &farthest), 101 * 63);
        for (uint64_t v = 0; v < r.vertices; v++) {
            for (uint64_t i = r.row[v]; i < r.row[v + 1]; i++) {
                uint64_t c = r.column[i], band = v / (tile * 101), other = c / (tile * 101);
                assert_true(band <= other + 1 && other <= band + 1);
                near += c + 1 == v || c == v + 1;
                assert_true(tile > 1 || c + 1 == v || c == v + 1 || c + 101 == v || c == v + 101);
            }
        }
        /* With a tile of 1, numbers go exactly along the rows. */
        assert_true(tile == 1 ? near > r.edges / 3 : near < r.edges / (tile < 20 ? 10 : 50));
        drop(&r);
    }
    drop(&plain);
}

static void meshes_have_their_four_neighbours(void **state)
{
    (void)state;
    rows r = make(&(ww_graph_spec){.kind = WW_GRAPH_MESH, .width = 4, .height = 3});
    static const uint32_t row[] = {0, 2, 5, 8, 10, 13, 17, 21, 24, 26, 29, 32, 34};
    static const uint32_t column[] = {1, 4, 0, 2,  5, 1, 3,  6, 2, 7, 0, 5,  8, 1, 4,  6, 9,
                                      2, 5, 7, 10, 3, 6, 11, 4, 9, 5, 8, 10, 6, 9, 11, 7, 10};
    assert_int_equal(r.edges, 34);
    assert_memory_equal(r.row, row, sizeof(row));
    assert_memory_equal(r.column, column, sizeof(column));
    drop(&r);
}

static void vertices_of_a_tree_have_their_children(void **state)
{
    (void)state;
    rows r = make(&(ww_graph_spec){.kind = WW_GRAPH_TREE, .vertices = 8, .edge_factor = 3});
    static const uint32_t row[] = {0, 3, 6, 7, 7, 7, 7, 7, 7};
    static const uint32_t column[] = {1, 2, 3, 4, 5, 6, 7};
    assert_int_equal(r.edges, 7);
    assert_memory_equal(r.row, row, sizeof(row));
    assert_memory_equal(r.column, column, sizeof(column));
    drop(&r);
    r = make(
        &(ww_graph_spec){.kind = WW_GRAPH_TREE, .scale = 2, .edge_factor = 2, .symmetric = true});
    static const uint32_t both[] = {1, 2, 0, 3, 0, 1};
    assert_int_equal(r.edges, 6);
    assert_memory_equal(r.column, both, sizeof(both));
    drop(&r);
}

static void uniform_rows_are_equally_long_and_evenly_spread(void **state)
{
    (void)state;
    rows r = make(&(ww_graph_spec){.kind = WW_GRAPH_UNIFORM, .vertices = 3000, .edge_factor = 100});
    uint64_t *into = ww_calloc(r.vertices, sizeof(*into));
    for (uint64_t v = 0; v < r.vertices; v++)
        assert_int_equal(degree(&r, v), 100);
    for (uint64_t i = 0; i < r.edges; i++)
        into[r.column[i]]++;
    for (uint64_t v = 0; v < r.vertices; v++)
        assert_in_range(into[v], 50, 150); /* 100, standard deviation 10 */
    free(into);
    drop(&r);
}

/* The longest row has about 50 times the mean, and those of a hundredth of the vertices a twentieth
 * of all edges or more. */
static void power_graphs_have_few_long_rows_and_none_is_huge(void **state)
{
    (void)state;
    rows r = make(&(ww_graph_spec){
        .kind = WW_GRAPH_POWER, .vertices = 100000, .edge_factor = 4, .symmetric = true});
    uint64_t longest = 0, in_long_rows = 0, long_rows = 0;
    for (uint64_t v = 0; v < r.vertices; v++) {
        longest = degree(&r, v) > longest ? degree(&r, v) : longest;
        if (degree(&r, v) >= 40) {
            long_rows++;
            in_long_rows += degree(&r, v);
        }
    }
    assert_int_equal(r.edges, 800000);
    assert_in_range(longest, 300, 520); /* expected: 404, standard deviation 20 */
    assert_in_range(long_rows, 500, 1500);
    assert_in_range(in_long_rows, r.edges / 20, r.edges / 5);
    drop(&r);
}

/* ---- the same bytes everywhere ---- */

static void bytes_stay_the_same(void **state)
{
    (void)state;
    static const uint64_t hashes[EXAMPLES] = {
        0xf2defcf95ddd7493, 0x2c1afd11868fe692, 0xe2e89ea454475227, 0xb388f4b8521e5a1a,
        0xe1592e1a6eaec469, 0x3bcc66338119ce0c, 0x5973db3430d0a411, 0x9452bc435d6cb4f7,
        0xee2674400c713475, 0x01f4570ccbee6649, 0x97e6ca1831f0fdc0,
    };
    for (size_t e = 0; e < EXAMPLES; e++) {
        rows r = make(&examples[e]);
        assert_int_equal(hash_of(&r), hashes[e]);
        drop(&r);
    }
}

static void another_seed_gives_another_graph(void **state)
{
    (void)state;
    for (size_t e = 0; e < EXAMPLES; e++) {
        ww_graph_spec spec = examples[e];
        rows a = make(&spec);
        spec.seed++;
        rows b = make(&spec);
        assert_int_not_equal(hash_of(&a), hash_of(&b));
        if (spec.kind != WW_GRAPH_MESH && spec.kind != WW_GRAPH_TREE && a.edges == b.edges)
            assert_memory_not_equal(a.column, b.column, a.edges * sizeof(*a.column));
        drop(&a);
        drop(&b);
    }
}

static void weights_are_not_needed(void **state)
{
    (void)state;
    ww_errors *errors = ww_errors_create();
    ww_graph_source *source = ww_graph_open(&examples[0], errors);
    rows r = make(&examples[0]);
    uint32_t *row = ww_calloc(r.vertices + 1, sizeof(*row));
    uint32_t *column = ww_calloc(r.edges, sizeof(*column));
    ww_graph_fill(source, row, column, NULL);
    assert_memory_equal(row, r.row, (r.vertices + 1) * sizeof(*row));
    assert_memory_equal(column, r.column, r.edges * sizeof(*column));
    free(row);
    free(column);
    drop(&r);
    ww_graph_close(source);
    ww_errors_destroy(errors);
}

/* ---- sorting ---- */

static int by_value(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void rows_of_any_values_are_sorted(void **state)
{
    (void)state;
    static const size_t counts[] = {0, 1, 2, 23, 24, 25, 31, 64, 100, 1000, 30000};
    static const uint32_t masks[] = {0, 1, 0xff, 0x80000001u, 0x7fffffffu, UINT32_MAX};
    uint32_t *values = ww_calloc(30000, sizeof(*values)), *want = ww_calloc(30000, sizeof(*want));
    for (size_t m = 0; m < sizeof(masks) / sizeof(masks[0]); m++) {
        for (size_t c = 0; c < sizeof(counts) / sizeof(counts[0]); c++) {
            for (size_t i = 0; i < counts[c]; i++)
                values[i] = want[i] = (uint32_t)ww_graph_random(c, i) & masks[m];
            qsort(want, counts[c], sizeof(*want), by_value);
            ww_graph_sort_row(values, counts[c]);
            assert_memory_equal(values, want, counts[c] * sizeof(*want));
        }
    }
    free(values);
    free(want);
}

/* ---- what makes no graph ---- */

static void impossible_sizes_are_refused(void **state)
{
    (void)state;
    static const struct {
        ww_graph_spec spec;
        const char *line;
    } cases[] = {
        {{.kind = WW_GRAPH_RMAT, .scale = 0, .edge_factor = 1}, "rmat graph of scale 0 (1 .. 31)"},
        {{.kind = WW_GRAPH_RMAT, .scale = 32, .edge_factor = 1},
         "rmat graph of scale 32 (1 .. 31)"},
        {{.kind = WW_GRAPH_RMAT, .scale = 9}, "rmat graph of 0 edges (1 .. 4294967295)"},
        {{.kind = WW_GRAPH_RMAT, .scale = 28, .edge_factor = 16},
         "rmat graph of 4294967296 edges (1 .. 4294967295)"},
        {{.kind = WW_GRAPH_RMAT, .scale = 27, .edge_factor = 16, .symmetric = true},
         "rmat graph of 4294967296 edges (1 .. 4294967295)"},
        {{.kind = WW_GRAPH_UNIFORM, .edge_factor = 1}, "uniform graph of scale 0 (1 .. 31)"},
        {{.kind = WW_GRAPH_UNIFORM, .vertices = 1, .edge_factor = 1},
         "uniform graph of 1 vertices (2 .. 2147483648)"},
        {{.kind = WW_GRAPH_UNIFORM, .vertices = UINT64_MAX, .edge_factor = 4294967295u},
         "uniform graph of 18446744073709551615 vertices (2 .. 2147483648)"},
        {{.kind = WW_GRAPH_TREE, .vertices = 1, .edge_factor = 3},
         "tree graph of 1 vertices (2 .. 2147483648)"},
        {{.kind = WW_GRAPH_TREE, .scale = 32, .edge_factor = 3},
         "tree graph of scale 32 (1 .. 31)"},
        {{.kind = WW_GRAPH_MESH, .width = 1, .height = 1},
         "mesh graph of 1 x 1 vertices (2 .. 2147483648 in all)"},
        {{.kind = WW_GRAPH_MESH, .width = 65536, .height = 32769},
         "mesh graph of 65536 x 32769 vertices (2 .. 2147483648 in all)"},
        {{.kind = WW_GRAPH_MESH, .width = 65536, .height = 32768},
         "mesh graph of 8589737984 edges (1 .. 4294967295)"},
        {{.kind = WW_GRAPH_ROAD, .width = UINT64_MAX, .height = UINT64_MAX},
         "road graph of 18446744073709551615 x 18446744073709551615 vertices "
         "(2 .. 2147483648 in all)"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        ww_errors *errors = ww_errors_create();
        assert_null(ww_graph_open(&cases[i].spec, errors));
        assert_int_equal(ww_errors_count(errors), 1);
        assert_int_equal(ww_errors_status(errors), WW_BAD_INPUT);
        assert_string_equal(ww_errors_line(errors, 0), cases[i].line);
        ww_errors_destroy(errors);
    }
}

static int compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Among a million random numbers of 32 bits, about 128 would be the same as another. */
static void no_two_ranks_are_the_same(void **state)
{
    (void)state;
    const uint32_t count = 1 << 20;
    uint32_t *ranks = ww_calloc(count, sizeof(*ranks));
    for (uint64_t seed = 0; seed < 4; seed++) {
        for (uint32_t v = 0; v < count; v++)
            ranks[v] = ww_graph_rank(seed, v);
        qsort(ranks, count, sizeof(*ranks), compare);
        for (uint32_t v = 1; v < count; v++)
            assert_true(ranks[v - 1] < ranks[v]);
        assert_true(ranks[count / 2] > 0x70000000u && ranks[count / 2] < 0x90000000u);
    }
    free(ranks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_ascending_and_within_the_graph),
        cmocka_unit_test(symmetric_graphs_have_each_edge_both_ways),
        cmocka_unit_test(sizes_are_exact),
        cmocka_unit_test(rmat_is_as_skewed_as_its_quadrants_say),
        cmocka_unit_test(rmat_fills_quadrants_as_graph500_says),
        cmocka_unit_test(roads_connect_all_vertices_over_long_ways),
        cmocka_unit_test(roads_are_near_and_mostly_short),
        cmocka_unit_test(tiles_renumber_the_same_roads),
        cmocka_unit_test(meshes_have_their_four_neighbours),
        cmocka_unit_test(vertices_of_a_tree_have_their_children),
        cmocka_unit_test(uniform_rows_are_equally_long_and_evenly_spread),
        cmocka_unit_test(power_graphs_have_few_long_rows_and_none_is_huge),
        cmocka_unit_test(bytes_stay_the_same),
        cmocka_unit_test(another_seed_gives_another_graph),
        cmocka_unit_test(weights_are_not_needed),
        cmocka_unit_test(rows_of_any_values_are_sorted),
        cmocka_unit_test(impossible_sizes_are_refused),
        cmocka_unit_test(no_two_ranks_are_the_same),
    };
    return cmocka_run_group_tests_name("graph", tests, NULL, NULL);
}
