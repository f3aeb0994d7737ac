#include "host/group_size.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* What metadata at the end of a function's line in the IR names, and what the PTX calls it. */
typedef struct kind {
    const char *attachment, *directive;
    int numbers;
} kind;

static const kind kinds[] = {
    {" !reqd_work_group_size !", ".reqntid", 3},
    {" !intel_reqd_sub_group_size !", ".reqsubgroup", 1},
};

/* The function that a line of IR defines, and the size that the metadata at its end names:
 * "define ... @NAME(...) ... !reqd_work_group_size !N {" and "!N = !{i32 X, i32 Y, i32 Z}". */
typedef struct requirement {
    const char *name;
    int name_length;
    unsigned size[3];
} requirement;

static bool find_size(const char *ir, unsigned node, const kind *k, unsigned size[3])
{
    char *start = ww_format("\n!%u = !{", node);
    const char *line = strstr(ir, start);
    bool found = line && sscanf(line + strlen(start), "i32 %u, i32 %u, i32 %u}", &size[0], &size[1],
                                &size[2]) == k->numbers;
    free(start);
    return found;
}

static bool read_requirement(const char *ir, const char *line, const kind *k, requirement *r)
{
    size_t length = strcspn(line, "\n");
    unsigned node = 0;
    const char *at = memchr(line, '@', length);
    const char *attached = memmem(line, length, k->attachment, strlen(k->attachment));
    if (strncmp(line, "define ", 7) != 0 || !at || !attached)
        return false;
    r->name = at + 1;
    r->name_length = (int)strcspn(r->name, "(\n");
    return sscanf(attached + strlen(k->attachment), "%u", &node) == 1 &&
           find_size(ir, node, k, r->size);
}

/* What follows the parameter list of an entry without such a size, or NULL. */
static const char *find_gap(const char *ptx, const kind *k, const requirement *r)
{
    char *head = ww_format(".entry %.*s(", r->name_length, r->name);
    const char *entry = strstr(ptx, head);
    const char *end = entry ? strchr(entry + strlen(head), ')') : NULL;
    free(head);
    const char *body = end ? strchr(end, '{') : NULL;
    if (!body || memmem(end, (size_t)(body - end), k->directive, strlen(k->directive)))
        return NULL;
    return end + 1;
}

static char *add_size(const char *text, const char *gap, const kind *k, const requirement *r)
{
    int before = (int)(gap - text);
    if (k->numbers == 1)
        return ww_format("%.*s %s %u%s", before, text, k->directive, r->size[0], gap);
    return ww_format("%.*s %s %u, %u, %u%s", before, text, k->directive, r->size[0], r->size[1],
                     r->size[2], gap);
}

static char *add_kind(char *text, const char *ir, const kind *k)
{
    for (const char *line = ir; line; line = strchr(line, '\n')) {
        requirement r;
        line += *line == '\n';
        const char *gap = read_requirement(ir, line, k, &r) ? find_gap(text, k, &r) : NULL;
        if (!gap)
            continue;
        char *longer = add_size(text, gap, k, &r);
        free(text);
        text = longer;
    }
    return text;
}

char *ww_group_sizes_add(const char *ptx, const char *ir)
{
    char *text = ww_strdup(ptx);
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        text = add_kind(text, ir, &kinds[i]);
    return text;
}
