/* A database of a study whose runs were never made: each has the numbers of one real run, changed
 * by a factor that depends only on its command line. For tests that need many runs and do not care
 * what they say.
 *
 *   made_up_results STUDY.yaml RESULT.json DB
 *
 * Every 100th run has failed, and runs with l1d.latency=99 are still to be made. */
#include "base/hash.h"
#include "study/plan.h"
#include "study/results.h"

#include <stdio.h>
#include <string.h>

/* From 0 to 1, by the words of a command line: with or without the seed, which are the last two. */
static double chance(const ww_planned_run *run, bool with_seed)
{
    ww_hash128 hash = {{0}};
    for (size_t i = 0; i + (with_seed ? 0 : 2) < run->words.count; i++)
        ww_hash128_add_text(&hash, run->words.items[i]);
    return (double)(hash.words[0] >> 40) / (double)(1 << 24);
}

static json_t *scaled(const json_t *number, double factor)
{
    if (json_is_integer(number))
        return json_integer((json_int_t)((double)json_integer_value(number) * factor));
    return json_is_real(number) ? json_real(json_real_value(number) * factor) : json_null();
}

static json_t *make_result(const json_t *real, const ww_planned_run *run)
{
    json_t *result = json_deep_copy(real), *stats = json_object_get(result, "stats");
    double factor = (0.5 + chance(run, false)) * (1 + 0.05 * chance(run, true));
    const char *name;
    json_t *value;
    void *next;
    json_object_foreach_safe(stats, next, name, value)
        json_object_set_new(stats, name, scaled(value, factor));
    json_object_set_new(result, "cycles", scaled(json_object_get(real, "cycles"), factor));
    for (size_t i = 0; i + 1 < run->words.count; i++) {
        const char *set = strcmp(run->words.items[i], "-s") == 0 ? run->words.items[i + 1] : "=";
        char *key = ww_format("%.*s", (int)strcspn(set, "="), set);
        if (key[0])
            json_object_set_new(json_object_get(result, "config"), key,
                                json_string(set + strlen(key) + 1));
        free(key);
    }
    return result;
}

static int store(ww_results *results, const ww_plan *plan, const json_t *real, size_t i,
                 int64_t number, ww_errors *errors)
{
    const ww_planned_run *run = plan->runs.items[i];
    bool failed = i % 100 == 99;
    json_t *result = failed ? NULL : make_result(real, run);
    ww_outcome outcome = {.run = number,
                          .result = result,
                          .exit_status = failed,
                          .message =
                              failed ? "kernel.cl:7: something <b>went wrong</b>\nlast line" : NULL,
                          .host = "nowhere",
                          .wall_seconds = 1};
    int status = ww_results_store(results, &outcome, errors);
    json_decref(result);
    return status;
}

static int fill(const ww_plan *plan, const json_t *real, const char *path, ww_errors *errors)
{
    ww_known_runs known;
    ww_results *results = ww_results_open(path, WW_RESULTS_WRITE, errors);
    if (!results || ww_results_register(results, plan, NULL, errors) ||
        ww_results_known(results, plan, &known, errors))
        return ww_errors_status(errors);
    for (size_t i = 0; i < plan->runs.count && !ww_errors_status(errors); i++)
        if (!strstr(plan->runs.items[i]->command, "l1d.latency=99"))
            store(results, plan, real, i, known.numbers[i], errors);
    printf("%zu runs\n", plan->runs.count);
    ww_results_close(results);
    return ww_errors_status(errors);
}

int main(int argc, char **argv)
{
    ww_errors *errors = ww_errors_create();
    json_t *real = argc == 4 ? json_load_file(argv[2], 0, NULL) : NULL;
    ww_study *study = real ? ww_study_load(argv[1], errors) : NULL;
    ww_plan *plan = study ? ww_plan_create(study, NULL, NULL, errors) : NULL;
    int status = plan ? fill(plan, real, argv[3], errors) : WW_BAD_INPUT;
    ww_errors_print(errors, stderr);
    ww_plan_destroy(plan);
    ww_study_destroy(study);
    json_decref(real);
    ww_errors_destroy(errors);
    return status;
}
