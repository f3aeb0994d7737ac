/* A few lines at the bottom of a terminal, redrawn in place.
 *
 * frame   the lines as they were last drawn; the cursor is below them, at the start of a line
 * Nothing of the terminal is changed that would have to be restored: a process can end at any
 * moment. */
#ifndef WW_STUDY_SCREEN_H
#define WW_STUDY_SCREEN_H

#include "base/memory.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct ww_screen {
    FILE *out;
    WW_VEC(size_t) lengths; /* of the frame's lines; empty: none is drawn */
} ww_screen;

/* Whether the file is a terminal whose cursor can be moved. */
bool ww_screen_can_draw(FILE *out);
/* How many lines, and characters in each, fit. They may change at any time. */
void ww_screen_size(const ww_screen *screen, size_t *lines, size_t *columns);
/* Draws text, whose lines end with a newline, in place of the frame: in one write, cut to what
 * fits. */
void ww_screen_draw(ww_screen *screen, const char *text);
/* Erases the frame, so that something else can be written there. */
void ww_screen_erase(ww_screen *screen);

#endif
