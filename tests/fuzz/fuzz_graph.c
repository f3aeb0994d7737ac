/* Any bytes as a graph file: refused with an error, or a graph whose rows are right. The first byte
 * chooses the ending of the file's name and whether the graph is made symmetric. */
#include "workload/graph_internal.h"

#define MOST_VERTICES \
    ((uint64_t)1 << 16) /* of a graph whose rows are made: a line of text can \
                                             ask for gigabytes */

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void need(bool holds)
{
    if (!holds)
        abort();
}

static bool has_edge(const uint32_t *row, const uint32_t *column, uint32_t from, uint32_t to)
{
    for (uint64_t i = row[from]; i < row[from + 1]; i++)
        if (column[i] == to)
            return true;
    return false;
}

static void check_rows(const ww_graph_source *source, bool symmetric)
{
    uint64_t vertices = ww_graph_vertices(source), edges = ww_graph_edges(source);
    uint32_t *row = ww_calloc(vertices + 1, sizeof(*row));
    uint32_t *column = ww_calloc(edges, sizeof(*column));
    uint32_t *weight = ww_calloc(edges, sizeof(*weight));
    ww_graph_fill(source, row, column, weight);
    need(row[0] == 0 && row[vertices] == edges);
    for (uint32_t v = 0; v < vertices; v++) {
        need(row[v] <= row[v + 1]);
        for (uint64_t i = row[v]; i < row[v + 1]; i++) {
            need(column[i] < vertices && column[i] != v);
            need(i == row[v] || column[i - 1] + symmetric <= column[i]);
            need(!symmetric || has_edge(row, column, column[i], v));
        }
    }
    free(row);
    free(column);
    free(weight);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char *const names[] = {"fuzz.mtx", "fuzz.gr", "fuzz.el"};
    if (!size)
        return 0;
    ww_graph_spec spec = {.kind = WW_GRAPH_FILE};
    spec.file = names[bytes[0] % 3];
    spec.symmetric = bytes[0] & 16;
    ww_errors *errors = ww_errors_create();
    ww_graph_source *source = ww_graph_open_bytes(&spec, (const char *)bytes + 1, size - 1, errors);
    need(!source == (ww_errors_status(errors) != WW_OK));
    if (source && ww_graph_vertices(source) <= MOST_VERTICES)
        check_rows(source, spec.symmetric);
    ww_graph_close(source);
    ww_errors_destroy(errors);
    return 0;
}
