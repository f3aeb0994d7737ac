/* The format of the DIMACS challenge on shortest paths: `c` comments, one `p sp VERTICES ARCS`,
 * then `a FROM TO WEIGHT` for each arc; vertices are counted from 1. */
#include "workload/graph_internal.h"

#include <inttypes.h>

#define PROBLEM_LINE "a line 'p sp VERTICES ARCS'"

static int read_problem(ww_graph_text *text, ww_graph_list *list, uint64_t *arcs)
{
    if (list->vertices)
        return ww_graph_text_fail(text, NULL, "a second problem line (a file has one graph)");
    ww_graph_word kind = ww_graph_next_word(text);
    if (!ww_graph_word_is(kind, "sp"))
        return ww_graph_text_fail(text, kind.start,
                                  "not a shortest-path problem (" PROBLEM_LINE ")");
    int status = ww_graph_read_number(text, "a number of vertices", 1, WW_GRAPH_MOST_VERTICES,
                                      &list->vertices);
    if (!status)
        status = ww_graph_read_number(text, "a number of arcs", 1, WW_GRAPH_MOST_EDGES, arcs);
    return status ? status : ww_graph_read_line_end(text);
}

static int read_arc(ww_graph_text *text, ww_graph_list *list)
{
    uint64_t from = 0, to = 0;
    uint32_t weight = 0;
    if (!list->vertices)
        return ww_graph_text_fail(text, NULL, "an arc before the problem line (" PROBLEM_LINE ")");
    int status = ww_graph_read_number(text, "a vertex", 1, list->vertices, &from);
    if (!status)
        status = ww_graph_read_number(text, "a vertex", 1, list->vertices, &to);
    if (!status)
        status = ww_graph_read_weight(text, &weight);
    if (!status)
        status = ww_graph_read_line_end(text);
    if (!status)
        ww_graph_list_add(list, from - 1, to - 1, weight);
    return status;
}

static int read_line(ww_graph_text *text, ww_graph_list *list, uint64_t *arcs, uint64_t *seen)
{
    ww_graph_word word = ww_graph_next_word(text);
    if (*word.start == 'c')
        return WW_OK;
    if (word.length == 1 && *word.start == 'p')
        return read_problem(text, list, arcs);
    if (word.length != 1 || *word.start != 'a')
        return ww_graph_text_fail(text, word.start,
                                  "'%.*s' starts no line of this format (c, p or a)",
                                  (int)(word.length < 40 ? word.length : 40), word.start);
    int status = read_arc(text, list);
    if (!status && ++*seen > *arcs)
        return ww_graph_text_fail(text, NULL, "more arcs than the problem line says (%" PRIu64 ")",
                                  *arcs);
    return status;
}

int ww_graph_read_dimacs(ww_graph_text *text, ww_graph_list *list)
{
    uint64_t arcs = 0, seen = 0;
    int status = WW_OK;
    list->weighted = true;
    while (!status && ww_graph_next_line(text))
        status = read_line(text, list, &arcs, &seen);
    if (!status && !list->vertices)
        return ww_graph_text_fail(text, NULL, "no problem line (" PROBLEM_LINE ")");
    if (!status && seen < arcs)
        return ww_graph_text_fail(
            text, NULL, "the file ends after arc %" PRIu64 " (the problem line says %" PRIu64 ")",
            seen, arcs);
    return status;
}
