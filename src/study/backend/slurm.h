/* Internal to the Slurm back end. */
#ifndef WW_STUDY_BACKEND_SLURM_H
#define WW_STUDY_BACKEND_SLURM_H

#include "study/backend/slurm_array.h"

/* The state of a run over all arrays that have it. */
typedef struct ww_slurm_run {
    unsigned tries; /* how often it was submitted */
    unsigned open;  /* tasks that are not over */
    bool ended;     /* its outcome is stored */
} ww_slurm_run;

typedef struct ww_slurm {
    char *folder; /* absolute: tasks begin elsewhere */
    uint64_t largest_array;
    WW_VEC(ww_slurm_array *) arrays;
    ww_slurm_run *runs;       /* by run of the plan */
    size_t pending, running;  /* tasks, at the last query of the queue */
    double next_query, pause; /* of the queue: when, and seconds between queries */
    double refused_until;     /* when a submission may be tried again */
    bool silent;              /* the controller did not answer the last query */
    bool cancel;              /* all tasks would fail: cancel them */
} ww_slurm;

/* Whether a task of the array is not over. */
bool ww_slurm_array_is_open(const ww_slurm_array *array);
/* Stores every outcome that a task has written to the folder. */
int ww_slurm_read_ends(ww_runner *runner, ww_slurm *slurm);
/* Finds tasks that the queue no longer has; requeues their runs or reports an error. `allow_grace`:
 * waits a moment, because the file of such a task may still appear. */
int ww_slurm_check_queue(ww_runner *runner, ww_slurm *slurm, bool allow_grace);

#endif
