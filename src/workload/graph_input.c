#include "workload/graph_input.h"

#include "workload/host_internal.h"

#include <inttypes.h>
#include <sys/stat.h>

/* NULL: a file, which has no word of its own. */
static const char *const kinds[] = {
    [WW_GRAPH_RMAT] = "rmat",       [WW_GRAPH_ROAD] = "road", [WW_GRAPH_MESH] = "mesh",
    [WW_GRAPH_UNIFORM] = "uniform", [WW_GRAPH_TREE] = "tree", [WW_GRAPH_POWER] = "power",
};

/* A word that is not a kind is the name of a file. */
static ww_graph_kind kind_of(const char *word)
{
    for (size_t i = 0; i < WW_COUNT_OF(kinds); i++)
        if (kinds[i] && strcmp(kinds[i], word) == 0)
            return (ww_graph_kind)i;
    return WW_GRAPH_FILE;
}

/* A word without a dot or a slash is more likely a misspelt kind than a file. */
static bool looks_misspelt(const char *word)
{
    struct stat info; /* a dangling link counts as a file that cannot be read */
    return !strchr(word, '.') && !strchr(word, '/') && lstat(word, &info) != 0;
}

/* ---- parameters that belong together ---- */

enum { RMAT = 1 << WW_GRAPH_RMAT, POWER = 1 << WW_GRAPH_POWER };
enum { UNIFORM = 1 << WW_GRAPH_UNIFORM, TREE = 1 << WW_GRAPH_TREE };
enum { ROAD = 1 << WW_GRAPH_ROAD, MESH = 1 << WW_GRAPH_MESH };

/* The parameters that only some kinds have. */
static const struct {
    const char *name;
    unsigned kinds;
    const char *kinds_text;
} belongings[] = {
    {"scale", RMAT | UNIFORM | POWER | TREE, "rmat, uniform, power and tree graphs"},
    {"vertices", UNIFORM | POWER | TREE, "uniform, power and tree graphs"},
    {"edgefactor", RMAT | UNIFORM | POWER | TREE, "rmat, uniform, power and tree graphs"},
    {"width", ROAD | MESH, "road and mesh graphs"},
    {"height", ROAD | MESH, "road and mesh graphs"},
    {"tile", ROAD, "road graphs"},
};

static const char *const takes[] = {
    [WW_GRAPH_RMAT] = "scale and edgefactor",
    [WW_GRAPH_ROAD] = "width, height and tile",
    [WW_GRAPH_MESH] = "width and height",
    [WW_GRAPH_UNIFORM] = "scale or vertices, and edgefactor",
    [WW_GRAPH_TREE] = "scale or vertices, and edgefactor",
    [WW_GRAPH_POWER] = "scale or vertices, and edgefactor",
    [WW_GRAPH_FILE] = "a file has its own size",
};

/* The kinds that have the parameter, if this kind does not; else NULL. */
static const char *other_kinds(ww_graph_kind kind, const char *parameter)
{
    for (size_t i = 0; i < WW_COUNT_OF(belongings); i++)
        if (strcmp(belongings[i].name, parameter) == 0 && !(belongings[i].kinds & 1u << kind))
            return belongings[i].kinds_text;
    return NULL;
}

/* Whether a graph of the kind may say how many vertices it has, instead of its scale. */
static bool has_vertices(ww_graph_kind kind)
{
    return !other_kinds(kind, "vertices");
}

/* NULL when the choice has no graph. */
static const char *graph_of(const ww_choice *choice)
{
    size_t index = ww_parameter_index(choice->workload, "graph");
    return index < choice->workload->parameter_count ? choice->words[index] : NULL;
}

bool ww_graph_uses(const ww_choice *choice, size_t parameter)
{
    const ww_workload *workload = choice->workload;
    const char *graph = graph_of(choice), *name = workload->parameters[parameter].name;
    size_t vertices = ww_parameter_index(workload, "vertices");
    if (!graph || other_kinds(kind_of(graph), name))
        return !graph;
    if (!has_vertices(kind_of(graph)) || vertices == workload->parameter_count)
        return true;
    return strcmp(name, choice->numbers[vertices] ? "scale" : "vertices") != 0;
}

static int choose_vertices(ww_choice *choice, ww_errors *errors)
{
    size_t scale = ww_parameter_index(choice->workload, "scale");
    size_t vertices = ww_parameter_index(choice->workload, "vertices");
    size_t count = choice->workload->parameter_count;
    if (scale == count || vertices == count || !choice->given[scale] || !choice->numbers[vertices])
        return WW_OK;
    if (choice->given[vertices])
        return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                       "--size: scale and vertices both say how many vertices there are (one of "
                       "them is needed)");
    free(choice->words[vertices]);
    choice->words[vertices] = ww_strdup("0");
    choice->numbers[vertices] = 0;
    return WW_OK;
}

int ww_graph_resolve_parameters(ww_choice *choice, ww_errors *errors)
{
    const char *graph = graph_of(choice);
    ww_graph_kind kind = graph ? kind_of(graph) : WW_GRAPH_FILE;
    if (!graph || (kind == WW_GRAPH_FILE && looks_misspelt(graph))) /* refused at the start */
        return WW_OK;
    int status = has_vertices(kind) ? choose_vertices(choice, errors) : WW_OK;
    for (size_t i = 0; i < choice->workload->parameter_count; i++) {
        const char *name = choice->workload->parameters[i].name;
        const char *kinds_text = choice->given[i] ? other_kinds(kind, name) : NULL;
        if (kinds_text)
            status |= ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                              "--size: %s is for %s (graph is %.60s: %s)", name, kinds_text, graph,
                              takes[kind]);
    }
    return status;
}

/* ---- the graph ---- */

const ww_graph_source *ww_host_graph(ww_host *host, ww_graph_rows rows, uint64_t *vertices,
                                     uint64_t *edges)
{
    const char *word = ww_host_word(host, "graph");
    ww_graph_spec spec = {.kind = kind_of(word),
                          .file = word,
                          .scale = (unsigned)ww_host_number(host, "scale"),
                          .vertices = ww_host_number(host, "vertices"),
                          .edge_factor = (unsigned)ww_host_number(host, "edgefactor"),
                          .width = ww_host_number(host, "width"),
                          .height = ww_host_number(host, "height"),
                          .tile = ww_host_number(host, "tile"),
                          .symmetric = rows == WW_ROWS_BOTH,
                          .reversed = rows == WW_ROWS_IN,
                          .seed = ww_host_seed(host)};
    *vertices = *edges = 0;
    if (spec.kind == WW_GRAPH_FILE && looks_misspelt(word)) {
        ww_host_refuse(
            host, "graph is '%.60s' (rmat, road, mesh, uniform, power, tree, or a file is needed)",
            word);
        return NULL;
    }
    ww_graph_source *graph = ww_graph_open(&spec, host->errors);
    if (!graph) {
        ww_host_fail(host, ww_errors_status(host->errors));
        return NULL;
    }
    ww_vec_push(&host->graphs, graph);
    *vertices = ww_graph_vertices(graph);
    *edges = ww_graph_edges(graph);
    return graph;
}

uint64_t ww_host_source(ww_host *host, uint64_t vertices)
{
    uint64_t source = ww_host_number(host, "source");
    if (ww_host_ok(host) && source >= vertices)
        ww_host_refuse(host, "source is %" PRIu64 " (a vertex from 0 to %" PRIu64 " is needed)",
                       source, vertices - 1);
    return source;
}

/* Invertible steps, each of which mixes all lower bits into the upper ones or the reverse. */
uint32_t ww_graph_rank(uint64_t seed, uint32_t vertex)
{
    uint64_t key = ww_mix64(seed);
    uint32_t value = vertex + (uint32_t)key;
    value = (value ^ value >> 16) * 0x85ebca6bu;
    value = (value ^ value >> 13) * ((uint32_t)(key >> 32) | 1);
    value = (value ^ value >> 16) * 0xc2b2ae35u;
    return value ^ value >> 15;
}
