/* Slurm's commands: what the cluster allows, submission, the queue, cancelling.
 *
 * job name   unique for each array that warpwalk submits: queries and cancellations use it
 * task       one element of a job array, by its index
 * A command that fails is one line with what it wrote. */
#ifndef WW_STUDY_BACKEND_SLURM_COMMANDS_H
#define WW_STUDY_BACKEND_SLURM_COMMANDS_H

#include "host/process.h"

#include <stdint.h>

typedef enum ww_task_state {
    WW_TASK_GONE, /* Slurm does not know it (any more) */
    WW_TASK_PENDING,
    WW_TASK_RUNNING,
    WW_TASK_COMPLETED,
    WW_TASK_FAILED,      /* its script ended with another status than 0 */
    WW_TASK_NOT_STARTED, /* the node could not do it */
    WW_TASK_OVER_LIMIT,  /* of time or memory */
    WW_TASK_LOST,        /* cancelled, preempted, or its node failed */
} ww_task_state;

#define WW_SLURM_USUAL_ARRAY 1001 /* tasks of an array, where the cluster says nothing else */

/* How many tasks an array may have. Fails when there is no Slurm, or no controller answers. */
int ww_slurm_largest_array(const ww_hold *hold, uint64_t *tasks, ww_errors *errors);
/* Runs sbatch; the words begin with its name. `*job` is the number that Slurm gave; the caller
 * frees it. */
int ww_slurm_submit(const ww_hold *hold, const ww_words *words, char **job, ww_errors *errors);

typedef void ww_slurm_seen(void *context, const char *name, size_t task, ww_task_state state,
                           const char *word, const char *node);
/* Calls `seen` for each task of the jobs with these names that Slurm knows, with its state in
 * Slurm's word. */
int ww_slurm_query(const ww_hold *hold, const ww_words *names, ww_slurm_seen *seen, void *context,
                   ww_errors *errors);
int ww_slurm_cancel(const ww_hold *hold, const char *name, ww_errors *errors);

#endif
