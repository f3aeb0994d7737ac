/* Studies: many runs from one file, kept in a database, shown as figures (docs/studies.md).
 *
 * study      a YAML file: machine, workloads, variants, axes, metrics, figures; built in
 *            (studies/NAME.yaml) or a user's own
 * sweep      workloads x variants x axes x seeds of a study; a study has one, or several with names
 * point      one combination of a sweep: a workload, a variant, a value on each axis, a seed
 * run        what a point needs: one process, `warpwalk run ...`. Points that mean the same share a
 *            run
 * identity   128 bits over all that a run's result depends on, besides the build of warpwalk
 * results    the database of runs: one SQLite file (docs/results.md)
 *
 * The contract of this folder: what the command line uses. */
#ifndef WW_STUDY_STUDY_H
#define WW_STUDY_STUDY_H

#include "base/error.h"
#include "base/memory.h"

#include "host/process.h"
#include <jansson.h>

#include <stdint.h>

typedef struct ww_study ww_study;

/* A study by its name or its path (it holds a '/' or ends in .yaml or .yml). NULL with all errors
 * of the file that can be found without a machine. */
ww_study *ww_study_load(const char *name_or_path, ww_errors *errors);
/* The same for a text in memory; `file` stands for its path. */
ww_study *ww_study_parse(const char *file, const char *bytes, size_t count, ww_errors *errors);
void ww_study_destroy(ww_study *study);
/* NAME=PROGRAM: what the study's workloads `app: NAME` run. Only the user can say that: the file is
 * data (docs/trust.md). */
int ww_study_give_app(ww_study *study, const char *assignment, ww_errors *errors);
const char *ww_study_name(const ww_study *study);
const char *ww_study_doc(const ww_study *study);
/* The names of the built-in studies, in alphabetical order, in the arena. */
size_t ww_study_presets(ww_arena *arena, const char ***names);

typedef struct ww_study_options {
    const char *
        size; /* for all workloads; "paper": those that the study names so; NULL: the study's own */
    ww_words sweeps;       /* only their runs are made; none: all */
    const char *results;   /* the database; NULL: NAME.db */
    const char *backend;   /* where runs are made (backend.h); NULL: on this machine */
    uint64_t jobs;         /* runs at once; 0: the back end decides */
    bool detach;           /* submit runs and do not wait for them */
    ww_words submit_words; /* options for sbatch */
    bool resume;           /* the database must have this study already */
    bool dry_run;          /* only list the runs, on `out` */
    FILE *out;             /* the list, or the report at the end */
    size_t width;          /* of a line of the report (base/fold.h) */
    FILE *log;             /* progress */
} ww_study_options;

/* Checks everything, then makes all runs that the database does not have. WW_FAILED when a run
 * failed: the others are made nevertheless. `*signal` becomes the one that ended it. */
int ww_study_run(const ww_study *study, const ww_study_options *options, int *signal,
                 ww_errors *errors);

typedef enum ww_report_format { WW_REPORT_TEXT, WW_REPORT_CSV, WW_REPORT_JSON } ww_report_format;

/* The figures of a study in a database; NULL: of all studies. `width` is that of a line of text
 * (base/fold.h). */
int ww_report_write(const char *results, const char *study, ww_report_format format, size_t width,
                    FILE *out, ww_errors *errors);
/* All studies of a database as a page with plots: FOLDER/index.html, and FOLDER/runs/ for what it
 * links to. */
int ww_report_write_page(const char *results, const char *folder, ww_errors *errors);
/* All studies of a database as small tables: FOLDER/NAME.csv of its runs,
 * FOLDER/NAME-figures.csv. */
int ww_report_write_tables(const char *results, const char *folder, ww_errors *errors);

/* ---- two runs ---- */

typedef struct ww_comparison ww_comparison;

/* Two files that `run --json` wrote; one of them can be "-", standard input. NULL with an error. */
ww_comparison *ww_comparison_read(const char *a, const char *b, ww_errors *errors);
void ww_comparison_destroy(ww_comparison *comparison);
/* True when nothing differs but what the host decides. */
bool ww_comparison_equal(const ww_comparison *comparison);
/* What the comparison shows. */
typedef struct ww_view {
    bool all;     /* complete lists, not only the largest changes */
    bool host;    /* also what varies between equal runs */
    size_t width; /* of a line (base/fold.h) */
    FILE *out;
} ww_view;

void ww_comparison_write(const ww_comparison *comparison, const ww_view *view);
/* The same with complete lists. The caller owns it. */
json_t *ww_comparison_json(const ww_comparison *comparison, bool host);

/* What a run waits for, and what would help (docs/why.md). */
typedef struct ww_why_options {
    const char *workload, *machine;
    const struct ww_config *config; /* of the run; checked */
    ww_words words;                 /* of its command line: run WORKLOAD ... */
    ww_words settings;              /* KEY=VALUE, as given; also in `words` */
    uint64_t jobs;                  /* processes at once; 0: one for each processor */
    const char *json;               /* a path or "-"; NULL: only for people */
    size_t width;                   /* of a line for people (base/fold.h) */
    FILE *out, *log;
} ww_why_options;

/* Makes the runs and writes the answer, or a partial one when it is interrupted. */
int ww_why_answer(const ww_why_options *options, int *signal, ww_errors *errors);

#endif
