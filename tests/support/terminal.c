#include "support/terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmocka.h>

static void clear_line(terminal *t, size_t line, size_t from)
{
    memset(t->cells[line] + from, ' ', TERMINAL_MOST - from);
    t->cells[line][TERMINAL_MOST] = 0;
}

static void set_size(terminal *t, size_t lines, size_t columns)
{
    struct winsize size = {.ws_row = (unsigned short)lines, .ws_col = (unsigned short)columns};
    assert_int_equal(ioctl(t->master, TIOCSWINSZ, &size), 0);
    t->lines = lines;
    t->columns = columns;
}

void terminal_open(terminal *t, size_t lines, size_t columns)
{
    memset(t, 0, sizeof(*t));
    if (openpty(&t->master, &t->slave, NULL, NULL, NULL)) {
        perror("skipped: no pseudo terminal (is /dev/pts mounted?)");
        skip();
    }
    fcntl(t->master, F_SETFL, O_NONBLOCK);
    set_size(t, lines, columns);
    for (size_t i = 0; i < TERMINAL_MOST; i++)
        clear_line(t, i, 0);
}

void terminal_close(terminal *t)
{
    close(t->master);
    if (t->slave >= 0)
        close(t->slave);
}

static void next_line(terminal *t)
{
    if (t->line + 1 < t->lines) {
        t->line++;
        return;
    }
    memmove(t->cells[0], t->cells[1], (t->lines - 1) * sizeof(t->cells[0]));
    clear_line(t, t->lines - 1, 0);
    t->scrolled++;
}

static void put(terminal *t, char c)
{
    if (t->column == t->columns) {
        t->column = 0;
        next_line(t);
    }
    t->cells[t->line][t->column++] = c;
}

static void obey(terminal *t, char order, size_t number)
{
    switch (order) {
    case 'A': t->line = t->line > number ? t->line - number : 0; break;
    case 'K': clear_line(t, t->line, t->column); break;
    case 'J':
        clear_line(t, t->line, t->column);
        for (size_t i = t->line + 1; i < t->lines; i++)
            clear_line(t, i, 0);
        break;
    default: fail_msg("an escape sequence that is not known: %c", order);
    }
}

static void take_escaped(terminal *t, char c)
{
    t->escape[t->escape_length++] = c;
    assert_true(t->escape_length < sizeof(t->escape) - 1);
    if (t->escape_length == 2) {
        assert_int_equal(c, '[');
    } else if (t->escape_length > 2 && !(c >= '0' && c <= '9')) {
        t->escape[t->escape_length] = 0;
        obey(t, c, strtoul(t->escape + 2, NULL, 10));
        t->escape_length = 0;
    }
}

static void take(terminal *t, char c)
{
    if (t->escape_length || c == '\033')
        take_escaped(t, c);
    else if (c == '\r')
        t->column = 0;
    else if (c == '\n')
        next_line(t);
    else
        put(t, c);
}

static size_t text_length(const terminal *t, size_t line)
{
    size_t length = TERMINAL_MOST;
    while (length && t->cells[line][length - 1] == ' ')
        length--;
    return length;
}

/* What is on the screen is written again, as if the window had always been like this. */
void terminal_resize(terminal *t, size_t lines, size_t columns)
{
    terminal *before = malloc(sizeof(*before));
    assert_non_null(before);
    *before = *t;
    set_size(t, lines, columns);
    for (size_t i = 0; i < TERMINAL_MOST; i++)
        clear_line(t, i, 0);
    t->line = t->column = 0;
    for (size_t i = 0; i < before->line; i++) {
        for (size_t j = 0; j < text_length(before, i); j++)
            put(t, before->cells[i][j]);
        t->column = 0;
        next_line(t);
    }
    free(before);
}

size_t terminal_take(terminal *t)
{
    char bytes[4096];
    size_t all = 0;
    for (ssize_t count; (count = read(t->master, bytes, sizeof(bytes))) > 0;) {
        for (ssize_t i = 0; i < count; i++)
            take(t, bytes[i]);
        all += (size_t)count;
    }
    return all;
}

size_t terminal_wait(terminal *t)
{
    struct pollfd fd = {.fd = t->master, .events = POLLIN};
    poll(&fd, 1, 100); /* the writing process may have ended */
    return terminal_take(t);
}

const char *terminal_line(const terminal *t, size_t line, char text[TERMINAL_MOST + 1])
{
    size_t length = text_length(t, line);
    memcpy(text, t->cells[line], length);
    text[length] = 0;
    return text;
}
