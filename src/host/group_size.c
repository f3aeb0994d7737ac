#include "host/group_size.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define ATTACHMENT " !reqd_work_group_size !"

/* The function that a line of IR defines, and the size that the metadata at its end names:
 * "define ... @NAME(...) ... !reqd_work_group_size !N {" and "!N = !{i32 X, i32 Y, i32 Z}". */
typedef struct requirement {
    const char *name;
    int name_length;
    unsigned size[3];
} requirement;

static bool find_size(const char *ir, unsigned node, unsigned size[3])
{
    char *start = ww_format("\n!%u = !{", node);
    const char *line = strstr(ir, start);
    bool found = line && sscanf(line + strlen(start), "i32 %u, i32 %u, i32 %u}", &size[0], &size[1],
                                &size[2]) == 3;
    free(start);
    return found;
}

static bool read_requirement(const char *ir, const char *line, requirement *r)
{
    size_t length = strcspn(line, "\n");
    unsigned node = 0;
    const char *at = memchr(line, '@', length);
    const char *attached = memmem(line, length, ATTACHMENT, strlen(ATTACHMENT));
    if (strncmp(line, "define ", 7) != 0 || !at || !attached)
        return false;
    r->name = at + 1;
    r->name_length = (int)strcspn(r->name, "(\n");
    return sscanf(attached + strlen(ATTACHMENT), "%u", &node) == 1 && find_size(ir, node, r->size);
}

/* What follows the parameter list of an entry without a size, or NULL. */
static const char *find_gap(const char *ptx, const requirement *r)
{
    char *head = ww_format(".entry %.*s(", r->name_length, r->name);
    const char *entry = strstr(ptx, head);
    const char *end = entry ? strchr(entry + strlen(head), ')') : NULL;
    free(head);
    const char *body = end ? strchr(end, '{') : NULL;
    if (!body || memmem(end, (size_t)(body - end), ".reqntid", 8))
        return NULL;
    return end + 1;
}

char *ww_group_sizes_add(const char *ptx, const char *ir)
{
    char *text = ww_strdup(ptx);
    for (const char *line = ir; line; line = strchr(line, '\n')) {
        requirement r;
        line += *line == '\n';
        const char *gap = read_requirement(ir, line, &r) ? find_gap(text, &r) : NULL;
        if (!gap)
            continue;
        char *longer = ww_format("%.*s .reqntid %u, %u, %u%s", (int)(gap - text), text, r.size[0],
                                 r.size[1], r.size[2], gap);
        free(text);
        text = longer;
    }
    return text;
}
