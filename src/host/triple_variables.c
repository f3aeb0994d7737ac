#include "host/triple_variables.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

#define ALIGN " .align "
#define TRIPLE "<3 x "

static bool is_argument(const char *ptx, const char *at)
{
    static const char space[] = ".param";
    size_t length = strlen(space);
    return (size_t)(at - ptx) >= length && memcmp(at - length, space, length) == 0;
}

/* ".global .align 16 .b8 NAME[12]": as large as a triple, or as an array or structure of them. */
bool ww_triple_variables_are_possible(const char *ptx)
{
    for (const char *at = ptx; (at = strstr(at, ALIGN)); at += strlen(ALIGN)) {
        unsigned alignment = 0, size = 0;
        if (!is_argument(ptx, at) &&
            sscanf(at, ALIGN "%u .b8 %*[^][ ,;\n][%u]", &alignment, &size) == 2 && alignment >= 4 &&
            (size * 4 == alignment * 3 || size % alignment == 0))
            return true;
    }
    return false;
}

/* "@NAME = ..." or "%NAME = type ..." */
static bool defines_variable_or_type(const char *line, size_t length)
{
    return line[0] == '@' || (line[0] == '%' && memmem(line, length, " = type ", 8));
}

/* Copies "<3 x float> <float 1.0, float 2.0, float 3.0>" with a fourth element, 0; a value of
 * another form ("zeroinitializer") fits any type. Returns what follows. */
static const char *write_triple(const char *at, FILE *out)
{
    const char *element = at + strlen(TRIPLE), *end = strchr(element, '>');
    int length = (int)(end - element);
    fprintf(out, "<4 x %.*s>", length, element);
    at = end + 1;
    if (strncmp(at, " <", 2) != 0)
        return at;
    end = strchr(at, '>');
    fprintf(out, "%.*s, %.*s zeroinitializer>", (int)(end - at), at, length, element);
    return end + 1;
}

static bool write_line(const char *line, size_t length, FILE *out)
{
    const char *at = line, *end = line + length;
    bool changed = false;
    for (const char *triple; at < end && (triple = memmem(at, (size_t)(end - at), TRIPLE, 5));) {
        fwrite(at, 1, (size_t)(triple - at), out);
        at = write_triple(triple, out);
        changed = true;
    }
    fwrite(at, 1, (size_t)(end - at), out);
    return changed;
}

char *ww_triple_variables_widen(const char *ir)
{
    char *text = NULL;
    size_t size = 0;
    bool changed = false;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        ww_out_of_memory(sizeof(FILE));
    for (const char *line = ir; *line;) {
        size_t length = strcspn(line, "\n");
        length += line[length] == '\n';
        if (defines_variable_or_type(line, length))
            changed = write_line(line, length, out) || changed;
        else
            fwrite(line, 1, length, out);
        line += length;
    }
    fclose(out);
    if (changed)
        return text;
    free(text);
    return NULL;
}
