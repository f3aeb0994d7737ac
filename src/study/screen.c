#include "study/screen.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define USUAL_LINES 24
#define USUAL_COLUMNS 80

bool ww_screen_can_draw(FILE *out)
{
    const char *kind = getenv("TERM");
    return isatty(fileno(out)) == 1 && kind && kind[0] && strcmp(kind, "dumb") != 0;
}

void ww_screen_size(const ww_screen *s, size_t *lines, size_t *columns)
{
    struct winsize size = {0};
    if (ioctl(fileno(s->out), TIOCGWINSZ, &size) != 0)
        size = (struct winsize){0};
    *lines = size.ws_row ? size.ws_row : USUAL_LINES;
    *lines -= *lines > 1; /* the cursor's own */
    *columns = size.ws_col ? size.ws_col : USUAL_COLUMNS;
}

/* Goes to the frame's first line. In a window that became narrower its lines have been folded. */
static void go_up(const ww_screen *s, size_t columns, FILE *out)
{
    size_t rows = 0;
    for (size_t i = 0; i < s->lengths.count; i++)
        rows += s->lengths.items[i] > columns ? (s->lengths.items[i] + columns - 1) / columns : 1;
    if (rows)
        fprintf(out, "\033[%zuA", rows);
    fputc('\r', out);
}

/* The first `most` characters: continuation bytes of UTF-8 are not counted, control characters are
 * replaced. */
static size_t write_cut(const char *text, size_t length, size_t most, FILE *out)
{
    size_t shown = 0;
    for (size_t i = 0; i < length; i++) {
        bool continues = ((unsigned char)text[i] & 0xc0) == 0x80;
        if (!continues && shown == most)
            break;
        shown += !continues;
        fputc((unsigned char)text[i] < ' ' || text[i] == 127 ? '?' : text[i], out);
    }
    return shown;
}

static char *frame_of(ww_screen *s, const char *text, size_t *length)
{
    char *frame = NULL;
    size_t lines, columns;
    FILE *out = open_memstream(&frame, length);
    if (!out)
        ww_out_of_memory(sizeof(FILE));
    ww_screen_size(s, &lines, &columns);
    go_up(s, columns, out);
    s->lengths.count = 0;
    while (*text && s->lengths.count < lines) {
        size_t count = strcspn(text, "\n");
        size_t shown = write_cut(text, count, columns, out);
        fputs(shown < columns ? "\033[K\n" : "\n", out); /* a full line has nothing to be erased */
        ww_vec_push(&s->lengths, shown);
        text += count + (text[count] == '\n');
    }
    fputs("\033[J", out);
    fclose(out);
    return frame;
}

void ww_screen_draw(ww_screen *s, const char *text)
{
    size_t length = 0;
    char *frame = frame_of(s, text, &length);
    fflush(s->out);
    fwrite(frame, 1, length, s->out);
    fflush(s->out);
    free(frame);
}

void ww_screen_erase(ww_screen *s)
{
    if (s->lengths.count)
        ww_screen_draw(s, "");
    ww_vec_free(&s->lengths);
}
