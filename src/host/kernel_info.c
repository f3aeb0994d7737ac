#include "host/kernel_info.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

/* ---- from IR ---- */

/* The content of a metadata node that the line names by !KIND !N, "a, b" of "!N = !{a, b}"; NULL:
 * the line names none. *length is its length. */
static const char *node_of(const char *ir, const char *line, const char *kind, size_t *length)
{
    char *mark = ww_format(" !%s !", kind);
    unsigned number = 0;
    const char *found = memmem(line, strcspn(line, "\n"), mark, strlen(mark));
    bool named = found && sscanf(found + strlen(mark), "%u", &number) == 1;
    free(mark);
    if (!named)
        return NULL;
    char *start = ww_format("\n!%u = !{", number);
    const char *node = strstr(ir, start);
    node = node ? node + strlen(start) : NULL;
    free(start);
    *length = node ? strcspn(node, "\n") : 0;
    while (node && *length && node[*length - 1] != '}')
        --*length;
    *length -= *length > 0;
    return node;
}

/* The index-th text !"..." of a node. */
static char *text_at(const char *node, size_t length, size_t index)
{
    const char *end = node ? node + length : NULL;
    for (const char *at = node; at && at < end;) {
        const char *open = memmem(at, (size_t)(end - at), "!\"", 2);
        const char *close = open ? memchr(open + 2, '"', (size_t)(end - open - 2)) : NULL;
        if (!close)
            break;
        if (index-- == 0)
            return strndup(open + 2, (size_t)(close - open - 2));
        at = close + 1;
    }
    return ww_strdup("");
}

static void write_arguments(const char *ir, const char *line, FILE *out)
{
    static const char *const kinds[] = {"kernel_arg_access_qual", "kernel_arg_type",
                                        "kernel_arg_type_qual", "kernel_arg_name"};
    size_t length = 0;
    const char *spaces = node_of(ir, line, "kernel_arg_addr_space", &length);
    for (size_t i = 0; spaces; i++) {
        int space = 0;
        if (sscanf(spaces, " i32 %d", &space) != 1)
            break;
        fprintf(out, "//ww.argument %d", space);
        for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
            size_t bytes = 0;
            const char *node = node_of(ir, line, kinds[k], &bytes);
            char *text = text_at(node, bytes, i);
            fprintf(out, "\t%s", text);
            free(text);
        }
        fputc('\n', out);
        spaces += strcspn(spaces, ",}");
        if (*spaces++ != ',')
            break;
    }
}

static void write_sizes(const char *ir, const char *line, const char *kind, FILE *out)
{
    size_t length;
    unsigned x, y, z;
    const char *node = node_of(ir, line, kind, &length);
    if (node && sscanf(node, "i32 %u, i32 %u, i32 %u", &x, &y, &z) == 3)
        fprintf(out, " %s(%u,%u,%u)", kind, x, y, z);
}

/* "<4 x float> undef, i32 0" is float4; the number says whether integers have a sign. */
static void write_vector_hint(const char *ir, const char *line, FILE *out)
{
    static const char *const names[][2] = {
        {"i8", "char"},   {"i16", "short"},   {"i32", "int"},      {"i64", "long"},
        {"half", "half"}, {"float", "float"}, {"double", "double"}};
    size_t length;
    unsigned width = 1;
    char type[16] = "";
    int is_signed = 1;
    const char *node = node_of(ir, line, "vec_type_hint", &length);
    if (!node)
        return;
    if (sscanf(node, "<%u x %15[a-z0-9]> %*[a-z], i32 %d", &width, type, &is_signed) != 3) {
        width = 1;
        if (sscanf(node, "%15[a-z0-9] %*[a-z], i32 %d", type, &is_signed) != 2)
            return;
    }
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(type, names[i][0]) == 0) {
            fprintf(out, " vec_type_hint(%s%s", i < 4 && !is_signed ? "u" : "", names[i][1]);
            if (width > 1)
                fprintf(out, "%u", width);
            fputc(')', out);
        }
}

static void write_kernel(const char *ir, const char *line, FILE *out)
{
    const char *at = memchr(line, '@', strcspn(line, "\n"));
    if (!at)
        return;
    fprintf(out, "//ww.kernel %.*s\n//ww.attributes", (int)strcspn(at + 1, "(\n"), at + 1);
    write_sizes(ir, line, "reqd_work_group_size", out);
    write_sizes(ir, line, "work_group_size_hint", out);
    write_vector_hint(ir, line, out);
    fputc('\n', out);
    write_arguments(ir, line, out);
}

char *ww_kernel_info_add(const char *ptx, const char *ir)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        ww_out_of_memory(sizeof(FILE));
    fprintf(out, "%s\n", ptx);
    for (const char *line = ir; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        size_t bytes = strcspn(line, "\n");
        if (strncmp(line, "define ", 7) == 0 && memmem(line, bytes, " !kernel_arg_addr_space ", 24))
            write_kernel(ir, line, out);
    }
    fclose(out);
    return text;
}

/* ---- from PTX ---- */

#define ARGUMENT "//ww.argument "
#define ATTRIBUTES "//ww.attributes"

/* The next field of a line, up to a tab or its end. */
static char *take_field(const char **at)
{
    size_t length = strcspn(*at, "\t\n");
    char *field = strndup(*at, length);
    *at += length + ((*at)[length] == '\t');
    return field;
}

static void read_argument(const char *line, ww_kernel_argument *a)
{
    char *space = take_field(&line);
    a->space = atoi(space);
    free(space);
    a->access = take_field(&line);
    a->type = take_field(&line);
    a->qualifiers = take_field(&line);
    a->name = take_field(&line);
}

bool ww_kernel_info_read(const char *ptx, const char *kernel, ww_kernel_info *info)
{
    char *mark = ww_format("\n//ww.kernel %s\n" ATTRIBUTES, kernel);
    const char *line = strstr(ptx, mark);
    *info = (ww_kernel_info){0};
    if (line)
        line += strlen(mark);
    free(mark);
    if (!line)
        return false;
    line += *line == ' ';
    info->attributes = take_field(&line);
    while (*line == '\n' && strncmp(line + 1, ARGUMENT, strlen(ARGUMENT)) == 0) {
        line += 1 + strlen(ARGUMENT);
        info->arguments = ww_realloc(info->arguments, info->count + 1, sizeof(*info->arguments));
        read_argument(line, &info->arguments[info->count++]);
        line += strcspn(line, "\n");
    }
    return true;
}

void ww_kernel_info_clear(ww_kernel_info *info)
{
    for (size_t i = 0; i < info->count; i++) {
        free(info->arguments[i].access);
        free(info->arguments[i].type);
        free(info->arguments[i].qualifiers);
        free(info->arguments[i].name);
    }
    free(info->arguments);
    free(info->attributes);
    *info = (ww_kernel_info){0};
}
