/* A plan: the points of a study with the run that each needs, all checked.
 *
 * measure names   what a run provides: statistics, and the numbers of the result itself
 * The list of runs is the same for the same study, size and version of warpwalk: in the order in
 * which points need them. A run is a complete command line: it can be made on any machine. */
#ifndef WW_STUDY_PLAN_H
#define WW_STUDY_PLAN_H

#include "base/map.h"
#include "host/process.h"
#include "study/model.h"

#define WW_IDENTITY_CHARS 33

typedef struct ww_planned_run {
    char identity[WW_IDENTITY_CHARS];
    const char *workload, *size, *machine, *region; /* size and region: "" where there is none */
    const char *hints;                              /* "": there are none */
    const ww_study_workload *app; /* the workload, if it is a program of the user; else NULL */
    uint64_t seed;
    bool no_dump;   /* it is a launch file that would dump */
    ww_words words; /* run WORKLOAD -m MACHINE -s ..., or app ... -- PROGRAM: what follows the
                       program's name; --json can be inserted after the first */
    char *command;  /* the same for a shell, with `warpwalk` in front */
    bool chosen;    /* to be made */
} ww_planned_run;

typedef struct ww_point {
    const ww_sweep *sweep;
    ww_coordinates coordinates;
    size_t run; /* in the plan's list */
} ww_point;

typedef struct ww_plan {
    const ww_study *study;
    ww_arena *arena;
    ww_point *points; /* by number */
    size_t point_count;
    WW_VEC(ww_planned_run *) runs;
    size_t chosen_points, chosen_runs;
    ww_map *by_identity;
    char build[WW_IDENTITY_CHARS]; /* of this program */
} ww_plan;

/* NULL with all errors. `size` as in ww_study_options. When it takes long, lines on `log` say how
 * far it is; NULL: none. */
ww_plan *ww_plan_create(const ww_study *study, const char *size, FILE *log, ww_errors *errors);
void ww_plan_destroy(ww_plan *plan);
/* Chooses the runs of these sweeps, if any are named. Initially all runs are chosen. */
int ww_plan_choose(ww_plan *plan, const ww_words *sweeps, ww_errors *errors);

/* Whether both have the same workload, size and region, and so take about as long. */
bool ww_runs_alike(const ww_planned_run *a, const ww_planned_run *b);

/* A word as a shell reads it: in quotes where it needs them. */
void ww_write_shell_word(const char *word, FILE *out);

/* The build of this program, as text. */
void ww_build_text(char text[WW_IDENTITY_CHARS]);

/* Numbers of a result that are not statistics; ended by NULL. */
extern const char *const ww_result_measures[];
/* The key that a measure such as "config.l1d.size" is the value of; NULL: it is not one of
 * these. */
const char *ww_measure_key(const char *name);
/* Adds an error for each measure in a metric that no run will have. `parameters`: all that any
 * workload has. */
typedef WW_VEC(const char *) ww_names;
void ww_check_metrics(const ww_study *study, const ww_names *parameters, ww_errors *errors);

#endif
