/* The progress of a study. On a terminal: a table of the jobs that run, redrawn in place, and above
 * it a line for each failure. Elsewhere: a line for each failure, for the first run that ended and
 * the last, and one a minute.
 *
 * usual    how long a run of the same workload and size took before */
#ifndef WW_STUDY_BOARD_H
#define WW_STUDY_BOARD_H

#include "study/job.h"
#include "study/plan.h"
#include "study/screen.h"

typedef struct ww_board {
    FILE *out;
    bool terminal;
    ww_screen screen;
    const ww_plan *plan;
    const double *usual;      /* seconds by run of the plan; NAN: not known */
    size_t all, done, failed; /* runs to be made in this call */
    double start, shown;
} ww_board;

void ww_board_start(ww_board *board, const ww_plan *plan, size_t all, const double *usual,
                    FILE *out);
/* A run ended. */
void ww_board_ended(ww_board *board, size_t run, const ww_job_end *end);
/* Draws the local jobs now and then; `waiting` is the processor time, in seconds, that waiting runs
 * will take; NAN: not known. */
void ww_board_show(ww_board *board, const ww_job *jobs, size_t count, double waiting);
/* The same for runs in the queue of a batch system. */
void ww_board_show_queue(ww_board *board, size_t pending, size_t now_running);
/* A line that stays. */
void ww_board_note(ww_board *board, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Erases the table, so that other lines can be written; the next ww_board_show draws it again. */
void ww_board_end(ww_board *board);

#endif
