/* A job array of Slurm: runs that were submitted together, and their script.
 *
 * name     the study's and eight unique digits; also the job's name in Slurm
 * script   FOLDER/NAME.sh, written before it is submitted: what sbatch gets, and the record that a
 *          later process reads
 * task     one run of the array, by its index; its files are FOLDER/NAME-INDEX.*:
 *          .log   what it wrote
 *          .end   "STATUS BEGIN END HOST" when it has ended by itself: exit status, seconds since
 *                 1970, node
 *          .part  its incomplete result, later FOLDER/RUN.json
 * The files stay until every task is over, so that a later process can read them after a kill. */
#ifndef WW_STUDY_BACKEND_SLURM_ARRAY_H
#define WW_STUDY_BACKEND_SLURM_ARRAY_H

#include "study/backend.h"
#include "study/backend/slurm_commands.h"

typedef struct ww_slurm_task {
    size_t run; /* in the plan; its count of runs when it is none of them */
    bool over;  /* it needs no more attention */
    ww_task_state state;
    double missed;           /* when it was first missing from the queue; 0: it is queued */
    char word[24], node[64]; /* what Slurm said last */
} ww_slurm_task;

typedef struct ww_slurm_array {
    char *name;
    WW_VEC(ww_slurm_task) tasks;
    bool foreign; /* has runs of another study or build: theirs to cancel and remove */
} ww_slurm_array;

ww_slurm_array *ww_slurm_array_create(const char *study);
/* Reads a script of the folder; NULL when it is none. */
ww_slurm_array *ww_slurm_array_read(const ww_runner *runner, const char *file);
void ww_slurm_array_destroy(ww_slurm_array *array);
void ww_slurm_array_add(ww_slurm_array *array, size_t run);

/* The script as text, for runs of this plan; the caller frees it. The folder is absolute. */
char *ww_slurm_array_script(const ww_runner *runner, const char *folder,
                            const ww_slurm_array *array);
/* The command that submits it. */
void ww_slurm_array_command(const ww_runner *runner, const char *folder,
                            const ww_slurm_array *array, ww_words *words);
char *ww_slurm_array_path(const char *folder, const ww_slurm_array *array); /* of the script */
char *ww_slurm_task_path(const char *folder, const ww_slurm_array *array, size_t task,
                         const char *suffix);
/* Removes the script and all files of its tasks. */
void ww_slurm_array_remove(const char *folder, const ww_slurm_array *array);

/* This program, under a name that a new build does not take: FOLDER/warpwalk-BUILD. */
char *ww_slurm_program_path(const char *folder, const ww_plan *plan);

#endif
