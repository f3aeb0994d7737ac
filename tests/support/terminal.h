/* A terminal for tests: what is on the screen after a program has written to a pty. It knows what
 * ww_screen uses: \r, \n, cursor up, erase to the end of the line and of the screen; lines that are
 * too long are folded, also when the window becomes narrower, as terminals do. */
#ifndef WW_TESTS_SUPPORT_TERMINAL_H
#define WW_TESTS_SUPPORT_TERMINAL_H

#include <stddef.h>
#include <sys/types.h>

#define TERMINAL_MOST 200

typedef struct terminal {
    int master, slave;
    size_t lines, columns;
    size_t line,
        column; /* of the cursor; column == columns: the next character goes to the next line */
    char cells[TERMINAL_MOST][TERMINAL_MOST + 1]; /* texts, padded with blanks */
    char escape[16];                              /* a sequence that has begun */
    size_t escape_length;
    size_t scrolled; /* lines that went out at the top */
} terminal;

void terminal_open(terminal *t, size_t lines, size_t columns);
void terminal_close(terminal *t);
void terminal_resize(terminal *t, size_t lines, size_t columns);
/* Takes what has been written so far. Returns 0 when nothing was there. */
size_t terminal_take(terminal *t);
/* Waits for more, or for the other side to close: then it returns 0. */
size_t terminal_wait(terminal *t);
/* A line's text without the blanks at its end. */
const char *terminal_line(const terminal *t, size_t line, char text[TERMINAL_MOST + 1]);

#endif
