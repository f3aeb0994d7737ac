#include "base/error.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define MOST_LINES 100

struct ww_errors {
    WW_VEC(char *) lines;
    size_t dropped;
    int status;
};

ww_errors *ww_errors_create(void)
{
    return ww_calloc(1, sizeof(ww_errors));
}

void ww_errors_destroy(ww_errors *errors)
{
    if (!errors)
        return;
    for (size_t i = 0; i < errors->lines.count; i++)
        free(errors->lines.items[i]);
    ww_vec_free(&errors->lines);
    free(errors);
}

static char *format_line(ww_where at, const char *format, va_list args)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        ww_out_of_memory(sizeof(FILE));
    if (at.file)
        fprintf(out, "%s:", at.file);
    if (at.file && at.line > 0)
        fprintf(out, "%d:", at.line);
    if (at.file && at.line > 0 && at.col > 0)
        fprintf(out, "%d:", at.col);
    if (at.file)
        fputc(' ', out);
    vfprintf(out, format, args);
    fclose(out);
    for (char *c = text; *c; c++)
        if ((unsigned char)*c < 32 || *c == 127)
            *c = '?';
    return text;
}

int ww_vfail(ww_errors *errors, int status, ww_where at, const char *format, va_list args)
{
    if (status > errors->status)
        errors->status = status;
    if (ww_errors_full(errors))
        errors->dropped++;
    else
        ww_vec_push(&errors->lines, format_line(at, format, args));
    return status;
}

int(ww_fail)(ww_errors *errors, int status, ww_where at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    ww_vfail(errors, status, at, format, args);
    va_end(args);
    return status;
}

size_t ww_errors_count(const ww_errors *errors)
{
    return errors->lines.count;
}

bool ww_errors_full(const ww_errors *errors)
{
    return errors->lines.count >= MOST_LINES;
}

const char *ww_errors_line(const ww_errors *errors, size_t index)
{
    return errors->lines.items[index];
}

int ww_errors_status(const ww_errors *errors)
{
    return errors->status;
}

void ww_errors_print(const ww_errors *errors, FILE *out)
{
    for (size_t i = 0; i < errors->lines.count; i++)
        fprintf(out, "%s\n", errors->lines.items[i]);
    if (errors->dropped)
        fprintf(out, "and %zu more errors\n", errors->dropped);
}
