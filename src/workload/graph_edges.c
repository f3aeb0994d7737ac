/* Edge lists, as SNAP and others have them: a line `from to` or `from to weight` for each edge,
 * comments behind # or %. Vertices are counted from 0; the largest number says how many. The first
 * edge decides whether there are weights. */
#include "workload/graph_internal.h"

static int read_edge(ww_graph_text *text, ww_graph_list *list, bool first)
{
    uint64_t ends[2] = {0, 0};
    uint32_t weight = 0;
    for (int i = 0; i < 2; i++) {
        int status =
            ww_graph_read_number(text, "a vertex", 0, WW_GRAPH_MOST_VERTICES - 1, &ends[i]);
        if (status)
            return status;
        if (ends[i] >= list->vertices)
            list->vertices = ends[i] + 1;
    }
    ww_graph_text before_weight = *text;
    if (first)
        list->weighted = ww_graph_next_word(&before_weight).length != 0;
    int status = list->weighted ? ww_graph_read_weight(text, &weight) : WW_OK;
    if (!status)
        status = ww_graph_read_line_end(text);
    if (!status)
        ww_graph_list_add(list, ends[0], ends[1], weight);
    return status;
}

int ww_graph_read_edges(ww_graph_text *text, ww_graph_list *list)
{
    int status = WW_OK;
    bool first = true;
    while (!status && ww_graph_next_line(text)) {
        if (*text->at == '#' || *text->at == '%')
            continue;
        status = read_edge(text, list, first);
        first = false;
    }
    return status;
}
