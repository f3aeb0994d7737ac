/* Why a run takes as long as it does: what it waits for, and what would help.
 *
 * base        the run that is asked about; its statistics say what it waits for (mem/blame.h)
 * relaxation  a resource that is made larger, faster or ideal, alone: a few keys with other values
 * gain        cycles of the base over those of a relaxation, as measured: each relaxation is a run
 *             of its own
 * storage     what a relaxation adds to the machine, where that is known: data of caches, entries
 *             of miss registers and TLBs
 *
 * Runs are processes of this very program (job.h), several at once; what is printed does not depend
 * on how many. */
#ifndef WW_STUDY_WHY_H
#define WW_STUDY_WHY_H

#include "config/config.h"
#include "study/study.h"

#define WW_WHY_SETTINGS 3

typedef struct ww_relaxation {
    const char *what;                    /* "L1 size" */
    unsigned factor;                     /* how many times as much; 0: ideal */
    bool less;                           /* a part of it instead: a latency */
    char *settings[WW_WHY_SETTINGS + 1]; /* KEY=VALUE, ended by NULL */
    ww_words without; /* settings of the command line that have no effect beside these, left out */
    double share; /* of the base's time that is blamed on it: of requests or of warps, whichever is
                     more */
    uint64_t bytes;  /* of storage */
    bool stored;     /* `bytes` is known */
    uint64_t cycles; /* 0: not measured, because of `failure` or of an interrupt */
    char *failure;   /* NULL: none */
} ww_relaxation;

typedef struct ww_why {
    const ww_why_options *options;
    json_t *base;                      /* its result */
    WW_VEC(ww_relaxation) relaxations; /* in the order of the table; when ranked, of their gains */
    int interrupted;                   /* by this signal; 0: by none */
} ww_why;

/* why_choose.c: the relaxations that could matter to the base, by what it waits for and by what the
 * machine has. */
void ww_why_choose(ww_why *why);

/* why_run.c: the base, the choice, and the relaxations. WW_OK when the base ran, also when it is
 * interrupted after that. */
int ww_why_run(ww_why *why, ww_errors *errors);

/* why_write.c: ranks the relaxations and prints all of it. */
void ww_why_rank(ww_why *why);
void ww_why_write(const ww_why *why, FILE *out);
void ww_why_write_json(const ww_why *why, FILE *out);

/* A statistic of the base, or 0. */
double ww_why_stat(const ww_why *why, const char *name);
/* The share of the time of requests, or of warps, that is blamed on a cause, by its number. */
double ww_why_request_share(const ww_why *why, unsigned cause);
double ww_why_warp_share(const ww_why *why, unsigned cause);
void ww_why_clear(ww_why *why);

#endif
