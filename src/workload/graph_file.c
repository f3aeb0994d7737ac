/* Graph files: detecting the format, and checks that all formats share. */
#include "base/text.h"
#include "workload/graph_internal.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

typedef int read_graph(ww_graph_text *text, ww_graph_list *list);

static bool starts_with(const char *bytes, size_t count, const char *start)
{
    return count >= strlen(start) && memcmp(bytes, start, strlen(start)) == 0;
}

static bool ends_with(const char *name, const char *ending)
{
    size_t length = strlen(name), tail = strlen(ending);
    return length >= tail && strcasecmp(name + length - tail, ending) == 0;
}

/* The bytes decide where they can: a DIMACS file starts with a letter, which no other may. */
static read_graph *format_of(const char *name, const char *bytes, size_t count)
{
    if (starts_with(bytes, count, "%%MatrixMarket"))
        return ww_graph_read_mtx;
    if (count > 1 && strchr("cpa", bytes[0]) && strchr(" \t\r\n", bytes[1]))
        return ww_graph_read_dimacs;
    if (ends_with(name, ".mtx"))
        return ww_graph_read_mtx;
    if (ends_with(name, ".gr"))
        return ww_graph_read_dimacs;
    return ww_graph_read_edges;
}

/* A file that is not text gets an error about that, instead of one about its first word. */
static int check_bytes(const char *name, const char *bytes, size_t count, ww_errors *errors)
{
    ww_where at = {name, 0, 0};
    const char *nul = memchr(bytes, 0, count);
    if (starts_with(bytes, count, "\x1f\x8b") || starts_with(bytes, count, "\x28\xb5\x2f\xfd"))
        return ww_fail(errors, WW_BAD_INPUT, at, "the file is compressed (decompress it first)");
    if (!nul)
        return WW_OK;
    at.line = at.col = 1;
    for (const char *c = bytes; c < nul; c++) {
        at.line += *c == '\n';
        at.col = *c == '\n' ? 1 : at.col + 1;
    }
    return ww_fail(errors, WW_BAD_INPUT, at, "a NUL byte (a text file is needed)");
}

/* After reading: is there a graph, and does it fit? */
static int check_list(const char *name, const ww_graph_list *list, bool symmetric,
                      ww_errors *errors)
{
    ww_where at = {name, 0, 0};
    uint64_t edges = (uint64_t)list->pairs.count << (list->mirrored || symmetric);
    if (!edges)
        return ww_fail(errors, WW_BAD_INPUT, at,
                       "the graph is empty (at least one edge between two vertices is needed)");
    if (edges > WW_GRAPH_MOST_EDGES)
        return ww_fail(errors, WW_BAD_INPUT, at,
                       "a graph of %" PRIu64 " edges (at most %" PRIu64 ")", edges,
                       WW_GRAPH_MOST_EDGES);
    return WW_OK;
}

static int read_list(const char *name, const char *bytes, size_t count, ww_graph_list *list,
                     ww_errors *errors)
{
    size_t mark = starts_with(bytes, count, "\xef\xbb\xbf") ? 3 : 0; /* UTF-8's */
    bytes += mark;
    count -= mark;
    ww_graph_text text = {name, bytes, bytes + count, bytes, 0, errors};
    int status = check_bytes(name, bytes, count, errors);
    return status ? status : format_of(name, bytes, count)(&text, list);
}

static int finish_list(const char *name, bool symmetric, ww_graph_list *list, ww_errors *errors)
{
    int status = check_list(name, list, symmetric, errors);
    if (!status)
        ww_graph_list_finish(list, symmetric);
    return status;
}

int ww_graph_list_parse(const char *name, const char *bytes, size_t count, bool symmetric,
                        ww_graph_list *list, ww_errors *errors)
{
    int status = read_list(name, bytes, count, list, errors);
    return status ? status : finish_list(name, symmetric, list, errors);
}

int ww_graph_list_load(const char *path, bool symmetric, ww_graph_list *list, ww_errors *errors)
{
    char *bytes;
    size_t count;
    int status = ww_read_file(path, WW_NOWHERE, &bytes, &count, errors);
    if (!status)
        status = read_list(path, bytes, count, list, errors);
    free(bytes); /* before sorting, which needs as much */
    return status ? status : finish_list(path, symmetric, list, errors);
}
