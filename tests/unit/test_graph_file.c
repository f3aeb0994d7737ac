/* Graphs from files: what each format means, and what is said about a malformed file. */
#include "base/text.h"
#include "workload/graph_internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define MOST 16

/* A small graph as text: "0>1:5 1>0:5" with weights that the file has, "0>1 1>0" without. */
static char *shown(const ww_graph_source *source)
{
    uint32_t row[MOST + 1], column[MOST], weight[MOST];
    char *text = ww_strdup("");
    assert_true(ww_graph_vertices(source) <= MOST && ww_graph_edges(source) <= MOST);
    ww_graph_fill(source, row, column, weight);
    assert_int_equal(row[ww_graph_vertices(source)], ww_graph_edges(source));
    for (uint32_t v = 0; v < ww_graph_vertices(source); v++) {
        for (uint32_t i = row[v]; i < row[v + 1]; i++) {
            char *more = ww_format("%s%s%u>%u", text, *text ? " " : "", v, column[i]);
            free(text);
            text =
                ww_graph_weighted(source) ? ww_format("%s:%u", more, weight[i]) : ww_strdup(more);
            free(more);
        }
    }
    return text;
}

static ww_graph_source *parse(const char *name, const char *text, bool symmetric, ww_errors *errors)
{
    ww_graph_spec spec = {.kind = WW_GRAPH_FILE, .file = name, .symmetric = symmetric};
    return ww_graph_open_bytes(&spec, text, strlen(text), errors);
}

static void check(const char *name, const char *text, bool symmetric, uint64_t vertices,
                  const char *want)
{
    ww_errors *errors = ww_errors_create();
    ww_graph_source *source = parse(name, text, symmetric, errors);
    if (!source)
        fail_msg("%s", ww_errors_line(errors, 0));
    assert_int_equal(ww_errors_count(errors), 0);
    assert_int_equal(ww_graph_vertices(source), vertices);
    char *got = shown(source);
    assert_string_equal(got, want);
    free(got);
    ww_graph_close(source);
    ww_errors_destroy(errors);
}

/* ---- formats ---- */

#define BANNER "%%MatrixMarket matrix coordinate "

static void reads_matrix_market(void **state)
{
    (void)state;
    check("a.mtx", BANNER "pattern general\n% text\n\n3 3 3\n1 2\n3 1\n1 3\n", false, 3,
          "0>1 0>2 2>0");
    check("a.mtx", BANNER "integer general\n4 4 2\n4 1 7\n1 4 -8\n", false, 4, "0>3:8 3>0:7");
    check("a.mtx", "%%matrixmarket MATRIX Coordinate Integer General\n2 2 1\n2 1 7", false, 2,
          "1>0:7");
    check("other", BANNER "pattern general\r\n2 2 1\r\n 2\t1 \r\n", false, 2, "1>0");
}

static void values_of_matrices_become_whole_weights(void **state)
{
    (void)state;
    check("a.mtx",
          BANNER "real general\n9 9 8\n1 2 2.5\n2 3 -2.4\n3 4 0\n4 5 1e-9\n5 6 -12.5e2\n6 7 +3\n"
                 "7 8 4294967295\n8 9 .6\n",
          false, 9, "0>1:3 1>2:2 2>3:1 3>4:1 4>5:1250 5>6:3 6>7:4294967295 7>8:1");
}

static void symmetric_matrices_have_both_triangles(void **state)
{
    (void)state;
    check("a.mtx", BANNER "real symmetric\n3 3 4\n1 1 9\n2 1 4\n3 2 5\n3 3 1\n", false, 3,
          "0>1:4 1>0:4 1>2:5 2>1:5");
    check("a.mtx", BANNER "pattern symmetric\n3 3 2\n2 1\n3 2\n", true, 3, "0>1 1>0 1>2 2>1");
}

static void reads_dimacs(void **state)
{
    (void)state;
    check("a.gr", "c text\np sp 5 3\nc\na 1 2 17\na 5 1 0\na 2 2 8\n", false, 5, "0>1:17 4>0:0");
    check("other", "p sp 2 1\na 2 1 4294967295", false, 2, "1>0:4294967295");
    check("a.gr", "\ncomment\n p sp 2 1\n\na 2 1 3\n", false, 2, "1>0:3");
}

static void reads_edge_lists(void **state)
{
    (void)state;
    check("a.txt", "# Nodes: 4 Edges: 3\n# From\tTo\n3\t0\n0\t1\n\n0\t3\n", false, 4,
          "0>1 0>3 3>0");
    check("a.wel", "0 1 5\n1 0 6\n", false, 2, "0>1:5 1>0:6");
    check("a.edges", "% sym\n2 2\n5 3", false, 6, "5>3");
}

static void a_byte_order_mark_is_skipped(void **state)
{
    (void)state;
    check("a.txt",
          "\xef\xbb\xbf"
          "0 1\n2 1\n",
          false, 3, "0>1 2>1");
    check("a", "\xef\xbb\xbfp sp 2 1\na 1 2 3\n", false, 2, "0>1:3");
}

static void duplicates_stay_and_self_loops_go(void **state)
{
    (void)state;
    check("a.el", "0 1\n1 1\n0 1\n2 0\n3 3\n", false, 4, "0>1 0>1 2>0");
}

static void reversed_rows_hold_the_edges_that_come_in(void **state)
{
    (void)state;
    const char *text = "0 1 9\n2 1 4\n0 2 6\n";
    ww_errors *errors = ww_errors_create();
    ww_graph_spec spec = {.kind = WW_GRAPH_FILE, .file = "a.el", .reversed = true};
    ww_graph_source *source = ww_graph_open_bytes(&spec, text, strlen(text), errors);
    char *got = shown(source);
    assert_string_equal(got, "1>0:9 1>2:4 2>0:6");
    free(got);
    ww_graph_close(source);
    ww_errors_destroy(errors);
}

static void made_symmetric_a_graph_has_no_duplicates(void **state)
{
    (void)state;
    check("a.el", "0 1\n1 0\n0 1\n2 0\n", true, 3, "0>1 0>2 1>0 2>0");
    check("a.el", "0 1 9\n1 0 4\n0 1 6\n0 2 3\n", true, 3, "0>1:4 0>2:3 1>0:4 2>0:3");
}

static void weights_are_made_where_a_file_has_none(void **state)
{
    (void)state;
    uint32_t row[4], column[4], weight[4];
    ww_errors *errors = ww_errors_create();
    ww_graph_source *source = parse("a.el", "0 1\n1 2\n", true, errors);
    assert_false(ww_graph_weighted(source));
    ww_graph_fill(source, row, column, weight);
    assert_in_range(weight[0], 1, 255);
    assert_int_equal(weight[0], weight[1]); /* 0>1 and 1>0 */
    assert_int_equal(weight[2], weight[3]);
    assert_int_not_equal(weight[0], weight[2]);
    ww_graph_close(source);
    ww_errors_destroy(errors);
}

/* Sorting by digits: the larger half of the vertices' bits, and enough edges to mix them. */
static void many_edges_are_sorted_with_their_weights(void **state)
{
    (void)state;
    enum { COUNT = 5000, VERTICES = 1 << 20 };
    ww_graph_list list = {.vertices = VERTICES, .weighted = true};
    for (uint64_t i = 0; i < COUNT; i++) {
        uint64_t ends = ww_graph_random(3, i);
        uint64_t from = ends % VERTICES, to = ends >> 32 & (VERTICES - 1);
        ww_graph_list_add(&list, from, to, (uint32_t)(from ^ to * 3));
    }
    assert_int_equal(list.pairs.count, COUNT);
    ww_graph_list_finish(&list, false);
    for (size_t i = 0; i < COUNT; i++) {
        uint64_t pair = list.pairs.items[i];
        assert_true(i == 0 || list.pairs.items[i - 1] <= pair);
        assert_int_equal(list.weights.items[i], (uint32_t)(pair >> 32 ^ (uint32_t)pair * 3ull));
    }
    ww_graph_list_free(&list);
}

/* ---- malformed files ---- */

static void refused(const char *name, const char *text, const char *want)
{
    ww_errors *errors = ww_errors_create();
    assert_null(parse(name, text, false, errors));
    assert_int_equal(ww_errors_count(errors), 1);
    assert_int_equal(ww_errors_status(errors), WW_BAD_INPUT);
    assert_string_equal(ww_errors_line(errors, 0), want);
    ww_errors_destroy(errors);
}

static void wrong_headers_of_matrices(void **state)
{
    (void)state;
    static const char no_header[] = "a.mtx:1: no Matrix Market header (the first line is such as "
                                    "'%%MatrixMarket matrix coordinate real general')";
    refused("a.mtx", "", no_header);
    refused("a.mtx", "3 3 1\n1 2\n", no_header);
    refused("a.mtx", "\n" BANNER "real general\n3 3 1\n1 2\n", no_header);
    refused("a.mtx", "%%MatrixMarket vector coordinate real general\n",
            "a.mtx:1:16: 'vector' cannot be read (matrix)");
    refused("a.mtx", "%%MatrixMarket matrix array real general\n",
            "a.mtx:1:23: 'array' cannot be read (coordinate)");
    refused("a.mtx", BANNER "complex general\n",
            "a.mtx:1:34: 'complex' cannot be read (real, integer or pattern)");
    refused("a.mtx", BANNER "real hermitian\n",
            "a.mtx:1:39: 'hermitian' cannot be read (general or symmetric)");
    refused("a.mtx", BANNER "real", "a.mtx:1:38: the header ends too early (general or symmetric)");
    refused("a.mtx", BANNER "real general 3\n",
            "a.mtx:1:47: '3' is one word too many (the line ends here)");
}

static void wrong_sizes_of_matrices(void **state)
{
    (void)state;
    refused("a.mtx", BANNER "real general\n% only\n% text\n",
            "a.mtx:3: the file ends before the size (a line 'rows columns entries')");
    refused("a.mtx", BANNER "real general\n0 0 0\n",
            "a.mtx:2:1: '0' is not a number of rows (a whole number 1 .. 2147483648)");
    refused("a.mtx", BANNER "real general\n2147483649 2147483649 1\n",
            "a.mtx:2:1: '2147483649' is not a number of rows (a whole number 1 .. 2147483648)");
    refused("a.mtx", BANNER "real general\n3 4 1\n1 1 1\n",
            "a.mtx:2: a matrix of 3 x 4 (a graph has as many rows as columns)");
    refused("a.mtx", BANNER "real general\n3 3\n",
            "a.mtx:2:4: a number of entries is missing (a whole number 1 .. 4294967295)");
    refused("a.mtx", BANNER "real general\n3 3 0\n",
            "a.mtx:2:5: '0' is not a number of entries (a whole number 1 .. 4294967295)");
    refused("a.mtx", BANNER "pattern general\n3 3 2\n1 2\n2 3\n% text\n3 1\n",
            "a.mtx:6: more entries than the size says (2)");
    refused("a.mtx", BANNER "pattern general\n3 3 4\n1 2\n2 3\n\n",
            "a.mtx:5: the file ends after entry 2 (the size says 4)");
}

static void wrong_entries_of_matrices(void **state)
{
    (void)state;
    refused("a.mtx", BANNER "pattern general\n3 3 1\n0 2\n",
            "a.mtx:3:1: '0' is not a row (a whole number 1 .. 3)");
    refused("a.mtx", BANNER "pattern general\n3 3 1\n1 4\n",
            "a.mtx:3:3: '4' is not a column (a whole number 1 .. 3)");
    refused("a.mtx", BANNER "pattern general\n3 3 1\n1\n",
            "a.mtx:3:2: a column is missing (a whole number 1 .. 3)");
    refused("a.mtx", BANNER "pattern general\n3 3 1\n1 2 5\n",
            "a.mtx:3:5: '5' is one word too many (the line ends here)");
    refused("a.mtx", BANNER "real general\n3 3 2\n1 2 1.5\n1 2\n",
            "a.mtx:4:4: the value is missing (a number)");
    refused("a.mtx", BANNER "real general\n3 3 1\n1 2 x\n",
            "a.mtx:3:5: 'x' is not a value (a number)");
    refused("a.mtx", BANNER "real general\n3 3 1\n1 2 nan\n",
            "a.mtx:3:5: 'nan' is not a value (a number)");
    refused("a.mtx", BANNER "real general\n3 3 1\n1 2 -5e9\n",
            "a.mtx:3:5: '-5e9' is too large for a weight (at most 4294967295)");
    refused("a.mtx", BANNER "real general\n3 3 1\n1 2 1e999\n",
            "a.mtx:3:5: '1e999' is too large for a weight (at most 4294967295)");
    refused("a.mtx", BANNER "real symmetric\n3 3 1\n1 2 5\n",
            "a.mtx:3: an entry above the diagonal of a symmetric matrix "
            "(the lower triangle stands for both)");
    refused("a.mtx", BANNER "real general\n3 3 1\n2 2 5\n",
            "a.mtx: the graph is empty (at least one edge between two vertices is needed)");
}

static void wrong_dimacs_files(void **state)
{
    (void)state;
    refused("a.gr", "", "a.gr:1: no problem line (a line 'p sp VERTICES ARCS')");
    refused("a.gr", "c text\n", "a.gr:1: no problem line (a line 'p sp VERTICES ARCS')");
    refused("a.gr", "p max 3 1\n",
            "a.gr:1:3: not a shortest-path problem (a line 'p sp VERTICES ARCS')");
    refused("a.gr", "p sp 0 0\n",
            "a.gr:1:6: '0' is not a number of vertices (a whole number 1 .. 2147483648)");
    refused("a.gr", "p sp 3 2 1\n", "a.gr:1:10: '1' is one word too many (the line ends here)");
    refused("a.gr", "p sp 3 1\np sp 3 1\n", "a.gr:2: a second problem line (a file has one graph)");
    refused("a.gr", "c\na 1 2 3\n",
            "a.gr:2: an arc before the problem line (a line 'p sp VERTICES ARCS')");
    refused("a.gr", "p sp 3 1\ne 1 2 3\n",
            "a.gr:2:1: 'e' starts no line of this format (c, p or a)");
    refused("a.gr", "p sp 3 1\narc 1 2 3\n",
            "a.gr:2:1: 'arc' starts no line of this format (c, p or a)");
    refused("a.gr", "p sp 3 1\na 0 2 3\n", "a.gr:2:3: '0' is not a vertex (a whole number 1 .. 3)");
    refused("a.gr", "p sp 3 1\na 1 4 3\n", "a.gr:2:5: '4' is not a vertex (a whole number 1 .. 3)");
    refused("a.gr", "p sp 3 1\na 1 2\n",
            "a.gr:2:6: a weight is missing (a whole number 0 .. 4294967295)");
    refused("a.gr", "p sp 3 1\na 1 2 -3\n",
            "a.gr:2:7: '-3' is not a weight (a whole number 0 .. 4294967295)");
    refused("a.gr", "p sp 3 1\na 1 2 0.5\n",
            "a.gr:2:7: '0.5' is not a weight (a whole number 0 .. 4294967295)");
    refused("a.gr", "p sp 3 1\na 1 2 3 4\n",
            "a.gr:2:9: '4' is one word too many (the line ends here)");
    refused("a.gr", "p sp 3 1\na 1 2 3\na 2 1 3\n",
            "a.gr:3: more arcs than the problem line says (1)");
    refused("a.gr", "p sp 3 2\na 1 2 3\nc end\n",
            "a.gr:3: the file ends after arc 1 (the problem line says 2)");
}

static void wrong_edge_lists(void **state)
{
    (void)state;
    refused("a.el", "\xef\xbb\xbfx 1\n",
            "a.el:1:1: 'x' is not a vertex (a whole number 0 .. 2147483647)");
    static const char empty[] =
        "a.el: the graph is empty (at least one edge between two vertices is needed)";
    refused("a.el", "", empty);
    refused("a.el", "# text\n\n", empty);
    refused("a.el", "7 7\n", empty);
    refused("a.el", "0 1\n1\n", "a.el:2:2: a vertex is missing (a whole number 0 .. 2147483647)");
    refused("a.el", "0 1\n{ 2\n", "a.el:2:1: '{' is not a vertex (a whole number 0 .. 2147483647)");
    refused("a.el", "0 -1\n", "a.el:1:3: '-1' is not a vertex (a whole number 0 .. 2147483647)");
    refused("a.el", "0 2147483648\n",
            "a.el:1:3: '2147483648' is not a vertex (a whole number 0 .. 2147483647)");
    refused("a.el", "0 18446744073709551617\n",
            "a.el:1:3: '18446744073709551617' is not a vertex (a whole number 0 .. 2147483647)");
    refused("a.wel", "0 1 5\n1 2\n",
            "a.wel:2:4: a weight is missing (a whole number 0 .. 4294967295)");
    refused("a.wel", "0 1\n1 2 5\n", "a.wel:2:5: '5' is one word too many (the line ends here)");
    refused("a.wel", "0 1 0.5\n",
            "a.wel:1:5: '0.5' is not a weight (a whole number 0 .. 4294967295)");
    refused("a.wel", "0 1 5 6\n", "a.wel:1:7: '6' is one word too many (the line ends here)");
    refused("a.wel", "0 1 4294967296\n",
            "a.wel:1:5: '4294967296' is not a weight (a whole number 0 .. 4294967295)");
}

/* ---- files that are no text, or no files ---- */

static void refused_file(const char *path, const char *want)
{
    ww_errors *errors = ww_errors_create();
    ww_graph_spec spec = {.kind = WW_GRAPH_FILE, .file = path};
    assert_null(ww_graph_open(&spec, errors));
    assert_int_equal(ww_errors_status(errors), WW_BAD_INPUT);
    assert_string_equal(ww_errors_line(errors, 0), want);
    ww_errors_destroy(errors);
}

static void write_bytes(const char *path, const void *bytes, size_t count)
{
    ww_errors *errors = ww_errors_create();
    assert_int_equal(ww_write_file(path, bytes, count, errors), WW_OK);
    ww_errors_destroy(errors);
}

static void what_is_no_text_file_is_refused(void **state)
{
    (void)state;
    write_bytes("nul.el", "0 1\n1 \0 2\n", 10);
    refused_file("nul.el", "nul.el:2:3: a NUL byte (a text file is needed)");
    write_bytes("a.gr.gz", "\x1f\x8b\x08\x00", 4);
    refused_file("a.gr.gz", "a.gr.gz: the file is compressed (decompress it first)");
    write_bytes("a.zst", "\x28\xb5\x2f\xfd\x00", 5);
    refused_file("a.zst", "a.zst: the file is compressed (decompress it first)");
    refused_file("none.el", "cannot read 'none.el': No such file or directory");
    mkdir("folder.el", 0777);
    refused_file("folder.el", "'folder.el' is not a regular file");
    mkfifo("pipe.el", 0666);
    refused_file("pipe.el", "'pipe.el' is not a regular file");
    unlink("pipe.el");
    rmdir("folder.el");
}

static void a_file_is_read(void **state)
{
    (void)state;
    ww_errors *errors = ww_errors_create();
    write_bytes("good.gr", "p sp 2 1\na 1 2 3\n", 17);
    ww_graph_spec spec = {.kind = WW_GRAPH_FILE, .file = "good.gr", .symmetric = true};
    ww_graph_source *source = ww_graph_open(&spec, errors);
    assert_non_null(source);
    char *got = shown(source);
    assert_string_equal(got, "0>1:3 1>0:3");
    free(got);
    ww_graph_close(source);
    ww_errors_destroy(errors);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_matrix_market),
        cmocka_unit_test(values_of_matrices_become_whole_weights),
        cmocka_unit_test(symmetric_matrices_have_both_triangles),
        cmocka_unit_test(reads_dimacs),
        cmocka_unit_test(reads_edge_lists),
        cmocka_unit_test(a_byte_order_mark_is_skipped),
        cmocka_unit_test(duplicates_stay_and_self_loops_go),
        cmocka_unit_test(reversed_rows_hold_the_edges_that_come_in),
        cmocka_unit_test(made_symmetric_a_graph_has_no_duplicates),
        cmocka_unit_test(weights_are_made_where_a_file_has_none),
        cmocka_unit_test(many_edges_are_sorted_with_their_weights),
        cmocka_unit_test(wrong_headers_of_matrices),
        cmocka_unit_test(wrong_sizes_of_matrices),
        cmocka_unit_test(wrong_entries_of_matrices),
        cmocka_unit_test(wrong_dimacs_files),
        cmocka_unit_test(wrong_edge_lists),
        cmocka_unit_test(what_is_no_text_file_is_refused),
        cmocka_unit_test(a_file_is_read),
    };
    return cmocka_run_group_tests_name("graph_file", tests, NULL, NULL);
}
