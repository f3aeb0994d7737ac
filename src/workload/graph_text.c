/* Lines, words and numbers of graph files. */
#include "workload/graph_internal.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <strings.h>

#define SHOWN 40 /* characters of a wrong word in an error */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static void skip_blanks(ww_graph_text *text)
{
    while (text->at < text->end && is_blank(*text->at))
        text->at++;
}

static bool at_line_end(const ww_graph_text *text)
{
    return text->at == text->end || *text->at == '\n';
}

bool ww_graph_next_line(ww_graph_text *text)
{
    do {
        if (text->line) {
            const char *newline = memchr(text->at, '\n', (size_t)(text->end - text->at));
            if (!newline || newline + 1 == text->end)
                return false;
            text->at = newline + 1;
        }
        if (text->line < INT_MAX)
            text->line++;
        text->line_start = text->at;
        skip_blanks(text);
    } while (at_line_end(text));
    return true;
}

ww_graph_word ww_graph_next_word(ww_graph_text *text)
{
    skip_blanks(text);
    ww_graph_word word = {text->at, 0};
    while (!at_line_end(text) && !is_blank(*text->at))
        text->at++;
    word.length = (size_t)(text->at - word.start);
    return word;
}

bool ww_graph_word_is(ww_graph_word word, const char *name)
{
    return word.length == strlen(name) && strncasecmp(word.start, name, word.length) == 0;
}

int ww_graph_text_fail(const ww_graph_text *text, const char *at, const char *format, ...)
{
    ww_where where = {text->name, text->line, 0};
    va_list args;
    if (at && at - text->line_start < INT_MAX)
        where.col = (int)(at - text->line_start) + 1;
    va_start(args, format);
    int status = ww_vfail(text->errors, WW_BAD_INPUT, where, format, args);
    va_end(args);
    return status;
}

static bool to_number(ww_graph_word word, uint64_t *value)
{
    *value = 0;
    for (size_t i = 0; i < word.length; i++) {
        unsigned digit = (unsigned)(word.start[i] - '0');
        if (digit > 9)
            return false;
        if (*value < UINT64_MAX / 20) /* above any limit it need not be exact */
            *value = *value * 10 + digit;
    }
    return true;
}

int ww_graph_read_number(ww_graph_text *text, const char *what, uint64_t least, uint64_t most,
                         uint64_t *value)
{
    ww_graph_word word = ww_graph_next_word(text);
    if (word.length && to_number(word, value) && *value >= least && *value <= most)
        return WW_OK;
    if (!word.length)
        return ww_graph_text_fail(text, word.start,
                                  "%s is missing (a whole number %" PRIu64 " .. %" PRIu64 ")", what,
                                  least, most);
    return ww_graph_text_fail(
        text, word.start, "'%.*s' is not %s (a whole number %" PRIu64 " .. %" PRIu64 ")",
        (int)(word.length < SHOWN ? word.length : SHOWN), word.start, what, least, most);
}

int ww_graph_read_weight(ww_graph_text *text, uint32_t *weight)
{
    uint64_t value = 0;
    int status = ww_graph_read_number(text, "a weight", 0, UINT32_MAX, &value);
    *weight = (uint32_t)value;
    return status;
}

int ww_graph_read_line_end(ww_graph_text *text)
{
    ww_graph_word word = ww_graph_next_word(text);
    if (!word.length)
        return WW_OK;
    return ww_graph_text_fail(text, word.start, "'%.*s' is one word too many (the line ends here)",
                              (int)(word.length < SHOWN ? word.length : SHOWN), word.start);
}
