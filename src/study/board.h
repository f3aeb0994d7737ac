/* What a user sees while runs go on: one line that changes on a terminal, elsewhere a line for each run that ended. */
#ifndef WW_STUDY_BOARD_H
#define WW_STUDY_BOARD_H

#include "study/job.h"
#include "study/plan.h"

typedef struct ww_board {
    FILE *out;
    bool terminal, drawn;
    const ww_plan *plan;
    size_t all, done, failed; /* runs to be made in this call */
    double start, shown;
} ww_board;

void ww_board_start(ww_board *board, const ww_plan *plan, size_t all, FILE *out);
/* A run ended. */
void ww_board_ended(ww_board *board, size_t run, const ww_job_end *end);
/* Draws now and then; `left` is the processor time that the rest will take, NAN when not known. */
void ww_board_show(ww_board *board, const ww_job *jobs, size_t count, double left);
/* The same for runs that are elsewhere: how many of them wait there and how many run. */
void ww_board_show_queue(ww_board *board, size_t pending, size_t running);
/* A line that stays. */
void ww_board_note(ww_board *board, const char *format, ...) __attribute__((format(printf, 2, 3)));
void ww_board_end(ww_board *board);

#endif
