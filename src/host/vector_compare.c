#include "host/vector_compare.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

/* "  %5 = fcmp fast oeq <2 x half> %3, <half 0xH0000, half 0xH3C00>, !dbg !7" or
 * "  %6 = icmp slt <2 x i16> %3, %4, !dbg !7" */
typedef struct compare {
    char name[64];       /* of the result, without '%' */
    char condition[128]; /* flags and predicate */
    int lanes;
    int bits;                 /* of an integer; 0: halves */
    const char *first, *last; /* operands; each ends at a comma outside of brackets, or the line */
} compare;

static size_t operand_length(const char *text)
{
    size_t length = 0;
    for (int depth = 0; text[length] && text[length] != '\n'; length++) {
        if (text[length] == ',' && depth == 0)
            break;
        depth += strchr("<(", text[length]) != NULL;
        depth -= strchr(">)", text[length]) != NULL;
    }
    return length;
}

static bool read_compare(const char *line, compare *c)
{
    int at = 0;
    c->bits = 0;
    sscanf(line, " %%%63[^ =] = fcmp %127[a-z ]<%d x half> %n", c->name, c->condition, &c->lanes,
           &at);
    if (!at)
        sscanf(line, " %%%63[^ =] = icmp %127[a-z ]<%d x i%d> %n", c->name, c->condition, &c->lanes,
               &c->bits, &at);
    if (!at || c->bits > 16)
        return false;
    c->first = line + at;
    c->last = c->first + operand_length(c->first);
    if (*c->last != ',')
        return false;
    c->last += 2;
    return true;
}

static const char *extension(const compare *c)
{
    return c->bits == 0 ? "fpext" : c->condition[0] == 'u' ? "zext" : "sext";
}

static void write_compare(const compare *c, FILE *out)
{
    const char *operands[] = {c->first, c->last}, *wide = c->bits ? "i32" : "float";
    char *narrow = c->bits ? ww_format("i%d", c->bits) : ww_strdup("half");
    for (int i = 0; i < 2; i++)
        fprintf(out, "  %%ww.%s.%d = %s <%d x %s> %.*s to <%d x %s>\n", c->name, i, extension(c),
                c->lanes, narrow, (int)operand_length(operands[i]), operands[i], c->lanes, wide);
    fprintf(out, "  %%%s = %s %s<%d x %s> %%ww.%s.0, %%ww.%s.1", c->name, c->bits ? "icmp" : "fcmp",
            c->condition, c->lanes, wide, c->name, c->name);
    const char *rest = c->last + operand_length(c->last);
    fwrite(rest, 1, strcspn(rest, "\n"), out);
    free(narrow);
}

char *ww_vector_compare_widen(const char *ir)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        ww_out_of_memory(sizeof(FILE));
    for (const char *line = ir; *line;) {
        compare c;
        size_t length = strcspn(line, "\n");
        if (read_compare(line, &c))
            write_compare(&c, out);
        else
            fwrite(line, 1, length, out);
        line += length;
        if (*line) {
            fputc('\n', out);
            line++;
        }
    }
    fclose(out);
    return text;
}

bool ww_vector_compare_stops(const char *messages)
{
    const char *node = strstr(messages, "Cannot select: ");
    return node && strstr(node, "= setcc ");
}
