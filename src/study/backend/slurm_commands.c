#include "study/backend/slurm_commands.h"

#include "base/text.h"

#include <string.h>

#define MESSAGE_BYTES 400 /* of what a command wrote */

/* What a command wrote, as one line. */
static char *one_line(const char *text)
{
    char *line = ww_calloc(MESSAGE_BYTES + 4, 1);
    size_t count = 0;
    while (*text == '\n')
        text++;
    for (; *text && count < MESSAGE_BYTES; text++) {
        if (*text != '\n')
            line[count++] = *text;
        else if (text[1])
            count = (size_t)(stpcpy(line + count, "; ") - line);
    }
    return line;
}

/* Runs a command; a status that is not 0 is an error. */
static int run(const ww_words *words, const ww_hold *hold, ww_process_result *result,
               ww_errors *errors)
{
    char *path = ww_process_find(words->items[0]);
    *result = (ww_process_result){0};
    if (!path)
        return ww_fail(errors, WW_FAILED, WW_NOWHERE,
                       "--backend slurm: '%s' is not installed (Debian: slurm-client)",
                       words->items[0]);
    free(path);
    int status = ww_process_run(words, hold, result, errors);
    if (status || result->status == 0)
        return status;
    char *line = one_line(result->messages);
    ww_fail(errors, WW_FAILED, WW_NOWHERE, "--backend slurm: %s failed: %s", words->items[0],
            line[0] ? line : "no reason given");
    free(line);
    return WW_FAILED;
}

static void start_words(ww_words *words, const char *const *list)
{
    *words = (ww_words){0};
    ww_words_add_all(words, list);
}

/* ---- what the cluster allows ---- */

/* The number after a name in the text; false when it is not there. */
static bool find_number(const char *text, const char *name, uint64_t *value)
{
    const char *at = strstr(text, name);
    if (!at)
        return false;
    at += strlen(name);
    at += strspn(at, " =");
    char digits[24];
    snprintf(digits, sizeof(digits), "%.*s", (int)strspn(at, "0123456789"), at);
    return ww_parse_u64(digits, value);
}

int ww_slurm_largest_array(const ww_hold *hold, uint64_t *tasks, ww_errors *errors)
{
    static const char *const list[] = {"scontrol", "show", "config", NULL};
    ww_words words;
    ww_process_result result;
    uint64_t largest = WW_SLURM_USUAL_ARRAY, fewer;
    start_words(&words, list);
    int status = run(&words, hold, &result, errors);
    if (!status) {
        find_number(result.output, "MaxArraySize", &largest);
        if (find_number(result.output, "max_array_tasks", &fewer) && fewer < largest)
            largest = fewer;
        if (largest == 0)
            status = ww_fail(errors, WW_FAILED, WW_NOWHERE,
                             "--backend slurm: this cluster allows no job arrays (MaxArraySize)");
    }
    *tasks = largest;
    ww_process_result_free(&result);
    ww_words_free(&words);
    return status;
}

/* ---- submission and cancelling ---- */

int ww_slurm_submit(const ww_hold *hold, const ww_words *words, char **job, ww_errors *errors)
{
    ww_process_result result;
    int status = run(words, hold, &result, errors);
    *job = NULL;
    if (!status) {
        *job = one_line(result.output);
        (*job)[strcspn(*job, ";\n")] = 0;
        if (!(*job)[0])
            status = ww_fail(errors, WW_FAILED, WW_NOWHERE,
                             "--backend slurm: sbatch gave no job number");
    }
    ww_process_result_free(&result);
    return status;
}

int ww_slurm_cancel(const ww_hold *hold, const char *name, ww_errors *errors)
{
    ww_words words = {0};
    ww_process_result result;
    char *option = ww_format("--name=%s", name);
    ww_words_add(&words, "scancel");
    ww_words_add(&words, option);
    int status = run(&words, hold, &result, errors);
    ww_process_result_free(&result);
    ww_words_free(&words);
    free(option);
    return status;
}

/* ---- the queue ---- */

/* Any other word is the state of a task that runs, or is about to. */
static ww_task_state state_of(const char *word)
{
    static const struct {
        const char *word;
        ww_task_state state;
    } states[] = {
        {"PENDING", WW_TASK_PENDING},      {"REQUEUED", WW_TASK_PENDING},
        {"REQUEUE_HOLD", WW_TASK_PENDING}, {"SPECIAL_EXIT", WW_TASK_PENDING},
        {"COMPLETED", WW_TASK_COMPLETED},  {"FAILED", WW_TASK_FAILED},
        {"LAUNCH_FAILED", WW_TASK_FAILED}, {"TIMEOUT", WW_TASK_OVER_LIMIT},
        {"DEADLINE", WW_TASK_OVER_LIMIT},  {"OUT_OF_MEMORY", WW_TASK_OVER_LIMIT},
        {"CANCELLED", WW_TASK_LOST},       {"NODE_FAIL", WW_TASK_LOST},
        {"BOOT_FAIL", WW_TASK_LOST},       {"PREEMPTED", WW_TASK_LOST},
        {"REVOKED", WW_TASK_LOST},
    };
    for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++)
        if (strcmp(states[i].word, word) == 0)
            return states[i].state;
    return WW_TASK_RUNNING;
}

/* "NAME INDEX STATE REASON NODE": tasks that were cancelled while they waited have no index. */
static void read_line(char *line, ww_slurm_seen *seen, void *context)
{
    char *rest = NULL;
    uint64_t task;
    const char *name = strtok_r(line, " ", &rest), *index = strtok_r(NULL, " ", &rest);
    const char *word = strtok_r(NULL, " ", &rest), *reason = strtok_r(NULL, " ", &rest);
    const char *node = strtok_r(NULL, " ", &rest);
    if (!reason || !ww_parse_u64(index, &task))
        return;
    ww_task_state state = state_of(word);
    if (state == WW_TASK_FAILED && strcmp(reason, "JobLaunchFailure") == 0)
        state = WW_TASK_NOT_STARTED;
    seen(context, name, task, state, word, node ? node : "");
}

static char *join(const ww_words *names)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        ww_out_of_memory(sizeof(FILE));
    for (size_t i = 0; i < names->count; i++)
        fprintf(out, "%s%s", i ? "," : "--name=", names->items[i]);
    fclose(out);
    return text;
}

int ww_slurm_query(const ww_hold *hold, const ww_words *names, ww_slurm_seen *seen, void *context,
                   ww_errors *errors)
{
    static const char *const list[] = {
        "squeue", "--noheader", "--me", "--array", "--states=all", "--format=%j %K %T %r %N", NULL};
    ww_words words;
    ww_process_result result;
    if (names->count == 0)
        return WW_OK;
    char *option = join(names);
    start_words(&words, list);
    ww_words_add(&words, option);
    int status = run(&words, hold, &result, errors);
    char *rest = NULL;
    for (char *line = status ? NULL : strtok_r(result.output, "\n", &rest); line;
         line = strtok_r(NULL, "\n", &rest))
        read_line(line, seen, context);
    ww_process_result_free(&result);
    ww_words_free(&words);
    free(option);
    return status;
}
