/* Matrix Market, coordinate format (Boisvert, Pozo and Remington, NISTIR 5935): the entry at row i
 * and column j, counted from 1, is an edge i -> j. */
#include "base/text.h"
#include "workload/graph_internal.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define LONGEST_VALUE 63
#define SIZE_LINE "a line 'rows columns entries'"

static int read_choice(ww_graph_text *text, const char *const *choices, const char *wanted,
                       size_t *index)
{
    ww_graph_word word = ww_graph_next_word(text);
    for (*index = 0; choices[*index]; ++*index)
        if (ww_graph_word_is(word, choices[*index]))
            return WW_OK;
    if (!word.length)
        return ww_graph_text_fail(text, word.start, "the header ends too early (%s)", wanted);
    return ww_graph_text_fail(text, word.start, "'%.*s' cannot be read (%s)",
                              (int)(word.length < 40 ? word.length : 40), word.start, wanted);
}

/* "%%MatrixMarket matrix coordinate real general" */
static int read_header(ww_graph_text *text, ww_graph_list *list)
{
    static const char *const objects[] = {"matrix", NULL};
    static const char *const formats[] = {"coordinate", NULL};
    static const char *const fields[] = {"pattern", "real", "integer", NULL};
    static const char *const symmetries[] = {"general", "symmetric", NULL};
    size_t field = 0, symmetry = 0, only = 0;
    if (!ww_graph_next_line(text) || text->line != 1 ||
        !ww_graph_word_is(ww_graph_next_word(text), "%%MatrixMarket")) {
        text->line = 1;
        return ww_graph_text_fail(text, NULL,
                                  "no Matrix Market header (the first line is such as "
                                  "'%%%%MatrixMarket matrix coordinate real general')");
    }
    int status = read_choice(text, objects, "matrix", &only);
    if (!status)
        status = read_choice(text, formats, "coordinate", &only);
    if (!status)
        status = read_choice(text, fields, "real, integer or pattern", &field);
    if (!status)
        status = read_choice(text, symmetries, "general or symmetric", &symmetry);
    list->weighted = field != 0;
    list->mirrored = symmetry == 1;
    return status ? status : ww_graph_read_line_end(text);
}

/* The next line that is not a comment. */
static bool next_data_line(ww_graph_text *text)
{
    while (ww_graph_next_line(text))
        if (*text->at != '%')
            return true;
    return false;
}

static int read_size(ww_graph_text *text, ww_graph_list *list, uint64_t *entries)
{
    uint64_t columns = 0;
    if (!next_data_line(text))
        return ww_graph_text_fail(text, NULL, "the file ends before the size (" SIZE_LINE ")");
    int status =
        ww_graph_read_number(text, "a number of rows", 1, WW_GRAPH_MOST_VERTICES, &list->vertices);
    if (!status)
        status =
            ww_graph_read_number(text, "a number of columns", 1, WW_GRAPH_MOST_VERTICES, &columns);
    if (!status)
        status = ww_graph_read_number(text, "a number of entries", 1, WW_GRAPH_MOST_EDGES, entries);
    if (!status && columns != list->vertices)
        return ww_graph_text_fail(text, NULL,
                                  "a matrix of %" PRIu64 " x %" PRIu64
                                  " (a graph has as many rows as columns)",
                                  list->vertices, columns);
    return status ? status : ww_graph_read_line_end(text);
}

/* The weight of any value: its magnitude, rounded, at least 1. */
static int read_value(ww_graph_text *text, uint32_t *weight)
{
    char digits[LONGEST_VALUE + 1];
    double value = 0;
    ww_graph_word word = ww_graph_next_word(text);
    if (!word.length)
        return ww_graph_text_fail(text, word.start, "the value is missing (a number)");
    size_t length = word.length < LONGEST_VALUE ? word.length : LONGEST_VALUE;
    memcpy(digits, word.start, length);
    digits[length] = 0;
    if (strspn(digits, "0123456789+-.eE") != word.length || !ww_parse_double(digits, &value))
        return ww_graph_text_fail(text, word.start, "'%.40s' is not a value (a number)", digits);
    double rounded = round(fabs(value));
    if (!(rounded <= UINT32_MAX))
        return ww_graph_text_fail(text, word.start,
                                  "'%.40s' is too large for a weight (at most 4294967295)", digits);
    *weight = rounded < 1 ? 1 : (uint32_t)rounded;
    return WW_OK;
}

static int read_entry(ww_graph_text *text, ww_graph_list *list)
{
    uint64_t i = 0, j = 0;
    uint32_t weight = 0;
    int status = ww_graph_read_number(text, "a row", 1, list->vertices, &i);
    if (!status)
        status = ww_graph_read_number(text, "a column", 1, list->vertices, &j);
    if (!status && list->weighted)
        status = read_value(text, &weight);
    if (!status)
        status = ww_graph_read_line_end(text);
    if (!status && list->mirrored && j > i)
        return ww_graph_text_fail(text, NULL,
                                  "an entry above the diagonal of a symmetric matrix "
                                  "(the lower triangle stands for both)");
    if (!status)
        ww_graph_list_add(list, i - 1, j - 1, weight);
    return status;
}

int ww_graph_read_mtx(ww_graph_text *text, ww_graph_list *list)
{
    uint64_t entries = 0, seen = 0;
    int status = read_header(text, list);
    if (!status)
        status = read_size(text, list, &entries);
    for (; !status && next_data_line(text); seen++) {
        if (seen == entries)
            return ww_graph_text_fail(text, NULL, "more entries than the size says (%" PRIu64 ")",
                                      entries);
        status = read_entry(text, list);
    }
    if (!status && seen < entries)
        return ww_graph_text_fail(
            text, NULL, "the file ends after entry %" PRIu64 " (the size says %" PRIu64 ")", seen,
            entries);
    return status;
}
