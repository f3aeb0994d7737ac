#include "host/half_loads.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define MOST 4

/* "ld.global.v4.b16 {%f1, %f2, %f3, %f4}, [%rd1+8];" or "ld.global.b16 %f1, [%rd1];" */
typedef struct load {
    char operation[64], address[256];
    char targets[MOST][32];
    int count;
    size_t length; /* of the whole statement */
} load;

static bool read_targets(const char *at, load *l, int *length)
{
    int n = 0;
    bool vector = *at == '{';
    *length = vector;
    for (l->count = 0; l->count < MOST; l->count++, *length += n) {
        n = 0;
        if (sscanf(at + *length, "%31[%a-z0-9]%n", l->targets[l->count], &n) != 1)
            return false;
        char after = at[*length + n];
        if (after != ',' || !vector) {
            *length += n + (after == '}');
            l->count++;
            return true;
        }
        n += 2; /* ", " */
    }
    return false;
}

static bool read_load(const char *at, load *l)
{
    int length = 0, targets = 0, rest = 0;
    sscanf(at, "%63[a-z0-9.] %n", l->operation, &length);
    size_t end = strlen(l->operation);
    if (!length || end < 4 || strcmp(l->operation + end - 4, ".b16") != 0)
        return false;
    if (!read_targets(at + length, l, &targets) || strncmp(l->targets[0], "%f", 2) != 0)
        return false;
    if (sscanf(at + length + targets, ", [%255[^]]];%n", l->address, &rest) != 1 || !rest)
        return false;
    l->length = (size_t)(length + targets + rest);
    return true;
}

static void write_load(const load *l, FILE *out)
{
    fputs("{ .reg .b16 %ww_h<4>; ", out);
    fprintf(out, "%s %s", l->operation, l->count > 1 ? "{" : "");
    for (int i = 0; i < l->count; i++)
        fprintf(out, "%s%%ww_h%d", i ? ", " : "", i);
    fprintf(out, "%s, [%s];", l->count > 1 ? "}" : "", l->address);
    for (int i = 0; i < l->count; i++)
        fprintf(out, " cvt.%s.f16 %s, %%ww_h%d;", l->targets[i][2] == 'd' ? "f64" : "f32",
                l->targets[i], i);
    fputs(" }", out);
}

char *ww_half_loads_repair(char *ptx)
{
    char *text = NULL;
    size_t size = 0;
    if (!strstr(ptx, ".b16 \t{%f") && !strstr(ptx, ".b16 \t%f"))
        return ptx;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        ww_out_of_memory(sizeof(FILE));
    const char *from = ptx;
    for (const char *at; (at = strstr(from, "ld."));) {
        load l;
        bool wrong = read_load(at, &l);
        fwrite(from, 1, (size_t)(at - from) + (wrong ? 0 : 3), out);
        if (wrong)
            write_load(&l, out);
        from = at + (wrong ? l.length : 3);
    }
    fputs(from, out);
    fclose(out);
    free(ptx);
    return text;
}
