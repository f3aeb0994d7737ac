#include "host/pair_arguments.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

#define LOAD "ld.param.u32"

typedef struct load {
    char target[64], name[512];
    size_t length; /* of the whole statement */
} load;

/* "ld.param.u32 %r1, [NAME];" of an argument that is declared as ".b8 NAME[2]". */
static bool read_load(const char *ptx, const char *at, load *l)
{
    int length = 0;
    if (sscanf(at, LOAD " %63[^,], [%511[^]+]];%n", l->target, l->name, &length) != 2 || !length)
        return false;
    l->length = (size_t)length;
    char *declaration = ww_format(".b8 %s[2]", l->name);
    bool pair = strstr(ptx, declaration) != NULL;
    free(declaration);
    return pair;
}

static void write_load(const load *l, FILE *out)
{
    fprintf(out,
            "{ .reg .b16 %%ww_x, %%ww_y; ld.param.u8 %%ww_x, [%s]; ld.param.u8 %%ww_y, [%s+1]; "
            "mov.b32 %s, {%%ww_x, %%ww_y}; }",
            l->name, l->name, l->target);
}

char *ww_pair_arguments_repair(char *ptx)
{
    char *text = NULL;
    size_t size = 0;
    if (!strstr(ptx, LOAD) || !strstr(ptx, "[2]"))
        return ptx;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        ww_out_of_memory(sizeof(FILE));
    const char *from = ptx;
    for (const char *at; (at = strstr(from, LOAD));) {
        load l;
        bool pair = read_load(ptx, at, &l);
        size_t kept = pair ? 0 : strlen(LOAD);
        fwrite(from, 1, (size_t)(at - from) + kept, out);
        if (pair)
            write_load(&l, out);
        from = at + (pair ? l.length : kept);
    }
    fputs(from, out);
    fclose(out);
    free(ptx);
    return text;
}

bool ww_pair_arguments_have_calls(const char *ptx)
{
    static const char before[] =
        ".param .align 2 .b8 "; /* as calls declare them, each in a statement */
    for (const char *at = ptx; (at = strstr(at, before));) {
        int length = 0;
        at += strlen(before);
        sscanf(at, "%*[a-z0-9][2];%n", &length);
        if (length)
            return true;
    }
    return false;
}

bool ww_pair_arguments_stop(const char *messages)
{
    return strstr(messages, "Copy one register into another with a different width") != NULL;
}
