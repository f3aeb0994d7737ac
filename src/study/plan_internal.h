/* Internal to plan*.c. */
#ifndef WW_STUDY_PLAN_INTERNAL_H
#define WW_STUDY_PLAN_INTERNAL_H

#include "sim/execution.h"
#include "sim/host_program.h"
#include "study/plan.h"

/* A configuration that several points of a sweep have: those that differ in workload and seed
 * only. */
#define WW_MOST_CONFIGURED 256
typedef struct ww_configured {
    ww_config *config;  /* NULL: the entry is free */
    size_t combination; /* of variant and axes */
    unsigned layer;     /* settings above it are the study's */
} ww_configured;

/* While a plan is made. */
typedef struct ww_planner {
    ww_plan *plan;
    const ww_study *study;
    const char *size; /* from the command line, or NULL */
    ww_compiler *compiler;
    ww_launch_file **files;       /* of workloads; NULL: of the catalogue, or not loaded yet */
    bool *is_file;                /* workloads that are launch files */
    ww_hash128 *programs;         /* by workload: what the runs of an app depend on */
    bool *refused;                /* workloads with an error that was reported */
    ww_names parameters;          /* of all workloads, for metrics */
    ww_map *reported;             /* lines of errors: each is reported once */
    WW_VEC(ww_config *) machines; /* as they are, for copies: those without errors */
    ww_map *machine_by_name;
    ww_configured *configured; /* of the sweep at hand, by combination modulo their number */
    double shown; /* of the monotonic clock: when it began, or last reported progress */
    FILE *log;    /* for these lines; NULL: none */
    ww_errors *errors;
} ww_planner;

/* Reports the errors in `found` about one point, and clears them. Lines get the location `at`,
 * except those of a file that has_locations of its own, unless they are about --size. */
int ww_planner_report(ww_planner *p, ww_errors *found, ww_where at, bool has_locations);

/* ---- a point ---- */

const ww_study_workload *ww_point_workload(const ww_study *study, const ww_point *point);
/* The size with all parameters, and the region; `*at` is where the size was written. */
int ww_point_work(ww_planner *p, const ww_point *point, const char **size, const char **region,
                  ww_where *at);
/* The path of a machine file is relative to the study that names it. */
const char *ww_point_machine(ww_planner *p, const ww_point *point, ww_where *at);
/* Made once for points that share it; the planner owns it. NULL when an error was reported. */
const ww_configured *ww_point_configure(ww_planner *p, const ww_point *point, const char *machine,
                                        ww_where at);
void ww_planner_forget(ww_planner *p); /* configurations */
/* Adds the hints of the point to the list. */
int ww_point_hints(ww_planner *p, const ww_point *point, ww_hint_list *hints);
int ww_point_region(ww_planner *p, const char *text, ww_where at, ww_region *region);

/* ---- apps ---- */

/* Reads the program of a workload that is an app, and the driver. */
int ww_planner_load_app(ww_planner *p, size_t workload);
/* An app has its arguments and nothing else that says how much is run. */
int ww_planner_check_app(ww_planner *p, size_t workload, const char *size, const char *region,
                         const char *hints);

/* ---- workloads ---- */

/* All workloads of the study are known. */
void ww_planner_load(ww_planner *p);
/* After all points: adds the parameters of launch files, also of those that no sweep has, because
 * metrics may name them. */
void ww_planner_add_parameters(ww_planner *p);
/* Adds the host program to the identity, or reports what is wrong with its size or its launch file.
 * Only a launch file needs the configuration. */
int ww_planner_identify(ww_planner *p, const ww_point *point, const char *size,
                        const ww_config *config, ww_where at, ww_hash128 *identity);

#endif
