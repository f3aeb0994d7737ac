#include "host/half_compare.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

/* "  %5 = fcmp fast oeq <2 x half> %3, <half 0xH0000, half 0xH3C00>, !dbg !7" */
typedef struct compare {
    char name[64];       /* of the result, without '%' */
    char condition[128]; /* flags and predicate */
    int lanes;
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
    if (sscanf(line, " %%%63[^ =] = fcmp %127[a-z ]<%d x half> %n", c->name, c->condition,
               &c->lanes, &at) != 3 ||
        !at)
        return false;
    c->first = line + at;
    c->last = c->first + operand_length(c->first);
    if (*c->last != ',')
        return false;
    c->last += 2;
    return true;
}

static void write_compare(const compare *c, FILE *out)
{
    const char *operands[] = {c->first, c->last};
    for (int i = 0; i < 2; i++)
        fprintf(out, "  %%ww.%s.%d = fpext <%d x half> %.*s to <%d x float>\n", c->name, i,
                c->lanes, (int)operand_length(operands[i]), operands[i], c->lanes);
    fprintf(out, "  %%%s = fcmp %s<%d x float> %%ww.%s.0, %%ww.%s.1", c->name, c->condition,
            c->lanes, c->name, c->name);
    const char *rest = c->last + operand_length(c->last);
    fwrite(rest, 1, strcspn(rest, "\n"), out);
}

char *ww_half_compare_widen(const char *ir)
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

bool ww_half_compare_stops(const char *messages)
{
    const char *node = strstr(messages, "Cannot select: ");
    return node && strstr(node, "= setcc ");
}
