#include "study/backend/slurm_array.h"

#include "base/text.h"

#include <ctype.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#define SPARE_MINUTES 2    /* beyond the study's limit of time, which the task itself enforces */
#define SPARE_MEBIBYTES 16 /* beyond the study's limit of memory, for the shell */
#define NAME_CHARS 40      /* of the study's name */

ww_slurm_array *ww_slurm_array_create(const char *study)
{
    uint32_t digits = 0;
    ww_slurm_array *array = ww_calloc(1, sizeof(*array));
    if (getrandom(&digits, sizeof(digits), 0) != sizeof(digits))
        digits = (uint32_t)getpid();
    array->name = ww_format("%.*s-%08x", NAME_CHARS, study, digits);
    for (char *c = array->name; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '_' && *c != '-')
            *c = '_';
    return array;
}

void ww_slurm_array_destroy(ww_slurm_array *array)
{
    free(array->name);
    ww_vec_free(&array->tasks);
    free(array);
}

void ww_slurm_array_add(ww_slurm_array *array, size_t run)
{
    ww_slurm_task task = {.run = run, .state = WW_TASK_PENDING};
    ww_vec_push(&array->tasks, task);
}

char *ww_slurm_array_path(const char *folder, const ww_slurm_array *array)
{
    return ww_format("%s/%s.sh", folder, array->name);
}

char *ww_slurm_task_path(const char *folder, const ww_slurm_array *array, size_t task,
                         const char *suffix)
{
    return ww_format("%s/%s-%zu%s", folder, array->name, task, suffix);
}

char *ww_slurm_program_path(const char *folder, const ww_plan *plan)
{
    return ww_format("%s/warpwalk-%.8s", folder, plan->build);
}

/* ---- the script ---- */

static void write_head(const ww_runner *r, const ww_slurm_array *array, FILE *out)
{
    const ww_study *study = r->plan->study;
    fprintf(out,
            "#!/bin/sh\n"
            "# %zu runs of the study %s: each task of this Slurm job array makes one.\n"
            "#SBATCH --open-mode=truncate\n",
            array->tasks.count, study->name);
    if (study->limit_seconds)
        fprintf(out, "#SBATCH --time=%llu\n",
                (unsigned long long)(study->limit_seconds + 59) / 60 + SPARE_MINUTES);
    if (study->limit_bytes)
        fprintf(out, "#SBATCH --mem=%lluM\n",
                (unsigned long long)((study->limit_bytes + 0xfffff) >> 20) + SPARE_MEBIBYTES);
}

static void write_assignment(const char *name, const char *value, FILE *out)
{
    fprintf(out, "%s=", name);
    ww_write_shell_word(value, out);
    fputc('\n', out);
}

/* A result is renamed when it is complete; the end is written last. */
static void write_body(const ww_runner *r, FILE *out)
{
    char limit[64] = "";
    if (r->plan->study->limit_seconds)
        snprintf(limit, sizeof(limit), "timeout -s KILL %llu ",
                 (unsigned long long)r->plan->study->limit_seconds);
    fprintf(out,
            "files=$folder/$array-$SLURM_ARRAY_TASK_ID\n"
            "cd \"$start\" || exit 1\n"
            "\n"
            "# task RUN warpwalk ARGUMENTS...: makes the run; its result is RUN.json.\n"
            "task() {\n"
            "    run=$1\n"
            "    shift 2\n"
            "    begin=$(date +%%s.%%N)\n"
            "    %s\"$program\" \"$@\" --json \"$files.part\" 2>&1 >/dev/null\n"
            "    status=$?\n"
            "    end=$(date +%%s.%%N)\n"
            "    [ $status -ne 0 ] || mv \"$files.part\" \"$folder/$run.json\" || exit 1\n"
            "    echo $status $begin $end \"$(uname -n)\" >\"$files.new\" || exit 1\n"
            "    mv \"$files.new\" \"$files.end\" || exit 1\n"
            "    exit $status\n"
            "}\n"
            "\n"
            "case $SLURM_ARRAY_TASK_ID in\n",
            limit);
}

char *ww_slurm_array_script(const ww_runner *r, const char *folder, const ww_slurm_array *array)
{
    char *text = NULL, *program = ww_slurm_program_path(folder, r->plan), *start = getcwd(NULL, 0);
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        ww_out_of_memory(sizeof(FILE));
    write_head(r, array, out);
    write_assignment("start", start ? start : ".", out);
    write_assignment("folder", folder, out);
    write_assignment("program", program, out);
    write_assignment("array", array->name, out);
    write_body(r, out);
    for (size_t i = 0; i < array->tasks.count; i++) {
        size_t run = array->tasks.items[i].run;
        char *name = ww_runner_name(r, run);
        fprintf(out, "%zu) task %s %s ;;\n", i, name, r->plan->runs.items[run]->command);
        free(name);
    }
    fputs("esac\n", out);
    fclose(out);
    free(start);
    free(program);
    return text;
}

/* ---- submission ---- */

/* Slurm reads % in a file's name as the beginning of a field. */
static char *output_pattern(const char *folder, const ww_slurm_array *array)
{
    char *text = ww_calloc(2 * strlen(folder) + strlen(array->name) + 16, 1), *to = text;
    for (; *folder; folder++) {
        if (*folder == '%')
            *to++ = '%';
        *to++ = *folder;
    }
    sprintf(to, "/%s-%%a.log", array->name);
    return text;
}

static void add_option(ww_words *words, const char *name, const char *value)
{
    char *word = ww_format("--%s=%s", name, value);
    ww_words_add(words, word);
    free(word);
}

/* A user's options come first: of two equal options, sbatch uses the later. */
void ww_slurm_array_command(const ww_runner *r, const char *folder, const ww_slurm_array *array,
                            ww_words *words)
{
    char range[64], *output = output_pattern(folder, array);
    char *script = ww_slurm_array_path(folder, array);
    unsigned long long jobs = r->options->jobs;
    snprintf(range, sizeof(range), jobs ? "0-%zu%%%llu" : "0-%zu", array->tasks.count - 1, jobs);
    ww_words_add(words, "sbatch");
    for (size_t i = 0; i < r->options->submit_words.count; i++)
        ww_words_add(words, r->options->submit_words.items[i]);
    ww_words_add(words, "--parsable");
    add_option(words, "job-name", array->name);
    add_option(words, "array", range);
    add_option(words, "output", output);
    ww_words_add(words, script);
    free(script);
    free(output);
}

/* ---- records ---- */

/* The index of a run in the plan; its count of runs when it is of another study or build. */
static size_t find_run(const ww_plan *plan, const char *name)
{
    size_t length = WW_IDENTITY_CHARS - 1;
    if (strlen(name) != length + 9 || strncmp(name + length + 1, plan->build, 8) != 0)
        return plan->runs.count;
    const size_t *run = ww_map_get(plan->by_identity, name, length);
    return run ? *run : plan->runs.count;
}

/* Lines "INDEX) task RUN ...": the list of runs. */
static void read_tasks(const ww_plan *plan, char *text, ww_slurm_array *array)
{
    char name[WW_IDENTITY_CHARS + 16], *rest = NULL;
    size_t index;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        if (sscanf(line, "%zu) task %48s", &index, name) != 2 || index != array->tasks.count)
            continue;
        ww_slurm_array_add(array, find_run(plan, name));
        array->foreign |= array->tasks.items[index].run == plan->runs.count;
    }
}

/* "STUDY-1234abcd.sh". Jobs of other names are never queried or cancelled, because the file may be
 * untrusted. */
#define DIGITS 8
static bool is_our_script(const char *file)
{
    size_t length = strlen(file), end = strlen(".sh");
    if (length < DIGITS + end + 2 || strcmp(file + length - end, ".sh") != 0)
        return false;
    const char *digits = file + length - end - DIGITS;
    for (const char *c = file; c < digits; c++)
        if (!isalnum((unsigned char)*c) && *c != '_' && *c != '-')
            return false;
    return digits[-1] == '-' && strspn(digits, "0123456789abcdef") == DIGITS;
}

ww_slurm_array *ww_slurm_array_read(const ww_runner *r, const char *file)
{
    size_t length = strlen(file), count;
    if (!is_our_script(file))
        return NULL;
    char *path = ww_format("%s/%s", r->folder, file), *text = NULL;
    ww_errors *ignored = ww_errors_create();
    ww_slurm_array *array = NULL;
    if (ww_read_file(path, WW_NOWHERE, &text, &count, ignored) == WW_OK) {
        array = ww_calloc(1, sizeof(*array));
        array->name = ww_format("%.*s", (int)(length - 3), file);
        read_tasks(r->plan, text, array);
    }
    ww_errors_destroy(ignored);
    free(text);
    free(path);
    return array;
}

/* Removes the script last, because it lists the other files. */
void ww_slurm_array_remove(const char *folder, const ww_slurm_array *array)
{
    static const char *const suffixes[] = {".log", ".part", ".new", ".end"};
    for (size_t i = 0; i < array->tasks.count; i++)
        for (size_t j = 0; j < sizeof(suffixes) / sizeof(suffixes[0]); j++) {
            char *path = ww_slurm_task_path(folder, array, i, suffixes[j]);
            unlink(path);
            free(path);
        }
    char *script = ww_slurm_array_path(folder, array);
    unlink(script);
    free(script);
}
