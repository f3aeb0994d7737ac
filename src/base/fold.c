#include "base/fold.h"

#include "base/memory.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#define USUAL_WIDTH 100
#define LEAST_WIDTH 40
#define LEAST_FOLDED 16 /* for what is folded: less would be one word a line */

size_t ww_fold_width(FILE *out)
{
    const char *columns = getenv("COLUMNS");
    struct winsize size = {0};
    uint64_t width = 0;
    if (!columns || !ww_parse_u64(columns, &width) || width == 0)
        width =
            ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : USUAL_WIDTH;
    return width < LEAST_WIDTH ? LEAST_WIDTH : (size_t)width;
}

/* False for continuation bytes of UTF-8, which are not counted. */
static bool starts_character(char byte)
{
    return ((unsigned char)byte & 0xc0) != 0x80;
}

size_t ww_fold_characters(const char *text)
{
    size_t count = 0;
    for (; *text; text++)
        count += starts_character(*text);
    return count;
}

size_t ww_fold_at(const char *text, size_t most)
{
    size_t characters = 0, space = 0, i = 0;
    for (; text[i]; i++) {
        if (starts_character(text[i]) && characters++ == most)
            break;
        if (text[i] == ' ' && i > 0 && text[i - 1] != ' ')
            space = i;
    }
    if (!text[i] || text[i] == ' ')
        return i;
    return space ? space : i;
}

void ww_fold_write(const char *text, size_t column, size_t indent, size_t width, FILE *out)
{
    size_t least = indent + LEAST_FOLDED;
    width = width < least ? least : width;
    size_t most = width > column ? width - column : 1;
    while (*text) {
        size_t count = ww_fold_at(text, most);
        fwrite(text, 1, count, out);
        text += count + strspn(text + count, " ");
        if (*text)
            fprintf(out, "\n%*s", (int)indent, "");
        most = width - indent;
    }
}

void ww_fold_line(FILE *out, size_t width, size_t indent, const char *format, ...)
{
    char *text;
    va_list args;
    va_start(args, format);
    if (vasprintf(&text, format, args) < 0)
        ww_out_of_memory(strlen(format));
    va_end(args);
    ww_fold_write(text, 0, indent, width, out);
    fputc('\n', out);
    free(text);
}
