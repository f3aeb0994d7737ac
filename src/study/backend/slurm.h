/* The parts of the Slurm back end share this. */
#ifndef WW_STUDY_BACKEND_SLURM_H
#define WW_STUDY_BACKEND_SLURM_H

#include "study/backend/slurm_array.h"

/* A run, over all arrays that have it. */
typedef struct ww_slurm_run {
    unsigned tries; /* how often it was submitted */
    unsigned open;  /* tasks that are not over */
    bool ended;     /* its outcome is stored */
} ww_slurm_run;

typedef struct ww_slurm {
    char *folder; /* absolute: tasks begin elsewhere */
    uint64_t largest_array;
    WW_VEC(ww_slurm_array *) arrays;
    ww_slurm_run *runs;      /* by run of the plan */
    size_t pending, running; /* tasks, when the queue was last looked at */
    double next_look, pause; /* at the queue: when, and seconds between looks */
    double refused_until;    /* when a submission may be tried again */
    bool silent;             /* the controller did not answer when it was last asked */
    bool cancel;             /* the rest makes no sense */
} ww_slurm;

/* Something is expected of a task. */
bool ww_slurm_array_is_open(const ww_slurm_array *array);
/* Takes every result and every failure that tasks have written down. */
int ww_slurm_look_at_folder(ww_runner *runner, ww_slurm *slurm);
/* Finds what is lost, and gives it back or reports it. `patient`: a task that the queue has no more may still be about to
 * show its end. */
int ww_slurm_look_at_queue(ww_runner *runner, ww_slurm *slurm, bool patient);

#endif
