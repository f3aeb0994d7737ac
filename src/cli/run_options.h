/* The options that every command which runs something shares, and the configuration they make. */
#ifndef WW_CLI_RUN_OPTIONS_H
#define WW_CLI_RUN_OPTIONS_H

#include "cli/command.h"
#include "config/machine.h"
#include "host/hints.h"
#include "sim/components.h"
#include "sim/region.h"
#include "sim/sample.h"
#include "sim/trace.h"

extern const ww_option ww_option_machine;          /* -m MACHINE */
extern const ww_option ww_option_set;              /* -s KEY=VALUE, repeatable */
extern const ww_option ww_option_size;             /* --size SIZE */
extern const ww_option ww_option_seed;             /* --seed N */
extern const ww_option ww_option_json;             /* --json FILE|- */
extern const ww_option ww_option_no_verify;        /* --no-verify */
extern const ww_option ww_option_max_instructions; /* --max-instructions N */
extern const ww_option ww_option_trace;            /* --trace SELECTOR */
extern const ww_option ww_option_trace_file;       /* --trace-file FILE */
extern const ww_option ww_option_timeline;         /* --timeline FILE */
extern const ww_option ww_option_warp_times;       /* --warp-times FILE */
extern const ww_option ww_option_pages;            /* --pages FILE */
extern const ww_option ww_option_dump_dir;         /* --dump-dir DIR */
extern const ww_option ww_option_no_dump;          /* --no-dump */
extern const ww_option ww_option_region;           /* --region skip=N,warm=N,measure=N */
extern const ww_option ww_option_sample;           /* --sample[=error=E,confidence=C] */
extern const ww_option ww_option_hint;             /* --hint BUFFER=HINT, repeatable */

typedef struct ww_run_options {
    ww_config *config; /* checked */
    ww_machine_file machine;
    size_t width;     /* of a line for people (base/fold.h) */
    const char *size; /* NULL when not given */
    uint64_t seed;    /* 1 when not given */
    const char *json; /* a path or "-"; NULL when not given */
    bool verify;
    uint64_t max_instructions; /* 0: no limit */
    bool traced;
    ww_trace_selector trace; /* when traced */
    const char *trace_file;  /* a path or "-"; NULL: standard error */
    const char *timeline;    /* a path or "-"; NULL when not given */
    const char *warp_times;  /* likewise */
    const char *pages;       /* a path; NULL when not given */
    bool stdout_taken;       /* by one of these: nothing else goes there */
    const char *dump_folder; /* NULL when not given */
    bool no_dump;
    ww_region region; /* all zero when not given */
    ww_sample sample; /* likewise */
    ww_hint_list *hints;
} ww_run_options;

/* Reads those of the options that the command has; `machine` is the default. All errors in options,
 * machine and settings are reported at once. Free with ww_run_options_clear, also after an
 * error. */
int ww_run_options_read(const ww_arguments *arguments, const char *machine, ww_run_options *options,
                        ww_errors *errors);
void ww_run_options_clear(ww_run_options *options);

#endif
