/* warpwalk study, sweep and report: many runs from one file, and their results. */
#include "base/text.h"
#include "cli/command.h"
#include "cli/progress.h"
#include "study/study.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MOST_JOBS 1024

static const ww_option option_size = {
    0, "size", "SIZE", "tiny, small, ... for all workloads; paper: the sizes of the publication",
    false};
static const ww_option option_sweep = {
    0, "sweep", "NAME", "only the runs of this sweep of the study; may be given many times", true};
static const ww_option option_app = {
    0, "app", "NAME=PROGRAM", "what 'app: NAME' of the study runs; may be given many times", true};
static const ww_option option_jobs = {
    'j', "jobs", "N", "runs at once (default: the processors of this machine; slurm: no limit)",
    false};
static const ww_option option_db = {0, "db", "FILE", "the database of results (default: NAME.db)",
                                    false};
static const ww_option option_resume = {
    0, "resume", NULL, "continue a study; the database must have it already", false};
static const ww_option option_dry_run = {
    0, "dry-run", NULL, "list the runs (with slurm: what would be submitted, too) and make none",
    false};
static const ww_option option_backend = {
    0, "backend", "NAME", "where runs are made: local (default), or slurm, a cluster", false};
static const ww_option option_slurm = {
    0, "slurm", "OPTIONS", "options of sbatch for this study's jobs: '--partition=long'", true};
static const ww_option option_detach = {
    0, "detach", NULL, "with slurm: submit and return; the same command later collects results",
    false};

static int read_jobs(const ww_arguments *arguments, uint64_t *jobs, ww_errors *errors)
{
    const char *text = ww_arguments_value(arguments, &option_jobs);
    *jobs = 0;
    if (!text || (ww_parse_u64(text, jobs) && *jobs >= 1 && *jobs <= MOST_JOBS))
        return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                   "--jobs is '%.60s' (a whole number from 1 to %d is needed)", text, MOST_JOBS);
}

static void read_sweeps(const ww_arguments *arguments, ww_words *sweeps)
{
    for (size_t i = 0; i < arguments->given_count; i++)
        if (arguments->given[i].option == &option_sweep)
            ww_words_add(sweeps, arguments->given[i].value);
}

static int give_apps(const ww_arguments *arguments, ww_study *study, ww_errors *errors)
{
    int status = WW_OK;
    for (size_t i = 0; i < arguments->given_count; i++)
        if (arguments->given[i].option == &option_app)
            status |= ww_study_give_app(study, arguments->given[i].value, errors);
    return status;
}

static int read_submit_words(const ww_arguments *arguments, ww_words *words, ww_errors *errors)
{
    int status = WW_OK;
    for (size_t i = 0; i < arguments->given_count; i++)
        if (arguments->given[i].option == &option_slurm)
            status |= ww_words_split(words, arguments->given[i].value, WW_NOWHERE, errors);
    return status;
}

static int run_study(const ww_arguments *arguments, ww_errors *errors)
{
    int signal = 0;
    ww_study_options options = {.size = ww_arguments_value(arguments, &option_size),
                                .results = ww_arguments_value(arguments, &option_db),
                                .backend = ww_arguments_value(arguments, &option_backend),
                                .detach = ww_arguments_has(arguments, &option_detach),
                                .resume = ww_arguments_has(arguments, &option_resume),
                                .dry_run = ww_arguments_has(arguments, &option_dry_run),
                                .out = stdout,
                                .width = ww_arguments_width(arguments),
                                .log = stderr};
    int status = read_jobs(arguments, &options.jobs, errors);
    status |= read_submit_words(arguments, &options.submit_words, errors);
    read_sweeps(arguments, &options.sweeps);
    ww_study *study = ww_study_load(arguments->words[0], errors);
    status |= study ? give_apps(arguments, study, errors) : WW_BAD_INPUT;
    if (!status)
        status = ww_study_run(study, &options, &signal, errors);
    ww_study_destroy(study);
    ww_words_free(&options.submit_words);
    ww_words_free(&options.sweeps);
    return signal ? WW_STATUS_OF_SIGNAL(signal) : status;
}

static const ww_option *const options_of_study[] = {
    &option_size,  &option_sweep,  &option_app,     &option_jobs,
    &option_db,    &option_resume, &option_dry_run, &option_backend,
    &option_slurm, &option_detach, &ww_option_wide, NULL};

extern const ww_command ww_command_study;
const ww_command ww_command_study = {
    .name = "study",
    .doc = "make all runs of a built-in study and show its figures",
    .usage = "NAME [options]",
    .options = options_of_study,
    .least_words = 1,
    .most_words = 1,
    .words_doc = "a study's name (warpwalk list studies)",
    .help = "Everything is checked before the first run. Runs that the database has of this build"
            " are not repeated. If the command is interrupted or killed, only the runs in flight "
            "are lost: give it again. A run that fails is recorded and does not stop the others; "
            "the exit status is 1 then.",
    .examples =
        (const ww_example[]){
            {"warpwalk study first", "what do page walks cost? (a minute)"},
            {"warpwalk study schedulers --size tiny", "warp schedulers, on small programs"},
            {"warpwalk study isca18 --size paper --sweep main --dry-run", "what would be run?"},
            {"warpwalk study schedulers --size tiny --jobs 2 --db results.db",
             "two runs at once, into this database"},
            {"warpwalk study schedulers --backend slurm --slurm --partition=long --dry-run",
             "what would be submitted to a cluster?"},
            {NULL, NULL}},
    .run = run_study,
};

extern const ww_command ww_command_sweep;
const ww_command ww_command_sweep = {
    .name = "sweep",
    .doc = "the same for a study of your own (docs/studies.md)",
    .usage = "FILE.yaml [options]",
    .options = options_of_study,
    .least_words = 1,
    .most_words = 1,
    .words_doc = "a study file",
    .help = "The file says machine, workloads, variants, axes, metrics and figures; "
            "docs/studies.md explains. The built-in studies are such files: the folder studies/ "
            "has them.",
    .examples =
        (const ww_example[]){
            {"warpwalk sweep studies/schedulers.yaml --dry-run", "what would be run?"},
            {"warpwalk sweep studies/schedulers.yaml --size tiny --jobs 2 --db mine.db",
             "two runs at once, into this database"},
            {NULL, NULL}},
    .run = run_study,
};

/* ---- report ---- */

static const ww_option option_csv = {0, "csv", NULL, "comma-separated values instead of tables",
                                     false};
static const ww_option option_json = {0, "json", NULL, "a JSON array instead of tables", false};

static const ww_option option_html = {
    0, "html", "DIR", "a page with plots, DIR/index.html, which opens offline", false};

static const ww_option option_tables = {
    0, "tables", "DIR", "each study's runs and figures as DIR/NAME.csv and DIR/NAME-figures.csv",
    false};

static int write_page(const char *results, const char *folder, ww_errors *errors)
{
    int status = ww_report_write_page(results, folder, errors);
    if (!status)
        printf("%s%sindex.html\n", folder, folder[strlen(folder) - 1] == '/' ? "" : "/");
    return status;
}

static int run_report(const ww_arguments *arguments, ww_errors *errors)
{
    const char *folder = ww_arguments_value(arguments, &option_html);
    bool csv = ww_arguments_has(arguments, &option_csv);
    bool json = ww_arguments_has(arguments, &option_json);
    const char *tables = ww_arguments_value(arguments, &option_tables);
    if (csv + json + (folder != NULL) + (tables != NULL) > 1)
        return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                       "--csv, --json, --html and --tables (give one of them)");
    if (tables)
        return ww_report_write_tables(arguments->words[0], tables, errors);
    if (folder)
        return write_page(arguments->words[0], folder, errors);
    ww_report_format format = csv ? WW_REPORT_CSV : json ? WW_REPORT_JSON : WW_REPORT_TEXT;
    return ww_report_write(arguments->words[0], NULL, format, ww_arguments_width(arguments), stdout,
                           errors);
}

static const ww_option *const options_of_report[] = {&option_csv,    &option_json,    &option_html,
                                                     &option_tables, &ww_option_wide, NULL};

extern const ww_command ww_command_report;
const ww_command ww_command_report = {
    .name = "report",
    .doc = "the figures of a database of results",
    .usage = "DB [options]",
    .options = options_of_report,
    .least_words = 1,
    .most_words = 1,
    .words_doc = "a database of results",
    .help = "A cell is our value, its spread over seeds in (), and the published one in []; '-' "
            "where runs are missing. --html prints the path of the page. The database is SQLite: "
            "docs/results.md has its tables and views.",
    .examples =
        (const ww_example[]){
            {"warpwalk study schedulers --size tiny", "makes the database schedulers.db"},
            {"warpwalk report schedulers.db", "its figures as tables"},
            {"warpwalk report schedulers.db --csv", "the same for a spreadsheet"},
            {"warpwalk report schedulers.db --html page",
             "the same with plots: open page/index.html"},
            {"warpwalk report schedulers.db --tables tables", "runs and figures as files to keep"},
            {NULL, NULL}},
    .run = run_report,
};
